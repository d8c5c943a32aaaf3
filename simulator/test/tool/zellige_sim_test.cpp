// zellige-sim as users call it: what it prints, and its exit statuses.
//
// OBJECTS is the folder of the code objects that the build makes, HOST_PROGRAM a HIP program with a .hip_fatbin
// section.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace {

struct Outcome {
  std::string output;  ///< both streams
  int status = -1;
};

Outcome sim(const std::string& arguments) {
  Outcome result;
  FILE* pipe = popen((ZELLIGE_SIM " " + arguments + " 2>&1").c_str(), "r");
  if (!pipe) return result;
  char buffer[4096];
  while (std::size_t got = fread(buffer, 1, sizeof buffer, pipe)) result.output.append(buffer, got);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

bool holds(const Outcome& outcome, const std::string& text) { return outcome.output.find(text) != std::string::npos; }

TEST(Coverage, NothingMissingIsStatusZero) {
  const Outcome clean = sim("--coverage " OBJECTS "/coverage_0.hsaco");
  EXPECT_EQ(0, clean.status) << clean.output;
  // v_mul and s_branch twice, v_add and s_endpgm once.
  EXPECT_TRUE(holds(clean, "gfx1100: 2 kernels, 6 instructions of 4 opcodes: all are implemented")) << clean.output;
}

TEST(Coverage, PlantedInstructionsAreNamedAndCounted) {
  const Outcome planted = sim("--coverage " OBJECTS "/coverage_1.hsaco");
  EXPECT_EQ(1, planted.status);
  EXPECT_TRUE(holds(planted, "3 instructions of 2 opcodes are not implemented")) << planted.output;
  EXPECT_TRUE(holds(planted, "       1 .long 0xffffffff\n       2 image_load\n")) << "in total:\n" << planted.output;
  EXPECT_TRUE(holds(planted, "  first: 1 of 5 instructions\n         1 image_load\n")) << planted.output;
  EXPECT_TRUE(holds(planted, "  second: 3 of 7 instructions\n         1 .long 0xffffffff\n         2 image_load\n"))
      << planted.output;
}

TEST(Coverage, EveryContainerIsRead) {
  for (const char* file : {OBJECTS "/module.hsaco", OBJECTS "/module.bundle", OBJECTS "/module.compressed"}) {
    const Outcome outcome = sim(std::string("--coverage ") + file);
    EXPECT_EQ(0, outcome.status) << outcome.output;
    EXPECT_TRUE(holds(outcome, "3 kernels")) << outcome.output;
  }
  const Outcome program = sim("--list " HOST_PROGRAM " --target gfx942");
  EXPECT_EQ(0, program.status);
  EXPECT_TRUE(holds(program, "gfx942")) << program.output;
  EXPECT_FALSE(holds(program, "gfx90a")) << program.output;
}

TEST(Coverage, TheTargetMustBeThere) {
  const Outcome other = sim("--coverage " OBJECTS "/module.bundle --target gfx1201");
  EXPECT_EQ(2, other.status);
  EXPECT_TRUE(holds(other, "holds no code for gfx1201; it has: gfx942")) << other.output;
}

TEST(Coverage, BadFilesAndArgumentsAreStatusTwo) {
  EXPECT_EQ(2, sim("--coverage /nowhere/file").status);
  const Outcome host = sim("--coverage " ZELLIGE_SIM);
  EXPECT_EQ(2, host.status);
  EXPECT_TRUE(holds(host, "without device code")) << host.output;
  const std::string cut = testing::TempDir() + "cut.hsaco";
  std::ifstream whole(OBJECTS "/coverage_0.hsaco", std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(whole), {}};
  ASSERT_GT(bytes.size(), 1000u);
  std::ofstream(cut, std::ios::binary) << bytes.substr(0, bytes.size() / 2);
  EXPECT_EQ(2, sim("--coverage " + cut).status);
  EXPECT_EQ(2, sim("").status);
  EXPECT_EQ(2, sim("--coverage").status);
  EXPECT_EQ(2, sim("--no-such-flag").status);
  EXPECT_EQ(2, sim("--devices --coverage " OBJECTS "/coverage_0.hsaco").status);
}

TEST(List, KernelsWithTheirResources) {
  const Outcome list = sim("--list " OBJECTS "/coverage_0.hsaco");
  EXPECT_EQ(0, list.status);
  EXPECT_TRUE(holds(list, "first")) << list.output;
  EXPECT_TRUE(holds(list, "wave32, 8 VGPRs")) << list.output;
  EXPECT_TRUE(holds(list, "16 of 16 waves a SIMD")) << list.output;
}

TEST(Tool, VersionHelpAndDevices) {
  EXPECT_EQ("zellige-sim " VERSION "\n", sim("--version").output);
  EXPECT_EQ(0, sim("--version").status);
  EXPECT_EQ(0, sim("--help").status);
  EXPECT_TRUE(holds(sim("--help"), "--coverage"));
  const Outcome devices = sim("--devices");
  EXPECT_EQ(0, devices.status);
  for (const char* target : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1151", "gfx1201", "gfx1250"})
    EXPECT_TRUE(holds(devices, target)) << target;
  EXPECT_EQ(2, sim("--devices > /dev/full").status);
}

}  // namespace
