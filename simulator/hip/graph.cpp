// Graphs: structure, instantiation, launch. The kinds of nodes are in graph_nodes.cpp.
#include "simulator/hip/graph.hpp"

#include <algorithm>

namespace zellige::sim {
namespace {

std::set<hipGraph_t>& handles() {
  static auto* live = new std::set<hipGraph_t>;
  return *live;
}

std::set<hipGraphExec_t>& executables() {
  static auto* live = new std::set<hipGraphExec_t>;
  return *live;
}

std::set<const hipGraphNode*>& live_nodes() {
  static auto* live = new std::set<const hipGraphNode*>;
  return *live;
}

hipGraphExec& executable_of(hipGraphExec_t handle) {
  const std::lock_guard guard(Runtime::instance().lock);
  require(handle && executables().contains(handle), hipErrorInvalidValue);
  return *handle;
}

hipGraphExec_t instantiate(hipGraph_t handle, unsigned long long flags) {
  Graph& graph = graph_of(handle);
  require(graph.nodes.empty() || !graph.order().empty(), hipErrorInvalidValue,
          "a graph with a cycle cannot be instantiated");
  auto executable = std::make_unique<hipGraphExec>();
  executable->graph = graph.clone(executable->nodes);
  executable->device = Runtime::instance().current().device.index;
  executable->flags = flags;
  const std::lock_guard guard(Runtime::instance().lock);
  return *executables().insert(executable.release()).first;
}

void copy_out(const std::vector<hipGraphNode*>& nodes, hipGraphNode_t* out, size_t* count) {
  require(count, hipErrorInvalidValue);
  if (out) {
    for (std::size_t i = 0; i < *count; ++i) out[i] = i < nodes.size() ? nodes[i] : nullptr;
    *count = std::min(*count, nodes.size());
  } else {
    *count = nodes.size();
  }
}

}  // namespace

hipGraphNode* Graph::add(Work work, std::vector<hipGraphNode*> dependencies) {
  for (std::size_t i = 0; i < dependencies.size(); ++i) {
    require(contains(dependencies[i]), hipErrorInvalidValue);
    require(std::find(dependencies.begin(), dependencies.begin() + static_cast<std::ptrdiff_t>(i), dependencies[i]) ==
                dependencies.begin() + static_cast<std::ptrdiff_t>(i),
            hipErrorInvalidValue);
  }
  auto node = std::make_unique<hipGraphNode>();
  node->work = std::move(work);
  node->dependencies = std::move(dependencies);
  node->graph = this;
  const std::lock_guard guard(Runtime::instance().lock);
  live_nodes().insert(node.get());
  return nodes.emplace_back(std::move(node)).get();
}

Graph::~Graph() {
  const std::lock_guard guard(Runtime::instance().lock);
  for (const auto& node : nodes) live_nodes().erase(node.get());
  for (const auto& child : children) handles().erase(child.get());
}

bool Graph::contains(const hipGraphNode* node) const {
  return std::ranges::any_of(nodes, [&](const auto& entry) { return entry.get() == node; });
}

std::vector<hipGraphNode*> Graph::order() const {
  std::unordered_map<const hipGraphNode*, std::size_t> missing;
  std::unordered_map<const hipGraphNode*, std::vector<std::size_t>> after;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    missing[nodes[i].get()] = nodes[i]->dependencies.size();
    for (const hipGraphNode* before : nodes[i]->dependencies) after[before].push_back(i);
  }
  std::set<std::size_t> ready;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i]->dependencies.empty()) ready.insert(i);
  std::vector<hipGraphNode*> result;
  while (!ready.empty()) {
    const std::size_t i = *ready.begin();
    ready.erase(ready.begin());
    result.push_back(nodes[i].get());
    for (const std::size_t next : after[nodes[i].get()])
      if (--missing[nodes[next].get()] == 0) ready.insert(next);
  }
  if (result.size() != nodes.size()) result.clear();
  return result;
}

std::shared_ptr<Graph> Graph::clone(std::unordered_map<const hipGraphNode*, hipGraphNode*>& map) const {
  auto copy = std::make_shared<Graph>();
  for (const auto& node : nodes) {
    hipGraphNode* twin = copy->add(node->work, {});
    twin->enabled = node->enabled;
    twin->copy_kind = node->copy_kind;
    if (auto* child = std::get_if<GraphWork>(&twin->work)) {
      std::unordered_map<const hipGraphNode*, hipGraphNode*> inner;
      child->graph = child->graph->clone(inner);
    }
    map[node.get()] = twin;
  }
  for (const auto& node : nodes)
    for (const hipGraphNode* before : node->dependencies) map[node.get()]->dependencies.push_back(map[before]);
  return copy;
}

void run_graph(DeviceState& device, const Graph& graph) {
  for (const hipGraphNode* node : graph.order())
    if (node->enabled) execute(device, node->work);
}

