// See device.hpp.
#include "device.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "failure.hpp"
#include "text.hpp"

namespace zellige::profiler {
namespace {

bool is_amd(Arch arch) { return arch != Arch::none && arch_traits(arch).matrix != MatrixPath::mma_sync; }

#if !defined(ZELLIGE_PLATFORM_NVIDIA)

constexpr Arch default_target = Arch::gfx942;

/// Starts this program anew with the simulator in front of the runtime that it is bound to.
[[noreturn]] void start_anew_simulated(char** argv) {
  namespace fs = std::filesystem;
  const fs::path program = fs::read_symlink("/proc/self/exe");
  const char* preloaded = std::getenv("LD_PRELOAD");
  const std::string before = preloaded != nullptr ? preloaded : "";
  for (const char* folder : {"../lib", "../lib64", "../lib/x86_64-linux-gnu", "."}) {
    const fs::path library = (program.parent_path() / folder / "libzellige_hip.so").lexically_normal();
    if (!fs::exists(library)) continue;
    if (before.find(library.string()) != std::string::npos) {
      throw Failure(Exit::device_error, fmt::format("{} is preloaded, but offers no simulator", library.string()));
    }
    fmt::print(stderr,
               "zellige-profiler: bound to a real GPU runtime; starting anew with the simulator preloaded ({})\n",
               library.string());
    setenv("LD_PRELOAD", (before.empty() ? library.string() : library.string() + ":" + before).c_str(), 1);
    execv(program.c_str(), argv);
    throw Failure(Exit::device_error,
                  fmt::format("{} cannot be started anew: {}", program.string(), std::strerror(errno)));
  }
  throw Failure(
      Exit::device_error,
      fmt::format("the simulator (libzellige_hip.so) is not beside {}: this build has none", program.string()));
}

ChosenDevice open_simulated(Arch arch) {
  const char* target = arch_traits(arch).name;
  setenv("ZELLIGE_SIM_DEVICES", target, 1);
  int count = 0;
  if (const hipError_t error = hipGetDeviceCount(&count); error != hipSuccess || count < 1) {
    throw Failure(Exit::device_error, fmt::format("the simulator has no {}: hipGetDeviceCount says {} ({} devices)",
                                                  target, hipGetErrorName(error), count));
  }
  require_success(hipSetDevice(0), "hipSetDevice");
  ChosenDevice chosen{DeviceKind::simulator, device_of(0)};
  if (chosen.device.arch != arch) {
    throw Failure(Exit::device_error,
                  fmt::format("the simulator was asked for {}, but offers {}", target, chosen.device.arch_name));
  }
  return chosen;
}

#endif

int device_count() {
  int count = 0;
  // No device at all is an answer here, not a failure.
  return hipGetDeviceCount(&count) == hipSuccess ? count : 0;
}

ChosenDevice open_real(DeviceKind kind, int index) {
  if (const int count = device_count(); index >= count) {
    throw Failure(Exit::device_error,
                  fmt::format("there is no device {}:{}: the runtime reports {}", name_of(kind), index, count));
  }
  require_success(hipSetDevice(index), "hipSetDevice");
  return {kind, device_of(index)};
}

}  // namespace

const char* name_of(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::simulator:
      return "simulator";
    case DeviceKind::hip:
      return "hip";
    case DeviceKind::cuda:
      return "cuda";
  }
  return "unknown";
}

DeviceRequest parse_device(std::string_view text) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() == 2 && parts[0] == "sim") {
    const Arch arch = parse_arch(parts[1]);
    if (is_amd(arch)) return {.kind = DeviceKind::simulator, .arch = arch};
    std::string known;
    for (Arch a : all_arches) {
      if (is_amd(a)) known += fmt::format("{}{}", known.empty() ? "" : ", ", arch_traits(a).name);
    }
    bad_argument(fmt::format("--device {}: the simulator has no target '{}'; known are {}", text, parts[1], known));
  }
  if (parts.size() == 2 && (parts[0] == "hip" || parts[0] == "cuda")) {
    return {
        .kind = parts[0] == "hip" ? DeviceKind::hip : DeviceKind::cuda,
        .index = static_cast<int>(parse_integer(fmt::format("the number in --device {}", text), parts[1], 0, 1023))};
  }
  bad_argument(fmt::format("--device takes sim:TARGET, hip:NUMBER or cuda:NUMBER, not '{}'", text));
}

bool runtime_is_simulator() { return dlsym(RTLD_DEFAULT, "zelligeSimLastLaunch") != nullptr; }

#if defined(ZELLIGE_PLATFORM_NVIDIA)

ChosenDevice choose_device(const std::optional<DeviceRequest>& request, char**) {
  if (request && request->kind != DeviceKind::cuda) {
    throw Failure(Exit::device_error,
                  fmt::format("this build runs on CUDA devices alone: it has no {}", name_of(request->kind)));
  }
  return open_real(DeviceKind::cuda, request ? request->index : 0);
}

std::vector<Arch> targets_to_list(const std::optional<DeviceRequest>& request, char** argv) {
  if (request) return {choose_device(request, argv).device.arch};
  std::vector<Arch> targets;
  for (Arch arch : all_arches) {
    if (!is_amd(arch)) targets.push_back(arch);
  }
  return targets;
}

#else

ChosenDevice choose_device(const std::optional<DeviceRequest>& request, char** argv) {
  const bool simulated = runtime_is_simulator();
  if (request && request->kind == DeviceKind::cuda) {
    throw Failure(Exit::device_error,
                  "this build runs on HIP devices alone: cuda devices need a build with -DZELLIGE_PLATFORM=nvidia");
  }
  if (request && request->kind == DeviceKind::hip) {
    if (simulated) {
      throw Failure(Exit::device_error,
                    "the simulator is this program's GPU runtime: hip devices need a build with -DZELLIGE_RUNTIME=hip");
    }
    return open_real(DeviceKind::hip, request->index);
  }
  if (!simulated && !request && device_count() > 0) return open_real(DeviceKind::hip, 0);
  if (!simulated) start_anew_simulated(argv);
  return open_simulated(request ? request->arch : default_target);
}

std::vector<Arch> targets_to_list(const std::optional<DeviceRequest>& request, char** argv) {
  if (request && request->kind == DeviceKind::simulator) return {request->arch};
  // Code of other targets must not enter a process with a real runtime.
  if (request || !runtime_is_simulator()) return {choose_device(request, argv).device.arch};
  std::vector<Arch> targets;
  for (Arch arch : all_arches) {
    if (is_amd(arch)) targets.push_back(arch);
  }
  return targets;
}

#endif

}  // namespace zellige::profiler
