// Graphs: captured and built by hand, launched repeatedly, changed, and what a capture forbids.
#include "support.hpp"

using zellige::test::DeviceVector;

namespace {

__global__ void add(int* values, int amount) { values[threadIdx.x] += amount; }
__global__ void times(int* values, int factor) { values[threadIdx.x] *= factor; }
void note(void* data) { *static_cast<int*>(data) += 1; }

struct Streams {
  hipStream_t a = nullptr, b = nullptr;
  Streams() {
    EXPECT_EQ(hipSuccess, hipStreamCreate(&a));
    EXPECT_EQ(hipSuccess, hipStreamCreate(&b));
  }
  ~Streams() {
    EXPECT_EQ(hipSuccess, hipStreamDestroy(a));
    EXPECT_EQ(hipSuccess, hipStreamDestroy(b));
  }
};

}  // namespace

TEST(Graphs, CaptureRunsNothingAndLaunchesRepeat) {
  Streams streams;
  DeviceVector<int> data(64);
  std::vector<int> host(64);
  HIP_OK(hipMemset(data.data(), 0, 256));
  HIP_OK(hipStreamBeginCapture(streams.a, hipStreamCaptureModeGlobal));
  hipStreamCaptureStatus status;
  HIP_OK(hipStreamIsCapturing(streams.a, &status));
  EXPECT_EQ(hipStreamCaptureStatusActive, status);
  add<<<1, 64, 0, streams.a>>>(data.data(), 3);
  times<<<1, 64, 0, streams.a>>>(data.data(), 2);
  HIP_OK(hipMemcpyAsync(host.data(), data.data(), 256, hipMemcpyDeviceToHost, streams.a));
  hipGraph_t graph;
  HIP_OK(hipStreamEndCapture(streams.a, &graph));
  EXPECT_EQ(std::vector<int>(64, 0), data.read());
  std::size_t nodes = 0;
  HIP_OK(hipGraphGetNodes(graph, nullptr, &nodes));
  EXPECT_EQ(3u, nodes);
  hipGraphExec_t executable;
  HIP_OK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  HIP_OK(hipGraphDestroy(graph));
  HIP_OK(hipGraphLaunch(executable, streams.a));
  HIP_OK(hipGraphLaunch(executable, streams.b));
  HIP_OK(hipDeviceSynchronize());
  EXPECT_EQ(std::vector<int>(64, 18), host);  // ((0 + 3) * 2 + 3) * 2
  HIP_OK(hipGraphExecDestroy(executable));
}

TEST(Graphs, CaptureForksAndJoinsThroughEvents) {
  Streams streams;
  DeviceVector<int> a(64), b(64);
  hipEvent_t fork, join;
  HIP_OK(hipEventCreate(&fork));
  HIP_OK(hipEventCreate(&join));
  HIP_OK(hipStreamBeginCapture(streams.a, hipStreamCaptureModeGlobal));
  HIP_OK(hipMemsetAsync(a.data(), 0, 256, streams.a));
  HIP_OK(hipEventRecord(fork, streams.a));
  EXPECT_EQ(hipErrorCapturedEvent, hipEventQuery(fork));
  HIP_OK(hipStreamWaitEvent(streams.b, fork, 0));
  HIP_OK(hipMemsetAsync(b.data(), 0, 256, streams.b));
  add<<<1, 64, 0, streams.b>>>(b.data(), 5);
  HIP_OK(hipEventRecord(join, streams.b));
  add<<<1, 64, 0, streams.a>>>(a.data(), 1);
  HIP_OK(hipStreamWaitEvent(streams.a, join, 0));
  HIP_OK(hipMemcpyAsync(a.data(), b.data(), 128, hipMemcpyDeviceToDevice, streams.a));
  hipGraph_t graph;
  HIP_OK(hipStreamEndCapture(streams.a, &graph));
  std::size_t nodes = 0, edges = 0, roots = 0;
  HIP_OK(hipGraphGetNodes(graph, nullptr, &nodes));
  HIP_OK(hipGraphGetEdges(graph, nullptr, nullptr, &edges));
  HIP_OK(hipGraphGetRootNodes(graph, nullptr, &roots));
  EXPECT_EQ(5u, nodes);
  EXPECT_EQ(5u, edges);
  EXPECT_EQ(1u, roots);
  hipGraphExec_t executable;
  HIP_OK(hipGraphInstantiateWithFlags(&executable, graph, 0));
  HIP_OK(hipGraphLaunch(executable, streams.a));
  std::vector<int> expected(64, 1);
  std::fill(expected.begin(), expected.begin() + 32, 5);
  EXPECT_EQ(expected, a.read());
  HIP_OK(hipGraphExecDestroy(executable));
  HIP_OK(hipGraphDestroy(graph));
  HIP_OK(hipEventDestroy(fork));
  HIP_OK(hipEventDestroy(join));
}

