// The form of an access: where the bytes of its lanes lie relative to the first lane's, worked out once.
//
// Law: kernels repeat few forms in their loops, so that comparing an access with a form that was met costs far less
// than looking at its lanes one by one. A shape is found only for an access that has exactly its form: the same lanes,
// widths and differences of addresses. An access without a shape is looked at lane by lane.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/check/access.hpp"

namespace zellige::sim {

struct AccessShape {
  /// Bytes [first + begin, first + begin + bytes) of an access whose first lane is at `first`.
  struct Run {
    std::int64_t begin;
    std::uint64_t bytes;
  };
  /// Of LDS: consecutive words of 64 bytes that hold bytes of the access, counted from the first lane's word.
  struct Piece {
    std::int32_t first;
    std::uint32_t words;
  };

  std::uint64_t lanes = 0;
  std::uint32_t bytes = 0;
  std::uint32_t phase = 0;                        ///< of LDS: the first lane's address modulo 64
  std::int64_t lowest = 0, highest = 0;           ///< of the lanes' differences to the first
  std::array<std::uint32_t, row_lanes> relative;  ///< differences modulo 2^32; 0 of lanes that do not take part
  std::array<std::uint32_t, row_lanes> member;    ///< all ones of lanes that take part
  std::vector<Run> runs;                          ///< as for_each_run() tells them
  std::vector<Piece> pieces;                      ///< of LDS
  std::vector<std::uint64_t> bits;                ///< of the pieces, one after another: a bit a byte

  /// Whether all of it lies in [0, size) when the first lane is at `first`.
  bool lies_in(std::uint64_t first, std::uint64_t size) const {
    if (first >= size) return false;
    const auto at = static_cast<std::int64_t>(first);
    return at + lowest >= 0 && at + highest + bytes <= static_cast<std::int64_t>(size);
  }
};

/// Calls body(address, bytes) for every run of bytes that lanes, in ascending order, touch one after another. Stops
/// when it returns true.
template <class Body>
bool for_each_run(const Access& access, Body body) {
  std::uint64_t begin = 0, end = 0, last = 0, told_begin = 0, told_end = 0;
  // Lanes that repeat the run before, as rows of lanes do that share data, add nothing.
  const auto tell = [&] {
    if (end == begin || (begin == told_begin && end == told_end)) return false;
    told_begin = begin, told_end = end;
    return body(begin, end - begin);
  };
  for (std::uint64_t mask = access.lanes; mask != 0; mask &= mask - 1) {
    const std::uint64_t at = access.at(__builtin_ctzll(mask));
    if (at == end && end != 0) {
      end += access.bytes;
    } else if (at != last || end == 0) {
      if (tell()) return true;
      begin = at;
      end = at + access.bytes;
    }
    last = at;
  }
  return tell();
}

/// The shapes that a workgroup's accesses have had, and those of workgroups before it.
class ShapeCache {
 public:
  ShapeCache() : sets_(sets * ways) {}
  /// Shapes found before are forgotten if they seem to be those of another kernel.
  void begin();
  /// The access's shape, which lives until begin(); nullptr: there is no room for another one.
  const AccessShape* find(const Access& access);

 private:
  static constexpr std::size_t sets = 512, ways = 4;
  static constexpr std::uint64_t patience = 16 * sets * ways;

  std::vector<std::unique_ptr<AccessShape>> sets_;
  std::uint64_t refused_ = 0;
};

}  // namespace zellige::sim
