// The runtime's state; runtime.hpp states the laws.
//
// Which devices there are: those of ZELLIGE_SIM_DEVICES (a list of targets); else one a target that some fat binary
// registered so far has code for, in the order of the targets; else one gfx942.
#include "simulator/hip/runtime.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "simulator/memory/arena.hpp"

ihipModuleSymbol_t* ihipModule_t::function(std::string_view name) {
  const auto it = std::ranges::find_if(functions, [&](const auto& entry) { return entry->kernel->name == name; });
  return it == functions.end() ? nullptr : it->get();
}

namespace zellige::sim {
namespace {

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

/// The targets that the registered fat binaries have code for. Damaged bundles are reported where they are loaded.
std::vector<std::string> registered_targets(const std::set<FatBinary*>& binaries) {
  std::vector<std::string> targets;
  for (const FatBinary* binary : binaries) {
    try {
      for (const std::string& target : bundle_targets(Bytes(binary->bundle, bundle_bytes(binary->bundle))))
        targets.emplace_back(processor_of(target));
    } catch (const CodeObjectError&) {
    }
  }
  return targets;
}

std::vector<Arch> decide_devices(const std::set<FatBinary*>& binaries) {
  if (const char* list = std::getenv("ZELLIGE_SIM_DEVICES"); list && *list) {
    try {
      return parse_device_list(list);
    } catch (const std::invalid_argument& error) {
      throw Failure{hipErrorNoDevice, std::string("ZELLIGE_SIM_DEVICES: ") + error.what()};
    }
  }
  const std::vector<std::string> targets = registered_targets(binaries);
  std::vector<Arch> exact, generic;
  for (const Arch arch : amd_arches()) {
    const Device device = make_device(arch, 0);
    if (std::ranges::find(targets, device.processors.front()) != targets.end()) {
      exact.push_back(arch);
    } else if (device.processors.size() > 1 && std::ranges::find(targets, device.processors[1]) != targets.end() &&
               std::ranges::none_of(
                   generic, [&](Arch other) { return make_device(other, 0).processors[1] == device.processors[1]; })) {
      generic.push_back(arch);
    }
  }
  if (!exact.empty()) return exact;
  if (!generic.empty()) return generic;
  return {Arch::gfx942};
}

int& current_device_index() {
  static thread_local int index = 0;
  return index;
}

}  // namespace

Runtime& Runtime::instance() {
  static Runtime* runtime = new Runtime;
  return *runtime;
}

std::vector<std::unique_ptr<DeviceState>>& Runtime::devices() {
  const std::lock_guard guard(lock);
  if (!decided_) {
    const std::vector<Arch> arches = decide_devices(binaries);
    for (const Arch arch : arches) {
      const int index = static_cast<int>(devices_.size());
      auto& state = devices_.emplace_back(std::make_unique<DeviceState>());
      state->device = make_device(arch, index);
      state->default_stream.device = index;
      streams.insert(&state->default_stream);
      Arena::instance().set_limit(index, state->device.memory_bytes);
    }
    decided_ = true;
  }
  return devices_;
}

DeviceState& Runtime::device(int index) {
  auto& all = devices();
  require(index >= 0 && static_cast<std::size_t>(index) < all.size(), hipErrorInvalidDevice);
  return *all[static_cast<std::size_t>(index)];
}

DeviceState& Runtime::current() { return device(current_device_index()); }
int Runtime::current_index() { return current_device_index(); }
void Runtime::set_current(int index) {
  device(index);
  current_device_index() = index;
}

ihipStream_t& Runtime::stream(hipStream_t handle) {
  if (handle == nullptr || handle == hipStreamLegacy) return current().default_stream;
  const std::lock_guard guard(lock);
  if (handle == hipStreamPerThread) {
    // One a thread and device. It stays when the thread ends: a few hundred bytes.
    static thread_local std::map<int, ihipStream_t*> own;
    ihipStream_t*& entry = own[current_index()];
    if (!entry) {
      current();
      entry = new ihipStream_t;
      entry->device = current_index();
      entry->id = next_stream_id++;
      streams.insert(entry);
    }
    return *entry;
  }
  require(streams.contains(handle), hipErrorContextIsDestroyed);
  return *handle;
}

std::unique_ptr<ihipModule_t> Runtime::load_module(Bytes image, int index) {
  const Device& target = device(index).device;
  try {
    const std::vector<BundleEntry> entries = read_bundle(image);
    const BundleEntry* entry = pick_entry(entries, target.processors);
    if (!entry) {
      std::vector<std::string> present;
      for (const BundleEntry& other : entries) present.push_back(other.target);
      throw Failure{hipErrorNoBinaryForGpu,
                    "no code for " + target.target_id + " in the image; it has code for: " + join(present)};
    }
    auto module = std::make_unique<ihipModule_t>();
    module->object = CodeObject::load(Bytes(entry->object), index);
    module->device = index;
    for (const KernelInfo& kernel : module->object->kernels())
      module->functions.push_back(std::make_unique<ihipModuleSymbol_t>(ihipModuleSymbol_t{module.get(), &kernel, -1}));
    return module;
  } catch (const CodeObjectError& error) {
    throw Failure{hipErrorInvalidImage, error.what()};
  }
}

ihipModule_t& Runtime::load(FatBinary& binary, int index) {
  const std::lock_guard guard(lock);
  std::unique_ptr<ihipModule_t>& module = binary.modules[index];
  if (module) return *module;
  std::size_t bytes = 0;
  try {
    bytes = bundle_bytes(binary.bundle);
  } catch (const CodeObjectError& error) {
    throw Failure{hipErrorInvalidImage, error.what()};
  }
  module = load_module(Bytes(binary.bundle, bytes), index);
  for (const FatBinary::Variable& variable : binary.variables) {
    if (!variable.managed) continue;
    const Symbol* symbol = module->object->symbol(variable.name);
    if (symbol && symbol->size >= sizeof(void*))
      std::memcpy(reinterpret_cast<void*>(symbol->address), variable.managed, sizeof(void*));
  }
  return *module;
}

ihipModuleSymbol_t& Runtime::function(const void* host_function, int index) {
  const std::lock_guard guard(lock);
  const auto it = host_functions.find(host_function);
  require(it != host_functions.end(), hipErrorInvalidDeviceFunction);
  const auto& [binary, name] = it->second;
  ihipModuleSymbol_t* function = load(*binary, index).function(name);
  require(function, hipErrorInvalidDeviceFunction,
          "the code object for " + device(index).device.target_id + " has no kernel '" + name + "'");
  return *function;
}

Symbol Runtime::variable(const void* host_variable, int index) {
  const std::lock_guard guard(lock);
  const auto it = host_variables.find(host_variable);
  require(it != host_variables.end(), hipErrorInvalidSymbol);
  const auto& [binary, position] = it->second;
  const FatBinary::Variable& variable = binary->variables[position];
  if (variable.managed) return {reinterpret_cast<std::uint64_t>(*variable.managed), variable.size};
  const Symbol* symbol = load(*binary, index).object->symbol(variable.name);
  require(symbol, hipErrorInvalidSymbol,
          "the code object for " + device(index).device.target_id + " has no variable '" + variable.name + "'");
  return *symbol;
}

}  // namespace zellige::sim
