// How a GEMM-shaped kernel does its work: one structural value, the kernel's only tuning parameter.
//
// Build it with designated initializers. block, waves and atom have no default and must be given; every other field's
// default is stable, and a field at its default adds nothing to an instance's name (name.hpp).
#pragma once

#include "zellige/core/shape.hpp"
#include "zellige/core/types.hpp"
#include "zellige/gemm/problem.hpp"
#include "zellige/layout/swizzle.hpp"

namespace zellige {

/// How tiles travel from global memory to the matrix cores.
enum class Pipeline : int {
  single_buffer = 0,  ///< one LDS buffer; the next tile waits in registers while the current one is multiplied
  double_buffer = 1,  ///< two LDS buffers, one barrier a tile; the tile after next waits in registers
  wavelet = 2,        ///< as double_buffer, but `load_waves` further waves load and all others only multiply
  tensor_copy = 3,    ///< warps feed a ring of `stages` buffers by tensor copies, warpgroups multiply out of them
  few_channels = 4,   ///< convolutions: a ring of image rows; warpgroups pick their windows out of it into registers
};

/// Whether warpgroups multiply, fed by tensor copies.
ZELLIGE_HD constexpr bool by_warpgroups(Pipeline pipeline) {
  return pipeline == Pipeline::tensor_copy || pipeline == Pipeline::few_channels;
}

/// How the loader follows the reduction.
enum class Walk : int {
  each_tile = 0,  ///< evaluates the view for every K tile: any reduction length
  run = 1,        ///< evaluates it where a contiguous run of k begins; runs must be whole K tiles
};

/// How accumulators reach memory.
enum class Store : int {
  direct = 0,       ///< each lane stores what it holds, one element at a time
  lds_shuffle = 1,  ///< through LDS, then rows of vector_c elements
};

/// By which way tiles come to LDS.
enum class Staging : int {
  registers = 0,      ///< loaded into registers, then written to LDS
  direct_to_lds = 1,  ///< by loads whose destination is LDS: no registers, no LDS writes; 4 or 16 bytes a lane
};

/// Where a tile whose memory runs along rows (of A: order column; of B: order row) is transposed.
enum class Transpose : int {
  on_write = 0,  ///< in registers, on its way to LDS
  on_read = 1,   ///< by transposed LDS reads; the tile lies in LDS as it does in memory
};

/// Who orders the instructions of a K tile.
enum class Scheduling : int {
  compiler = 0,     ///< the compiler, k step by k step
  interleaved = 1,  ///< groups of computed sizes: loads and LDS reads between the matrix instructions
  ping_pong = 2,    ///< two groups of waves take turns: while one reads, the other multiplies
};

/// The type of B, a convolution's weight.
enum class WeightType : int {
  same = 0,   ///< the input's
  mixed = 1,  ///< the other 8-bit float: e5m2 beside e4m3, or the reverse
};

ZELLIGE_HD constexpr DataType weight_of(DataType input, WeightType weight) {
  return weight == WeightType::mixed ? other_float8(input) : input;
}

/// Whether several workgroups share the reduction of one block, and who adds their parts up (docs/gemm.md).
enum class SplitK : int {
  none = 0,
  two_stage = 1,  ///< parts go to slabs in a workspace; a second kernel adds them up (reduce/split_k_reduce.hpp)
  cluster = 2,    ///< the workgroups of one block are a cluster and add up themselves: for targets with clusters
};

/// The tile that a workgroup computes, and how.
struct Tiling {
  Mnk block{};  ///< elements of C (m, n) a workgroup, and elements of k a step
  Mn waves{};   ///< waves of the workgroup, along m and n
  Mnk atom{};   ///< shape of the matrix instruction (atom/mma.hpp)
  Pipeline pipeline = Pipeline::double_buffer;
  LdsLayout lds = LdsLayout::swizzled;
  int vector_a = 8;  ///< elements a lane loads at once from A, along A's contiguous dimension
  int vector_b = 8;  ///< the same for B
  int vector_c = 1;  ///< elements a lane stores at once
  Walk walk = Walk::each_tile;
  Store store = Store::direct;
  int min_blocks = 1;  ///< workgroups that must fit a CU at once: bounds the registers
  int stages = 0;      ///< of by_warpgroups(): buffers of the ring, few_channels: at most; 0 elsewhere
  Staging staging = Staging::registers;
  Transpose transpose = Transpose::on_write;
  Scheduling scheduling = Scheduling::compiler;
  int load_waves = 0;  ///< Pipeline::wavelet: waves that only load
  SplitK split_k = SplitK::none;
  int cluster = 1;  ///< workgroups of a cluster: the slices of SplitK::cluster

  bool operator==(const Tiling&) const = default;
};

struct GemmConfig {
  DataType input = DataType::f16, output = DataType::f16;
  WeightType weight = WeightType::same;
  MatrixOrder order_a = MatrixOrder::row, order_b = MatrixOrder::column;
  Tiling tiling{};

  bool operator==(const GemmConfig&) const = default;
};

}  // namespace zellige
