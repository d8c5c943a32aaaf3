// Streams, and the capture of streams into graphs.
#include <algorithm>

#include "simulator/hip/graph.hpp"
#include "simulator/hip/runtime.hpp"

namespace zellige::sim {
namespace {

std::set<std::shared_ptr<Capture>>& captures() {
  static auto* active = new std::set<std::shared_ptr<Capture>>;
  return *active;
}

hipStreamCaptureMode& thread_capture_mode() {
  static thread_local hipStreamCaptureMode mode = hipStreamCaptureModeGlobal;
  return mode;
}

bool is_default(const ihipStream_t& stream) {
  return &stream == &Runtime::instance().device(stream.device).default_stream;
}

void end_capture_of(Capture& capture) {
  for (ihipStream_t* stream : capture.streams) {
    stream->capture.reset();
    stream->capture_tail.clear();
    stream->capture_origin = false;
  }
  std::erase_if(captures(), [&](const auto& entry) { return entry.get() == &capture; });
}

/// True when every node of `tail` is in `end` or comes before a node of it.
bool joined(const std::vector<hipGraphNode_t>& tail, const std::vector<hipGraphNode_t>& end) {
  std::set<const hipGraphNode*> seen(end.begin(), end.end());
  std::vector<const hipGraphNode*> open(end.begin(), end.end());
  while (!open.empty()) {
    const hipGraphNode* node = open.back();
    open.pop_back();
    for (const hipGraphNode* before : node->dependencies)
      if (seen.insert(before).second) open.push_back(before);
  }
  return std::ranges::all_of(tail, [&](const hipGraphNode* node) { return seen.contains(node); });
}

ihipStream_t* create_stream(unsigned flags, int priority) {
  require((flags & ~hipStreamNonBlocking) == 0, hipErrorInvalidValue);
  Runtime& runtime = Runtime::instance();
  DeviceState& device = runtime.current();
  const std::lock_guard guard(runtime.lock);
  auto* stream = new ihipStream_t;
  stream->device = device.device.index;
  stream->flags = flags;
  stream->priority = std::clamp(priority, -1, 1);
  stream->id = runtime.next_stream_id++;
  runtime.streams.insert(stream);
  return stream;
}

/// Begins a capture into `graph`, or into a new one where it is null.
void begin_capture(hipStream_t handle, hipGraph_t graph, std::vector<hipGraphNode_t> after, hipStreamCaptureMode mode) {
  Runtime& runtime = Runtime::instance();
  ihipStream_t& stream = runtime.stream(handle);
  require(mode == hipStreamCaptureModeGlobal || mode == hipStreamCaptureModeThreadLocal ||
              mode == hipStreamCaptureModeRelaxed,
          hipErrorInvalidValue);
  require(!is_default(stream), hipErrorStreamCaptureUnsupported);
  require(!stream.capture, hipErrorIllegalState);
  static unsigned long long next_id = 1;
  auto capture = std::make_shared<Capture>();
  capture->owns_handle = graph == nullptr;
  capture->handle = graph ? graph : make_handle(std::make_shared<Graph>());
  capture->graph = capture->handle->graph;
  capture->mode = mode;
  capture->origin = &stream;
  capture->thread = std::this_thread::get_id();
  capture->streams.insert(&stream);
  const std::lock_guard guard(runtime.lock);
  capture->id = next_id++;
  stream.capture = capture;
  stream.capture_origin = true;
  stream.capture_tail = std::move(after);
  captures().insert(capture);
}

hipStreamCaptureStatus status_of(const ihipStream_t& stream) {
  if (!stream.capture) return hipStreamCaptureStatusNone;
  return stream.capture->invalid ? hipStreamCaptureStatusInvalidated : hipStreamCaptureStatusActive;
}

}  // namespace

hipGraphNode_t enqueue(ihipStream_t& stream, Work work) {
  Runtime& runtime = Runtime::instance();
  {
    const std::lock_guard guard(runtime.lock);
    if (stream.capture) {
      require(!stream.capture->invalid, hipErrorStreamCaptureInvalidated);
      hipGraphNode* node = stream.capture->graph->add(std::move(work), stream.capture_tail);
      stream.capture_tail = {node};
      return node;
    }
    if (is_default(stream)) {
      // The legacy stream waits for every blocking stream, and so would wait for the captured one.
      for (const auto& capture : captures()) {
        if (capture->mode == hipStreamCaptureModeRelaxed || capture->origin->flags & hipStreamNonBlocking) continue;
        capture->invalid = true;
        throw Failure{hipErrorStreamCaptureImplicit, {}};
      }
    }
  }
  try {
    execute(runtime.device(stream.device), work);
  } catch (const Failure& failure) {
    stream.pending = failure.code;
    throw;
  }
  return nullptr;
}

void synchronize(ihipStream_t& stream) {
  if (stream.capture) {
    stream.capture->invalid = true;
    throw Failure{hipErrorStreamCaptureUnsupported, {}};
  }
  require(stream.pending == hipSuccess, std::exchange(stream.pending, hipSuccess));
}

void forbid_in_capture() {
  const std::lock_guard guard(Runtime::instance().lock);
  if (thread_capture_mode() == hipStreamCaptureModeRelaxed) return;
  for (const auto& capture : captures()) {
    const bool own = capture->thread == std::this_thread::get_id();
    const bool forbids =
        (capture->mode == hipStreamCaptureModeGlobal && thread_capture_mode() == hipStreamCaptureModeGlobal) ||
        (capture->mode != hipStreamCaptureModeRelaxed && own);
    if (!forbids) continue;
    capture->invalid = true;
    throw Failure{hipErrorStreamCaptureUnsupported, {}};
  }
}

}  // namespace zellige::sim

