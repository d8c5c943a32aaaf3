// What follows from the config of a kernel that multiplies by warpgroups: one constexpr place for kernel, check and
// host.
//
// The law: a workgroup is `consumers` warpgroups that multiply, 64 rows of the block each, and one whose four warps
// feed them; its shared memory is a ring of `stages` tiles of A, as many tiles of B or more, what results pass through
// (store buffers of each consumer, or the sums of a cluster's slices), two barriers a stage, and one of the cluster.
#pragma once

#include "zellige/atom/warpgroup_mma.hpp"
#include "zellige/core/arch.hpp"
#include "zellige/core/math.hpp"
#include "zellige/gemm/config.hpp"

namespace zellige {

struct WarpgroupShape {
  DataType input = DataType::bf16;
  DataType output = DataType::bf16;
  DataType stored = DataType::bf16;  ///< what stage_sums() writes: the output's type, or that of partial sums
  int block_m = 128, block_n = 128, block_k = 64;
  int stages = 4;
  int min_blocks = 1;   ///< workgroups that share an SM
  int cluster = 1;      ///< slices of the reduction that meet in a cluster; 1: none
  bool slabs = false;   ///< partial sums go to slabs of a workspace
  bool conv = false;    ///< A is an image tensor
  bool direct = false;  ///< sums go from registers to C, element by element: rows of C may begin anywhere

  ZELLIGE_HD constexpr int consumers() const { return block_m / wgmma_rows; }
  ZELLIGE_HD constexpr int threads() const { return (consumers() + 1) * warpgroup_threads; }
  ZELLIGE_HD constexpr int row_bytes() const { return block_k * bytes_of(input); }
  ZELLIGE_HD constexpr int bytes_a() const { return block_m * row_bytes(); }
  ZELLIGE_HD constexpr int bytes_b() const { return block_n * row_bytes(); }
  /// Tiles of B that shared memory holds: those of 8 columns are small, and 18 hold a 3x3 filter over 128 channels.
  ZELLIGE_HD constexpr int slots_b() const { return block_n == 8 ? max_of(18, stages) : stages; }
  /// Whether tiles of B stay there, in a reduction of `steps`: where `blocks_b`, the blocks of columns of all groups
  /// and slices, are one, all tiles have the same.
  ZELLIGE_HD constexpr bool keeps_b(std::int64_t blocks_b, std::int64_t steps) const {
    return cluster == 1 && blocks_b == 1 && steps <= slots_b();
  }
  /// Whether sums that are stored one by one pass through shared memory, so that a warp writes 32 columns of a row at
  /// once: few columns do not fill it.
  ZELLIGE_HD constexpr bool gathers() const { return direct && block_n % 32 == 0; }
  /// A store moves 64 rows of 128 or 64 bytes, or of the whole block where these do not divide it.
  ZELLIGE_HD constexpr int store_row_bytes() const {
    const int row = (gathers() ? 32 : block_n) * bytes_of(stored);
    return row % 128 == 0 ? 128 : row % 64 == 0 ? 64 : row;
  }
  ZELLIGE_HD constexpr int store_columns() const { return store_row_bytes() / bytes_of(stored); }
  ZELLIGE_HD constexpr int store_bytes() const { return direct && !gathers() ? 0 : wgmma_rows * store_row_bytes(); }
  /// Whether each warp stores its 16 rows by itself, 16 bytes a lane: where one store takes whole rows of the block.
  /// The copy engine needs two barriers and a fence before, and a workgroup ends only after a wait behind. On an H200
  /// at n=1, us of the engine and of warps, by 64x32: 12.7 and 11.5 for 512 channels of 7x7, 3x3; 5.7 and 5.5 for 320,
  /// 1x1.
  ZELLIGE_HD constexpr bool stores_packets() const {
    return cluster == 1 && !direct && !slabs && store_columns() == block_n && store_row_bytes() <= 128;
  }
  /// Whether Pipeline::tensor_copy stores by the copy engine, and so reads the map of C. (Pipeline::few_channels always
  /// stores so, from two buffers a consumer.)
  ZELLIGE_HD constexpr bool maps_c() const { return cluster == 1 && !direct && !stores_packets(); }
  /// Of a consumer. The copy engine reads one while the other is written.
  ZELLIGE_HD constexpr int store_buffers() const { return stores_packets() ? 1 : 2; }
  /// Rows that a slice of a cluster adds up.
  ZELLIGE_HD constexpr int fold_rows() const { return ceil_div(block_m, cluster); }
  /// Bytes between rows of partial sums in shared memory: rows of a fragment miss each other's banks.
  ZELLIGE_HD constexpr int fold_pitch() const { return block_n * 4 + 16; }
  /// Shared memory that results pass through: store buffers, or everybody's sums of the rows that a slice adds up.
  ZELLIGE_HD constexpr int result_bytes() const {
    return cluster > 1 ? cluster * fold_rows() * fold_pitch() : consumers() * store_buffers() * store_bytes();
  }
  ZELLIGE_HD constexpr int lds_bytes() const {
    return 1024 + stages * bytes_a() + slots_b() * bytes_b() + result_bytes() + stages * 16 + 16;
  }
  /// Whether sums leave room for an epilogue in registers; slices are finished where they are added up.
  ZELLIGE_HD constexpr bool finishes() const {
    return slabs || cluster > 1 || (block_n <= 144 && launch_registers() - block_n / 2 >= 32);
  }
  // Registers of a thread: what the launch gives everybody, and what the feeders leave to the others.
  ZELLIGE_HD constexpr int launch_registers() const { return min_of(65536 / (threads() * min_blocks) / 8 * 8, 248); }
  ZELLIGE_HD constexpr int feeder_registers() const { return 40; }  // with 24 they spilled
  ZELLIGE_HD constexpr int consumer_registers() const {
    return min_of((launch_registers() * (consumers() + 1) - feeder_registers()) / consumers() / 8 * 8, 248);
  }
  /// Whether that is more; else nobody's registers move.
  ZELLIGE_HD constexpr bool moves_registers() const { return consumer_registers() > launch_registers(); }
  bool operator==(const WarpgroupShape&) const = default;
};

/// Bytes of shared memory that CUDA takes for itself in every workgroup, beside what the workgroup asks for.
inline constexpr int reserved_shared_bytes = 1024;

/// Bytes of shared memory that each of `workgroups` on one SM may take.
ZELLIGE_HD constexpr int shared_bytes_of_one(const ArchTraits& traits, int workgroups) {
  return (traits.lds_bytes + reserved_shared_bytes) / workgroups - reserved_shared_bytes;
}

/// The shape of a config with Pipeline::tensor_copy.
ZELLIGE_HD constexpr WarpgroupShape warpgroup_shape(const GemmConfig& c, bool conv) {
  const Tiling& t = c.tiling;
  const DataType sums = t.split_k == SplitK::two_stage ? accumulator_of(c.input) : c.output;
  return {.input = c.input,
          .output = c.output,
          .stored = sums,
          .block_m = t.block.m,
          .block_n = t.block.n,
          .block_k = t.block.k,
          .stages = t.stages,
          .min_blocks = t.min_blocks,
          .cluster = t.cluster,
          .slabs = t.split_k == SplitK::two_stage,
          .conv = conv,
          .direct = t.store == Store::direct};
}

}  // namespace zellige
