// The targets, and what each can do: one enum, one constexpr table, and the one place that asks the compiler which of
// them it compiles for. Features are asked by capability (traits.mfma, traits.clusters), never by a family's name.
//
// Sources: LLVM's AMDGPU target tables (wave sizes, register files and granules, LDS limits, waves per SIMD: checked by
// compiling), vendors' data sheets (CUs, clocks, bandwidths, peaks). A peak of 0 is none, or not public.
#pragma once

#include <string_view>

#include "zellige/core/math.hpp"

namespace zellige {

/// Targets. Values are stable and never renumbered.
enum class Arch : int {
  none = 0,
  gfx90a = 1,
  gfx942 = 2,
  gfx950 = 3,
  gfx1100 = 4,
  gfx1151 = 5,
  gfx1201 = 6,
  gfx1250 = 7,
  sm_90 = 8,
};

/// The matrix instructions that a target has.
enum class MatrixPath : int { none, mfma, wmma_gfx11, wmma_gfx12, wmma_gfx1250, mma_sync };

/// One target. Capabilities are of the instruction set, counts and rates of `product`.
struct ArchTraits {
  Arch arch = Arch::none;
  const char* name = "";      ///< as compilers and gcnArchName spell it
  const char* offload = "";   ///< what the compiler is told; such an object runs on this target alone
  const char* generic = "";   ///< or this, for an object that runs on all of `runs_on`; "" where there is no such thing
  const char* runs_on = "";   ///< devices, between spaces
  const char* product = "";   ///< the product whose numbers stand here
  MatrixPath matrix = MatrixPath::none;
  int wave_size = 64;
  int compute_units = 0;      ///< CUs or SMs of one device
  int dies = 1;               ///< XCDs: consecutive workgroups go round robin over them
  int simds = 4;              ///< per CU
  int waves_per_simd = 8;
  int lds_bytes = 65536;      ///< per workgroup and per CU
  int static_lds_bytes = 0;   ///< what a kernel may declare itself; more is asked for at the launch. 0: no such limit
  int lds_banks = 32;         ///< of 4 bytes
  int vgpr_file = 512;        ///< 32-bit registers per lane of a SIMD, AGPRs included where the file is one
  int vgpr_granule = 8;
  int vgprs = 256;            ///< addressable by a wave, AGPRs apart
  int agprs = 0;
  std::uint32_t buffer_word3 = 0;  ///< word 3 of a raw buffer descriptor; 0: the target has no such word
  std::uint32_t direct_to_lds_widths = 0;  ///< bit w: there are direct global to LDS loads of w bytes a lane
  bool async_lds_loads = false;  ///< these are counted apart, and know no buffer's bounds
  bool clusters = false;
  int cluster_limit = 0;      ///< workgroups of a cluster along an axis; 0: the target has none
  bool tensor_copies = false;  ///< a bulk tensor copy engine that feeds warpgroup matrix instructions
  int transposed_lds_bytes = 0;  ///< that a lane gets of a transposed LDS load of 2-byte elements; 0: there is none
  bool packed_f16_atomics = false, packed_bf16_atomics = false;
  double clock_ghz = 0;
  double memory_gbps = 0;     ///< 1e9 bytes/s
  double f16_tflops = 0, f32_tflops = 0, f64_tflops = 0;  ///< matrix peaks, dense, of one device
};

inline constexpr int arch_count = 8;

/// What a target can do; the defaults for Arch::none.
ZELLIGE_HD constexpr ArchTraits arch_traits(Arch arch) {
  switch (arch) {
    case Arch::gfx90a:  // one of the two dies of an MI250X: each is a device of its own
      return {.arch = arch, .name = "gfx90a", .offload = "gfx90a", .product = "MI250X (one die)",
              .matrix = MatrixPath::mfma, .compute_units = 110, .agprs = 256, .buffer_word3 = 0x00027000,
              .direct_to_lds_widths = 1u << 1 | 1u << 2 | 1u << 4, .packed_f16_atomics = true, .clock_ghz = 1.7,
              .memory_gbps = 1638, .f16_tflops = 191.5, .f32_tflops = 47.9, .f64_tflops = 47.9};
    case Arch::gfx942:
      return {.arch = arch, .name = "gfx942", .offload = "gfx942", .product = "MI300X",
              .matrix = MatrixPath::mfma, .compute_units = 304, .dies = 8, .agprs = 256,
              .buffer_word3 = 0x00027000, .direct_to_lds_widths = 1u << 1 | 1u << 2 | 1u << 4,
              .packed_f16_atomics = true, .packed_bf16_atomics = true, .clock_ghz = 2.1, .memory_gbps = 5300,
              .f16_tflops = 1307.4, .f32_tflops = 163.4, .f64_tflops = 163.4};
    case Arch::gfx950:
      return {.arch = arch, .name = "gfx950", .offload = "gfx950", .product = "MI355X",
              .matrix = MatrixPath::mfma, .compute_units = 256, .dies = 8, .lds_bytes = 163840, .lds_banks = 64,
              .agprs = 256, .buffer_word3 = 0x00027000,
              .direct_to_lds_widths = 1u << 1 | 1u << 2 | 1u << 4 | 1u << 12 | 1u << 16,
              .transposed_lds_bytes = 8, .packed_f16_atomics = true, .packed_bf16_atomics = true,
              .clock_ghz = 2.4, .memory_gbps = 8000, .f16_tflops = 2516.6, .f32_tflops = 157.3,
              .f64_tflops = 78.6};
    case Arch::gfx1100:
      return {.arch = arch, .name = "gfx1100", .offload = "gfx1100", .generic = "gfx11-generic",
              .runs_on = "gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153",
              .product = "RX 7900 XTX",
              .matrix = MatrixPath::wmma_gfx11, .wave_size = 32, .compute_units = 96, .simds = 2,
              .waves_per_simd = 16, .vgpr_file = 1536, .vgpr_granule = 24, .buffer_word3 = 0x31014000,
              .clock_ghz = 2.5, .memory_gbps = 960, .f16_tflops = 122.8};
    case Arch::gfx1151:
      return {.arch = arch, .name = "gfx1151", .offload = "gfx1151", .product = "Radeon 8060S",
              .matrix = MatrixPath::wmma_gfx11, .wave_size = 32, .compute_units = 40, .simds = 2,
              .waves_per_simd = 16, .vgpr_file = 1536, .vgpr_granule = 24, .buffer_word3 = 0x31014000,
              .clock_ghz = 2.9, .memory_gbps = 256, .f16_tflops = 59.4};
    case Arch::gfx1201:
      return {.arch = arch, .name = "gfx1201", .offload = "gfx1201", .generic = "gfx12-generic",
              .runs_on = "gfx1200 gfx1201", .product = "RX 9070 XT",
              .matrix = MatrixPath::wmma_gfx12, .wave_size = 32, .compute_units = 64, .simds = 2,
              .waves_per_simd = 16, .vgpr_file = 1536, .vgpr_granule = 24, .buffer_word3 = 0x31014000,
              .packed_f16_atomics = true, .packed_bf16_atomics = true, .clock_ghz = 2.97, .memory_gbps = 640,
              .f16_tflops = 194.6};
    case Arch::gfx1250:
      return {.arch = arch, .name = "gfx1250", .offload = "gfx1250", .product = "MI455X",
              .matrix = MatrixPath::wmma_gfx1250, .wave_size = 32, .compute_units = 256, .dies = 8,
              .waves_per_simd = 16, .lds_bytes = 327680, .lds_banks = 64, .vgpr_file = 1024, .vgpr_granule = 16,
              .vgprs = 1024, .direct_to_lds_widths = 1u << 1 | 1u << 4 | 1u << 8 | 1u << 16, .async_lds_loads = true,
              .clusters = true, .cluster_limit = 15, .transposed_lds_bytes = 16, .packed_f16_atomics = true,
              .packed_bf16_atomics = true, .clock_ghz = 2.7, .memory_gbps = 19600};
    case Arch::sm_90:
      return {.arch = arch, .name = "sm_90", .offload = "sm_90a", .product = "H200",
              .matrix = MatrixPath::mma_sync, .wave_size = 32, .compute_units = 132, .waves_per_simd = 16,
              .lds_bytes = 232448, .static_lds_bytes = 49152, .vgpr_granule = 8, .vgprs = 255, .clusters = true,
              .cluster_limit = 8, .tensor_copies = true,
              .packed_f16_atomics = true, .packed_bf16_atomics = true, .clock_ghz = 1.83, .memory_gbps = 4800,
              .f16_tflops = 989.4, .f64_tflops = 66.9};
    case Arch::none: break;
  }
  return {};
}

inline constexpr Arch all_arches[arch_count] = {Arch::gfx90a,  Arch::gfx942,  Arch::gfx950,  Arch::gfx1100,
                                                Arch::gfx1151, Arch::gfx1201, Arch::gfx1250, Arch::sm_90};

/// The target of that name ("gfx942", or a device's "gfx942:sramecc+:xnack-"), or Arch::none.
constexpr Arch parse_arch(std::string_view name) {
  name = name.substr(0, name.find(':'));
  for (Arch arch : all_arches) {
    if (name == arch_traits(arch).name) return arch;
  }
  return Arch::none;
}

/// The target whose kernels a device of that name runs: its own, or the one whose generic objects it loads ("gfx1200"
/// takes gfx1201's). Arch::none where there is none.
constexpr Arch arch_of_device(std::string_view name) {
  name = name.substr(0, name.find(':'));
  if (const Arch own = parse_arch(name); own != Arch::none) return own;
  for (Arch arch : all_arches) {
    for (std::string_view devices = arch_traits(arch).runs_on; !devices.empty();) {
      const std::size_t end = min_of(devices.find(' '), devices.size());
      if (devices.substr(0, end) == name) return arch;
      devices.remove_prefix(min_of(end + 1, devices.size()));
    }
  }
  return Arch::none;
}

/// The target that this pass compiles device code for; Arch::none in a host pass. A generic pass compiles the kernels
/// of the target that names it.
ZELLIGE_HD constexpr Arch this_arch() {
#if !ZELLIGE_DEVICE_PASS
  return Arch::none;
#elif defined(__CUDA_ARCH__)
  return __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1000 ? Arch::sm_90 : Arch::none;
#elif defined(__gfx90a__)
  return Arch::gfx90a;
#elif defined(__gfx942__)
  return Arch::gfx942;
#elif defined(__gfx950__)
  return Arch::gfx950;
#elif defined(__gfx1100__) || defined(__gfx11_generic__)
  return Arch::gfx1100;
#elif defined(__gfx1151__)
  return Arch::gfx1151;
#elif defined(__gfx1201__) || defined(__gfx12_generic__)
  return Arch::gfx1201;
#elif defined(__gfx1250__)
  return Arch::gfx1250;
#else
  return Arch::none;
#endif
}

}  // namespace zellige
