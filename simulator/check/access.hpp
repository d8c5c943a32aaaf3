// What memory an instruction is about to touch: space, address and bytes of every lane, before it runs.
//
// Law: addresses are those that the handler will use, whether they are legal or not; nothing here reads memory other
// than registers. A buffer's lanes and dwords that are out of the descriptor's range are left out, as the hardware
// drops them; so are components of typed elements and registers of blocks that the instruction does not move. An
// instruction belongs to the producer that the table in access.cpp gives to its mnemonic's beginning; operands are
// where operation.hpp says.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/execute/global_bounds.hpp"
#include "simulator/execute/operation.hpp"
#include "simulator/execute/workgroup.hpp"

namespace zellige::sim {

enum class Space : std::uint8_t {
  global,   ///< addresses are host addresses
  lds,      ///< byte offsets in the workgroup's LDS
  scratch,  ///< byte offsets in the lane's own scratch
};

struct AccessShape;

/// One access of all its lanes. What `address` holds of lanes that are not in `lanes` means nothing.
struct Access {
  Space space;
  AccessKind kind;
  bool scalar;               ///< the wave's, not the lanes': told as lane 0, which may be inactive
  std::uint8_t word;         ///< scratch: the word of the data or the destination that the first bytes are
  std::uint32_t bytes;       ///< of a lane, contiguous; at most 64
  std::uint64_t lanes;       ///< bit l: lane l takes part
  const std::uint32_t* row;  ///< nullptr, or a vector register that tells the addresses with `common`
  std::uint64_t common;
  const AccessShape* shape;  ///< found for the check's sake; nullptr: none
  std::uint64_t address[row_lanes];

  /// Where lane `lane` begins.
  std::uint64_t at(int lane) const {
    if (row == nullptr) return address[lane];
    const std::uint64_t sum = common + row[lane];
    return space == Space::lds ? sum & 0xffffffff : sum;  // sums of LDS wrap
  }
  std::uint64_t first() const { return at(__builtin_ctzll(lanes)); }
};

/// What a copy touches that no lane does (gfx1250's tensor copies): [begin, begin + bytes).
struct AccessRange {
  Space space;
  AccessKind kind;
  std::uint64_t begin, bytes;
};

/// The accesses of one instruction. Two of read2 and write2, one a space of a flat instruction, the load and the store
/// of a copy from global memory to LDS (in this order), up to four lengths of a buffer access over the end, and up to
/// sixteen runs of a block's registers.
struct AccessList {
  static constexpr int most = 16;
  int count = 0;
  std::uint32_t words = ~0u;        ///< bit w: word w of the data (loads: the destination) is moved
  std::vector<AccessRange> ranges;  ///< of copies that have no lanes
  Access items[most];

  AccessList() {}  // the items stay uninitialised: this is 9 KB of stack
  Access& add(Space space, AccessKind kind, std::uint32_t bytes, std::uint64_t lanes) {
    Access& access = items[count++];
    access.space = space, access.kind = kind, access.bytes = bytes, access.lanes = lanes, access.scalar = false;
    access.word = 0, access.row = nullptr, access.shape = nullptr;
    return access;
  }
  Access* begin() { return items; }
  Access* end() { return items + count; }
  const Access* begin() const { return items; }
  const Access* end() const { return items + count; }
};

struct AccessPlan;
using AccessProducer = void (*)(const AccessPlan&, const Wave&, const Instruction*, AccessList&);

/// How to find an instruction's accesses, worked out when it is decoded. producer = nullptr: it has none.
struct AccessPlan {
  AccessProducer producer = nullptr;
  AccessKind kind = AccessKind::load;
  std::uint32_t bytes = 0;   ///< of one access; of typed elements and blocks the most that it can be
  std::int8_t address = -1;  ///< positions in Instruction::src, -1: none
  std::int8_t base = -1;     ///< scalar base, or descriptor
  std::int8_t scalar_offset = -1;
  std::int8_t lds_address = -1;       ///< of copies that name both addresses
  std::int8_t data = -1, data2 = -1;  ///< what a store or atomic writes
  bool returns_to_data = false;       ///< the old value goes to the data's registers (buffer atomics)
  bool indivisible = false;           ///< buffers: a lane's access is in range as a whole or not at all
  AccessProducer whole = nullptr;     ///< typed elements and blocks: tells the access that theirs are parts of
  bool format_in_text = false;        ///< typed elements: the format is Instruction::offset2, else the descriptor's
  bool halves = false;                ///< typed elements: two components a register
  std::uint8_t components = 0;        ///< typed elements: that the instruction names
};

/// The plan of `instruction`, which `operation` was bound to.
AccessPlan access_plan(const Operation& operation, const Instruction& instruction);

}  // namespace zellige::sim
