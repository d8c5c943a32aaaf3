// Every way to launch a kernel; launch.hpp states what they share.
#include "simulator/hip/launch.hpp"

#include <algorithm>
#include <cstring>

#include "simulator/hip/graph.hpp"

namespace zellige::sim {
namespace {

void read_extra(void** extra, const void*& buffer, std::size_t& bytes) {
  for (int i = 0; extra[i] != HIP_LAUNCH_PARAM_END; i += 2) {
    require(i < 8 && extra[i + 1], hipErrorInvalidValue, "a launch's extra[] is not in the form of HIP_LAUNCH_PARAM_*");
    if (extra[i] == HIP_LAUNCH_PARAM_BUFFER_POINTER) {
      buffer = extra[i + 1];
    } else if (extra[i] == HIP_LAUNCH_PARAM_BUFFER_SIZE) {
      bytes = *static_cast<const std::size_t*>(extra[i + 1]);
    } else {
      throw Failure{hipErrorInvalidValue, "a launch's extra[] is not in the form of HIP_LAUNCH_PARAM_*"};
    }
  }
}

hipError_t code_of(Refusal::Kind kind) {
  switch (kind) {
    case Refusal::Kind::resources:
      return hipErrorLaunchOutOfResources;
    case Refusal::Kind::cooperative:
      return hipErrorCooperativeLaunchTooLarge;
    default:
      return hipErrorInvalidConfiguration;
  }
}

}  // namespace

LaunchShape shape_of(dim3 blocks, dim3 block, std::size_t dynamic_lds) {
  return {
      .grid = {std::uint64_t{blocks.x} * block.x, std::uint64_t{blocks.y} * block.y, std::uint64_t{blocks.z} * block.z},
      .block = {block.x, block.y, block.z},
      .dynamic_lds = dynamic_lds};
}

KernelWork make_kernel_work(ihipModuleSymbol_t& function, const LaunchShape& shape, void** parameters, void** extra) {
  const KernelInfo& kernel = *function.kernel;
  KernelWork work;
  work.function = &function;
  for (int axis = 0; axis < 3; ++axis) {
    require(shape.grid[axis] <= 0xffffffffu, hipErrorInvalidConfiguration,
            "kernel " + kernel.demangled + ": a grid of " + std::to_string(shape.grid[axis]) +
                " work-items along one axis is over 4294967295");
    work.grid[axis] = static_cast<std::uint32_t>(shape.grid[axis]);
    work.block[axis] = static_cast<std::uint32_t>(shape.block[axis]);
  }
  require(shape.dynamic_lds <= 0xffffffffu, hipErrorLaunchOutOfResources,
          "kernel " + kernel.demangled + ": " + std::to_string(shape.dynamic_lds) + " bytes of dynamic LDS");
  work.dynamic_lds = static_cast<std::uint32_t>(shape.dynamic_lds);
  work.cooperative = shape.cooperative;
  work.cluster = shape.cluster;
  LaunchRequest request;
  request.kernel = &kernel;
  request.device = &Runtime::instance().device(function.module->device).device;
  request.grid = work.grid;
  request.block = work.block;
  request.cluster = work.cluster;
  request.dynamic_lds = work.dynamic_lds;
  request.cooperative = work.cooperative;
  if (Refusal refusal = refuse_launch(request); refusal.kind != Refusal::Kind::none)
    throw Failure{code_of(refusal.kind), std::move(refusal.why)};

  work.arguments.assign(kernel.explicit_bytes(), 0);
  if (extra) {
    const void* buffer = nullptr;
    std::size_t bytes = 0;
    read_extra(extra, buffer, bytes);
    require(buffer || bytes == 0, hipErrorInvalidValue);
    if (bytes) std::memcpy(work.arguments.data(), buffer, std::min(bytes, work.arguments.size()));
    return work;
  }
  std::size_t index = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    if (is_hidden(argument.kind)) continue;
    require(parameters && parameters[index], hipErrorInvalidValue,
            "kernel " + kernel.demangled + ": no value for argument " + std::to_string(index));
    std::memcpy(work.arguments.data() + argument.offset, parameters[index++], argument.size);
  }
  return work;
}

