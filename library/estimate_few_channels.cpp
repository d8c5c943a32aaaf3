// See estimate_few_channels.hpp. Fitted to 360 measured times on an H200 (bf16; stems, patch embeddings and latents of
// 1 to 8 channels at n = 1, 8 and as listed, by 12 tilings, single launches after an L2 flush). It meets them within a
// factor of 1.08 (one standard deviation), and the instance that it picks is 0.8 % slower than the best in the
// geometric mean, 10 % at worst. Constants are therefore of that device.
#include "estimate_few_channels.hpp"

#include <algorithm>
#include <cmath>

#include "estimate_parts.hpp"

namespace zellige {

namespace {

constexpr double clocks_a_us = 1755;           // of an SM under load
constexpr double multiplies_a_clock = 1957;    // of an SM
constexpr double start_clocks = 4667;          // of a workgroup
constexpr double weight_bytes_a_clock = 21.7;  // that come to shared memory by copies of 8 bytes
constexpr double weight_round_clocks = 475;    // of a load of two bytes, for each of those under way at once
constexpr double tile_clocks = 308;            // of a tile, beside its steps
constexpr double step_clocks = 204;            // of a step and of each multiplication in it, one after the other
constexpr double part_clocks = 156;
constexpr double read_clocks = 2.82;         // of 64 windows' words for a multiplication, without bank conflicts
constexpr double weight_read_clocks = 5.07;  // of four filters' weights for one
constexpr double row_clocks = 3.84, byte_clocks = 0.0432;  // of a copy's rows, and its bytes
constexpr double output_clocks = 3.58;                     // of a column of the consumers' outputs
constexpr double launch_us = 3.3;                          // of an empty kernel
constexpr double memory_bytes_a_us = 5.7e6;

/// Clocks of a warp's read of 8 windows' four neighbouring words: as many as the busiest of 32 banks has.
int bank_clocks(const FewChannelsArgs& args) {
  int busiest = 0;
  for (std::uint32_t first = 0; first < 16; first += 8) {
    Array<std::uint32_t, 32> words{};
    Array<int, 32> of_bank{};
    for (std::uint32_t i = 0; i < 32; ++i) {
      words[i] = window_begin(args, tile_pixel(args, 0, first + i / 4)).offset / 4 + i % 4;
      bool other = true;  // equal words are read once
      for (std::uint32_t j = 0; j < i; ++j) other &= words[j] != words[i];
      if (other) busiest = std::max(busiest, ++of_bank[words[i] % 32]);
    }
  }
  return busiest;
}

/// Clocks until the weights of a workgroup lie in shared memory (few_channels_feed.hpp).
double weight_clocks(const FewChannelsShape& s, const FewChannelsArgs& args) {
  if (copies_weights(args, args.filter_rows_all * args.run))
    return static_cast<double>(args.steps) * s.step_weight_bytes() / weight_bytes_a_clock;
  const double filters = static_cast<double>(s.block.block_n) / (s.consumers() * 4);  // of a warp
  const double at_once = s.filters_at_once();
  const double rounds = std::ceil(args.steps * s.step_pairs() / 32.0) * std::ceil(filters / at_once);
  return rounds * weight_round_clocks * std::min(filters, at_once);
}

}  // namespace

Estimate estimate_few_channels(const ConvConfig& config, Arch arch, const ConvProblem& p, double tensor_bytes,
                               int compute_units) {
  const int sms = compute_units > 0 ? compute_units : arch_traits(arch).compute_units;
  const FewChannelsShape s = few_channels_shape(config);
  const FewChannelsPacked packed = pack_few_channels(s, arch, p, sms * s.block.min_blocks);
  const FewChannelsArgs& args = packed.args;
  const double tiles = static_cast<double>(args.pixel_tiles) * args.column_tiles;
  Estimate e;
  e.workgroups = packed.workgroups;
  e.workgroups_per_cu = s.block.min_blocks;
  const double of_sm = std::ceil(static_cast<double>(packed.workgroups) / sms);
  const double resident = std::min<double>(s.block.min_blocks, of_sm), rounds = std::ceil(tiles / packed.workgroups);
  e.use = static_cast<double>(packed.workgroups) / (of_sm * sms);

  // Of a tile, by all that run on an SM at once.
  const double parts = static_cast<double>(args.steps) * s.parts(), columns = s.block.block_n;
  const double consumers = s.consumers() * resident, reads = args.odd_step != 0 ? 2 : 1;
  e.matrix_clocks = consumers * parts * wgmma_rows * columns * 16 / multiplies_a_clock;
  e.lds_clocks = consumers * parts * (read_clocks * bank_clocks(args) * reads + columns / 4 * weight_read_clocks);
  const double copied_rows = static_cast<double>(packed.a.box[1]) * packed.a.box[2];
  e.cache_clocks =
      resident * args.stages_of_tile * (copied_rows * row_clocks + static_cast<double>(args.box_bytes) * byte_clocks);
  e.latency_clocks = tile_clocks + args.steps * step_clocks + parts * part_clocks * reads;
  e.epilogue_clocks = consumers * columns * output_clocks;
  const BusyPart busiest = busiest_of(
      {{e.matrix_clocks, "matrix"}, {e.lds_clocks, "lds"}, {e.cache_clocks, "cache"}, {e.latency_clocks, "latency"}});
  const double clocks = start_clocks + weight_clocks(s, args) + rounds * (busiest.clocks + e.epilogue_clocks);
  const double compute_us = clocks / clocks_a_us;
  e.memory_us = tensor_bytes / memory_bytes_a_us;
  e.time_us = launch_us + overlapped(compute_us, e.memory_us);
  e.bound = e.memory_us >= compute_us ? "memory" : busiest.name;
  return e;
}

}  // namespace zellige
