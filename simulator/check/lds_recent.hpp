// What the waves of a workgroup did to LDS since a barrier ordered all that came before: the quick part of its shadow.
//
// Law: a bit a byte says which waves may have touched it. An access whose bytes no other wave has touched in a way that
// could conflict is merely noted; any other one must be looked at exactly (lds_shadow.hpp), after the notes have gone
// over to the exact shadow in their order. What a barrier has ordered before all that any wave can still do is
// forgotten. So the outcome is the exact shadow's, byte for byte, and mostly that is never asked.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/check/access_shape.hpp"
#include "simulator/check/lds_shadow.hpp"

namespace zellige::sim {

class LdsRecent {
 public:
  void begin(std::uint32_t bytes, int waves);

  /// Notes an access whose first lane is at `first`. False: it is not noted, but to be looked at exactly.
  bool note(const AccessShape& shape, std::uint64_t first, const LdsUse& use);
  /// The access is looked at exactly: `shadow` gets the notes, and whoever touches its bytes is looked at exactly too.
  void hand_over(std::uint32_t address, std::uint32_t bytes, const LdsUse& use, LdsShadow& shadow);
  /// Every wave of the group will, before it does anything else, know `known` to come before it.
  void forget(const GroupClock& known, LdsShadow& shadow);

 private:
  struct Note {
    const AccessShape* shape;
    std::uint32_t first;
    LdsUse use;
  };
  static constexpr std::size_t most_notes = 4096;

  // Planes of bits: bytes written by some wave; those to be looked at exactly; read by some wave; read by more than
  // one; then of each wave the bytes that it has written, and read.
  enum Plane { written, exact, read, shared, of_wave };
  std::uint64_t* plane(int number) { return bits_.data() + static_cast<std::size_t>(number) * words_; }
  std::uint64_t* written_by(int wave) { return plane(of_wave + 2 * wave); }
  std::uint64_t* read_by(int wave) { return plane(of_wave + 2 * wave + 1); }

  bool is_free(const AccessShape& shape, std::uint32_t first, const LdsUse& use);
  void mark(const AccessShape& shape, std::uint32_t first, const LdsUse& use);
  void clear_bits();
  void drain(LdsShadow& shadow);

  std::uint32_t bytes_ = 0;
  int waves_ = 0;
  std::size_t words_ = 0;
  std::uint32_t low_ = ~0u, high_ = 0;  ///< words that may have bits
  std::vector<std::uint64_t> bits_;
  std::vector<Note> notes_;
  std::vector<WaveProgress> newest_;  ///< of each wave: its newest operation here or in the exact shadow
  bool shadow_used_ = false;
};

}  // namespace zellige::sim
