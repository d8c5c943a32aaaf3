// Execution of stream work: kernels, copies, fills, host calls.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "simulator/hip/graph.hpp"
#include "simulator/hip/runtime.hpp"
#include "simulator/hip/sampling.hpp"
#include "simulator/memory/arena.hpp"
#include "simulator/memory/defined_bytes.hpp"

namespace zellige::sim {
namespace {

LaunchRecord& record() {
  static LaunchRecord* instance = new LaunchRecord;
  return *instance;
}

void run_kernel(DeviceState& state, const KernelWork& work) {
  ihipModule_t& module = *work.function->module;
  LaunchRequest request;
  request.object = module.object.get();
  request.kernel = work.function->kernel;
  request.device = &state.device;
  request.grid = work.grid;
  request.block = work.block;
  request.cluster = work.cluster;
  request.dynamic_lds = work.dynamic_lds;
  request.arguments = work.arguments;
  request.cooperative = work.cooperative;
  request.sample = sampling();
  LaunchResult result = launch(request);
  if (!result.ok) throw Failure{hipErrorLaunchFailure, result.fault};
  const Prediction prediction = predict(state.device, {.counts = result.counts,
                                                       .observed = result.observed,
                                                       .occupancy = result.occupancy,
                                                       .lanes = request.kernel->lanes,
                                                       .workgroups = result.workgroups,
                                                       .loads = result.loads,
                                                       .stores = result.stores,
                                                       .footprint_bytes = result.footprint_bytes});
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.lock);
  state.clock += prediction.seconds;
  LaunchRecord& last = record();
  ++last.sequence;
  last.kernel = request.kernel->demangled;
  last.prediction = prediction;
  last.result = std::move(result);
  last.info = *request.kernel;
  last.lds_bytes = request.kernel->lds_bytes + request.dynamic_lds;
}

bool on_device(const void* pointer) {
  const auto allocation = Arena::instance().find(reinterpret_cast<std::uint64_t>(pointer));
  return allocation && !allocation->host;
}

/// Device memory that a copy or fill touches must be one live allocation's; host memory that no one registered is the
/// program's own business.
void check_range(const void* pointer, std::size_t bytes, const char* what) {
  if (bytes == 0) return;
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const auto allocation = Arena::instance().find(address);
  if (allocation && address + bytes > allocation->end)
    throw Failure{hipErrorInvalidValue, std::string(what) + " of " + std::to_string(bytes) +
                                            " bytes passes the end: " + Arena::instance().describe(allocation->end)};
  if (!allocation && Arena::instance().reserved(address))
    throw Failure{hipErrorInvalidValue,
                  std::string(what) + " of " + std::to_string(bytes) +
                      " bytes in device memory that is not allocated: " + Arena::instance().describe(address)};
}

std::size_t extent(std::size_t width, std::size_t height, std::size_t depth, std::size_t pitch, std::size_t slice) {
  return width && height && depth ? (depth - 1) * slice + (height - 1) * pitch + width : 0;
}

void run_copy(DeviceState& state, const CopyWork& work) {
  check_range(work.to, extent(work.width, work.height, work.depth, work.to_pitch, work.to_slice),
              "a copy's destination");
  check_range(work.from, extent(work.width, work.height, work.depth, work.from_pitch, work.from_slice),
              "a copy's source");
  for (std::size_t z = 0; z < work.depth; ++z)
    for (std::size_t y = 0; y < work.height; ++y)
      std::memmove(static_cast<char*>(work.to) + z * work.to_slice + y * work.to_pitch,
                   static_cast<const char*>(work.from) + z * work.from_slice + y * work.from_pitch, work.width);
  if (DefinedBytes* bits = DefinedBytes::instance())
    for (std::size_t z = 0; z < work.depth; ++z)
      for (std::size_t y = 0; y < work.height; ++y)
        bits->copy(reinterpret_cast<std::uint64_t>(work.to) + z * work.to_slice + y * work.to_pitch,
                   reinterpret_cast<std::uint64_t>(work.from) + z * work.from_slice + y * work.from_pitch, work.width);
  const bool over_bus = !on_device(work.to) || !on_device(work.from);
  state.clock += predict_copy(state.device, std::uint64_t{work.width} * work.height * work.depth, over_bus);
}

template <class T>
void fill_row(void* to, std::uint32_t value, std::size_t count) {
  T* row = static_cast<T*>(to);
  std::fill(row, row + count, static_cast<T>(value));
}

void run_fill(DeviceState& state, const FillWork& work) {
  const std::size_t row_bytes = work.width * work.element;
  check_range(work.to, extent(row_bytes, work.height, work.depth, work.pitch, work.slice), "a fill");
  for (std::size_t z = 0; z < work.depth; ++z) {
    for (std::size_t y = 0; y < work.height; ++y) {
      void* row = static_cast<char*>(work.to) + z * work.slice + y * work.pitch;
      if (DefinedBytes* bits = DefinedBytes::instance()) bits->define(reinterpret_cast<std::uint64_t>(row), row_bytes);
      switch (work.element) {
        case 1:
          std::memset(row, static_cast<int>(work.value), work.width);
          break;
        case 2:
          fill_row<std::uint16_t>(row, work.value, work.width);
          break;
        default:
          fill_row<std::uint32_t>(row, work.value, work.width);
          break;
      }
    }
  }
  state.clock += predict_copy(state.device, std::uint64_t{row_bytes} * work.height * work.depth, false);
}

}  // namespace

LaunchRecord last_launch() {
  const std::lock_guard guard(Runtime::instance().lock);
  return record();
}

void execute(DeviceState& device, const Work& work) {
  struct Visitor {
    DeviceState& device;
    void operator()(const EmptyWork&) const {}
    void operator()(const KernelWork& kernel) const { run_kernel(device, kernel); }
    void operator()(const CopyWork& copy) const { run_copy(device, copy); }
    void operator()(const FillWork& fill) const { run_fill(device, fill); }
    void operator()(const HostWork& host) const { host.function(host.data); }
    void operator()(const GraphWork& child) const { run_graph(device, *child.graph); }
    void operator()(const EventRecordWork& event) const {
      event.event->recorded = true;
      event.event->device = device.device.index;
      event.event->seconds = device.clock;
    }
    void operator()(const EventWaitWork&) const {}  // whatever was enqueued before has ended
  };
  std::visit(Visitor{device}, work);
}

}  // namespace zellige::sim
