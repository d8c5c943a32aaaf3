// Occupancy; occupancy.hpp says what it is.
#include "simulator/dispatch/occupancy.hpp"

#include <algorithm>

namespace zellige::sim {
namespace {

constexpr std::uint64_t lds_granule = 512;
// RDNA: a workgroup processor is two compute units, and WGP mode lets a workgroup use both.
constexpr std::uint32_t wgp_mode = 1u << 29;

// gfx9 shares 800 SGPRs a SIMD in granules of 16; later targets give every wave all it can address.
constexpr int gfx9_sgpr_file = 800, gfx9_sgpr_granule = 16;

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

Occupancy occupancy(const Device& device, const KernelInfo& kernel, std::uint64_t workgroup_items,
                    std::uint64_t lds_bytes) {
  const ArchTraits& traits = device.traits;
  Occupancy result;
  if (workgroup_items == 0) return result;
  result.waves_per_workgroup = static_cast<int>((workgroup_items + kernel.lanes - 1) / kernel.lanes);

  // The table's file and granule are those of the native wave size; a wave twice as wide takes both halves.
  const int widening = std::max(1, kernel.lanes / traits.wave_size);
  const int file = traits.vgpr_file / widening, granule = std::max(1, traits.vgpr_granule / widening);
  const int vgprs = static_cast<int>(round_up(static_cast<std::uint64_t>(std::max(kernel.vgprs, 1)), granule));
  result.waves_per_simd = traits.waves_per_simd;
  result.limit = "waves";
  if (file / vgprs < result.waves_per_simd) result.waves_per_simd = file / vgprs, result.limit = "vgprs";
  if (device.major == 9 && kernel.sgprs > 0) {
    const int by_sgprs = gfx9_sgpr_file / static_cast<int>(round_up(kernel.sgprs, gfx9_sgpr_granule));
    if (by_sgprs < result.waves_per_simd) result.waves_per_simd = by_sgprs, result.limit = "sgprs";
  }
  const bool has_processors = device.major >= 10 && !traits.clusters;
  result.processor_cus = has_processors && (kernel.descriptor.rsrc1 & wgp_mode) ? 2 : 1;
  const int cus = result.processor_cus;
  int& workgroups = result.workgroups_per_processor;
  workgroups = result.waves_per_simd * traits.simds * cus / result.waves_per_workgroup;
  if (lds_bytes > 0) {
    const auto all = static_cast<std::uint64_t>(traits.lds_bytes) * static_cast<std::uint64_t>(cus);
    const int by_lds = lds_bytes > static_cast<std::uint64_t>(traits.lds_bytes)
                           ? 0
                           : static_cast<int>(all / round_up(lds_bytes, lds_granule));
    if (by_lds < workgroups) workgroups = by_lds, result.limit = "lds";
  }
  if (device.max_workgroups_per_cu * cus < workgroups)
    workgroups = device.max_workgroups_per_cu * cus, result.limit = "workgroups";
  result.workgroups_per_cu = workgroups == 0 ? 0 : std::max(1, workgroups / cus);
  return result;
}

}  // namespace zellige::sim