Graph& graph_of(hipGraph_t handle) {
  const std::lock_guard guard(Runtime::instance().lock);
  require(handle && handles().contains(handle), hipErrorInvalidValue);
  return *handle->graph;
}

hipGraphNode& node_of(hipGraphNode_t handle) {
  const std::lock_guard guard(Runtime::instance().lock);
  require(handle && live_nodes().contains(handle), hipErrorInvalidValue);
  return *handle;
}

hipGraphNode& node_in(hipGraphExec_t handle, hipGraphNode_t node) {
  const auto& nodes = executable_of(handle).nodes;
  const auto it = nodes.find(node);
  require(it != nodes.end(), hipErrorInvalidValue);
  return *it->second;
}

hipGraph_t make_handle(std::shared_ptr<Graph> graph) {
  const std::lock_guard guard(Runtime::instance().lock);
  return *handles().insert(new ihipGraph{std::move(graph)}).first;
}

void register_child(hipGraph_t handle) {
  const std::lock_guard guard(Runtime::instance().lock);
  handles().insert(handle);
}

void destroy_handle(hipGraph_t handle) {
  const std::lock_guard guard(Runtime::instance().lock);
  handles().erase(handle);
  delete handle;
}

}  // namespace zellige::sim

using namespace zellige::sim;

hipError_t hipGraphCreate(hipGraph_t* graph, unsigned flags) {
  return api([&] {
    require(graph && flags == 0, hipErrorInvalidValue);
    *graph = make_handle(std::make_shared<Graph>());
  });
}

hipError_t hipGraphDestroy(hipGraph_t graph) {
  return api([&] {
    graph_of(graph);
    destroy_handle(graph);
  });
}

hipError_t hipGraphClone(hipGraph_t* clone, hipGraph_t original) {
  return api([&] {
    require(clone, hipErrorInvalidValue);
    std::unordered_map<const hipGraphNode*, hipGraphNode*> map;
    std::shared_ptr<Graph> copy = graph_of(original).clone(map);
    copy->originals = {map.begin(), map.end()};
    *clone = make_handle(std::move(copy));
  });
}

hipError_t hipGraphNodeFindInClone(hipGraphNode_t* node, hipGraphNode_t original, hipGraph_t clone) {
  return api([&] {
    require(node && original, hipErrorInvalidValue);
    const auto& originals = graph_of(clone).originals;
    const auto it = originals.find(original);
    require(it != originals.end(), hipErrorInvalidValue);
    *node = it->second;
  });
}

hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* count) {
  return api([&] {
    std::vector<hipGraphNode*> all;
    for (const auto& node : graph_of(graph).nodes) all.push_back(node.get());
    copy_out(all, nodes, count);
  });
}

hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* count) {
  return api([&] {
    std::vector<hipGraphNode*> roots;
    for (const auto& node : graph_of(graph).nodes)
      if (node->dependencies.empty()) roots.push_back(node.get());
    copy_out(roots, nodes, count);
  });
}

hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t* from, hipGraphNode_t* to, size_t* count) {
  return api([&] {
    require(count && (from == nullptr) == (to == nullptr), hipErrorInvalidValue);
    std::vector<hipGraphNode*> before, after;
    for (const auto& node : graph_of(graph).nodes)
      for (hipGraphNode* dependency : node->dependencies) before.push_back(dependency), after.push_back(node.get());
    std::size_t copied = *count;
    copy_out(before, from, count);
    if (to) copy_out(after, to, &copied);
  });
}

hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t* dependencies, size_t* count) {
  return api([&] { copy_out(node_of(node).dependencies, dependencies, count); });
}

hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t handle, hipGraphNode_t* dependents, size_t* count) {
  return api([&] {
    const hipGraphNode& node = node_of(handle);
    std::vector<hipGraphNode*> after;
    for (const auto& other : node.graph->nodes)
      if (std::ranges::find(other->dependencies, &node) != other->dependencies.end()) after.push_back(other.get());
    copy_out(after, dependents, count);
  });
}

hipError_t hipGraphAddDependencies(hipGraph_t handle, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                   size_t count) {
  return api([&] {
    const Graph& graph = graph_of(handle);
    require((from && to) || count == 0, hipErrorInvalidValue);
    for (size_t i = 0; i < count; ++i) {
      require(graph.contains(from[i]) && graph.contains(to[i]) && from[i] != to[i], hipErrorInvalidValue);
      require(std::ranges::find(to[i]->dependencies, from[i]) == to[i]->dependencies.end(), hipErrorInvalidValue);
      to[i]->dependencies.push_back(from[i]);
    }
  });
}

