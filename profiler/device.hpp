// Which device runs, and how the program gets at it. A process has one GPU runtime: the real one or the simulator.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zellige/host/device.hpp"

namespace zellige::profiler {

enum class DeviceKind { simulator, hip, cuda };

/// What --device asks for: a target of the simulator's or the number of a real device.
struct DeviceRequest {
  DeviceKind kind = DeviceKind::hip;
  Arch arch = Arch::none;  ///< of DeviceKind::simulator
  int index = 0;           ///< of the others
};

/// "sim:gfx942", "hip:0" or "cuda:0"; throws Failure for anything else.
DeviceRequest parse_device(std::string_view text);

struct ChosenDevice {
  DeviceKind kind = DeviceKind::hip;
  Device device;
};

/// "simulator", "hip" or "cuda", as JSON carries it.
const char* name_of(DeviceKind kind);

/// Whether the runtime that this process is bound to is the simulator.
bool runtime_is_simulator();

/// Makes the requested device the current one: the first real GPU, else sim:gfx942, where nothing is requested. Must
/// come before the first call of the GPU runtime. When the simulator is asked of a program that is bound to a real
/// runtime, the program starts itself anew with the simulator preloaded, and does not return. Throws Failure
/// (device_error) when this build or machine has no such device.
ChosenDevice choose_device(const std::optional<DeviceRequest>& request, char** argv);

/// The targets whose instances `list` shows: the requested device's; else those of this build that may be opened here.
/// No device is touched where none is needed. Throws Failure as choose_device() does.
std::vector<Arch> targets_to_list(const std::optional<DeviceRequest>& request, char** argv);

}  // namespace zellige::profiler