using namespace zellige::sim;

hipError_t hipStreamCreate(hipStream_t* stream) { return hipStreamCreateWithPriority(stream, 0, 0); }
hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
  return hipStreamCreateWithPriority(stream, flags, 0);
}

hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int priority) {
  return api([&] {
    require(stream, hipErrorInvalidValue);
    *stream = create_stream(flags, priority);
  });
}

hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, uint32_t words, const uint32_t* mask) {
  return api([&] {
    require(stream && words && mask, hipErrorInvalidValue);
    *stream = create_stream(0, 0);
    (*stream)->cu_mask.assign(mask, mask + words);
  });
}

hipError_t hipExtStreamGetCUMask(hipStream_t handle, uint32_t words, uint32_t* mask) {
  return api([&] {
    const ihipStream_t& stream = Runtime::instance().stream(handle);
    const int cus = Runtime::instance().device(stream.device).device.traits.compute_units;
    require(mask && words >= static_cast<uint32_t>((cus + 31) / 32), hipErrorInvalidValue);
    for (uint32_t i = 0; i < words; ++i) {
      const int left = std::clamp(cus - static_cast<int>(i) * 32, 0, 32);
      mask[i] = stream.cu_mask.empty()      ? static_cast<uint32_t>((std::uint64_t{1} << left) - 1)
                : i < stream.cu_mask.size() ? stream.cu_mask[i]
                                            : 0;
    }
  });
}

hipError_t hipStreamDestroy(hipStream_t handle) {
  return api([&] {
    require(handle && handle != hipStreamLegacy && handle != hipStreamPerThread, hipErrorInvalidResourceHandle);
    Runtime& runtime = Runtime::instance();
    ihipStream_t& stream = runtime.stream(handle);
    const std::lock_guard guard(runtime.lock);
    if (stream.capture) {
      const std::shared_ptr<Capture> capture = stream.capture;
      if (stream.capture_origin) {
        end_capture_of(*capture);
        if (capture->owns_handle) destroy_handle(capture->handle);
      }
      capture->streams.erase(&stream);
      capture->invalid = true;
    }
    runtime.streams.erase(&stream);
    delete &stream;
  });
}

