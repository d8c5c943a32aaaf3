// The state of the HIP runtime: devices with their simulated clocks, registered fat binaries, modules, streams, events.
//
// Laws: work is executed in stream order on the calling thread, when it is enqueued, on all host threads; so every
// stream is idle between calls, and the legacy default stream's rules hold by themselves. A device has one simulated
// clock in seconds, which predicted times advance; events keep its reading. The objects live as long as the process:
// programs use the runtime in static destructors.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulator/code_object/bundle.hpp"
#include "simulator/code_object/code_object.hpp"
#include "simulator/dispatch/device.hpp"
#include "simulator/dispatch/launch.hpp"
#include "simulator/hip/work.hpp"
#include "simulator/timing/predict.hpp"

/// A kernel as hipFunction_t names it.
struct ihipModuleSymbol_t {
  ihipModule_t* module = nullptr;
  const zellige::sim::KernelInfo* kernel = nullptr;
  int max_dynamic_lds = -1;  ///< hipFuncAttributeMaxDynamicSharedMemorySize; -1: not set
};

/// A code object on a device.
struct ihipModule_t {
  std::shared_ptr<zellige::sim::CodeObject> object;
  int device = 0;
  std::vector<std::unique_ptr<ihipModuleSymbol_t>> functions;  ///< one a kernel, in the object's order

  ihipModuleSymbol_t* function(std::string_view name);
};

namespace zellige::sim {
struct Capture;
}

struct ihipStream_t {
  int device = 0;
  unsigned flags = 0;
  int priority = 0;
  std::uint64_t id = 0;
  hipError_t pending = hipSuccess;  ///< of work that failed; the next synchronisation reports and clears it
  std::shared_ptr<zellige::sim::Capture> capture;  ///< set while the stream is captured
  std::vector<hipGraphNode_t> capture_tail;        ///< the nodes that the next captured work depends on
  bool capture_origin = false;                     ///< the capture began here, and ends here
  std::vector<std::uint32_t> cu_mask;
};

struct ihipEvent_t {
  unsigned flags = 0;
  int device = 0;
  bool recorded = false;
  double seconds = 0;                            ///< of the device's clock, when it was recorded
  std::weak_ptr<zellige::sim::Capture> capture;  ///< recorded in a capture: the nodes before it
  std::vector<hipGraphNode_t> capture_nodes;
};

namespace zellige::sim {

struct DeviceState {
  Device device;
  double clock = 0;  ///< seconds
  ihipStream_t default_stream;
  std::size_t stack_limit = 1024, heap_limit = std::size_t{8} << 20;
  unsigned flags = 0;
};

/// One __hipRegisterFatBinary call: where the bundle lies, and what was registered of it. Loaded on a device at first
/// use.
struct FatBinary {
  const void* bundle = nullptr;
  struct Variable {
    void* host = nullptr;
    std::string name;
    std::size_t size = 0;
    void** managed = nullptr;  ///< managed variables: where the host keeps the pointer
  };
  std::vector<Variable> variables;
  std::map<int, std::unique_ptr<ihipModule_t>> modules;  ///< by device
};

class Runtime {
 public:
  static Runtime& instance();

  /// The devices; decided at the first call (runtime.cpp says how). Throws Failure hipErrorNoDevice.
  std::vector<std::unique_ptr<DeviceState>>& devices();
  DeviceState& device(int index);  ///< Failure hipErrorInvalidDevice
  DeviceState& current();
  int current_index();
  void set_current(int index);

  /// The stream of a handle: null and hipStreamLegacy give the current device's default stream, hipStreamPerThread the
  /// thread's. Failure hipErrorContextIsDestroyed for what is no stream.
  ihipStream_t& stream(hipStream_t handle);

  std::recursive_mutex lock;  ///< guards everything below, and the devices' clocks
  std::set<ihipStream_t*> streams;
  std::set<ihipEvent_t*> events;
  std::set<ihipModule_t*> modules;
  std::set<FatBinary*> binaries;
  std::unordered_map<const void*, std::pair<FatBinary*, std::string>> host_functions;
  std::unordered_map<const void*, std::pair<FatBinary*, std::size_t>> host_variables;
  std::map<void*, unsigned> host_flags;  ///< pinned allocations and their flags
  std::set<void*> managed, registered;   ///< managed allocations; those of hipHostRegister
  std::uint64_t next_stream_id = 1;

  /// The module of a fat binary on a device; loads it.
  ihipModule_t& load(FatBinary& binary, int device);
  /// A module from bundle, compressed bundle or ELF bytes. Failures say what the image has and what the device needs.
  std::unique_ptr<ihipModule_t> load_module(Bytes image, int device);
  /// The kernel that a host function's address stands for, on a device. Failure hipErrorInvalidDeviceFunction.
  ihipModuleSymbol_t& function(const void* host_function, int device);
  /// The device variable that a host variable's address stands for. Failure hipErrorInvalidSymbol.
  Symbol variable(const void* host_variable, int device);

 private:
  Runtime() = default;
  std::vector<std::unique_ptr<DeviceState>> devices_;
  bool decided_ = false;
};

/// Executes `work` on the stream now, or records it where the stream is captured; returns the graph node then.
hipGraphNode_t enqueue(ihipStream_t& stream, Work work);

/// Executes `work` on a device: effects, and the clock. Throws Failure; a kernel's fault is hipErrorLaunchFailure.
void execute(DeviceState& device, const Work& work);

/// Reports a pending error of the stream, once; Failure while it is captured.
void synchronize(ihipStream_t& stream);

/// Fails where a capture forbids a call that synchronises or allocates.
void forbid_in_capture();

/// What zelligeSimLastLaunch tells.
struct LaunchRecord {
  std::uint64_t sequence = 0;
  std::string kernel;
  Prediction prediction;
  LaunchResult result;
  KernelInfo info;
  std::uint32_t lds_bytes = 0;
};
LaunchRecord last_launch();

}  // namespace zellige::sim
