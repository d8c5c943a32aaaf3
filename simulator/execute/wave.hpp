// The architectural state of one wave, and of the workgroup that it belongs to.
//
// Registers are structure-of-arrays: a vector register is a row of 64 consecutive 32-bit lanes (a wave32 uses the first
// 32), so that one host vector instruction handles 8 or 16 lanes. A 64-bit value is two rows, low word first.
// Member functions are always inlined: the files of handlers are compiled for several host instruction sets, and a shared
// out-of-line copy could hold instructions that the machine lacks.
#pragma once

#include <cstdint>

#include "simulator/execute/instruction.hpp"

namespace zellige::sim {

inline constexpr int row_lanes = 64;         ///< lanes a row holds, whatever the wave size
inline constexpr int first_agpr_row = 256;   ///< a0 is row 256 (gfx90a and later: one file, AGPRs legal in any vector operand)
inline constexpr int agpr_count = 256;
inline constexpr int vector_rows = 1024;     ///< rows that instructions can name: gfx1250 has 1024 VGPRs
inline constexpr int staging_row = 1024;     ///< where results wait for their output modifiers
inline constexpr int allocated_rows = 1032;  ///< rows that Wave::vector must hold

/// Scalar register numbers, the same on every target; the decoder maps names to them.
enum Scalar : std::uint16_t {
  scalar_flat_scratch = 102,  ///< gfx9 only: two registers
  scalar_xnack_mask = 104,    ///< gfx9 only: two registers
  scalar_vcc = 106,
  scalar_ttmp0 = 108,
  scalar_m0 = 124,
  scalar_null = 125,
  scalar_exec = 126,
  scalar_shared_base = 128,   ///< apertures, 64-bit: {0, aperture high word}
  scalar_private_base = 130,
  scalar_shared_limit = 132,
  scalar_private_limit = 134,
  scalar_vccz = 136,          ///< computed when read
  scalar_execz = 137,
  scalar_scc = 138,
  scalar_discard = 140,       ///< where compares that only write EXEC (gfx11 and later) leave their mask: two registers
  scalar_flat_scratch_base = 142,  ///< gfx1250: lane l's private memory begins here plus l << 52; elsewhere 0
  scalar_count = 144,
};

enum class WaveState : std::uint8_t { ready, at_barrier, ended, faulted };

struct Workgroup;
struct Program;

struct alignas(64) Wave {
  std::uint32_t* vector = nullptr;                   ///< allocated_rows rows of row_lanes words, 64-byte aligned
  std::uint32_t scalar[scalar_count] = {};           ///< EXEC and VCC live here
  std::uint32_t scc = 0;                             ///< 0 or 1

  // Copies of EXEC in the forms that handlers want; refresh_exec() restores them after any write to EXEC.
  bool exec_full = true;                             ///< every lane of the wave is active
  alignas(64) std::uint32_t exec_mask[row_lanes];    ///< all ones in active lanes, 0 in others

  std::uint32_t mode = 0x3f0;    ///< MODE register: rounding and denormal controls, as s_setreg writes it
  int lanes = 64;                ///< 32 or 64
  int id = 0;                    ///< wave number in its workgroup
  WaveState state = WaveState::ready;
  std::int8_t barrier = 0;       ///< at_barrier: the split barrier that it waits for (barrier.hpp), 0: s_barrier
  std::uint8_t passes = 0;       ///< split barriers that have completed since it last passed them
  const Instruction* next = nullptr;  ///< where to go on
  const Instruction* run_begin = nullptr;  ///< where the straight run that is being counted began; run() sets it
  std::uint64_t budget = 0;           ///< branches left before the wave yields, so that spinning waves let others run
  Workgroup* group = nullptr;
  std::uint8_t* scratch = nullptr;    ///< private memory: lane l's bytes start at scratch + l * scratch_bytes
  std::uint32_t scratch_bytes = 0;    ///< per lane

  [[gnu::always_inline]] std::uint32_t* row(int index) { return vector + index * row_lanes; }
  [[gnu::always_inline]] std::uint64_t scalar64(int index) const { return scalar[index] | std::uint64_t{scalar[index + 1]} << 32; }
  [[gnu::always_inline]] void set_scalar64(int index, std::uint64_t value) {
    scalar[index] = static_cast<std::uint32_t>(value);
    scalar[index + 1] = static_cast<std::uint32_t>(value >> 32);
  }
  [[gnu::always_inline]] std::uint64_t exec() const { return scalar64(scalar_exec); }
  /// A wave32 has no EXEC_HI: that it stays 0 lets exec() serve both sizes.
  [[gnu::always_inline]] void refresh_exec() {
    if (lanes == 32) scalar[scalar_exec + 1] = 0;
    const std::uint64_t mask = exec();
    exec_full = lanes == 64 ? mask == ~std::uint64_t{0} : static_cast<std::uint32_t>(mask) == ~std::uint32_t{0};
    for (int half = 0; half < 2; ++half) {
      const std::uint32_t word = scalar[scalar_exec + half];
      for (int lane = 0; lane < 32; ++lane) exec_mask[32 * half + lane] = 0u - (word >> lane & 1);
    }
  }
};

}  // namespace zellige::sim
