// What Pipeline::few_channels needs of a config and of a problem, and the tile that it chooses for one.
#pragma once

#include "zellige/conv/few_channels_args.hpp"
#include "zellige/conv/few_channels_shape.hpp"
#include "zellige/gemm/check.hpp"

namespace zellige {

namespace detail {

ZELLIGE_HD constexpr Verdict check_few_channels(const ConvConfig& c, Arch arch) {
  const GemmConfig gemm = lowered(c);
  const Tiling& t = c.tiling;
  if (Verdict v = check_values(gemm); !v.ok) return v;
  if (Verdict v = check_types(c.input, c.output); !v.ok) return v;
  if (Verdict v = check_warpgroup_block(gemm, arch, "few_channels"); !v.ok) return v;
  const FewChannelsShape s = few_channels_shape(c);
  const Verdict fixed = check_fixed(
      "few_channels",
      {{"bytes of an input element", bytes_of(c.input), 2, "registers hold pairs of 16-bit elements"},
       {"split_k", static_cast<int>(t.split_k), static_cast<int>(SplitK::none), "reductions are short (SplitK::none)"},
       {"cluster", t.cluster, 1, "reductions are short"},
       {"store", static_cast<int>(t.store), static_cast<int>(Store::lds_shuffle),
        "the copy engine stores tiles of pixels (Store::lds_shuffle)"},
       {"spatial", c.spatial, 2, "copies walk rows of images"}});
  if (!fixed.ok) return fixed;
  if (t.block.n != 16 && (t.block.n % 32 != 0 || t.block.n > 128)) {
    return refuse(Reason::config_value, Text{} << "Pipeline::few_channels: block.n = " << t.block.n
                                               << " must be 16, 32, 64, 96 or 128 columns");
  }
  if (s.threads() > 1024) {
    return refuse(Reason::too_many_threads, Text{} << s.consumers() << " warpgroups and the warp that feeds them are "
                                                   << s.threads() << " threads, over the 1024 of a workgroup");
  }
  // Beside the sums and two steps of A: what the compiler asked for.
  if (const int need = t.block.n / 2 + 8 * s.parts() + 34; need > s.launch_registers()) {
    return refuse(Reason::too_many_registers, Text{} << "a thread needs about " << need << " registers, over the "
                                                     << s.launch_registers() << " of " << s.threads() << " threads in "
                                                     << t.min_blocks << " workgroups: lower min_blocks or the block");
  }
  const int limit = shared_bytes_of_one(arch_traits(arch), t.min_blocks);
  if (const std::int64_t least = s.lds_bytes(1, 2, 128); least > limit) {
    return refuse(Reason::lds_too_small, Text{} << "a step's weights and the store buffers take " << least
                                                << " bytes of shared memory, over the " << limit << " that each of "
                                                << t.min_blocks << " workgroups has: lower min_blocks or the block");
  }
  return {};
}

/// Whether filter rows may be an axis of the input's map: where no tap falls into padding above or below.
constexpr bool rows_stay_inside(const ConvAxis& h) {
  return h.pad_before == 0 && (h.outputs() - 1) * h.stride + h.dilation * (h.filter - 1) < h.size;
}

constexpr std::int64_t not_negative_modulo(std::int64_t a, std::int64_t b) { return (a % b + b) % b; }

/// Elements that are 16 bytes: copies begin and end at multiples of them.
inline constexpr std::int64_t copy_begin = 8;

/// Fills in what does not depend on the tile's shape.
constexpr FewChannelsTile begin_tile(const FewChannelsShape& s, const ConvProblem& p) {
  const ConvAxis &h = p.axis[0], &w = p.axis[1];
  FewChannelsTile t;
  t.shift = static_cast<int>(not_negative_modulo(-w.pad_before * p.c, copy_begin));
  t.odd_step = w.stride * p.c % 2 != 0;
  t.lead = t.odd_step ? 0 : t.shift % 2;
  t.row_pairs = ceil_div<std::int64_t>(t.lead + w.filter * p.c, 2);
  t.steps = ceil_div<std::int64_t>(h.filter * t.row_pairs, s.step_pairs());
  return t;
}

/// Fills in what follows from tile_w and beside. False where a copy cannot move a row of the tile.
constexpr bool lay_out_row(FewChannelsTile& t, const FewChannelsShape& s, const ConvProblem& p) {
  const std::int64_t last = (t.across(s.consumers()) - 1) * p.axis[1].stride * p.c + t.shift - t.lead;
  const std::int64_t row = round_up(last + 2 * t.row_pairs + (t.odd_step ? 2 : 0), copy_begin);
  t.row_elements = static_cast<int>(row);
  // A box has few elements, but these may be of up to 8 bytes.
  for (t.unit = 1; t.unit < 4 && row / t.unit > most_box; t.unit *= 2) continue;
  return row / t.unit <= most_box;
}

/// Stages of the tile: as few as fit. `lds` is what a workgroup has. False where a ring of two does not, or where a
/// stage is more than a copy moves or a table's word addresses.
constexpr bool lay_out_stages(FewChannelsTile& t, const FewChannelsShape& s, const ConvProblem& p, std::int64_t lds) {
  const ConvAxis& h = p.axis[0];
  const int down = t.down(s.consumers());
  const std::int64_t row_bytes = std::int64_t{t.row_elements} * 2;
  const auto fits = [&](std::int64_t rows, std::int64_t boxes, int least) {
    t.stage_bytes = round_up<std::int64_t>(rows * boxes * row_bytes, 128);
    const std::int64_t left = lds - s.lds_bytes(t.steps, 0, 0);
    t.stages = static_cast<int>(min_of<std::int64_t>(left < 0 ? 0 : left / (t.stage_bytes + 16), s.block.stages));
    t.rows = static_cast<int>(rows);
    t.lds_bytes = s.lds_bytes(t.steps, t.stages, t.stage_bytes);
    return rows <= most_box && boxes <= most_box && t.stage_bytes <= most_stage_bytes && t.stages >= least;
  };
  t.apart = false;
  t.stages_of_tile = 1;
  t.filter_rows = static_cast<int>(h.filter);
  if (fits((down - 1) * h.stride + h.dilation * (h.filter - 1) + 1, 1, 2)) return true;
  if (!rows_stay_inside(h)) return false;
  t.apart = true;
  for (const int least : {4, 3, 2}) {  // a deeper ring hides more of a copy's latency
    for (t.filter_rows = static_cast<int>(h.filter); t.filter_rows > 0; --t.filter_rows) {
      t.stages_of_tile = static_cast<int>(ceil_div<std::int64_t>(h.filter, t.filter_rows));
      if (t.stages_of_tile > 1 && t.filter_rows * t.row_pairs < s.step_pairs())
        break;  // a step is of two stages at most
      if (fits(t.filter_rows, down, least)) return true;
    }
  }
  return false;
}

}  // namespace detail

/// The tile of the least traffic through shared memory, or why there is none. `problem`: valid, or a chunk of one.
constexpr FewChannelsTile few_channels_tile(const FewChannelsShape& s, Arch arch, const ConvProblem& problem) {
  const auto refused = [](Reason reason, const Text& why) { return FewChannelsTile{.verdict = refuse(reason, why)}; };
  if (problem.groups != 1) {
    return refused(Reason::bad_groups,
                   Text{} << "Pipeline::few_channels reads all channels: groups = " << problem.groups << " must be 1");
  }
  if (problem.c % detail::copy_begin == 0 && problem.c > detail::copy_begin) {
    return refused(Reason::pipeline_unsupported, Text{} << "pixels of " << problem.c
                                                        << " channels are multiples of 16 bytes, which "
                                                           "Pipeline::tensor_copy reads as images");
  }
  const ConvProblem p = with_spatial(problem, 2);
  const ConvAxis &h = p.axis[0], &w = p.axis[1];
  if (w.dilation != 1 && w.filter > 1) {
    return refused(Reason::bad_filter, Text{} << "Pipeline::few_channels reads contiguous rows of a window: the "
                                                 "dilation along w is "
                                              << w.dilation << ", not 1");
  }
  const std::int64_t line = w.size * p.c * 2;
  if (line % 16 != 0) {
    return refused(Reason::channels_not_divisible, Text{} << "a row of the image has " << line << " bytes (" << w.size
                                                          << " pixels of " << p.c
                                                          << " channels): copies need a multiple of 16");
  }
  FewChannelsTile best;
  std::int64_t least = 0;
  bool rows_fit = false;
  const std::int64_t lds = shared_bytes_of_one(arch_traits(arch), s.block.min_blocks);
  FewChannelsTile t = detail::begin_tile(s, p);
  for (t.tile_w = 8; t.tile_w <= wgmma_rows; t.tile_w *= 2) {
    t.tile_h = wgmma_rows / t.tile_w;
    for (const bool beside : {false, true}) {
      if (beside && s.consumers() == 1) continue;
      t.beside = beside;
      if (!detail::lay_out_row(t, s, p)) continue;
      rows_fit = true;
      if (!detail::lay_out_stages(t, s, p, lds)) continue;
      const std::int64_t tiles = ceil_div<std::int64_t>(w.outputs(), t.across(s.consumers())) *
                                 ceil_div<std::int64_t>(h.outputs(), t.down(s.consumers()));
      const std::int64_t bytes = tiles * (t.stages_of_tile * t.stage_bytes +
                                          std::int64_t{s.block.block_m} * s.block.block_n * bytes_of(s.block.output));
      if (best.stages == 0 || bytes < least) best = t, least = bytes;
    }
  }
  if (best.stages != 0) return best;
  if (!rows_fit) {
    return refused(Reason::tensor_too_large, Text{} << "rows of 8 windows of " << w.filter * p.c << " elements, "
                                                    << w.stride * p.c
                                                    << " apart, are longer than the 1024 elements that a copy moves");
  }
  return refused(Reason::lds_too_small,
                 Text{} << "the weights of " << s.block.block_n << " filters take " << t.steps * s.step_weight_bytes()
                        << " bytes of shared memory, which leave no room for two stages of image rows (each of at most "
                        << static_cast<int>(most_stage_bytes) << " bytes and " << detail::most_box << " rows) in the "
                        << lds << " that each of " << s.block.min_blocks << " workgroups has: take a smaller block");
}

}  // namespace zellige
