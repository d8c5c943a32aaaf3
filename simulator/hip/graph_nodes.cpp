// The kinds of graph nodes: adding them, reading and changing their parameters, in a graph and in an executable one.
#include <algorithm>

#include "simulator/hip/copy.hpp"
#include "simulator/hip/graph.hpp"
#include "simulator/hip/launch.hpp"

using namespace zellige::sim;

namespace {

Runtime& runtime() { return Runtime::instance(); }

hipError_t add(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies, size_t count,
               auto&& make_work) {
  return api([&] {
    require(node && (dependencies || count == 0), hipErrorInvalidValue);
    Graph& target = graph_of(graph);
    *node = target.add(make_work(), {dependencies, dependencies + count});
  });
}

template <class T>
T& work_in(hipGraphNode& node) {
  T* work = std::get_if<T>(&node.work);
  require(work, hipErrorInvalidValue);
  return *work;
}

CopyWork copy_of(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  require(to && from && bytes, hipErrorInvalidValue);
  require(kind >= hipMemcpyHostToHost && kind <= hipMemcpyDefault, hipErrorInvalidMemcpyDirection);
  return {.to = to, .from = from, .width = bytes};
}

CopyWork volume_of(const hipMemcpy3DParms* p) {
  require(p && p->dstPtr.ptr && p->srcPtr.ptr, hipErrorInvalidValue);
  return zellige::sim::volume_of(*p);
}

FillWork fill_of(const hipMemsetParams* p) {
  require(p && p->dst, hipErrorInvalidValue);
  require(p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4, hipErrorInvalidValue);
  require(p->height <= 1 || p->width * p->elementSize <= p->pitch, hipErrorInvalidPitchValue);
  return {.to = p->dst,
          .value = p->value,
          .element = p->elementSize,
          .width = p->width,
          .height = std::max<std::size_t>(p->height, 1),
          .pitch = p->pitch};
}

HostWork host_of(const hipHostNodeParams* p) {
  require(p && p->fn, hipErrorInvalidValue);
  return {p->fn, p->userData};
}

KernelWork kernel_of(const hipKernelNodeParams* p) {
  require(p, hipErrorInvalidValue);
  return kernel_work_of(*p);
}

void* variable_at(const void* symbol, size_t bytes, size_t offset) {
  const Symbol variable = runtime().variable(symbol, runtime().current().device.index);
  require(offset <= variable.size && bytes <= variable.size - offset, hipErrorInvalidValue);
  return reinterpret_cast<void*>(variable.address + offset);
}

hipEvent_t live_event(hipEvent_t event) {
  const std::lock_guard guard(runtime().lock);
  require(event && runtime().events.contains(event), hipErrorInvalidValue);
  return event;
}

}  // namespace

hipError_t hipGraphNodeGetType(hipGraphNode_t handle, hipGraphNodeType* type) {
  return api([&] {
    require(type, hipErrorInvalidValue);
    constexpr hipGraphNodeType types[] = {hipGraphNodeTypeEmpty,       hipGraphNodeTypeKernel,   hipGraphNodeTypeMemcpy,
                                          hipGraphNodeTypeMemset,      hipGraphNodeTypeHost,     hipGraphNodeTypeGraph,
                                          hipGraphNodeTypeEventRecord, hipGraphNodeTypeWaitEvent};
    static_assert(std::size(types) == std::variant_size_v<Work>);
    *type = types[node_of(handle).work.index()];
  });
}

hipError_t hipGraphAddEmptyNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                size_t count) {
  return add(node, graph, dependencies, count, [] { return EmptyWork{}; });
}

hipError_t hipGraphAddKernelNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                 size_t count, const hipKernelNodeParams* params) {
  return add(node, graph, dependencies, count, [&] { return kernel_of(params); });
}

hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t handle, hipKernelNodeParams* params) {
  return api([&] {
    require(params, hipErrorInvalidValue);
    hipGraphNode& node = node_of(handle);
    KernelWork& work = work_in<KernelWork>(node);
    node.kernel_params.clear();
    for (const KernelArgument& argument : work.function->kernel->arguments)
      if (!is_hidden(argument.kind)) node.kernel_params.push_back(work.arguments.data() + argument.offset);
    *params = {};
    params->func = const_cast<void*>(work.host_function);
    params->blockDim = dim3(work.block[0], work.block[1], work.block[2]);
    params->gridDim = dim3(work.grid[0] / work.block[0], work.grid[1] / work.block[1], work.grid[2] / work.block[2]);
    params->sharedMemBytes = work.dynamic_lds;
    params->kernelParams = node.kernel_params.data();
  });
}

hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t handle, const hipKernelNodeParams* params) {
  return api([&] { work_in<KernelWork>(node_of(handle)) = kernel_of(params); });
}
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                           const hipKernelNodeParams* params) {
  return api([&] { work_in<KernelWork>(node_in(executable, node)) = kernel_of(params); });
}

hipError_t hipGraphAddMemcpyNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                 size_t count, const hipMemcpy3DParms* params) {
  return add(node, graph, dependencies, count, [&] { return volume_of(params); });
}
hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms* params) {
  return api([&] { work_in<CopyWork>(node_of(node)) = volume_of(params); });
}
hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node, hipMemcpy3DParms* params) {
  return api([&] { work_in<CopyWork>(node_in(executable, node)) = volume_of(params); });
}

hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t handle, hipMemcpy3DParms* params) {
  return api([&] {
    require(params, hipErrorInvalidValue);
    hipGraphNode& node = node_of(handle);
    const CopyWork& work = work_in<CopyWork>(node);
    *params = {};
    const auto height_of = [&](std::size_t slice, std::size_t pitch) {
      return pitch ? std::max<std::size_t>(slice / pitch, work.height) : 1;
    };
    params->dstPtr = {work.to, work.to_pitch ? work.to_pitch : work.width, work.width,
                      height_of(work.to_slice, work.to_pitch)};
    params->srcPtr = {const_cast<void*>(work.from), work.from_pitch ? work.from_pitch : work.width, work.width,
                      height_of(work.from_slice, work.from_pitch)};
    params->extent = {work.width, work.height, work.depth};
    params->kind = node.copy_kind;
  });
}

hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                   size_t count, void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  return add(node, graph, dependencies, count, [&] { return copy_of(to, from, bytes, kind); });
}
hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void* to, const void* from, size_t bytes,
                                         hipMemcpyKind kind) {
  return api([&] { work_in<CopyWork>(node_of(node)) = copy_of(to, from, bytes, kind); });
}
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t executable, hipGraphNode_t node, void* to, const void* from,
                                             size_t bytes, hipMemcpyKind kind) {
  return api([&] { work_in<CopyWork>(node_in(executable, node)) = copy_of(to, from, bytes, kind); });
}

hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                         size_t count, const void* symbol, const void* from, size_t bytes,
                                         size_t offset, hipMemcpyKind kind) {
  return add(node, graph, dependencies, count,
             [&] { return copy_of(variable_at(symbol, bytes, offset), from, bytes, kind); });
}
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                           size_t count, void* to, const void* symbol, size_t bytes, size_t offset,
                                           hipMemcpyKind kind) {
  return add(node, graph, dependencies, count,
             [&] { return copy_of(to, variable_at(symbol, bytes, offset), bytes, kind); });
}

hipError_t hipGraphAddMemsetNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                 size_t count, const hipMemsetParams* params) {
  return add(node, graph, dependencies, count, [&] { return fill_of(params); });
}
hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* params) {
  return api([&] {
    require(params, hipErrorInvalidValue);
    const FillWork& work = work_in<FillWork>(node_of(node));
    *params = {.dst = work.to,
               .elementSize = static_cast<unsigned>(work.element),
               .height = work.height,
               .pitch = work.pitch,
               .value = work.value,
               .width = work.width};
  });
}
hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams* params) {
  return api([&] { work_in<FillWork>(node_of(node)) = fill_of(params); });
}
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                           const hipMemsetParams* params) {
  return api([&] { work_in<FillWork>(node_in(executable, node)) = fill_of(params); });
}

hipError_t hipGraphAddHostNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies, size_t count,
                               const hipHostNodeParams* params) {
  return add(node, graph, dependencies, count, [&] { return host_of(params); });
}
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams* params) {
  return api([&] {
    require(params, hipErrorInvalidValue);
    const HostWork& work = work_in<HostWork>(node_of(node));
    *params = {work.function, work.data};
  });
}
hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams* params) {
  return api([&] { work_in<HostWork>(node_of(node)) = host_of(params); });
}
hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                         const hipHostNodeParams* params) {
  return api([&] { work_in<HostWork>(node_in(executable, node)) = host_of(params); });
}

/// The child is copied when it is added: later changes to the original do not reach it.
hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                     size_t count, hipGraph_t child) {
  return add(node, graph, dependencies, count, [&] {
    std::unordered_map<const hipGraphNode*, hipGraphNode*> map;
    return GraphWork{graph_of(child).clone(map)};
  });
}

hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t handle, hipGraph_t* child) {
  return api([&] {
    require(child, hipErrorInvalidValue);
    hipGraphNode& node = node_of(handle);
    const GraphWork& work = work_in<GraphWork>(node);
    if (!node.child) {
      node.child = node.graph->children.emplace_back(std::make_unique<ihipGraph>(ihipGraph{work.graph})).get();
      register_child(node.child);
    }
    *child = node.child;
  });
}

hipError_t hipGraphAddEventRecordNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                      size_t count, hipEvent_t event) {
  return add(node, graph, dependencies, count, [&] { return EventRecordWork{live_event(event)}; });
}
hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t* event) {
  return api([&] {
    require(event, hipErrorInvalidValue);
    *event = work_in<EventRecordWork>(node_of(node)).event;
  });
}
hipError_t hipGraphAddEventWaitNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                    size_t count, hipEvent_t event) {
  return add(node, graph, dependencies, count, [&] { return EventWaitWork{live_event(event)}; });
}

hipError_t hipGraphAddNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies, size_t count,
                           hipGraphNodeParams* params) {
  if (!params) return api([] { throw Failure{hipErrorInvalidValue, {}}; });
  switch (params->type) {
    case hipGraphNodeTypeKernel:
      return hipGraphAddKernelNode(node, graph, dependencies, count, &params->kernel);
    case hipGraphNodeTypeMemcpy:
      return hipGraphAddMemcpyNode(node, graph, dependencies, count, &params->memcpy.copyParams);
    case hipGraphNodeTypeMemset:
      return hipGraphAddMemsetNode(node, graph, dependencies, count, &params->memset);
    case hipGraphNodeTypeHost:
      return hipGraphAddHostNode(node, graph, dependencies, count, &params->host);
    case hipGraphNodeTypeGraph:
      return hipGraphAddChildGraphNode(node, graph, dependencies, count, params->graph.graph);
    case hipGraphNodeTypeEmpty:
      return hipGraphAddEmptyNode(node, graph, dependencies, count);
    default:
      return api([] { throw Failure{hipErrorNotSupported, "hipGraphAddNode: this kind of node is not supported"}; });
  }
}
