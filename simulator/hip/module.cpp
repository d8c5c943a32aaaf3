// Modules and libraries loaded at run time, and what can be looked up in them.
#include <algorithm>
#include <fstream>
#include <iterator>

#include "simulator/hip/launch.hpp"
#include "simulator/hip/runtime.hpp"

using namespace zellige::sim;

/// A library is a module that waits for its device.
struct ihipLibrary_t {
  std::vector<std::uint8_t> image;
  std::map<int, std::unique_ptr<ihipModule_t>> modules;
};

namespace {

Runtime& runtime() { return Runtime::instance(); }

std::vector<std::uint8_t> read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  require(file.good(), hipErrorFileNotFound, std::string("cannot open code object file '") + path + "'");
  std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  require(!bytes.empty(), hipErrorInvalidImage, std::string("code object file '") + path + "' is empty");
  return bytes;
}

hipModule_t add_module(Bytes image) {
  std::unique_ptr<ihipModule_t> module = runtime().load_module(image, runtime().current().device.index);
  const std::lock_guard guard(runtime().lock);
  return *runtime().modules.insert(module.release()).first;
}

/// The image behind a pointer without a size.
Bytes image_at(const void* image) {
  require(image, hipErrorInvalidValue);
  try {
    return Bytes(image, bundle_bytes(image));
  } catch (const CodeObjectError& error) {
    throw Failure{hipErrorInvalidImage, error.what()};
  }
}

ihipModule_t& module_of(hipModule_t handle) {
  const std::lock_guard guard(runtime().lock);
  require(handle && runtime().modules.contains(handle), hipErrorInvalidHandle);
  return *handle;
}

}  // namespace

hipError_t hipModuleLoad(hipModule_t* module, const char* path) {
  return api([&] {
    require(module && path, hipErrorInvalidValue);
    const std::vector<std::uint8_t> bytes = read_file(path);
    *module = add_module(Bytes(bytes));
  });
}

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  return api([&] {
    require(module, hipErrorInvalidValue);
    *module = add_module(image_at(image));
  });
}

hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned, hipJitOption*, void**) {
  return hipModuleLoadData(module, image);
}

hipError_t hipModuleLoadFatBinary(hipModule_t* module, const void* image) { return hipModuleLoadData(module, image); }

hipError_t hipModuleUnload(hipModule_t handle) {
  return api([&] {
    ihipModule_t& module = module_of(handle);
    const std::lock_guard guard(runtime().lock);
    runtime().modules.erase(&module);
    delete &module;
  });
}

hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t handle, const char* name) {
  return api([&] {
    require(function && name, hipErrorInvalidValue);
    *function = module_of(handle).function(name);
    require(*function, hipErrorNotFound);
  });
}

hipError_t hipModuleGetFunctionCount(unsigned* count, hipModule_t handle) {
  return api([&] {
    require(count, hipErrorInvalidValue);
    *count = static_cast<unsigned>(module_of(handle).functions.size());
  });
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t* pointer, size_t* bytes, hipModule_t handle, const char* name) {
  return api([&] {
    require(name && (pointer || bytes), hipErrorInvalidValue);
    const Symbol* symbol = module_of(handle).object->symbol(name);
    require(symbol, hipErrorNotFound);
    if (pointer) *pointer = reinterpret_cast<void*>(symbol->address);
    if (bytes) *bytes = symbol->size;
  });
}

hipError_t hipGetFuncBySymbol(hipFunction_t* function, const void* symbol) {
  return api([&] {
    require(function && symbol, hipErrorInvalidValue);
    *function = &runtime().function(symbol, runtime().current().device.index);
  });
}

const char* hipKernelNameRef(hipFunction_t function) {
  return function && function->kernel ? function->kernel->name.c_str() : nullptr;
}

const char* hipKernelNameRefByPtr(const void* host_function, hipStream_t) {
  const std::lock_guard guard(runtime().lock);
  const auto it = runtime().host_functions.find(host_function);
  return it == runtime().host_functions.end() ? nullptr : it->second.second.c_str();
}

hipError_t hipLibraryLoadData(hipLibrary_t* library, const void* code, hipJitOption*, void**, unsigned,
                              hipLibraryOption*, void**, unsigned) {
  return api([&] {
    require(library && code, hipErrorInvalidValue);
    const Bytes image = image_at(code);
    *library = new ihipLibrary_t{{image.data(), image.data() + image.size()}, {}};
  });
}

hipError_t hipLibraryLoadFromFile(hipLibrary_t* library, const char* path, hipJitOption*, void**, unsigned,
                                  hipLibraryOption*, void**, unsigned) {
  return api([&] {
    require(library && path, hipErrorInvalidValue);
    *library = new ihipLibrary_t{read_file(path), {}};
  });
}

hipError_t hipLibraryUnload(hipLibrary_t library) {
  return api([&] {
    require(library, hipErrorInvalidResourceHandle);
    delete library;
  });
}

namespace {

/// hipKernel_t is the function on the current device here; hipLibrary_t keeps it alive.
ihipModule_t& module_of(hipLibrary_t library) {
  require(library, hipErrorInvalidResourceHandle);
  const int device = runtime().current().device.index;
  std::unique_ptr<ihipModule_t>& module = library->modules[device];
  if (!module) module = runtime().load_module(Bytes(library->image), device);
  return *module;
}

}  // namespace

hipError_t hipLibraryGetKernel(hipKernel_t* kernel, hipLibrary_t library, const char* name) {
  return api([&] {
    require(kernel && name, hipErrorInvalidValue);
    ihipModuleSymbol_t* function = module_of(library).function(name);
    require(function, hipErrorNotFound);
    *kernel = reinterpret_cast<hipKernel_t>(function);
  });
}

hipError_t hipLibraryGetKernelCount(unsigned* count, hipLibrary_t library) {
  return api([&] {
    require(count, hipErrorInvalidValue);
    *count = static_cast<unsigned>(module_of(library).functions.size());
  });
}
