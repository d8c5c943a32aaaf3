// How many cycles the LDS takes for one wave instruction, from its real addresses.
//
// Model: the LDS serves a fixed group of lanes at a time (a phase). In a phase each bank of 4 bytes delivers one dword;
// lanes that want the same dword share it. So a phase takes as many cycles as the busiest bank has distinct dwords, and
// the excess over one is the conflict. Phases in which no lane is active take nothing.
//
// Sources of the lane groups: gfx950 b128, b96 and b64 reads and b64 writes are public measurements; the b128 and b96
// reads of gfx90a and gfx942 are taken to be the b96 groups on 32 banks; gfx1250 has gfx950's 64 banks and is taken to
// read consecutive lanes; everything else is consecutive lanes in groups that can move 128 bytes a cycle, which is the
// LDS's peak rate. All but the first are assumptions. gfx1250's are held against published speeds of padded tiles by
// benchmark/prediction_benchmark.hip.
#pragma once

#include <cstdint>
#include <string_view>

namespace zellige::sim {

/// Phases of one access width: each group is a mask of lanes 0..31, and serves lanes 32..63 in further cycles alike.
struct LdsPhases {
  int banks = 32;
  int count = 0;
  std::uint32_t groups[8] = {};
};

/// Cycles of one access.
struct LdsCycles {
  std::uint32_t access = 0;    ///< without conflicts: phases that have an active lane
  std::uint32_t conflict = 0;  ///< on top, by bank conflicts
};

namespace lds_banks_detail {

constexpr std::uint32_t lane_range(int first, int last) {
  return static_cast<std::uint32_t>((std::uint64_t{1} << (last + 1)) - (std::uint64_t{1} << first));
}

constexpr LdsPhases consecutive(int banks, int lanes) {
  LdsPhases phases{.banks = banks};
  for (int first = 0; first < 32; first += lanes) phases.groups[phases.count++] = lane_range(first, first + lanes - 1);
  return phases;
}

inline constexpr LdsPhases interleaved_8{
    32,
    4,
    {lane_range(0, 3) | lane_range(20, 23), lane_range(4, 7) | lane_range(16, 19),
     lane_range(8, 11) | lane_range(28, 31), lane_range(12, 15) | lane_range(24, 27)}};
inline constexpr LdsPhases interleaved_16{64,
                                          2,
                                          {lane_range(0, 3) | lane_range(12, 15) | lane_range(20, 27),
                                           lane_range(4, 11) | lane_range(16, 19) | lane_range(28, 31)}};

}  // namespace lds_banks_detail

/// The lane groups of an access of `bytes` (4 or fewer, 8, 12, 16) a lane on `target`.
constexpr LdsPhases lds_phases(std::string_view target, std::uint32_t bytes, bool store) {
  using namespace lds_banks_detail;
  const bool gfx1250 = target == "gfx1250", wide = target == "gfx950" || gfx1250;
  if (bytes <= 4) return consecutive(wide && !store ? 64 : 32, 32);
  if (bytes <= 8) return wide && !store ? consecutive(64, 32) : consecutive(32, 16);
  if (store) return consecutive(32, 8);
  if (gfx1250) return consecutive(64, 16);
  if (bytes <= 12) return interleaved_8;
  return wide ? interleaved_16 : interleaved_8;
}

/// Cycles of an access of `bytes` a lane at byte addresses address(lane), lanes of `active` only.
template <class Address>
constexpr LdsCycles lds_cycles(const LdsPhases& phases, std::uint64_t active, std::uint32_t bytes, Address address) {
  LdsCycles cycles;
  for (int half = 0; half < 2; ++half) {
    for (int phase = 0; phase < phases.count; ++phase) {
      const std::uint32_t group = phases.groups[phase] & static_cast<std::uint32_t>(active >> (32 * half));
      if (group == 0) continue;
      // Distinct dwords of each bank: at most 16 lanes with 4 dwords or 32 with 2 (one more where an access is
      // unaligned).
      std::uint32_t dwords[160] = {};
      int count = 0;
      std::uint32_t busy[64] = {};
      std::uint32_t busiest = 0;
      for (int lane = 0; lane < 32; ++lane) {
        if (!(group >> lane & 1)) continue;
        const std::uint32_t first = address(lane + 32 * half);
        for (std::uint32_t dword = first / 4; dword <= (first + bytes - 1) / 4; ++dword) {
          bool seen = false;
          for (int i = 0; i < count && !seen; ++i) seen = dwords[i] == dword;
          if (seen) continue;
          dwords[count++] = dword;
          const std::uint32_t load = ++busy[dword % static_cast<std::uint32_t>(phases.banks)];
          busiest = load > busiest ? load : busiest;
        }
      }
      cycles.access += 1;
      cycles.conflict += busiest - 1;
    }
  }
  return cycles;
}

struct Workgroup;

/// Adds the cycles of one access of lanes `active` at offsets[lane] + offset to the workgroup's counts.
void observe_lds(Workgroup& group, std::uint64_t active, const std::uint32_t* offsets, std::uint32_t offset,
                 std::uint32_t bytes, bool store);

}  // namespace zellige::sim
