// The engine of launches; launch.hpp states the law.
#include "simulator/dispatch/launch.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <stdexcept>

#include "simulator/check/checked_program.hpp"
#include "simulator/check/race_model.hpp"
#include "simulator/dispatch/arguments.hpp"
#include "simulator/dispatch/cluster.hpp"
#include "simulator/dispatch/host_threads.hpp"
#include "simulator/dispatch/hostcall.hpp"
#include "simulator/dispatch/kernel_start.hpp"
#include "simulator/dispatch/order.hpp"
#include "simulator/dispatch/selection.hpp"
#include "simulator/dispatch/setting.hpp"
#include "simulator/memory/arena.hpp"

namespace zellige::sim {
namespace {

// Branches that a wave takes before others run. Loops of most kernels end far below it; waves that spin on a flag give
// up the host thread after about a millisecond. Kernels that call the host spin until they are answered, so they yield
// sooner.
constexpr std::uint64_t branch_budget = 50000, branch_budget_of_callers = 200;
constexpr std::uint32_t dynamic_stack_bytes =
    16384;  // a lane's scratch beyond the fixed part where calls are not known

/// hsa_kernel_dispatch_packet_t of the HSA specification.
struct DispatchPacket {
  std::uint16_t header, setup, workgroup_size_x, workgroup_size_y, workgroup_size_z, reserved0;
  std::uint32_t grid_size_x, grid_size_y, grid_size_z, private_segment_size, group_segment_size;
  std::uint64_t kernel_object, kernarg_address, reserved2, completion_signal;
};
static_assert(sizeof(DispatchPacket) == 64);

/// What the device library's grid barrier works on: one grid, and the count of workgroups that it waits for.
struct GridSync {
  std::uint64_t between_grids = 0;
  std::uint32_t grid = 0, grids = 1;
  std::uint64_t work_items_before = 0, work_items = 0;
  std::uint32_t arrived = 0, unused = 0, workgroups = 0, padding = 0;
};
static_assert(sizeof(GridSync) == 48);

/// Memory that waves' registers point to: the dispatch packet, the queue, the grid barrier, the arguments. Kept from
/// launch to launch, so that launches do not change the set of allocations.
class LaunchMemory {
 public:
  static constexpr std::size_t packet_at = 0, queue_at = 256, grid_sync_at = 512, kernarg_at = 1024;

  std::uint8_t* reserve(std::size_t kernarg_bytes) {
    const std::size_t bytes = kernarg_at + kernarg_bytes;
    if (bytes > bytes_) {
      if (data_) Arena::instance().release(data_);
      bytes_ = std::max<std::size_t>(bytes, 16384);
      data_ = static_cast<std::uint8_t*>(Arena::instance().allocate_host(bytes_));
      if (!data_) {
        bytes_ = 0;
        throw std::bad_alloc();
      }
    }
    return data_;
  }