hipError_t hipGraphRemoveDependencies(hipGraph_t handle, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                      size_t count) {
  return api([&] {
    const Graph& graph = graph_of(handle);
    require((from && to) || count == 0, hipErrorInvalidValue);
    for (size_t i = 0; i < count; ++i)
      require(graph.contains(to[i]) && std::erase(to[i]->dependencies, from[i]) == 1, hipErrorInvalidValue);
  });
}

hipError_t hipGraphDestroyNode(hipGraphNode_t handle) {
  return api([&] {
    hipGraphNode& node = node_of(handle);
    Graph& graph = *node.graph;
    for (const auto& other : graph.nodes) std::erase(other->dependencies, &node);
    const std::lock_guard guard(Runtime::instance().lock);
    live_nodes().erase(&node);
    std::erase_if(graph.nodes, [&](const auto& entry) { return entry.get() == &node; });
  });
}

hipError_t hipGraphInstantiate(hipGraphExec_t* executable, hipGraph_t graph, hipGraphNode_t* error_node, char* log,
                               size_t bytes) {
  return api([&] {
    require(executable, hipErrorInvalidValue);
    if (error_node) *error_node = nullptr;
    if (log && bytes) *log = 0;
    *executable = instantiate(graph, 0);
  });
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* executable, hipGraph_t graph, unsigned long long flags) {
  return api([&] {
    require(executable, hipErrorInvalidValue);
    *executable = instantiate(graph, flags);
  });
}

hipError_t hipGraphInstantiateWithParams(hipGraphExec_t* executable, hipGraph_t graph,
                                         hipGraphInstantiateParams* params) {
  return api([&] {
    require(executable && params, hipErrorInvalidValue);
    params->errNode_out = nullptr;
    params->result_out = hipGraphInstantiateError;
    *executable = instantiate(graph, params->flags);
    params->result_out = hipGraphInstantiateSuccess;
  });
}

hipError_t hipGraphExecGetFlags(hipGraphExec_t executable, unsigned long long* flags) {
  return api([&] {
    require(flags, hipErrorInvalidValue);
    *flags = executable_of(executable).flags;
  });
}

hipError_t hipGraphUpload(hipGraphExec_t executable, hipStream_t stream) {
  return api([&] {
    executable_of(executable);
    Runtime::instance().stream(stream);
  });
}

hipError_t hipGraphLaunch(hipGraphExec_t executable, hipStream_t stream) {
  return api([&] {
    hipGraphExec& graph = executable_of(executable);
    enqueue(Runtime::instance().stream(stream), GraphWork{graph.graph});
  });
}

hipError_t hipGraphExecDestroy(hipGraphExec_t executable) {
  return api([&] {
    executable_of(executable);
    const std::lock_guard guard(Runtime::instance().lock);
    executables().erase(executable);
    delete executable;
  });
}

/// The new graph must have the same shape, node by node in the order of adding: then each node takes the new one's
/// work.
hipError_t hipGraphExecUpdate(hipGraphExec_t executable, hipGraph_t handle, hipGraphNode_t* error_node,
                              hipGraphExecUpdateResult* result) {
  return api([&] {
    hipGraphExec& target = executable_of(executable);
    const Graph& graph = graph_of(handle);
    const auto refuse = [&](hipGraphExecUpdateResult why, hipGraphNode_t node) {
      if (result) *result = why;
      if (error_node) *error_node = node;
      throw Failure{hipErrorGraphExecUpdateFailure, {}};
    };
    if (graph.nodes.size() != target.graph->nodes.size()) refuse(hipGraphExecUpdateErrorTopologyChanged, nullptr);
    std::unordered_map<const hipGraphNode*, hipGraphNode*> map;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) map[graph.nodes[i].get()] = target.graph->nodes[i].get();
    for (const auto& node : graph.nodes) {
      const hipGraphNode& twin = *map[node.get()];
      if (node->work.index() != twin.work.index()) refuse(hipGraphExecUpdateErrorNodeTypeChanged, node.get());
      std::vector<hipGraphNode*> dependencies;
      for (const hipGraphNode* before : node->dependencies) dependencies.push_back(map[before]);
      if (dependencies != twin.dependencies) refuse(hipGraphExecUpdateErrorTopologyChanged, node.get());
    }
    for (const auto& node : graph.nodes) map[node.get()]->work = node->work;
    for (const auto& node : graph.nodes) target.nodes[node.get()] = map[node.get()];
    if (result) *result = hipGraphExecUpdateSuccess;
    if (error_node) *error_node = nullptr;
  });
}

hipError_t hipGraphNodeSetEnabled(hipGraphExec_t executable, hipGraphNode_t node, unsigned enabled) {
  return api([&] { node_in(executable, node).enabled = enabled != 0; });
}

hipError_t hipGraphNodeGetEnabled(hipGraphExec_t executable, hipGraphNode_t node, unsigned* enabled) {
  return api([&] {
    require(enabled, hipErrorInvalidValue);
    *enabled = node_in(executable, node).enabled;
  });
}
