// Working out shapes of accesses and finding them again; access_shape.hpp states the law.
#include "simulator/check/access_shape.hpp"

#include <algorithm>
#include <map>

#include "simulator/check/word_loops.hpp"
#include "simulator/memory/low_bits.hpp"

namespace zellige::sim {
namespace {

constexpr std::uint64_t word_bytes = 64;

std::uint32_t phase_of(const Access& access, std::uint64_t first) {
  return access.space == Space::lds ? static_cast<std::uint32_t>(first % word_bytes) : 0;
}

bool has_shape(const Access& access, std::uint64_t first, const AccessShape& shape) {
  if (access.lanes != shape.lanes || access.bytes != shape.bytes || phase_of(access, first) != shape.phase)
    return false;
  if ((access.space == Space::lds) == shape.pieces.empty()) return false;
  if (access.row != nullptr) {
    const std::uint32_t own = access.row[__builtin_ctzll(access.lanes)];
    // Differences modulo 2^32 are the addresses' where no sum wraps.
    const auto from = static_cast<std::int64_t>(access.space == Space::lds ? first : own);
    if (from + shape.lowest < 0 || from + shape.highest > 0xffffffff) return false;
    return same_differences(access.row, own, shape.relative.data(), shape.member.data());
  }
  for (std::uint64_t mask = access.lanes; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    const auto relative = static_cast<std::int32_t>(shape.relative[static_cast<std::size_t>(lane)]);
    if (access.address[lane] - first != static_cast<std::uint64_t>(std::int64_t{relative})) return false;
  }
  return true;
}

/// The words of 64 bytes that the runs touch.
void add_pieces(AccessShape& shape) {
  std::map<std::int64_t, std::uint64_t> words;
  for (const AccessShape::Run& run : shape.runs)
    for (std::int64_t at = shape.phase + run.begin, end = at + static_cast<std::int64_t>(run.bytes); at < end;) {
      const std::int64_t word = at >> 6, stop = std::min(end, (word + 1) * 64);
      const std::int64_t count = stop - at;
      words[word] |= low_bits(static_cast<std::uint64_t>(count)) << (at & 63);
      at = stop;
    }
  for (const auto& [word, bits] : words) {
    if (shape.pieces.empty() || shape.pieces.back().first + shape.pieces.back().words != word)
      shape.pieces.push_back({static_cast<std::int32_t>(word), 0});
    ++shape.pieces.back().words;
    shape.bits.push_back(bits);
  }
}

/// nullptr where the lanes are too far apart.
std::unique_ptr<AccessShape> shape_of(const Access& access, std::uint64_t first) {
  auto shape = std::make_unique<AccessShape>();
  shape->lanes = access.lanes, shape->bytes = access.bytes, shape->phase = phase_of(access, first);
  shape->relative.fill(0), shape->member.fill(0);
  for (std::uint64_t mask = access.lanes; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    const auto relative = static_cast<std::int64_t>(access.at(lane) - first);
    if (relative != static_cast<std::int32_t>(relative)) return nullptr;
    shape->relative[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(relative);
    shape->member[static_cast<std::size_t>(lane)] = ~0u;
    shape->lowest = std::min(shape->lowest, relative), shape->highest = std::max(shape->highest, relative);
  }
  for_each_run(access, [&](std::uint64_t at, std::uint64_t bytes) {
    shape->runs.push_back({static_cast<std::int64_t>(at - first), bytes});
    return false;
  });
  if (access.space == Space::lds) add_pieces(*shape);
  return shape;
}

}  // namespace

void ShapeCache::begin() {
  if (refused_ < patience) return;
  for (auto& shape : sets_) shape.reset();
  refused_ = 0;
}

const AccessShape* ShapeCache::find(const Access& access) {
  const int leading = __builtin_ctzll(access.lanes), last = 63 - __builtin_clzll(access.lanes);
  const std::uint64_t first = access.at(leading);
  std::uint64_t hash = access.lanes + access.bytes * 64 + phase_of(access, first);
  for (const int lane : {last, (leading + last) / 2}) {
    const bool takes_part = access.lanes >> lane & 1;
    hash = (hash ^ (takes_part ? access.at(lane) - first : 0)) * 0x9e3779b97f4a7c15u;
  }
  auto* const set = &sets_[(hash >> 40) % sets * ways];
  for (std::size_t way = 0; way < ways; ++way) {
    if (set[way] == nullptr) {
      set[way] = shape_of(access, first);
      return set[way].get();
    }
    if (has_shape(access, first, *set[way])) return set[way].get();
  }
  ++refused_;
  return nullptr;
}

}  // namespace zellige::sim
