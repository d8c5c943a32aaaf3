// The GEMM-shaped kernel: schedule, staging, main loop and epilogue, over any two views.
#pragma once

#include <type_traits>

#include "zellige/gemm/check.hpp"
#include "zellige/gemm/cluster_fold.hpp"
#include "zellige/gemm/entry.hpp"
#include "zellige/gemm/main_loop.hpp"
#include "zellige/gemm/slice.hpp"
#include "zellige/gemm/warpgroup_kernel.hpp"

namespace zellige {

/// Whether the kernel itself applies epilogues: sums of slices are finished where they are added up.
template <Derived d>
inline constexpr bool has_epilogue = !d.sliced && std::is_floating_point_v<storage_t<d.wave.mma.accumulator>>;

/// Stores a workgroup's sums as the tiling says, each finished by `finish`.
template <Derived d, Tiling tiling, class Finish>
ZELLIGE_DEVICE void store_block(const GemmArgs& args, const OutputMatrix& c, char* lds, const OutputPlace& at,
                                const WaveMma<d.wave>& wave, const Finish& finish) {
  if constexpr (tiling.store == Store::direct)
    store_direct<d>(args, c, at, wave, finish);
  else
    store_shuffled<d, tiling.vector_c>(args, c, lds, at, wave, finish);
}

/// C = A B where A is `view_a` of (m, k) and B is `view_b` of (n, k). One workgroup computes one block of one batch.
template <Arch arch, GemmConfig config, Transforms view_a, Transforms view_b>
ZELLIGE_DEVICE void multiply_views(const GemmArgs& args) {
  constexpr Tiling tiling = config.tiling;
  constexpr Derived d = derive(config, arch);
  char* const lds = lds_pool<d.lds_bytes>();
  const std::uint32_t thread = thread_index(), lane = thread % static_cast<unsigned>(d.wave_size);
  const std::uint32_t wave_index = uniform(thread / static_cast<unsigned>(d.wave_size));
  TileIndex tile = tile_of(args.schedule, workgroup_index());
  const std::uint32_t slice = take_slice<tiling.split_k>(args.split, tile);
  const OutputPlace at{.lane = lane,
                       .thread = thread,
                       .block_m = tile.m * tiling.block.m,
                       .block_n = tile.n * tiling.block.n,
                       .wave_row = wave_index / static_cast<unsigned>(tiling.waves.n),
                       .wave_column = wave_index % static_cast<unsigned>(tiling.waves.n)};

  // A batch's operands begin `batch` bytes further on; what is left of the tensor bounds them.
  const std::uint32_t start_a = tile.batch * args.batch_a, start_b = tile.batch * args.batch_b;
  const Buffer a = make_buffer<arch>(static_cast<const char*>(args.pointers.a) + start_a, args.bytes_a - start_a);
  const Buffer b = make_buffer<arch>(static_cast<const char*>(args.pointers.b) + start_b, args.bytes_b - start_b);
  const OutputMatrix c = output_of<arch, d.sliced>(args, tile.batch, slice, d.bytes_stored);

  const KRange range = range_of<d.sliced, tiling.walk, tiling.block.k>(args, slice);
  const WaveMma<d.wave> wave = run_main_loop<d, tiling, view_a, view_b>(args, range, a, b, lds, at);
  if (only_loads<d, tiling>(at)) return meet_barriers_of_store<d, tiling.store>();

  if constexpr (has_epilogue<d>) {
    if (args.epilogue.flags == 0)
      store_block<d, tiling>(args, c, lds, at, wave, KeepSums{});
    else
      store_block<d, tiling>(args, c, lds, at, wave, FinishSums<arch, d>(args, c, tile.batch));
  } else {
    store_block<d, tiling>(args, c, lds, at, wave, KeepSums{});
  }
  if constexpr (tiling.split_k == SplitK::cluster) fold_cluster<arch, config>(args, tile.batch, slice, at);
}

/// What every GEMM-shaped kernel type tells entry() and the host. (Args stands in the kernel type itself: nvcc's host
/// stubs print the class that declares it.)
template <Arch A, bool accepted, Tiling tiling>
struct KernelTraits {
  static constexpr Arch arch = A;
  static constexpr bool valid = accepted;
  static constexpr int threads = valid ? threads_of(tiling, A) : 1;
  static constexpr int min_blocks = valid ? tiling.min_blocks : 1;
  static constexpr int cluster = valid ? tiling.cluster : 1;
  static constexpr int min_waves = valid ? waves_per_simd(tiling, A) : 1;
};

/// The arguments of a kernel with this tiling.
template <Tiling tiling>
using TilingArgs = std::conditional_t<tiling.pipeline == Pipeline::tensor_copy, WarpgroupArgs, GemmArgs>;

/// C[m, n] = sum of A[m, k] B[k, n]: a GEMM instance. Use it through gemm_kernel<A, C>() in host/gemm.hpp.
template <Arch A, GemmConfig C>
struct Gemm : KernelTraits<A, check(C, A).ok, C.tiling> {
  using Args = TilingArgs<C.tiling>;
  static ZELLIGE_DEVICE void run(const Args& args) {
    if constexpr (C.tiling.pipeline == Pipeline::tensor_copy)
      multiply_warpgroups<A, warpgroup_shape(C, false)>(args);
    else
      multiply_views<A, C, matrix_view(), matrix_view()>(args);
  }
};

}  // namespace zellige
