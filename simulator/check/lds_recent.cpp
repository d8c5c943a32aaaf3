// Noting accesses of LDS and forgetting them at barriers; lds_recent.hpp states the law.
#include "simulator/check/lds_recent.hpp"

#include <algorithm>

#include "simulator/check/word_loops.hpp"
#include "simulator/memory/low_bits.hpp"

namespace zellige::sim {
namespace {

/// Calls body(word, bits, count) for every piece.
template <class Body>
void for_each_piece(const AccessShape& shape, std::uint32_t first, Body body) {
  const std::uint64_t* bits = shape.bits.data();
  for (const AccessShape::Piece& piece : shape.pieces) {
    body(static_cast<std::uint32_t>(static_cast<std::int32_t>(first / 64) + piece.first), bits, piece.words);
    bits += piece.words;
  }
}

bool reads(const LdsUse& use) { return use.use == RaceUse::read; }

}  // namespace

void LdsRecent::begin(std::uint32_t bytes, int waves) {
  const std::size_t words = (bytes + 63) / 64;
  if (words != words_ || waves != waves_) {
    bits_.assign(words * static_cast<std::size_t>(of_wave + 2 * waves), 0);
    words_ = words, waves_ = waves;
    low_ = ~0u, high_ = 0;
  } else {
    clear_bits();
  }
  bytes_ = bytes;
  notes_.clear();
  newest_.assign(static_cast<std::size_t>(waves), {});
  shadow_used_ = false;
}

void LdsRecent::clear_bits() {
  if (low_ < high_)
    for (int number = 0; number < of_wave + 2 * waves_; ++number)
      std::fill(plane(number) + low_, plane(number) + high_, std::uint64_t{0});
  low_ = ~0u, high_ = 0;
}

/// Whether no byte of the access was touched in a way that may conflict with it.
bool LdsRecent::is_free(const AccessShape& shape, std::uint32_t first, const LdsUse& use) {
  std::uint64_t met = 0;
  for_each_piece(shape, first, [&](std::uint32_t at, const std::uint64_t* bits, std::uint32_t count) {
    const std::uint64_t *any = plane(written) + at, *own = written_by(use.wave) + at, *must = plane(exact) + at;
    met |= reads(use) ? met_by_read(bits, any, own, must, count)
                      : met_by_write(bits, any, own, plane(read) + at, read_by(use.wave) + at, plane(shared) + at, must,
                                     count);
  });
  return met == 0;
}

void LdsRecent::mark(const AccessShape& shape, std::uint32_t first, const LdsUse& use) {
  for_each_piece(shape, first, [&](std::uint32_t at, const std::uint64_t* bits, std::uint32_t count) {
    low_ = std::min(low_, at), high_ = std::max(high_, at + count);
    if (reads(use)) {
      mark_read(bits, plane(read) + at, read_by(use.wave) + at, plane(shared) + at, count);
    } else {
      set_bits(bits, plane(written) + at, count);
      set_bits(bits, written_by(use.wave) + at, count);
    }
    // Copies are not in order with the LDS instructions of their own wave.
    if (use.part != Part::lds) set_bits(bits, plane(exact) + at, count);
  });
}

bool LdsRecent::note(const AccessShape& shape, std::uint64_t address, const LdsUse& use) {
  if (use.use == RaceUse::atomic || !shape.lies_in(address, bytes_)) return false;
  const auto first = static_cast<std::uint32_t>(address);
  if (notes_.size() >= most_notes || !is_free(shape, first, use)) return false;
  // A wave's own LDS instructions are in order, and with its copies if these have been waited for.
  if (waves_ == 1 && use.part == Part::lds) return true;
  mark(shape, first, use);
  std::uint32_t& newest = newest_[static_cast<std::size_t>(use.wave)][use.part];
  newest = std::max(newest, use.number);
  notes_.push_back({&shape, first, use});
  return true;
}

void LdsRecent::drain(LdsShadow& shadow) {
  static const GroupClock nobody(256);
  for (const Note& note : notes_)
    for (const AccessShape::Run& run : note.shape->runs)
      shadow.access(static_cast<std::uint32_t>(note.first + run.begin), static_cast<std::uint32_t>(run.bytes), note.use,
                    nobody, [](const LdsConflict&) { return true; });
  shadow_used_ |= !notes_.empty();
  notes_.clear();
}

void LdsRecent::hand_over(std::uint32_t address, std::uint32_t bytes, const LdsUse& use, LdsShadow& shadow) {
  drain(shadow);
  shadow_used_ = true;
  std::uint32_t& newest = newest_[static_cast<std::size_t>(use.wave)][use.part];
  newest = std::max(newest, use.number);
  const std::uint32_t end = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{address} + bytes, bytes_));
  for (std::uint32_t at = address; at < end;) {
    const std::uint32_t stop = std::min(end, (at / 64 + 1) * 64), count = stop - at;
    plane(exact)[at / 64] |= low_bits(count) << at % 64;
    low_ = std::min(low_, at / 64), high_ = std::max(high_, at / 64 + 1);
    at = stop;
  }
}

void LdsRecent::forget(const GroupClock& known, LdsShadow& shadow) {
  const auto is_known = [&](int wave, Part part, std::uint32_t number) {
    return number <= known[static_cast<std::size_t>(wave)][part];
  };
  const auto all_of = [&](int wave) {
    for (int part = 0; part < static_cast<int>(Part::count); ++part)
      if (!is_known(wave, static_cast<Part>(part), newest_[static_cast<std::size_t>(wave)].at[part])) return false;
    return true;
  };
  bool all = true;
  for (int wave = 0; wave < waves_ && all; ++wave) all = all_of(wave);
  if (!all && shadow_used_) return;  // the exact shadow goes on knowing
  if (shadow_used_) shadow.restart();
  shadow_used_ = false;
  clear_bits();
  std::erase_if(notes_, [&](const Note& note) { return is_known(note.use.wave, note.use.part, note.use.number); });
  for (const Note& note : notes_) mark(*note.shape, note.first, note.use);
}

}  // namespace zellige::sim