void launch_on(ihipStream_t& stream, KernelWork work, hipEvent_t start, hipEvent_t stop) {
  require(work.function->module->device == stream.device, hipErrorInvalidResourceHandle,
          "kernel " + work.function->kernel->demangled + " is loaded on device " +
              std::to_string(work.function->module->device) + ", the stream belongs to device " +
              std::to_string(stream.device));
  require(!stream.capture || (!start && !stop), hipErrorStreamCaptureUnsupported);
  if (start) enqueue(stream, EventRecordWork{start});
  enqueue(stream, std::move(work));
  if (stop) enqueue(stream, EventRecordWork{stop});
}

ihipModuleSymbol_t& function_of(hipFunction_t handle) {
  require(handle && handle->module && handle->kernel, hipErrorInvalidHandle);
  return *handle;
}

KernelWork kernel_work_of(const hipKernelNodeParams& params) {
  require(params.func, hipErrorInvalidDeviceFunction);
  Runtime& runtime = Runtime::instance();
  ihipModuleSymbol_t* function = nullptr;
  {
    const std::lock_guard guard(runtime.lock);
    if (!runtime.host_functions.contains(params.func)) {
      for (ihipModule_t* module : runtime.modules)
        for (const auto& entry : module->functions)
          if (entry.get() == params.func) function = entry.get();
      require(function, hipErrorInvalidDeviceFunction);
    }
  }
  if (!function) function = &runtime.function(params.func, runtime.current_index());
  KernelWork work = make_kernel_work(*function, shape_of(params.gridDim, params.blockDim, params.sharedMemBytes),
                                     params.kernelParams, params.extra);
  work.host_function = params.func;
  return work;
}

namespace {

/// A launch of a host function's kernel on a stream.
void launch_host_function(const void* host_function, LaunchShape shape, void** parameters, hipStream_t handle,
                          hipEvent_t start = nullptr, hipEvent_t stop = nullptr) {
  Runtime& runtime = Runtime::instance();
  require(host_function, hipErrorInvalidDeviceFunction);
  ihipStream_t& stream = runtime.stream(handle);
  ihipModuleSymbol_t& function = runtime.function(host_function, stream.device);
  KernelWork work = make_kernel_work(function, shape, parameters, nullptr);
  work.host_function = host_function;
  launch_on(stream, std::move(work), start, stop);
}

void launch_function(hipFunction_t handle, const LaunchShape& shape, hipStream_t stream, void** parameters,
                     void** extra, hipEvent_t start = nullptr, hipEvent_t stop = nullptr) {
  ihipModuleSymbol_t& function = function_of(handle);
  require(!(parameters && extra), hipErrorInvalidValue, "a launch has both kernelParams and extra");
  KernelWork work = make_kernel_work(function, shape, parameters, extra);
  work.host_function = handle;
  launch_on(Runtime::instance().stream(stream), std::move(work), start, stop);
}

/// Takes over what the attributes ask for.
void apply_attributes(const hipLaunchAttribute* attributes, unsigned count, LaunchShape& shape) {
  for (unsigned i = 0; i < count; ++i) {
    const hipLaunchAttribute& attribute = attributes[i];
    if (attribute.id == hipLaunchAttributeCooperative) shape.cooperative = attribute.val.cooperative != 0;
    if (static_cast<int>(attribute.id) == launch_attribute_cluster_dimension) {
      std::memcpy(shape.cluster.data(), &attribute.val, sizeof shape.cluster);
      require(shape.cluster[0] && shape.cluster[1] && shape.cluster[2], hipErrorInvalidConfiguration,
              "a launch attribute asks for an empty cluster");
    }
  }
}

LaunchShape cooperative(LaunchShape shape) {
  shape.cooperative = true;
  return shape;
}

}  // namespace
}  // namespace zellige::sim

