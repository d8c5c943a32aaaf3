// The state in which the hardware starts a wave: scalar registers, trap registers, MODE, v0.
//
// Law: LLVM's AMDGPU usage guide, "Initial Kernel Execution State". What the guide leaves undefined holds a
// deterministic poison, a NaN in every 16 and 32-bit type and an address that nothing lies at.
#pragma once

#include <array>
#include <cstdint>

#include "simulator/dispatch/launch.hpp"
#include "simulator/execute/wave.hpp"

namespace zellige::sim {

inline constexpr std::uint32_t poison = 0x7ffd7ffd;

/// High words of the addresses at which flat instructions reach LDS and scratch. No host address has them.
inline constexpr std::uint32_t shared_aperture_high = 0x00010000;
inline constexpr std::uint32_t private_aperture_high = 0x00020000;

/// The blocks in memory that a wave's registers point to.
struct LaunchAddresses {
  std::uint64_t kernarg = 0, packet = 0, queue = 0;
};

/// What is equal for all waves of a launch.
struct KernelStart {
  std::array<std::uint32_t, scalar_count> scalar{};
  std::array<int, 3> workgroup_id_register{-1, -1, -1};  ///< SGPR of the x, y, z id, -1: not asked for
  bool ids_in_trap_registers = false;
  std::uint32_t mode = 0;
  int vgpr_rows = 0, agpr_rows = 0;  ///< rows that the kernel may touch: [0, vgpr_rows) and from first_agpr_row on
  int lanes = 64;
};

KernelStart kernel_start(const LaunchRequest& request, const LaunchAddresses& addresses, std::uint32_t scratch_bytes);

/// Puts `wave` at the kernel's start. `items` is the shape of its workgroup (smaller than the block at the grid's
/// edge); wave.id, wave.group and wave.vector are set already. Returns false for a wave that has no work-item.
bool start_wave(const KernelStart& start, const std::array<std::uint32_t, 3>& items, Wave& wave);

}  // namespace zellige::sim
