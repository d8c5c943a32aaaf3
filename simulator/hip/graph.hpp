// Graphs: work with dependencies, built by capturing streams or by hand, instantiated once and launched many times.
//
// Law: a launch executes the nodes in an order that respects every dependency; among independent nodes, in the order in
// which they were added.
#pragma once

#include <memory>
#include <thread>
#include <unordered_map>
#include <vector>

#include "simulator/hip/runtime.hpp"

/// hipGraph_t points to one of these.
struct ihipGraph {
  std::shared_ptr<zellige::sim::Graph> graph;
};

/// hipGraphNode_t points to one of these.
struct hipGraphNode {
  zellige::sim::Work work;
  std::vector<hipGraphNode*> dependencies;
  zellige::sim::Graph* graph = nullptr;
  bool enabled = true;
  hipMemcpyKind copy_kind = hipMemcpyDefault;
  std::vector<void*> kernel_params;  ///< pointers into a KernelWork's arguments, as the getters hand out
  ihipGraph* child = nullptr;        ///< the handle of a child graph, owned by the node's graph
};

namespace zellige::sim {

struct Graph {
  std::vector<std::unique_ptr<hipGraphNode>> nodes;
  std::vector<std::unique_ptr<ihipGraph>> children;                  ///< handles of child graphs
  std::unordered_map<const hipGraphNode*, hipGraphNode*> originals;  ///< of a clone: the nodes it was copied from

  Graph() = default;
  ~Graph();

  /// Adds a node; a dependency that is not of this graph, or appears twice, is a Failure.
  hipGraphNode* add(Work work, std::vector<hipGraphNode*> dependencies);
  bool contains(const hipGraphNode* node) const;
  /// The nodes in executable order; empty, with nodes present, when there is a cycle.
  std::vector<hipGraphNode*> order() const;
  /// A copy with copied nodes; `map` receives original to copy.
  std::shared_ptr<Graph> clone(std::unordered_map<const hipGraphNode*, hipGraphNode*>& map) const;
};

/// A capture in progress.
struct Capture {
  std::shared_ptr<Graph> graph;
  hipStreamCaptureMode mode = hipStreamCaptureModeGlobal;
  ihipStream_t* origin = nullptr;
  std::thread::id thread;
  std::set<ihipStream_t*> streams;
  hipGraph_t handle = nullptr;  ///< of the graph; the caller's when the capture ends well
  bool owns_handle = true;      ///< false when the caller gave the graph
  unsigned long long id = 0;
  bool invalid = false;
};

/// Executes every enabled node of the graph on a device.
void run_graph(DeviceState& device, const Graph& graph);

/// The graph of a handle; Failure hipErrorInvalidValue.
Graph& graph_of(hipGraph_t handle);
/// A live node; Failure hipErrorInvalidValue.
hipGraphNode& node_of(hipGraphNode_t handle);
/// What `node` became in an executable graph; Failure hipErrorInvalidValue.
hipGraphNode& node_in(hipGraphExec_t executable, hipGraphNode_t node);
/// A new handle that the caller owns until hipGraphDestroy.
hipGraph_t make_handle(std::shared_ptr<Graph> graph);
void destroy_handle(hipGraph_t handle);
/// Makes a child graph's handle, which its parent owns, legal for graph calls.
void register_child(hipGraph_t handle);

/// Kernel work from what a caller passes for a kernel node. `function` is a host function or a hipFunction_t.
KernelWork kernel_work_of(const hipKernelNodeParams& params);

}  // namespace zellige::sim

struct hipGraphExec {
  std::shared_ptr<zellige::sim::Graph> graph;
  std::unordered_map<const hipGraphNode*, hipGraphNode*> nodes;  ///< original to ours
  int device = 0;
  unsigned long long flags = 0;
};
