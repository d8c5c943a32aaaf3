// Runs the built profiler as its users do, and keeps all that it said.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "test_folder.hpp"

namespace zellige::profiler {

// The device of this build's tests: the simulated gfx942, or the first GPU of a build for CUDA.
inline const bool on_cuda = std::string(ZELLIGE_RUNTIME) == "cuda";
inline const std::string device = on_cuda ? "cuda:0" : "sim:gfx942";
inline const std::string target = on_cuda ? "sm_90" : "gfx942";

struct Finished {
  int status = -1;  ///< exit status; -1: it did not exit by itself
  std::string out, err;
};

/// The program, in a folder of its own for each test.
class Program : public TestFolder {
 protected:
  /// `streams` changes the child's standard streams between fork and exec.
  Finished run(std::vector<std::string> arguments, void (*streams)() = nullptr) const {
    const std::string out = path("stdout"), err = path("stderr");
    std::vector<char*> argv;
    static std::string program = ZELLIGE_PROFILER;
    argv.push_back(program.data());
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
      dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
      if (streams != nullptr) streams();
      execv(program.c_str(), argv.data());
      _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(out), content(err)};
  }

  /// Runs on the device of this build's tests.
  Finished simulate(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--device", device});
    return run(std::move(arguments));
  }

  /// The objects of JSON Lines.
  static std::vector<nlohmann::json> lines_of(const std::string& text) {
    std::vector<nlohmann::json> objects;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) objects.push_back(nlohmann::json::parse(line));
    return objects;
  }
};

}  // namespace zellige::profiler
