// The device table; device.hpp says what a row means.
//
// Capacities, L2 sizes and buses are from the vendor's data sheets and white papers of the products that arch_traits
// names. L2 rates are channels x bytes a clock x clock: 32 x 128 (MI250X die), 8 dies x 16 x 128 (MI300X, MI355X), and
// estimates for the others (64 bytes a clock and CU).
#include "simulator/dispatch/device.hpp"

#include <array>
#include <stdexcept>

namespace zellige::sim {
namespace {

constexpr std::array<Arch, 7> arches = {Arch::gfx90a,  Arch::gfx942,  Arch::gfx950, Arch::gfx1100,
                                        Arch::gfx1151, Arch::gfx1201, Arch::gfx1250};

constexpr std::uint64_t MiB = std::uint64_t{1} << 20, GiB = std::uint64_t{1} << 30;

struct Row {
  std::uint64_t memory_bytes, l2_bytes;
  double l2_bytes_per_clock;
  int bus_bits;
  int major, minor, stepping;
  std::string_view generic;  // "" where no generic target covers it
};

Row row_of(Arch arch) {
  switch (arch) {
    case Arch::gfx90a:
      return {64 * GiB, 8 * MiB, 32 * 128, 4096, 9, 0, 10, ""};
    case Arch::gfx942:
      return {192 * GiB, 4 * MiB, 8 * 16 * 128, 8192, 9, 4, 2, "gfx9-4-generic"};
    case Arch::gfx950:
      return {288 * GiB, 4 * MiB, 8 * 16 * 128, 8192, 9, 5, 0, "gfx9-4-generic"};
    case Arch::gfx1100:
      return {24 * GiB, 6 * MiB, 96 * 64, 384, 11, 0, 0, "gfx11-generic"};
    case Arch::gfx1151:
      return {64 * GiB, 2 * MiB, 40 * 64, 256, 11, 5, 1, "gfx11-generic"};
    case Arch::gfx1201:
      return {16 * GiB, 8 * MiB, 64 * 64, 256, 12, 0, 1, "gfx12-generic"};
    case Arch::gfx1250:
      return {432 * GiB, 24 * MiB, 256 * 64, 24576, 12, 5, 0, ""};
    case Arch::sm_90:
    case Arch::none:
      break;
  }
  throw std::invalid_argument("zellige-sim: no simulated device for this target");
}

}  // namespace

Device make_device(Arch arch, int index) {
  const Row row = row_of(arch);
  Device device;
  device.traits = arch_traits(arch);
  device.index = index;
  const std::string name = device.traits.name;
  device.name = "Zellige simulator (" + name + ")";
  device.target_id = row.major == 9 ? name + ":sramecc+:xnack-" : name;
  device.memory_bytes = row.memory_bytes;
  device.l2_bytes = row.l2_bytes;
  device.l2_gbps = row.l2_bytes_per_clock * device.traits.clock_ghz;
  device.memory_bus_bits = row.bus_bits;
  // What the stated bandwidth needs of a bus of that width at two transfers a clock.
  device.memory_clock_khz = static_cast<int>(device.traits.memory_gbps * 1e6 * 8 / row.bus_bits / 2);
  device.major = row.major, device.minor = row.minor, device.stepping = row.stepping;
  device.wave_ids_in_trap_registers = row.major >= 12;
  device.architected_flat_scratch = arch != Arch::gfx90a;
  device.processors = {device.traits.name};
  if (!row.generic.empty()) device.processors.push_back(row.generic);
  return device;
}

std::span<const Arch> amd_arches() { return arches; }

std::vector<Arch> parse_device_list(std::string_view list) {
  std::string known;
  for (Arch arch : arches) known += (known.empty() ? "" : ", ") + std::string(arch_traits(arch).name);
  std::vector<Arch> result;
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view name = list.substr(0, comma);
    const Arch arch = parse_arch(name);
    if (arch == Arch::none || arch == Arch::sm_90 || name.find(':') != std::string_view::npos)
      throw std::invalid_argument("'" + std::string(name) + "' is no simulated device; known are " + known);
    result.push_back(arch);
    if (comma == std::string_view::npos) return result;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace zellige::sim