TEST(Graphs, WhatACaptureForbids) {
  Streams streams;
  DeviceVector<int> data(64);
  hipGraph_t graph = nullptr;
  HIP_EXPECT(hipErrorIllegalState, hipStreamEndCapture(streams.a, &graph));
  HIP_EXPECT(hipErrorStreamCaptureUnsupported, hipStreamBeginCapture(nullptr, hipStreamCaptureModeGlobal));

  HIP_OK(hipStreamBeginCapture(streams.a, hipStreamCaptureModeGlobal));
  HIP_EXPECT(hipErrorStreamCaptureUnsupported, hipStreamSynchronize(streams.a));
  HIP_EXPECT(hipErrorStreamCaptureInvalidated, hipMemsetAsync(data.data(), 0, 256, streams.a));
  HIP_EXPECT(hipErrorStreamCaptureInvalidated, hipStreamEndCapture(streams.a, &graph));

  HIP_OK(hipStreamBeginCapture(streams.a, hipStreamCaptureModeGlobal));
  HIP_EXPECT(hipErrorStreamCaptureImplicit, hipMemsetAsync(data.data(), 0, 256, nullptr));
  HIP_EXPECT(hipErrorStreamCaptureInvalidated, hipStreamEndCapture(streams.a, &graph));

  // A forked stream that never joins.
  hipEvent_t fork;
  HIP_OK(hipEventCreate(&fork));
  HIP_OK(hipStreamBeginCapture(streams.a, hipStreamCaptureModeGlobal));
  HIP_OK(hipMemsetAsync(data.data(), 0, 256, streams.a));
  HIP_OK(hipEventRecord(fork, streams.a));
  HIP_OK(hipStreamWaitEvent(streams.b, fork, 0));
  HIP_OK(hipMemsetAsync(data.data(), 0, 256, streams.b));
  HIP_EXPECT(hipErrorStreamCaptureUnmatched, hipStreamEndCapture(streams.b, &graph));
  HIP_EXPECT(hipErrorStreamCaptureUnjoined, hipStreamEndCapture(streams.a, &graph));
  HIP_OK(hipEventDestroy(fork));

  // An event of uncaptured work.
  hipEvent_t outside;
  HIP_OK(hipEventCreate(&outside));
  HIP_OK(hipEventRecord(outside, streams.b));
  HIP_OK(hipStreamBeginCapture(streams.a, hipStreamCaptureModeGlobal));
  HIP_EXPECT(hipErrorStreamCaptureIsolation, hipStreamWaitEvent(streams.a, outside, 0));
  HIP_EXPECT(hipErrorStreamCaptureInvalidated, hipStreamEndCapture(streams.a, &graph));
  HIP_OK(hipEventDestroy(outside));
  (void)hipGetLastError();
  HIP_OK(hipMemset(data.data(), 0, 256));  // nothing of all this stays
}