using namespace zellige::sim;

hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                           hipStream_t stream) {
  return api([&] { launch_host_function(function, shape_of(grid, block, shared), arguments, stream); });
}

extern "C" __attribute__((visibility("default"))) hipError_t hipExtLaunchKernel(const void* function, dim3 grid,
                                                                                dim3 block, void** arguments,
                                                                                size_t shared, hipStream_t stream,
                                                                                hipEvent_t start, hipEvent_t stop,
                                                                                int /*flags*/) {
  return api([&] { launch_host_function(function, shape_of(grid, block, shared), arguments, stream, start, stop); });
}

hipError_t hipLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments, unsigned shared,
                                      hipStream_t stream) {
  return api([&] { launch_host_function(function, cooperative(shape_of(grid, block, shared)), arguments, stream); });
}

hipError_t hipLaunchKernelExC(const hipLaunchConfig_t* config, const void* function, void** arguments) {
  return api([&] {
    require(config && (config->attrs || config->numAttrs == 0), hipErrorInvalidValue);
    LaunchShape shape = shape_of(config->gridDim, config->blockDim, config->dynamicSmemBytes);
    apply_attributes(config->attrs, config->numAttrs, shape);
    launch_host_function(function, shape, arguments, config->stream);
  });
}

hipError_t hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG* config, hipFunction_t function, void** parameters,
                                void** extra) {
  return api([&] {
    require(config && (config->attrs || config->numAttrs == 0), hipErrorInvalidValue);
    LaunchShape shape = shape_of(dim3(config->gridDimX, config->gridDimY, config->gridDimZ),
                                 dim3(config->blockDimX, config->blockDimY, config->blockDimZ), config->sharedMemBytes);
    apply_attributes(config->attrs, config->numAttrs, shape);
    launch_function(function, shape, config->hStream, parameters, extra);
  });
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                 hipStream_t stream, void** parameters, void** extra) {
  return api([&] {
    launch_function(function, shape_of(dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), shared), stream,
                    parameters, extra);
  });
}

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                            unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                            hipStream_t stream, void** parameters) {
  return api([&] {
    launch_function(function,
                    cooperative(shape_of(dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), shared)),
                    stream, parameters, nullptr);
  });
}

/// The grid is in work-items here, and need not be a multiple of the block.
extern "C" __attribute__((visibility("default"))) hipError_t hipExtModuleLaunchKernel(
    hipFunction_t function, uint32_t items_x, uint32_t items_y, uint32_t items_z, uint32_t block_x, uint32_t block_y,
    uint32_t block_z, size_t shared, hipStream_t stream, void** parameters, void** extra, hipEvent_t start,
    hipEvent_t stop, uint32_t /*flags*/) {
  return api([&] {
    const LaunchShape shape{
        .grid = {items_x, items_y, items_z}, .block = {block_x, block_y, block_z}, .dynamic_lds = shared};
    launch_function(function, shape, stream, parameters, extra, start, stop);
  });
}

extern "C" __attribute__((visibility("default"))) hipError_t hipHccModuleLaunchKernel(
    hipFunction_t function, uint32_t items_x, uint32_t items_y, uint32_t items_z, uint32_t block_x, uint32_t block_y,
    uint32_t block_z, size_t shared, hipStream_t stream, void** parameters, void** extra, hipEvent_t start,
    hipEvent_t stop) {
  return hipExtModuleLaunchKernel(function, items_x, items_y, items_z, block_x, block_y, block_z, shared, stream,
                                  parameters, extra, start, stop, 0);
}

// Headers before HIP 4 declared the two functions above as C++ ones; programs of that time look for these names.
extern "C" {
[[gnu::alias("hipExtModuleLaunchKernel"), gnu::visibility("default")]] void
_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j();
[[gnu::alias("hipHccModuleLaunchKernel"), gnu::visibility("default")]] void
_Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_();
}
