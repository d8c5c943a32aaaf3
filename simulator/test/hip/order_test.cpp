// The order of workgroups and waves, and the number of host threads, change no result, unless the kernel's result
// depends on the order: then ZELLIGE_SIM_ORDER shows it.
//
// ORDER_PROGRAM names the program of order_kernels.hip.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <string>

namespace {

struct Outcome {
  std::string output;
  int status = -1;
};

Outcome run(const std::string& environment, const std::string& arguments) {
  Outcome result;
  FILE* pipe = popen((environment + " " ORDER_PROGRAM " " + arguments + " 2>&1").c_str(), "r");
  if (!pipe) return result;
  char buffer[4096];
  while (std::size_t got = fread(buffer, 1, sizeof buffer, pipe)) result.output.append(buffer, got);
  result.status = pclose(pipe);
  return result;
}

}  // namespace

TEST(Order, TwentySeedsAndOneOrTwoThreadsGiveTheSameBits) {
  const Outcome reference = run("ZELLIGE_SIM_THREADS=1", "");
  ASSERT_EQ(0, reference.status) << reference.output;
  ASSERT_EQ(17u, reference.output.size()) << reference.output;
  for (int seed = 1; seed <= 20; ++seed) {
    for (const char* threads : {"1", "2"}) {
      const std::string environment = "ZELLIGE_SIM_ORDER=" + std::to_string(seed) + " ZELLIGE_SIM_THREADS=" + threads;
      const Outcome other = run(environment, "");
      EXPECT_EQ(0, other.status) << environment;
      EXPECT_EQ(reference.output, other.output) << environment;
    }
  }
}

TEST(Order, SeedsExposeADependenceOnTheOrder) {
  std::set<std::string> outputs;
  for (int seed = 1; seed <= 10; ++seed)
    outputs.insert(run("ZELLIGE_SIM_THREADS=1 ZELLIGE_SIM_ORDER=" + std::to_string(seed), "racy").output);
  EXPECT_GT(outputs.size(), 3u);
}

TEST(Environment, DeviceLists) {
  const Outcome unknown = run("ZELLIGE_SIM_DEVICES=gfx942,gfx000", "");
  EXPECT_NE(0, unknown.status);
  EXPECT_NE(std::string::npos, unknown.output.find("'gfx000' is no simulated device; known are gfx90a, gfx942, gfx950"))
      << unknown.output;
  const Outcome without_code = run("ZELLIGE_SIM_DEVICES=gfx1250", "");
  EXPECT_NE(0, without_code.status);
  EXPECT_NE(std::string::npos, without_code.output.find("no code for gfx1250")) << without_code.output;
}
