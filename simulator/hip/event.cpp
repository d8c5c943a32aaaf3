// Events. Their times are readings of the device's simulated clock, which advances by predicted times.
#include <algorithm>

#include "simulator/hip/graph.hpp"
#include "simulator/hip/runtime.hpp"

using namespace zellige::sim;

namespace {

ihipEvent_t& event_of(hipEvent_t handle) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.lock);
  require(handle && runtime.events.contains(handle), hipErrorInvalidHandle);
  return *handle;
}

void record_event(hipEvent_t handle, hipStream_t stream_handle, unsigned flags) {
  ihipEvent_t& event = event_of(handle);
  ihipStream_t& stream = Runtime::instance().stream(stream_handle);
  require(event.device == stream.device, hipErrorInvalidHandle);
  if (stream.capture && !(flags & hipEventRecordExternal)) {
    require(!stream.capture->invalid, hipErrorStreamCaptureInvalidated);
    event.capture = stream.capture;
    event.capture_nodes = stream.capture_tail;
    return;
  }
  event.capture.reset();
  enqueue(stream, EventRecordWork{&event});
}

void require_settled(const ihipEvent_t& event) { require(event.capture.expired(), hipErrorCapturedEvent); }

}  // namespace

hipError_t hipEventCreate(hipEvent_t* event) { return hipEventCreateWithFlags(event, hipEventDefault); }

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  return api([&] {
    constexpr unsigned known = hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess |
                               hipEventReleaseToDevice | hipEventReleaseToSystem | hipEventDisableSystemFence;
    require(event && (flags & ~known) == 0, hipErrorInvalidValue);
    Runtime& runtime = Runtime::instance();
    const int device = runtime.current().device.index;
    const std::lock_guard guard(runtime.lock);
    *event = new ihipEvent_t;
    (*event)->flags = flags;
    (*event)->device = device;
    runtime.events.insert(*event);
  });
}

hipError_t hipEventDestroy(hipEvent_t handle) {
  return api([&] {
    ihipEvent_t& event = event_of(handle);
    Runtime& runtime = Runtime::instance();
    const std::lock_guard guard(runtime.lock);
    runtime.events.erase(&event);
    delete &event;
  });
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return api([&] { record_event(event, stream, 0); });
}

hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned flags) {
  return api([&] {
    require(flags == hipEventRecordDefault || flags == hipEventRecordExternal, hipErrorInvalidValue);
    record_event(event, stream, flags);
  });
}

hipError_t hipEventSynchronize(hipEvent_t handle) {
  return api([&] { require_settled(event_of(handle)); });
}

hipError_t hipEventQuery(hipEvent_t handle) {
  return api([&] { require_settled(event_of(handle)); });
}

hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start, hipEvent_t stop) {
  return api([&] {
    require(milliseconds, hipErrorInvalidValue);
    const ihipEvent_t& first = event_of(start);
    const ihipEvent_t& second = event_of(stop);
    require_settled(first);
    require_settled(second);
    require(first.recorded && second.recorded, hipErrorInvalidHandle);
    require(!((first.flags | second.flags) & hipEventDisableTiming), hipErrorInvalidHandle);
    require(first.device == second.device, hipErrorInvalidHandle);
    *milliseconds = static_cast<float>((second.seconds - first.seconds) * 1e3);
  });
}

hipError_t hipStreamWaitEvent(hipStream_t stream_handle, hipEvent_t handle, unsigned flags) {
  return api([&] {
    ihipEvent_t& event = event_of(handle);
    ihipStream_t& stream = Runtime::instance().stream(stream_handle);
    require(flags == hipEventWaitDefault || flags == hipEventWaitExternal, hipErrorInvalidValue);
    const std::shared_ptr<Capture> capture = event.capture.lock();
    if (!capture) {
      if (!stream.capture) return;  // all that was enqueued before the event has ended
      if (flags == hipEventWaitExternal) {
        enqueue(stream, EventWaitWork{&event});
        return;
      }
      stream.capture->invalid = true;
      throw Failure{hipErrorStreamCaptureIsolation, {}};
    }
    require(!capture->invalid, hipErrorStreamCaptureInvalidated);
    if (!stream.capture) {
      // The stream joins the capture.
      require(&stream != &Runtime::instance().device(stream.device).default_stream, hipErrorStreamCaptureImplicit);
      stream.capture = capture;
      capture->streams.insert(&stream);
    }
    require(stream.capture == capture, hipErrorStreamCaptureMerge);
    for (hipGraphNode_t node : event.capture_nodes)
      if (std::ranges::find(stream.capture_tail, node) == stream.capture_tail.end())
        stream.capture_tail.push_back(node);
  });
}
