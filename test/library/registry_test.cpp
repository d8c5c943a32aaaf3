// The registry: what it finds, and what it says where there is nothing or the wrong thing.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "targets.hpp"
#include "zellige/library.hpp"

namespace zellige {
namespace {

TEST(Registry, lesson11_every_built_target_has_its_operations) {
  ASSERT_FALSE(built_targets().empty());
  for (Arch arch : built_targets()) {
    const TargetLibrary& target = target_library(arch);
    ASSERT_EQ(target.error, "");
    EXPECT_TRUE(std::filesystem::exists(target.file));
    EXPECT_EQ(operations(arch).size(), target.operations.size());
    std::set<std::string> names;
    std::set<const void*> entries;
    for (const Operation& op : operations(arch)) {
      EXPECT_EQ(op.arch, arch);
      EXPECT_TRUE(op.name.starts_with(std::string(family_name(op.family)) + "_" + arch_traits(arch).name + "_"))
          << op.name;
      names.insert(op.name);
      entries.insert(op.entry());
      EXPECT_EQ(find_operation(op.name), &op);
      if (op.family == Family::gemm) EXPECT_TRUE(parse_gemm_name(op.name).ok());
      if (op.family == Family::conv_fwd) EXPECT_TRUE(parse_conv_fwd_name(op.name).ok());
      EXPECT_FALSE(op.config_values().empty());
    }
    EXPECT_EQ(names.size(), operations(arch).size());
    EXPECT_EQ(entries.size(), operations(arch).size()) << "two names share a kernel";
    EXPECT_FALSE(entries.count(nullptr));
  }
}

TEST(Registry, AMissingTargetHasASentence) {
  const std::string missing = arch_traits(missing_target()).name;
  const TargetLibrary& target = target_library(missing_target());
  EXPECT_TRUE(target.operations.empty());
  EXPECT_NE(target.error.find("libzellige_" + missing + ".so is not in "), std::string::npos) << target.error;
  EXPECT_NE(target.error.find("GPU_TARGETS"), std::string::npos) << target.error;
  EXPECT_TRUE(operations(missing_target()).empty());
  EXPECT_EQ(find_operation("gemm_" + missing + "_f16_b64x64x32_w2x2_a16x16x32"), nullptr);
}

TEST(Registry, AnUnknownTargetHasASentence) {
  EXPECT_NE(target_library(Arch::none).error.find("unknown target"), std::string::npos);
  EXPECT_TRUE(operations(Arch::none).empty());
}

TEST(Registry, UnknownNamesAreNotFound) {
  EXPECT_EQ(find_operation(""), nullptr);
  EXPECT_EQ(find_operation("gemm_gfx942_"), nullptr);
  EXPECT_EQ(find_operation("gemm_gfx942_f16_b1x1x1_w1x1_a1x1x1"), nullptr);
}

/// Runs body(folder) in a process of its own, because each target is opened once a process. In `folder` libraries are
/// looked for first. The process is this program started again: it reaches the same line, with the same folder.
template <class Body>
void in_fresh_process(const Body& body) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const char* const inherited = std::getenv("ZELLIGE_REGISTRY_TEST_FOLDER");
  const std::filesystem::path folder = inherited != nullptr ? inherited
                                                            : std::filesystem::temp_directory_path() /
                                                                  ("zellige_registry_test_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  setenv("ZELLIGE_REGISTRY_TEST_FOLDER", folder.c_str(), 1);
  setenv("ZELLIGE_LIBRARY_PATH", (":/nowhere:" + folder.string()).c_str(), 1);
  EXPECT_EXIT(
      {
        body(folder);
        std::exit(testing::Test::HasFailure() ? 1 : 0);
      },
      testing::ExitedWithCode(0), "");
  unsetenv("ZELLIGE_LIBRARY_PATH");
  unsetenv("ZELLIGE_REGISTRY_TEST_FOLDER");
  std::filesystem::remove_all(folder);
}

TEST(RegistryDeathTest, FilesThatAreNoInstanceLibrariesAreNamed) {
  in_fresh_process([](const std::filesystem::path& folder) {
    std::ofstream(folder / "libzellige_gfx1201.so") << "not a shared object";
    std::filesystem::copy_file(ZELLIGE_TEST_EMPTY_LIBRARY, folder / "libzellige_gfx1100.so");
    EXPECT_NE(target_library(Arch::gfx1201).error.find("could not be opened"), std::string::npos)
        << target_library(Arch::gfx1201).error;
    EXPECT_NE(target_library(Arch::gfx1100)
                  .error.find("is no instance library for gfx1100: it lacks zellige_instances_gfx1100"),
              std::string::npos)
        << target_library(Arch::gfx1100).error;
    const Arch absent = is_built(Arch::sm_90) ? Arch::gfx1250 : Arch::sm_90;
    EXPECT_NE(target_library(absent).error.find("/nowhere, " + folder.string() + ", "), std::string::npos)
        << target_library(absent).error;
  });
}

TEST(RegistryDeathTest, ATableOfAnotherVersionIsRefused) {
  in_fresh_process([](const std::filesystem::path& folder) {
    std::filesystem::copy_file(ZELLIGE_TEST_STALE_LIBRARY, folder / "libzellige_sm_90.so");
    EXPECT_NE(target_library(Arch::sm_90).error.find("it is of another version than libzellige.so"), std::string::npos)
        << target_library(Arch::sm_90).error;
    EXPECT_TRUE(operations(Arch::sm_90).empty());
  });
}

}  // namespace
}  // namespace zellige
