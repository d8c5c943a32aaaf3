// See listing.hpp.
#include "simulator/tool/listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "simulator/code_object/code_object.hpp"
#include "simulator/dispatch/device.hpp"
#include "simulator/dispatch/occupancy.hpp"

namespace zellige::sim {
namespace {

std::optional<Device> device_of(std::string_view processor) {
  for (const Arch arch : amd_arches()) {
    Device device = make_device(arch, 0);
    if (std::ranges::find(device.processors, processor) != device.processors.end()) return device;
  }
  return {};
}

std::string occupancy_of(const Device& device, const KernelInfo& kernel) {
  const std::uint64_t items = std::min<std::uint64_t>(kernel.max_workgroup_size, 1024);
  const Occupancy result = occupancy(device, kernel, items, kernel.lds_bytes);
  return fmt::format("{} of {} waves a SIMD, {} workgroups of {} a CU ({})", result.waves_per_simd,
                     device.traits.waves_per_simd, result.workgroups_per_cu, items, result.limit);
}

}  // namespace

std::string devices_text() {
  std::string text =
      fmt::format("{:9}{:18}{:>5}{:>6}{:>7}{:>6}{:>8}{:>9}{:>10}{:>9}{:>10}{:>9}\n", "target", "product", "CUs", "dies",
                  "SIMDs", "wave", "GHz", "LDS KiB", "VGPRs", "L2 MiB", "GB/s", "f16 TF/s");
  for (const Arch arch : amd_arches()) {
    const Device device = make_device(arch, 0);
    const ArchTraits& t = device.traits;
    text += fmt::format("{:9}{:18}{:>5}{:>6}{:>7}{:>6}{:>8}{:>9}{:>10}{:>9}{:>10}{:>9}\n", t.name, t.product,
                        t.compute_units, t.dies, t.simds, t.wave_size, t.clock_ghz, t.lds_bytes / 1024, t.vgpr_file,
                        device.l2_bytes >> 20, t.memory_gbps, t.f16_tflops > 0 ? fmt::format("{}", t.f16_tflops) : "-");
  }
  return text + "L2 is a die's, VGPRs a SIMD's. Times that the simulator gives are predictions from such numbers.\n";
}

std::string kernels_text(const BundleEntry& entry) {
  const std::shared_ptr<CodeObject> object = CodeObject::load(Bytes(entry.object), 0);
  const std::optional<Device> device = device_of(processor_of(entry.target));
  std::string text = fmt::format("{}: {} kernels\n", entry.target, object->kernels().size());
  for (const KernelInfo& kernel : object->kernels()) {
    text += fmt::format("  {}\n    wave{}, {} VGPRs ({} AGPRs), {} SGPRs, {} B LDS, {} B scratch, {} VGPRs spilled",
                        kernel.demangled, kernel.lanes, kernel.vgprs, kernel.agprs, kernel.sgprs, kernel.lds_bytes,
                        kernel.scratch_bytes, kernel.vgpr_spills);
    text += device ? "\n    occupancy: " + occupancy_of(*device, kernel) + "\n" : "\n";
  }
  return text;
}

}  // namespace zellige::sim