hipError_t hipStreamQuery(hipStream_t handle) { return hipStreamSynchronize(handle); }
hipError_t hipStreamSynchronize(hipStream_t handle) {
  return api([&] { synchronize(Runtime::instance().stream(handle)); });
}

hipError_t hipStreamGetFlags(hipStream_t handle, unsigned* flags) {
  return api([&] {
    require(flags, hipErrorInvalidValue);
    *flags = Runtime::instance().stream(handle).flags;
  });
}

hipError_t hipStreamGetPriority(hipStream_t handle, int* priority) {
  return api([&] {
    require(priority, hipErrorInvalidValue);
    *priority = Runtime::instance().stream(handle).priority;
  });
}

hipError_t hipStreamGetDevice(hipStream_t handle, hipDevice_t* device) {
  return api([&] {
    require(device, hipErrorInvalidValue);
    *device = Runtime::instance().stream(handle).device;
  });
}

int hipGetStreamDeviceId(hipStream_t handle) {
  int device = -1;
  const hipError_t error = api([&] { device = Runtime::instance().stream(handle).device; });
  return error == hipSuccess ? device : -1;
}

hipError_t hipStreamGetId(hipStream_t handle, unsigned long long* id) {
  return api([&] {
    require(id, hipErrorInvalidValue);
    *id = Runtime::instance().stream(handle).id;
  });
}

hipError_t hipStreamAddCallback(hipStream_t handle, hipStreamCallback_t callback, void* data, unsigned flags) {
  return api([&] {
    require(callback && flags == 0, hipErrorInvalidValue);
    ihipStream_t& stream = Runtime::instance().stream(handle);
    require(!stream.capture, hipErrorStreamCaptureUnsupported);
    callback(handle, stream.pending, data);
  });
}

hipError_t hipLaunchHostFunc(hipStream_t handle, hipHostFn_t function, void* data) {
  return api([&] {
    require(function, hipErrorInvalidValue);
    enqueue(Runtime::instance().stream(handle), HostWork{function, data});
  });
}

// The value operations compare and write memory that host and kernels share. Streams run eagerly, so a wait whose
// condition does not hold would never end: it is an error instead of a hang.
namespace {

template <class T>
void wait_value(hipStream_t handle, void* pointer, T value, unsigned flags, T mask) {
  Runtime::instance().stream(handle);
  require(pointer, hipErrorInvalidValue);
  const T now = *static_cast<volatile T*>(pointer) & mask;
  bool holds = false;
  switch (flags) {
    case hipStreamWaitValueGte:
      holds = static_cast<std::make_signed_t<T>>(now - value) >= 0;
      break;
    case hipStreamWaitValueEq:
      holds = now == value;
      break;
    case hipStreamWaitValueAnd:
      holds = (now & value) != 0;
      break;
    case hipStreamWaitValueNor:
      holds = static_cast<T>(~(now | value)) != 0;
      break;
    default:
      throw Failure{hipErrorInvalidValue, {}};
  }
  require(
      holds, hipErrorNotSupported,
      "hipStreamWaitValue: the condition does not hold yet, and a simulated stream cannot wait for what comes later");
}

}  // namespace

hipError_t hipStreamWaitValue32(hipStream_t stream, void* pointer, uint32_t value, unsigned flags, uint32_t mask) {
  return api([&] { wait_value<uint32_t>(stream, pointer, value, flags, mask); });
}
hipError_t hipStreamWaitValue64(hipStream_t stream, void* pointer, uint64_t value, unsigned flags, uint64_t mask) {
  return api([&] { wait_value<uint64_t>(stream, pointer, value, flags, mask); });
}
hipError_t hipStreamWriteValue32(hipStream_t handle, void* pointer, uint32_t value, unsigned /*flags*/) {
  return api([&] {
    require(pointer, hipErrorInvalidValue);
    enqueue(Runtime::instance().stream(handle), FillWork{.to = pointer, .value = value, .element = 4, .width = 1});
  });
}

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
  return api([&] { begin_capture(stream, nullptr, {}, mode); });
}

hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                        const hipGraphEdgeData* /*data*/, size_t count, hipStreamCaptureMode mode) {
  return api([&] {
    graph_of(graph);
    require(dependencies || count == 0, hipErrorInvalidValue);
    begin_capture(stream, graph, {dependencies, dependencies + count}, mode);
  });
}

hipError_t hipStreamEndCapture(hipStream_t handle, hipGraph_t* graph) {
  return api([&] {
    require(graph, hipErrorInvalidValue);
    *graph = nullptr;
    Runtime& runtime = Runtime::instance();
    ihipStream_t& stream = runtime.stream(handle);
    const std::lock_guard guard(runtime.lock);
    require(stream.capture != nullptr, hipErrorIllegalState);
    require(stream.capture_origin, hipErrorStreamCaptureUnmatched);
    const std::shared_ptr<Capture> capture = stream.capture;
    require(capture->mode == hipStreamCaptureModeRelaxed || capture->thread == std::this_thread::get_id(),
            hipErrorStreamCaptureWrongThread);
    const std::vector<hipGraphNode_t> end = stream.capture_tail;
    const bool all_joined = std::ranges::all_of(capture->streams, [&](const ihipStream_t* other) {
      return other == &stream || joined(other->capture_tail, end);
    });
    end_capture_of(*capture);
    if ((capture->invalid || !all_joined) && capture->owns_handle) destroy_handle(capture->handle);
    require(!capture->invalid, hipErrorStreamCaptureInvalidated);
    require(all_joined, hipErrorStreamCaptureUnjoined);
    *graph = capture->handle;
  });
}

hipError_t hipStreamIsCapturing(hipStream_t handle, hipStreamCaptureStatus* status) {
  return api([&] {
    require(status, hipErrorInvalidValue);
    *status = status_of(Runtime::instance().stream(handle));
  });
}

hipError_t hipStreamGetCaptureInfo(hipStream_t handle, hipStreamCaptureStatus* status, unsigned long long* id) {
  return hipStreamGetCaptureInfo_v2(handle, status, id, nullptr, nullptr, nullptr);
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t handle, hipStreamCaptureStatus* status, unsigned long long* id,
                                      hipGraph_t* graph, const hipGraphNode_t** dependencies, size_t* count) {
  return api([&] {
    require(status, hipErrorInvalidValue);
    ihipStream_t& stream = Runtime::instance().stream(handle);
    *status = status_of(stream);
    if (!stream.capture) return;
    if (id) *id = stream.capture->id;
    if (graph) *graph = stream.capture->handle;
    if (dependencies) *dependencies = stream.capture_tail.data();
    if (count) *count = stream.capture_tail.size();
  });
}

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t handle, hipGraphNode_t* dependencies, size_t count,
                                              unsigned flags) {
  return api([&] {
    ihipStream_t& stream = Runtime::instance().stream(handle);
    require(stream.capture != nullptr, hipErrorIllegalState);
    require(dependencies || count == 0, hipErrorInvalidValue);
    if (flags == hipStreamSetCaptureDependencies) stream.capture_tail.clear();
    for (size_t i = 0; i < count; ++i) {
      require(stream.capture->graph->contains(dependencies[i]), hipErrorInvalidValue);
      if (std::ranges::find(stream.capture_tail, dependencies[i]) == stream.capture_tail.end())
        stream.capture_tail.push_back(dependencies[i]);
    }
  });
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  return api([&] {
    require(mode, hipErrorInvalidValue);
    std::swap(*mode, thread_capture_mode());
  });
}
