// The simulated devices: what arch_traits says of a target, and what a runtime must know beyond that.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zellige/core/arch.hpp"

namespace zellige::sim {

struct Device {
  ArchTraits traits;
  int index = 0;                   ///< HIP's device number
  std::string name;                ///< "Zellige simulator (gfx942)"
  std::string target_id;           ///< gcnArchName, "gfx942:sramecc+:xnack-"
  std::uint64_t memory_bytes = 0;  ///< capacity of device memory
  std::uint64_t l2_bytes = 0;      ///< of one die
  double l2_gbps = 0;              ///< 1e9 bytes/s that all L2 channels of the device deliver
  int memory_bus_bits = 0;
  int memory_clock_khz = 0;
  int max_workgroups_per_cu = 32;
  int major = 0, minor = 0, stepping = 0;   ///< of the target's number: gfx90a is 9, 0, 10
  bool wave_ids_in_trap_registers = false;  ///< workgroup ids arrive in TTMP7 and TTMP9 (gfx12 and later)
  bool architected_flat_scratch = true;     ///< the hardware keeps the scratch base; else it arrives in SGPRs (gfx90a)
  /// Processors whose code objects the device loads, best first.
  std::vector<std::string_view> processors;
};

/// The device of a target; `index` is its HIP device number. The arch must be an AMD one.
Device make_device(Arch arch, int index);

/// The AMD targets, in Arch order.
std::span<const Arch> amd_arches();

/// The targets of a list as ZELLIGE_SIM_DEVICES has it ("gfx942,gfx1250"). Throws std::invalid_argument with a sentence
/// that lists the known names where one is unknown or the list is empty.
std::vector<Arch> parse_device_list(std::string_view list);

}  // namespace zellige::sim
