// Kernel start state; kernel_start.hpp states the law.
#include "simulator/dispatch/kernel_start.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "simulator/decode/program.hpp"
#include "simulator/execute/workgroup.hpp"
#include "simulator/memory/low_bits.hpp"

namespace zellige::sim {
namespace {

/// kernel_code_properties: which user SGPRs the kernel asks for, in the order in which they follow each other.
enum Property : std::uint16_t {
  private_segment_buffer = 1 << 0,
  dispatch_ptr = 1 << 1,
  queue_ptr = 1 << 2,
  kernarg_ptr = 1 << 3,
  dispatch_id = 1 << 4,
  flat_scratch_init = 1 << 5,
  private_segment_size = 1 << 6
};

constexpr std::uint32_t bits(std::uint32_t value, int first, int count) { return value >> first & ((1u << count) - 1); }

/// The MODE register that rsrc1 asks for: rounding, denormals, DX10 clamp, IEEE, FP16 overflow.
std::uint32_t initial_mode(std::uint32_t rsrc1, int major) {
  std::uint32_t mode = bits(rsrc1, 12, 8);
  // From gfx12 on clamping turns NaN to 0 and minimum and maximum prefer numbers without being told.
  mode |= major < 12 ? bits(rsrc1, 21, 1) << 8 | bits(rsrc1, 23, 1) << 9 : 1u << 8;
  return mode | bits(rsrc1, 26, 1) << 23;
}

}  // namespace

KernelStart kernel_start(const LaunchRequest& request, const LaunchAddresses& addresses, std::uint32_t scratch_bytes) {
  const KernelInfo& kernel = *request.kernel;
  const KernelDescriptor& descriptor = kernel.descriptor;
  const Device& device = *request.device;
  KernelStart start;
  start.scalar.fill(poison);
  start.lanes = kernel.lanes;
  start.mode = initial_mode(descriptor.rsrc1, device.major);

  int next = 0;
  const auto put = [&](std::uint32_t value) { start.scalar[next++] = value; };
  const auto put64 = [&](std::uint64_t value) {
    put(static_cast<std::uint32_t>(value));
    put(static_cast<std::uint32_t>(value >> 32));
  };
  const std::uint16_t properties = descriptor.properties;
  if (properties & private_segment_buffer) {
    // A swizzled descriptor with the thread id added (word 3, bit 23) is what marks scratch for the buffer
    // instructions.
    put(0);
    put(1u << 31);
    put(~0u);
    put(0x00e00000u | 0x00027000u);
  }
  if (properties & dispatch_ptr) put64(addresses.packet);
  if (properties & queue_ptr) put64(addresses.queue);
  if (properties & kernarg_ptr) put64(addresses.kernarg);
  if (properties & dispatch_id) put64(0);
  if (properties & flat_scratch_init) put64(0);
  if (properties & private_segment_size) put(scratch_bytes);
  // Preloaded arguments follow. The CDNA kernels that ask for them begin with loads of the same values.
  const auto preload_words = bits(descriptor.kernarg_preload, 0, 7),
             preload_offset = bits(descriptor.kernarg_preload, 7, 9);
  for (std::uint32_t i = 0; i < preload_words && next < scalar_flat_scratch; ++i) {
    std::uint32_t word = poison;
    const std::uint64_t offset = std::uint64_t{4} * (preload_offset + i);
    if (offset + 4 <= kernel.kernarg_bytes)
      std::memcpy(&word, reinterpret_cast<const void*>(addresses.kernarg + offset), sizeof word);
    put(word);
  }

  next = static_cast<int>(bits(descriptor.rsrc2, 1, device.major == 12 && device.minor == 5 ? 6 : 5));
  start.ids_in_trap_registers = device.wave_ids_in_trap_registers;
  if (!start.ids_in_trap_registers)
    for (int axis = 0; axis < 3; ++axis)
      if (bits(descriptor.rsrc2, 7 + axis, 1)) start.workgroup_id_register[axis] = next++;
  if (bits(descriptor.rsrc2, 10, 1)) put(0);  // work group info
  if (bits(descriptor.rsrc2, 0, 1) && !device.architected_flat_scratch)
    put(0);  // scratch offset of the wave: see Wave::scratch

  start.scalar[scalar_shared_base] = start.scalar[scalar_private_base] = 0;
  start.scalar[scalar_shared_base + 1] = shared_aperture_high;
  start.scalar[scalar_private_base + 1] = private_aperture_high;
  start.scalar[scalar_flat_scratch_base] = 0;
  start.scalar[scalar_flat_scratch_base + 1] = device.major == 12 && device.minor == 5 ? private_aperture_high : 0;
  start.scalar[scalar_shared_limit] = start.scalar[scalar_private_limit] = ~0u;
  start.scalar[scalar_shared_limit + 1] = shared_aperture_high;
  start.scalar[scalar_private_limit + 1] = private_aperture_high;
  start.scalar[scalar_null] = 0;
  start.scalar[scalar_m0] = ~0u;
  start.scalar[scalar_vccz] = start.scalar[scalar_execz] = start.scalar[scalar_scc] = 0;
  if (device.traits.clusters) start.scalar[scalar_ttmp0 + 6] = 0;
  if (kernel.lanes == 32) start.scalar[scalar_vcc + 1] = 0;

  if (device.traits.agprs) {
    // One file: the descriptor says where the AGPRs begin.
    const int accum_offset = 4 * (static_cast<int>(bits(descriptor.rsrc3, 0, 6)) + 1);
    const int total = 8 * (static_cast<int>(bits(descriptor.rsrc1, 0, 6)) + 1);
    start.vgpr_rows = std::min(accum_offset, first_agpr_row);
    start.agpr_rows = std::clamp(total - accum_offset, 0, agpr_count);
  } else {
    const int granule = device.traits.vgprs > 256 ? 16 : kernel.lanes == 32 ? 8 : 4;
    start.vgpr_rows = std::min(granule * (static_cast<int>(bits(descriptor.rsrc1, 0, 6)) + 1), vector_rows);
  }
  return start;
}

bool start_wave(const KernelStart& start, const std::array<std::uint32_t, 3>& items, Wave& wave) {
  const std::uint64_t count = std::uint64_t{items[0]} * items[1] * items[2];
  const std::uint64_t first = std::uint64_t(wave.id) * start.lanes;
  if (first >= count) return false;
  std::ranges::copy(start.scalar, std::begin(wave.scalar));
  wave.scc = 0;
  wave.mode = start.mode;
  wave.lanes = start.lanes;
  wave.state = WaveState::ready;
  wave.barrier = 0;
  wave.passes = 0;
  wave.next = wave.group->program->entry;
  auto id = wave.group->id;
  if (const Cluster* cluster = wave.group->cluster) {
    // TTMP6: the workgroup's place in its cluster, 4 bits an axis, the greatest places, and the greatest flat number;
    // the other two hold the cluster's place then. [LLVM's lowering of workgroup and cluster ids]
    std::uint32_t places = static_cast<std::uint32_t>(cluster->groups.size() - 1) << 24;
    for (int axis = 0; axis < 3; ++axis) {
      places |= id[axis] % cluster->dims[axis] << 4 * axis | (cluster->dims[axis] - 1) << (12 + 4 * axis);
      id[axis] /= cluster->dims[axis];
    }
    wave.scalar[scalar_ttmp0 + 6] = places;
  }
  if (start.ids_in_trap_registers) {
    wave.scalar[scalar_ttmp0 + 9] = id[0];
    wave.scalar[scalar_ttmp0 + 7] = (id[1] & 0xffff) | id[2] << 16;
  } else {
    for (int axis = 0; axis < 3; ++axis)
      if (start.workgroup_id_register[axis] >= 0) wave.scalar[start.workgroup_id_register[axis]] = id[axis];
  }
  const std::uint64_t active = std::min<std::uint64_t>(count - first, start.lanes);
  wave.set_scalar64(scalar_exec, low_bits(active));
  wave.refresh_exec();

  std::fill_n(wave.row(0), start.vgpr_rows * row_lanes, poison);
  std::fill_n(wave.row(first_agpr_row), start.agpr_rows * row_lanes, poison);
  std::uint32_t x = static_cast<std::uint32_t>(first % items[0]);
  std::uint32_t y = static_cast<std::uint32_t>(first / items[0] % items[1]);
  std::uint32_t z = static_cast<std::uint32_t>(first / items[0] / items[1]);
  std::uint32_t* v0 = wave.row(0);
  for (std::uint64_t lane = 0; lane < active; ++lane) {
    v0[lane] = x | y << 10 | z << 20;
    if (++x == items[0]) {
      x = 0;
      if (++y == items[1]) y = 0, ++z;
    }
  }
  return true;
}

}  // namespace zellige::sim
