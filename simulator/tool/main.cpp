// zellige-sim: the command line and its exit statuses.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <string>

#include "simulator/tool/coverage.hpp"
#include "simulator/tool/device_code.hpp"
#include "simulator/tool/listing.hpp"

namespace zellige::sim {
namespace {

enum Exit : int { exit_ok = 0, exit_missing = 1, exit_bad = 2 };

struct Options {
  std::string coverage, list, target;
  bool devices = false;
};

void say(const std::string& sentence) { std::fputs(("zellige-sim: error: " + sentence + "\n").c_str(), stderr); }

int report(const Options& options) {
  if (options.devices) {
    std::fputs(devices_text().c_str(), stdout);
    return exit_ok;
  }
  const std::string& path = options.coverage.empty() ? options.list : options.coverage;
  bool missing = false;
  try {
    for (const BundleEntry& entry : of_target(read_device_code(path), options.target)) {
      if (options.coverage.empty()) {
        std::fputs(kernels_text(entry).c_str(), stdout);
        continue;
      }
      const Coverage coverage = coverage_of(entry);
      missing |= !coverage.missing.empty();
      std::fputs(coverage_text(coverage).c_str(), stdout);
    }
  } catch (const std::exception& error) {
    say(path + ": " + error.what());
    return exit_bad;
  }
  return missing ? exit_missing : exit_ok;
}

int run(int argc, char** argv) {
  CLI::App app("What Zellige's simulator makes of AMD code objects, without running them.", "zellige-sim");
  Options options;
  app.set_help_flag("-h,--help", "Print this and exit");
  app.set_version_flag("--version", std::string("zellige-sim ") + ZELLIGE_SIM_VERSION);
  auto* what = app.add_option_group("What");
  what->add_option("--coverage", options.coverage,
                   "FILE  the opcodes that are not implemented, per kernel and in total")
      ->type_name("");
  what->add_option("--list", options.list, "FILE  the kernels: registers, LDS, scratch, wave size, predicted occupancy")
      ->type_name("");
  what->add_flag("--devices", options.devices, "The simulated devices and their numbers");
  what->require_option(1);
  app.add_option("--target", options.target, "NAME  of several targets this one (gfx942)")->type_name("");
  app.footer(
      "FILE is a code object, an offload bundle (compressed or not), or a program, library or object file that holds\n"
      "some. Exit status: 0 nothing is missing; 1 something is; 2 a bad file or command line.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    say(std::string(error.what()) + "; see zellige-sim --help");
    return exit_bad;
  }
  const int status = report(options);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  say("the standard output cannot be written");
  return exit_bad;
}

}  // namespace
}  // namespace zellige::sim

int main(int argc, char** argv) { return zellige::sim::run(argc, argv); }