 private:
  std::uint8_t* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// 0: workgroups and waves in their own order.
std::uint64_t order_seed() {
  const char* text = std::getenv("ZELLIGE_SIM_ORDER");
  if (!text || !*text) return 0;
  char* end = nullptr;
  errno = 0;
  const unsigned long long seed = std::strtoull(text, &end, 0);
  if (std::isdigit(static_cast<unsigned char>(*text)) && !*end && errno == 0) return mix(seed) | 1;
  static std::atomic<bool> said = false;
  say_ignored(said, "ZELLIGE_SIM_ORDER", text, "a number from 0 to 2^64 - 1");
  return 0;
}

bool observe_all() {
  const char* text = std::getenv("ZELLIGE_SIM_OBSERVE");
  if (!text || !*text) return false;
  if (std::strcmp(text, "all") == 0) return true;
  static std::atomic<bool> said = false;
  say_ignored(said, "ZELLIGE_SIM_OBSERVE", text, "'all'");
  return false;
}

/// Bytes of the distinct allocations that some aligned 64-bit word of the arguments points into.
std::uint64_t footprint(std::span<const std::uint8_t> arguments) {
  std::vector<std::uint64_t> seen;
  std::uint64_t bytes = 0;
  for (std::size_t at = 0; at + 8 <= arguments.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, arguments.data() + at, sizeof word);
    const auto allocation = Arena::instance().find(word);
    if (!allocation || std::ranges::find(seen, allocation->begin) != seen.end()) continue;
    seen.push_back(allocation->begin);
    bytes += allocation->end - allocation->begin;
  }
  return bytes;
}

/// A line on a terminal about once a second, for launches that take long (ZELLIGE_SIM_PROGRESS=1).
class Progress {
 public:
  Progress(const std::string& kernel, std::uint64_t total) : kernel_(kernel), total_(total) {
    const char* text = std::getenv("ZELLIGE_SIM_PROGRESS");
    enabled_ = text && std::strcmp(text, "1") == 0 && isatty(STDERR_FILENO);
  }
  ~Progress() {
    if (shown_) std::fprintf(stderr, "\n");
  }
  void report(std::uint64_t done) {
    if (!enabled_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::seconds(1)) return;
    last_ = now;
    shown_ = true;
    std::fprintf(stderr, "\rzellige-sim: %.60s: %llu of %llu workgroups", kernel_.c_str(),
                 static_cast<unsigned long long>(done), static_cast<unsigned long long>(total_));
  }

 private:
  std::string kernel_;
  std::uint64_t total_;
  bool enabled_ = false, shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// One launch in execution: what its host threads share.
struct Execution {
  const LaunchRequest& request;
  ResidentSetup setup;
  std::array<std::uint32_t, 3> cluster;   ///< workgroups of a cluster
  Selection selection;
  std::size_t resident_limit = 1;         ///< clusters of a thread, when waves wait for other workgroups
  bool observe_everything = false;
  ObservationSetup observation;
  WatchedLines lines;
  bool calls_host = false;
  std::atomic<std::uint64_t> next{0}, done{0};
  std::atomic<bool> stop{false};
};

/// What one host thread keeps between launches.
struct HostThread {
  std::vector<std::unique_ptr<ResidentCluster>> pool;  ///< slots of clusters, reused
  Counts counts;
  ObservedCounts observed;
  Fault fault;
  std::uint64_t fault_workgroup = ~std::uint64_t{0};

