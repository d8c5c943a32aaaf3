// What compiled HIP programs call before main() and around <<<...>>>: fat binaries, kernels, variables, launch
// configurations.
//
// The compiler emits calls to these names; they are declared here because no public header does.
#include <cstring>

#include "simulator/hip/runtime.hpp"
#include "simulator/memory/arena.hpp"

using namespace zellige::sim;

namespace {

constexpr std::uint32_t wrapper_magic = 0x48495046;  // 'HIPF'

/// What __hipRegisterFatBinary gets: clang's __CudaFatBinaryWrapper.
struct FatBinaryWrapper {
  std::uint32_t magic, version;
  const void* bundle;
  const void* unused;
};

struct CallConfiguration {
  dim3 grid, block;
  std::size_t shared = 0;
  hipStream_t stream = nullptr;
};

std::vector<CallConfiguration>& configurations() {
  static thread_local std::vector<CallConfiguration> stack;
  return stack;
}

FatBinary* binary_of(void** handle) { return reinterpret_cast<FatBinary*>(handle); }

void add_variable(FatBinary& binary, FatBinary::Variable variable) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.lock);
  runtime.host_variables[variable.host] = {&binary, binary.variables.size()};
  binary.variables.push_back(std::move(variable));
}

}  // namespace

#define ZELLIGE_EXPORT extern "C" __attribute__((visibility("default")))

ZELLIGE_EXPORT void** __hipRegisterFatBinary(const void* data) {
  const auto* wrapper = static_cast<const FatBinaryWrapper*>(data);
  if (!wrapper || wrapper->magic != wrapper_magic || wrapper->version != 1) {
    report("a fat binary's wrapper has an unknown magic or version; its kernels cannot be used");
    return nullptr;
  }
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.lock);
  auto* binary = new FatBinary;
  binary->bundle = wrapper->bundle;
  runtime.binaries.insert(binary);
  return reinterpret_cast<void**>(binary);
}

ZELLIGE_EXPORT void __hipRegisterFunction(void** modules, const void* host_function, char* /*device_function*/,
                                          const char* device_name, unsigned /*thread_limit*/, uint3* /*tid*/,
                                          uint3* /*bid*/, dim3* /*block*/, dim3* /*grid*/, int* /*warp_size*/) {
  if (!modules) return;
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.lock);
  runtime.host_functions[host_function] = {binary_of(modules), device_name};
}

ZELLIGE_EXPORT void __hipRegisterVar(void** modules, void* variable, char* /*host_name*/, char* device_name,
                                     int /*external*/, std::size_t size, int /*constant*/, int /*global*/) {
  if (!modules) return;
  FatBinary::Variable entry;
  entry.host = variable;
  entry.name = device_name;
  entry.size = size;
  add_variable(*binary_of(modules), std::move(entry));
}

ZELLIGE_EXPORT void __hipRegisterManagedVar(void* module, void** pointer, void* initial, const char* name,
                                            std::size_t size, unsigned /*align*/) {
  if (!module) return;
  Runtime& runtime = Runtime::instance();
  void* memory = Arena::instance().allocate_host(size);
  if (!memory) {
    report("no memory for managed variable '" + std::string(name) + "' of " + std::to_string(size) + " bytes");
    return;
  }
  if (initial) std::memcpy(memory, initial, size);
  *pointer = memory;
  {
    const std::lock_guard guard(runtime.lock);
    runtime.managed.insert(memory);
  }
  FatBinary::Variable entry;
  entry.host = pointer;
  entry.name = name;
  entry.size = size;
  entry.managed = pointer;
  add_variable(*static_cast<FatBinary*>(module), std::move(entry));
}

ZELLIGE_EXPORT void __hipRegisterTexture(void**, void*, char*, char* device_name, int, int, int) {
  report("texture '" + std::string(device_name) + "' is registered; textures are not supported");
}

ZELLIGE_EXPORT void __hipRegisterSurface(void**, void*, char*, char* device_name, int, int) {
  report("surface '" + std::string(device_name) + "' is registered; surfaces are not supported");
}

ZELLIGE_EXPORT void __hipUnregisterFatBinary(void** modules) {
  FatBinary* binary = binary_of(modules);
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.lock);
  if (!binary || !runtime.binaries.erase(binary)) return;
  std::erase_if(runtime.host_functions, [&](const auto& entry) { return entry.second.first == binary; });
  std::erase_if(runtime.host_variables, [&](const auto& entry) { return entry.second.first == binary; });
  for (const FatBinary::Variable& variable : binary->variables) {
    if (!variable.managed || !*variable.managed) continue;
    runtime.managed.erase(*variable.managed);
    Arena::instance().release(*variable.managed);
  }
  delete binary;
}

ZELLIGE_EXPORT hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, hipStream_t stream) {
  configurations().push_back({grid, block, shared, stream});
  return hipSuccess;
}

ZELLIGE_EXPORT hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, hipStream_t* stream) {
  return api([&] {
    require(!configurations().empty(), hipErrorMissingConfiguration);
    const CallConfiguration top = configurations().back();
    configurations().pop_back();
    *grid = top.grid;
    *block = top.block;
    *shared = top.shared;
    *stream = top.stream;
  });
}
