// Every header that decides whether, or in what parts, something runs has a test that includes it by name: a fix of
// such a rule that came without a test has been wrong again.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

bool decides(const std::string& name) {
  for (const char* rule : {"fold.hpp", "even_split.hpp", "row_split.hpp", "batch_split.hpp", "split_k.hpp"}) {
    if (name == rule) return true;
  }
  return name.ends_with("check.hpp");
}

TEST(Predicates, lesson02_every_rule_has_a_test) {
  const fs::path source = ZELLIGE_TEST_SOURCE;
  std::string tests;
  for (const auto& entry : fs::recursive_directory_iterator(source / "test")) {
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hip") tests += text_of(entry.path());
  }
  int rules = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source / "include")) {
    if (!entry.is_regular_file() || !decides(entry.path().filename().string())) continue;
    const std::string name = fs::relative(entry.path(), source / "include").string();
    ++rules;
    EXPECT_NE(tests.find("\"" + name + "\""), std::string::npos) << "no test includes " << name;
  }
  EXPECT_GE(rules, 6);
}

// One helper launches, whatever is launched: a second call site has forgotten the cluster's shape before.
TEST(Predicates, lesson18_one_header_launches) {
  const fs::path source = ZELLIGE_TEST_SOURCE;
  int launches = 0;
  for (const char* folder : {"include", "library", "profiler"}) {
    for (const auto& entry : fs::recursive_directory_iterator(source / folder)) {
      const std::string name = entry.path().filename().string();
      if (!entry.is_regular_file() || name == "runtime.hpp") continue;  // the names' mapping
      const std::string text = text_of(entry.path());
      for (const char* call : {"hipLaunchKernel(", "hipLaunchKernelExC(", "hipModuleLaunchKernel(", "<<<"}) {
        if (text.find(call) == std::string::npos) continue;
        EXPECT_EQ(name, "launch.hpp") << entry.path() << " calls " << call;
        ++launches;
      }
    }
  }
  EXPECT_EQ(launches, 2);
}

}  // namespace
