// Every instance on streams of one's own: two plans at once, and captured into a graph. Workspaces and outputs are NaN
// before every round, between guard zones.
#include <gtest/gtest.h>

#include "device_run.hpp"
#include "random_problem.hpp"
#include "use_device.hpp"

namespace zellige {
namespace {

/// A stream, while it lives.
struct Stream {
  Stream() { require_success(hipStreamCreate(&handle), "hipStreamCreate"); }
  Stream(const Stream&) = delete;
  ~Stream() { static_cast<void>(hipStreamDestroy(handle)); }
  void wait() const { require_success(hipStreamSynchronize(handle), "hipStreamSynchronize"); }
  hipStream_t handle = nullptr;
};

class Streams : public testing::TestWithParam<Arch> {
 protected:
  void SetUp() override {
    if (!use_device(GetParam())) GTEST_SKIP() << "no device of " << arch_traits(GetParam()).name;
    ASSERT_EQ(target_library(GetParam()).error, "");
  }

  /// A random problem, planned with random options.
  std::unique_ptr<GuardedRun> random_run(const Operation& operation) {
    const Problem problem = random_problem(operation, random_);
    const PlanOptions options = random_options(operation, problem, random_);
    trace_ += "\n  " + describe(problem) + ", " + describe(options);
    return std::make_unique<GuardedRun>(operation, problem, reference::Fill::integers, random_(), options);
  }

  Random random_{21};
  std::string trace_;
};

TEST_P(Streams, TwoPlansAtOnceKeepApart) {
  const Stream streams[2];
  for (const Operation& operation : operations(GetParam())) {
    trace_ = operation.name;
    const std::unique_ptr<GuardedRun> runs[] = {random_run(operation), random_run(operation)};
    for (int round = 0; round < 3; ++round) {
      for (const auto& run : runs) run->poison();
      for (int i : {0, 1}) ASSERT_TRUE(runs[i]->enqueue(streams[i].handle).ok) << trace_;
      for (const Stream& stream : streams) stream.wait();
      for (const auto& run : runs) ASSERT_EQ(run->check().failure, "") << trace_ << ", round " << round;
    }
  }
}

// Nothing in a run may wait, allocate, or go to another stream than the one that it is given.
TEST_P(Streams, CapturedPlansReplay) {
  const Stream stream;
  for (const Operation& operation : operations(GetParam())) {
    trace_ = operation.name;
    const std::unique_ptr<GuardedRun> run = random_run(operation);
    hipGraph_t graph = nullptr;
    hipGraphExec_t executable = nullptr;
    require_success(hipStreamBeginCapture(stream.handle, hipStreamCaptureModeGlobal), "hipStreamBeginCapture");
    const Verdict verdict = run->enqueue(stream.handle);
    require_success(hipStreamEndCapture(stream.handle, &graph), "hipStreamEndCapture", operation.name);
    ASSERT_TRUE(verdict.ok) << trace_;
    require_success(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), "hipGraphInstantiate");
    for (int round = 0; round < 2; ++round) {
      run->poison();
      require_success(hipGraphLaunch(executable, stream.handle), "hipGraphLaunch");
      stream.wait();
      ASSERT_EQ(run->check().failure, "") << trace_ << ", round " << round;
    }
    require_success(hipGraphExecDestroy(executable), "hipGraphExecDestroy");
    require_success(hipGraphDestroy(graph), "hipGraphDestroy");
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Streams, testing::ValuesIn(built_targets()),
                         [](const auto& info) { return std::string(arch_traits(info.param).name); });

}  // namespace
}  // namespace zellige
