// What pipelines of warpgroups need of a config: what they have in common, and Pipeline::tensor_copy; and what a tensor
// map can hold.
#pragma once

#include "zellige/atom/mma.hpp"
#include "zellige/atom/tensor_map_shape.hpp"
#include "zellige/gemm/warpgroup_shape.hpp"

namespace zellige::detail {

/// A field that a pipeline fixes.
struct FixedField {
  const char* name;
  std::int64_t value, needed;
  const char* because;
};

template <std::size_t count>
ZELLIGE_HD constexpr Verdict check_fixed(const char* pipeline, const FixedField (&fields)[count]) {
  for (const FixedField& f : fields) {
    if (f.value == f.needed) continue;
    return refuse(Reason::config_value, Text{} << "Pipeline::" << pipeline << ": " << f.name << " = " << f.value
                                               << " must be " << f.needed << ": " << f.because);
  }
  return {};
}

/// Elements of a box along an axis; only copies of images take more.
inline constexpr int most_box = 256;

/// What every pipeline of warpgroups, named `pipeline`, needs of a block. Values are in their ranges, types legal.
ZELLIGE_HD constexpr Verdict check_warpgroup_block(const GemmConfig& c, Arch arch, const char* pipeline) {
  const Tiling& t = c.tiling;
  const ArchTraits traits = arch_traits(arch);
  if (!traits.tensor_copies) {
    return refuse(Reason::no_such_atom, Text{} << traits.name << " has no tensor copies: Pipeline::" << pipeline
                                               << " is for targets with warpgroups");
  }
  const InputTypes types{c.input, weight_of(c.input, c.weight)};
  if (find_mma(arch, types, t.atom).waves == 1) {
    return refuse(Reason::no_such_atom, Text{} << traits.name << " has no " << t.atom << " warpgroup instruction for "
                                               << name_of(types.a) << " by " << name_of(types.b) << "; it has "
                                               << mma_shapes(arch, types));
  }
  const WarpgroupShape s = warpgroup_shape(c, false);
  const int in = bytes_of(c.input), out = bytes_of(s.stored);
  const bool sliced = t.split_k != SplitK::none, direct = s.direct && !sliced;
  const Verdict fixed = check_fixed(
      pipeline,
      {{"waves.m", t.waves.m, t.block.m / 16, "each warp multiplies 16 rows of the block"},
       {"waves.n", t.waves.n, 1, "each warpgroup multiplies all columns of the block"},
       {"block.m % 64", t.block.m % wgmma_rows, 0, "a warpgroup multiplies 64 rows"},
       {"atom.n", t.atom.n, t.block.n, "one instruction takes all columns of the block"},
       {"order_a", static_cast<int>(c.order_a), static_cast<int>(MatrixOrder::row),
        "tiles run along k (MatrixOrder::row)"},
       {"order_b", static_cast<int>(c.order_b), static_cast<int>(MatrixOrder::column),
        "tiles run along k (MatrixOrder::column)"},
       {"lds", static_cast<int>(t.lds), static_cast<int>(LdsLayout::swizzled),
        "the copy engine swizzles (LdsLayout::swizzled)"},
       {"staging", static_cast<int>(t.staging), 0,
        "the copy engine has its own way to shared memory (Staging::registers)"},
       {"transpose", static_cast<int>(t.transpose), 0, "tiles run along k (Transpose::on_write)"},
       {"scheduling", static_cast<int>(t.scheduling), 0, "it has a schedule of its own (Scheduling::compiler)"},
       {"load_waves", t.load_waves, 0, "the pipeline has feeding warps of its own"},
       {"walk", static_cast<int>(t.walk), static_cast<int>(Walk::each_tile),
        "the copy engine finds the tiles (Walk::each_tile)"},
       {"store", static_cast<int>(t.store), static_cast<int>(direct ? Store::direct : Store::lds_shuffle),
        "the sums of slices pass through shared memory (Store::lds_shuffle)"},
       {"vector_a", t.vector_a, 16 / in, "copies move 16 bytes at least"},
       {"vector_b", t.vector_b, 16 / in, "copies move 16 bytes at least"},
       {"vector_c", t.vector_c,
        t.split_k == SplitK::cluster ? 4
        : direct                     ? 1
                                     : 16 / out,
        t.split_k == SplitK::cluster ? "slices are added up four by four"
        : direct                     ? "Store::direct writes single elements"
                                     : "stores move 16 bytes at least"}});
  if (!fixed.ok) return fixed;
  if (const int row = s.row_bytes(); !swizzles_rows(row)) {
    return refuse(Reason::lds_layout, Text{} << "block.k = " << t.block.k << " makes rows of " << row
                                             << " bytes; the copy engine swizzles rows of 32, 64 or 128");
  }
  if (!direct && s.store_row_bytes() < 32) {
    return refuse(Reason::epilogue_shape, Text{} << "block.n = " << t.block.n << " makes rows of "
                                                 << s.store_row_bytes()
                                                 << " bytes; stores through shared memory take 32 at least: use "
                                                    "Store::direct");
  }
  if (s.stages < 2 || s.stages > 16) {
    return refuse(Reason::config_value, Text{} << "stages = " << s.stages << " must be from 2 to 16");
  }
  return {};
}

/// Whether warpgroups can compute the block with Pipeline::tensor_copy.
ZELLIGE_HD constexpr Verdict check_warpgroup(const GemmConfig& c, Arch arch) {
  if (Verdict v = check_warpgroup_block(c, arch, "tensor_copy"); !v.ok) return v;
  const Tiling& t = c.tiling;
  const ArchTraits traits = arch_traits(arch);
  const WarpgroupShape s = warpgroup_shape(c, false);
  if (t.block.m > most_box) {
    return refuse(Reason::config_value, Text{} << "Pipeline::tensor_copy: block.m = " << t.block.m << " is over the "
                                               << most_box << " rows that one copy moves");
  }
  if (s.threads() > 1024) {
    return refuse(Reason::too_many_threads, Text{} << s.consumers() << " warpgroups and the feeder's are "
                                                   << s.threads() << " threads, over the 1024 of a workgroup");
  }
  const int of_one = shared_bytes_of_one(traits, t.min_blocks);
  if (s.lds_bytes() > of_one) {
    return refuse(Reason::lds_too_small, Text{} << "the ring and the store buffers take " << s.lds_bytes()
                                                << " bytes of shared memory, over the " << of_one << " that each of "
                                                << t.min_blocks
                                                << " workgroups has: lower stages, min_blocks or the block");
  }
  // The compiler assigns registers by what a launch gives every thread; 26 beside the sums is what it asked for. The
  // feeders need feeder_registers(), whether they give others back or not.
  if (const int need = max_of(t.block.n / 2 + 26, s.feeder_registers()); need > s.launch_registers()) {
    return refuse(Reason::too_many_registers, Text{} << "a thread needs about " << need << " registers, over the "
                                                     << s.launch_registers() << " of " << s.threads() << " threads in "
                                                     << t.min_blocks << " workgroups: lower min_blocks or the block");
  }
  return {};
}

/// A number of a tensor map, and the range that the copy engine takes.
struct MapLimit {
  const char* what;
  std::int64_t value, low, high;
};

template <std::size_t count>
constexpr Verdict check_map(const MapLimit (&limits)[count]) {
  for (const MapLimit& limit : limits) {
    if (limit.value >= limit.low && limit.value <= limit.high) continue;
    return refuse(Reason::tensor_too_large, Text{} << limit.what << " = " << limit.value
                                                   << " is not in the tensor copy's range of " << limit.low << " to "
                                                   << limit.high);
  }
  return {};
}

}  // namespace zellige::detail