TEST(Graphs, BuiltByHandAndChanged) {
  DeviceVector<int> data(64);
  int calls = 0, amount = 4;
  int* pointer = data.data();
  hipGraph_t graph;
  HIP_OK(hipGraphCreate(&graph, 0));
  hipGraphNode_t fill, kernel, host;
  hipMemsetParams memset{.dst = pointer, .elementSize = 4, .height = 1, .pitch = 256, .value = 10, .width = 64};
  HIP_OK(hipGraphAddMemsetNode(&fill, graph, nullptr, 0, &memset));
  void* arguments[] = {&pointer, &amount};
  hipKernelNodeParams params{};
  params.func = reinterpret_cast<void*>(add);
  params.gridDim = dim3(1);
  params.blockDim = dim3(64);
  params.kernelParams = arguments;
  HIP_OK(hipGraphAddKernelNode(&kernel, graph, nullptr, 0, &params));
  HIP_OK(hipGraphAddDependencies(graph, &fill, &kernel, 1));
  hipHostNodeParams host_params{note, &calls};
  HIP_OK(hipGraphAddHostNode(&host, graph, &kernel, 1, &host_params));
  hipGraphNodeType type;
  HIP_OK(hipGraphNodeGetType(kernel, &type));
  EXPECT_EQ(hipGraphNodeTypeKernel, type);
  hipKernelNodeParams read{};
  HIP_OK(hipGraphKernelNodeGetParams(kernel, &read));
  EXPECT_EQ(params.func, read.func);
  EXPECT_EQ(4, *static_cast<int*>(read.kernelParams[1]));

  hipGraphExec_t executable;
  HIP_OK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  HIP_OK(hipGraphLaunch(executable, nullptr));
  EXPECT_EQ(std::vector<int>(64, 14), data.read());
  amount = 7;
  HIP_OK(hipGraphExecKernelNodeSetParams(executable, kernel, &params));
  HIP_OK(hipGraphLaunch(executable, nullptr));
  EXPECT_EQ(std::vector<int>(64, 17), data.read());
  HIP_OK(hipGraphNodeSetEnabled(executable, kernel, 0));
  HIP_OK(hipGraphLaunch(executable, nullptr));
  EXPECT_EQ(std::vector<int>(64, 10), data.read());
  EXPECT_EQ(3, calls);

  // A cycle cannot be instantiated.
  HIP_OK(hipGraphAddDependencies(graph, &host, &fill, 1));
  hipGraphExec_t bad = nullptr;
  HIP_EXPECT(hipErrorInvalidValue, hipGraphInstantiate(&bad, graph, nullptr, nullptr, 0));
  (void)hipGetLastError();
  HIP_OK(hipGraphExecDestroy(executable));
  HIP_OK(hipGraphDestroy(graph));
  HIP_EXPECT(hipErrorInvalidValue, hipGraphDestroy(graph));
  (void)hipGetLastError();
}

TEST(Graphs, ChildrenAndUpdates) {
  DeviceVector<int> data(64);
  Streams streams;
  const auto capture = [&](int amount) {
    EXPECT_EQ(hipSuccess, hipStreamBeginCapture(streams.a, hipStreamCaptureModeRelaxed));
    add<<<1, 64, 0, streams.a>>>(data.data(), amount);
    hipGraph_t graph = nullptr;
    EXPECT_EQ(hipSuccess, hipStreamEndCapture(streams.a, &graph));
    return graph;
  };
  HIP_OK(hipMemset(data.data(), 0, 256));
  hipGraph_t one = capture(1), ten = capture(10), parent;
  HIP_OK(hipGraphCreate(&parent, 0));
  hipGraphNode_t first, second;
  HIP_OK(hipGraphAddChildGraphNode(&first, parent, nullptr, 0, one));
  HIP_OK(hipGraphAddChildGraphNode(&second, parent, &first, 1, one));
  hipGraphExec_t executable, update;
  HIP_OK(hipGraphInstantiate(&executable, parent, nullptr, nullptr, 0));
  HIP_OK(hipGraphLaunch(executable, streams.a));
  EXPECT_EQ(std::vector<int>(64, 2), data.read());
  HIP_OK(hipGraphInstantiate(&update, one, nullptr, nullptr, 0));
  hipGraphExecUpdateResult result;
  hipGraphNode_t error_node;
  HIP_OK(hipGraphExecUpdate(update, ten, &error_node, &result));
  EXPECT_EQ(hipGraphExecUpdateSuccess, result);
  HIP_OK(hipGraphLaunch(update, streams.a));
  EXPECT_EQ(std::vector<int>(64, 12), data.read());
  HIP_EXPECT(hipErrorGraphExecUpdateFailure, hipGraphExecUpdate(update, parent, &error_node, &result));
  (void)hipGetLastError();
  HIP_OK(hipGraphExecDestroy(executable));
  HIP_OK(hipGraphExecDestroy(update));
  for (hipGraph_t graph : {one, ten, parent}) HIP_OK(hipGraphDestroy(graph));
}