  void work(Execution& execution, Progress* progress) {
    std::vector<ResidentCluster*> active;
    std::vector<ResidentCluster*> idle;
    for (auto& slot : pool) idle.push_back(slot.get());
    const auto admit = [&] {
      const std::uint64_t i = execution.next.fetch_add(1, std::memory_order_relaxed);
      if (i >= execution.selection.executed) return false;
      if (idle.empty()) idle.push_back(pool.emplace_back(std::make_unique<ResidentCluster>()).get());
      ResidentCluster* resident = idle.back();
      idle.pop_back();
      const std::uint64_t slot = execution.selection.slot(i);
      const bool watched = slot < Selection::watched;
      resident->begin(execution.setup, execution.selection.place(i), execution.cluster,
                      {counts, fault, watched || execution.observe_everything, observed,
                       watched ? &execution.lines[slot] : nullptr});
      active.push_back(resident);
      return true;
    };
    bool more = admit();
    while (!active.empty() && !execution.stop.load(std::memory_order_relaxed)) {
      bool waits = false;
      for (std::size_t slot = 0; slot < active.size();) {
        const Turn turn = active[slot]->take_turn();
        if (turn == Turn::faulted) {
          fault_workgroup = active[slot]->workgroup();
          execution.stop.store(true, std::memory_order_relaxed);
          return;
        }
        if (turn == Turn::yielded) {
          waits = true;
          ++slot;
          continue;
        }
        idle.push_back(active[slot]);
        active.erase(active.begin() + static_cast<std::ptrdiff_t>(slot));
        const std::uint64_t size = volume(execution.cluster);
        const std::uint64_t done = execution.done.fetch_add(size, std::memory_order_relaxed) + size;
        if (progress) progress->report(done);
      }
      if (waits && execution.calls_host) Hostcall::instance().serve();
      // A cluster that yields may wait for one that has not begun: take one more. Otherwise one at a time.
      if (more && (active.empty() || (waits && active.size() < execution.resident_limit))) more = admit();
    }
  }
};

/// What the check of races follows in this launch; nullptr where it does not run.
std::unique_ptr<RaceLaunch> begin_race(const LaunchRequest& request, const Program& program) {
  if (!program.checked || !(program.checked->checks & check_race)) return nullptr;
  const bool wgp_mode = request.kernel->descriptor.rsrc1 >> 29 & 1;  // of gfx10 and later; race_rules() ignores it else
  const auto lanes = static_cast<std::uint64_t>(program.lanes);
  const auto waves = static_cast<std::uint32_t>((request.workgroup_items() + lanes - 1) / lanes);
  return std::make_unique<RaceLaunch>(race_rules(program.target, wgp_mode), waves, request.workgroups(),
                                      cluster_shape(request), program.checked->synchronises);
}

Counts scaled(const Counts& counts, std::uint64_t total, std::uint64_t executed) {
  if (total == executed || executed == 0) return counts;
  Counts result = counts;
  const auto scale = [&](std::uint64_t& value) {
    value = static_cast<std::uint64_t>(static_cast<unsigned __int128>(value) * total / executed);
  };
  for (std::uint64_t& value : result.instructions) scale(value);
  for (std::uint64_t* value :
       {&result.matrix_passes, &result.lds_bytes, &result.load_bytes, &result.store_bytes, &result.waves})
    scale(*value);
  result.workgroups = total;
  return result;
}

}  // namespace

std::string shape_text(const std::array<std::uint32_t, 3>& shape) {
  return std::to_string(shape[0]) + "x" + std::to_string(shape[1]) + "x" + std::to_string(shape[2]);
}

Refusal refuse_launch(const LaunchRequest& request) {
  using enum Refusal::Kind;
  const KernelInfo& kernel = *request.kernel;
  const std::string begin = "kernel " + kernel.demangled + ": ";
  for (int axis = 0; axis < 3; ++axis)
    if (request.grid[axis] == 0 || request.block[axis] == 0)
      return {shape, begin + "a grid of " + shape_text(request.grid) + " work-items in blocks of " +
                         shape_text(request.block) + " is empty"};
  const std::uint64_t items = request.workgroup_items();
  if (items > 1024 || items > kernel.max_workgroup_size)
    return {shape, begin + "a block of " + std::to_string(items) + " work-items is over " +
                       std::to_string(std::min<std::uint64_t>(1024, kernel.max_workgroup_size)) +
                       (kernel.max_workgroup_size < 1024 ? ", the kernel's launch bound" : "")};
  if (kernel.required_workgroup_size[0] && kernel.required_workgroup_size != request.block)
    return {shape, begin + "a block of " + shape_text(request.block) + " is not the required " +
                       shape_text(kernel.required_workgroup_size)};
  if (const std::string why = refuse_cluster(request); !why.empty()) return {cluster, begin + why};
  const std::uint64_t lds = std::uint64_t{kernel.lds_bytes} + request.dynamic_lds;
  if (lds > static_cast<std::uint64_t>(request.device->traits.lds_bytes))
    return {resources, begin + std::to_string(kernel.lds_bytes) + " bytes of static and " +
                           std::to_string(request.dynamic_lds) + " of dynamic LDS are over the " +
                           std::to_string(request.device->traits.lds_bytes) + " of " + request.device->traits.name};
  const Occupancy residency = occupancy(*request.device, kernel, items, lds);
  if (residency.workgroups_per_cu == 0)
    return {resources, begin + "a workgroup of " + std::to_string(residency.waves_per_workgroup) + " waves with " +
                           std::to_string(kernel.vgprs) + " VGPRs does not fit a compute unit"};
  if (request.cooperative) {
    const auto groups = request.workgroups();
    const std::uint64_t count = std::uint64_t{groups[0]} * groups[1] * groups[2];
    const std::uint64_t room = residency.of_device(request.device->traits.compute_units);
    if (count > room)
      return {cooperative, begin + "a cooperative launch of " + std::to_string(count) + " workgroups is over the " +
                               std::to_string(room) + " that are resident at a time"};
  }
  return {};
}

LaunchResult launch(const LaunchRequest& request) {
  static std::mutex one_at_a_time;
  static LaunchMemory launch_memory;
  static std::vector<HostThread>& threads = *new std::vector<HostThread>;
  const std::lock_guard lock(one_at_a_time);

  LaunchResult result;
  const KernelInfo& kernel = *request.kernel;
  const auto fail = [&](std::string text) {
    result.ok = false;
    result.fault = std::move(text);
    return result;
  };
  if (Refusal refusal = refuse_launch(request); refusal.kind != Refusal::Kind::none)
    return fail(std::move(refusal.why));
  try {
    const std::uint32_t lds_bytes = kernel.lds_bytes + request.dynamic_lds;
    result.occupancy = occupancy(*request.device, kernel, request.workgroup_items(), lds_bytes);
    const std::uint32_t scratch_bytes = (std::max(kernel.scratch_bytes, kernel.descriptor.private_segment_fixed_size) +
                                         (kernel.dynamic_stack ? dynamic_stack_bytes : 0) + 15) &
                                        ~15u;
    const Program& program = request.object->program(kernel);

    std::uint8_t* memory = launch_memory.reserve(kernel.kernarg_bytes);
    LaunchAddresses addresses;
    addresses.packet = reinterpret_cast<std::uint64_t>(memory + LaunchMemory::packet_at);
    addresses.queue = reinterpret_cast<std::uint64_t>(memory + LaunchMemory::queue_at);
    addresses.kernarg = reinterpret_cast<std::uint64_t>(memory + LaunchMemory::kernarg_at);
    std::memset(memory, 0, LaunchMemory::kernarg_at);
    // amd_queue_t keeps the high words of the LDS and scratch apertures at bytes 64 and 68.
    std::memcpy(memory + LaunchMemory::queue_at + 64, &shared_aperture_high, 4);
    std::memcpy(memory + LaunchMemory::queue_at + 68, &private_aperture_high, 4);
    const std::span<std::uint8_t> segment(memory + LaunchMemory::kernarg_at, kernel.kernarg_bytes);
    const bool calls_host = asks_for(kernel, ArgumentKind::hidden_hostcall_buffer);
    HiddenServices services{.hostcall = calls_host ? Hostcall::instance().buffer() : 0, .queue = addresses.queue};
    const auto groups = request.workgroups();
    const std::uint64_t total = std::uint64_t{groups[0]} * groups[1] * groups[2];
    if (request.cooperative) {
      const GridSync sync{
          .grids = 1, .work_items = total * request.workgroup_items(), .workgroups = static_cast<std::uint32_t>(total)};
      std::memcpy(memory + LaunchMemory::grid_sync_at, &sync, sizeof sync);
      services.grid_sync = reinterpret_cast<std::uint64_t>(memory + LaunchMemory::grid_sync_at);
    }
    fill_arguments(request, services, segment);
    result.footprint_bytes = footprint(segment.first(std::min<std::size_t>(segment.size(), kernel.explicit_bytes())));
    const DispatchPacket packet{.header = 2 /* kernel dispatch */,
                                .setup = 3 /* dimensions */,
                                .workgroup_size_x = static_cast<std::uint16_t>(request.block[0]),
                                .workgroup_size_y = static_cast<std::uint16_t>(request.block[1]),
                                .workgroup_size_z = static_cast<std::uint16_t>(request.block[2]),
                                .reserved0 = 0,
                                .grid_size_x = request.grid[0],
                                .grid_size_y = request.grid[1],
                                .grid_size_z = request.grid[2],
                                .private_segment_size = scratch_bytes,
                                .group_segment_size = lds_bytes,
                                .kernel_object = kernel.descriptor_address,
                                .kernarg_address = addresses.kernarg,
                                .reserved2 = 0,
                                .completion_signal = 0};
    std::memcpy(memory + LaunchMemory::packet_at, &packet, sizeof packet);

    const KernelStart start = kernel_start(request, addresses, scratch_bytes);
    const auto cluster = cluster_shape(request);
    const std::uint64_t size = volume(cluster), clusters = total / size;
    const std::uint64_t sample = (request.sample + size - 1) / size;
    const std::uint64_t executed = sample && sample < clusters && !request.cooperative ? sample : clusters;
    const std::uint64_t seed = order_seed();
    const std::unique_ptr<RaceLaunch> race = begin_race(request, program);
    Execution execution{.request = request,
                        .setup = {.request = &request,
                                  .start = &start,
                                  .program = &program,
                                  .lds_bytes = lds_bytes,
                                  .scratch_bytes = scratch_bytes,
                                  .order_seed = seed,
                                  .branch_budget = calls_host ? branch_budget_of_callers : branch_budget,
                                  .race = race.get()},
                        .cluster = cluster,
                        .selection = {.total = clusters,
                                      .executed = executed,
                                      .dies = static_cast<std::uint64_t>(request.device->traits.dies),
                                      .order = Permutation(executed, seed)},
                        .observe_everything = observe_all(),
                        .observation = {},
                        .lines = {},
                        .calls_host = calls_host};
    const MemoryShape shape = memory_shape(*request.device);
    execution.observation = {.memory = shape,
                             .issue = program.issue.get(),
                             .simds = request.device->traits.simds,
                             .far = result.footprint_bytes > shape.far_cache_bytes};
    execution.setup.observation = &execution.observation;
    const int count = static_cast<int>(std::min<std::uint64_t>(executed, static_cast<std::uint64_t>(host_threads())));
    const std::uint64_t room = result.occupancy.of_device(request.device->traits.compute_units);
    execution.resident_limit =
        static_cast<std::size_t>(request.cooperative ? clusters : std::max<std::uint64_t>(1, room / size / count));
    if (threads.size() < static_cast<std::size_t>(count)) threads.resize(count);
    for (HostThread& thread : threads)
      thread.counts = {}, thread.observed = {}, thread.fault = {}, thread.fault_workgroup = ~std::uint64_t{0};
    Progress progress(kernel.demangled, executed * size);
    run_on_host_threads(count, [&](int id) {
      HostThread& thread = threads[id];
      try {
        thread.work(execution, id == 0 ? &progress : nullptr);
      } catch (const std::exception& error) {
        thread.fault = {true, "kernel " + kernel.demangled + ": " + error.what()};
        execution.stop.store(true);
      }
    });
    const HostThread* faulted = nullptr;
    for (HostThread& thread : threads) {
      result.counts += thread.counts;
      result.observed += thread.observed;
      if (thread.fault.raised && (!faulted || thread.fault_workgroup < faulted->fault_workgroup)) faulted = &thread;
    }
    if (faulted) return fail(faulted->fault.message);
    result.counts = scaled(result.counts, total, executed * size);
    result.loads = shared_lines(execution.lines, execution.selection.watching(), &TouchedLines::loaded);
    result.stores = shared_lines(execution.lines, execution.selection.watching(), &TouchedLines::stored);
    result.workgroups = total;
    result.executed = executed * size;
    return result;
  } catch (const std::exception& error) {
    return fail("kernel " + kernel.demangled + ": " + error.what());
  }
}

}  // namespace zellige::sim
