// Every vector and scalar ALU operation gives the same bits on every host instruction set that this machine has.
//
// Each table row runs on the same random registers through the generic handlers and the others; all registers must
// agree. A NaN result may differ in its payload, which hosts choose differently.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "simulator/execute/host_sets.hpp"
#include "simulator/execute/wave.hpp"
#include "simulator/execute/workgroup.hpp"

namespace zellige::sim {

namespace {

struct State {
  std::unique_ptr<std::uint32_t, void (*)(void*)> rows{
      static_cast<std::uint32_t*>(std::aligned_alloc(64, allocated_rows* row_lanes * 4)), &std::free};
  Wave wave;
};

constexpr int used_rows = 24;

void fill(State& state, int lanes, std::uint64_t seed, std::uint64_t exec) {
  std::mt19937_64 random(seed);
  std::memset(state.rows.get(), 0, allocated_rows * row_lanes * 4);
  state.wave = Wave{};
  state.wave.lanes = lanes;
  state.wave.vector = state.rows.get();
  for (int i = 0; i < used_rows * row_lanes; ++i) {
    const std::uint64_t word = random();
    // Half of the words are numbers of ordinary size, as f32 and as pairs of f16; the rest are anything.
    state.rows.get()[i] = word >> 40 & 1   ? static_cast<std::uint32_t>(word)
                          : word >> 41 & 1 ? 0x3c003c00u + (word & 0x07ff07ffu)
                                           : (0x3f800000u ^ (word & 0x80ffffffu));
  }
  for (int i = 0; i < 100; ++i) state.wave.scalar[i] = static_cast<std::uint32_t>(random());
  state.wave.set_scalar64(scalar_vcc, random());
  state.wave.scc = random() & 1;
  state.wave.set_scalar64(scalar_exec, exec);
  state.wave.refresh_exec();
}

int registers(ValueType type) {
  switch (type) {
    case ValueType::b64:
    case ValueType::i64:
    case ValueType::u64:
    case ValueType::f64:
    case ValueType::packed_f32:
    case ValueType::mask:
      return 2;
    case ValueType::b128:
      return 4;
    default:
      return 1;
  }
}

Operand operand(ValueType type, bool scalar, int position) {
  Operand result;
  result.type = type;
  if (type == ValueType::none) return result;
  result.kind = scalar || type == ValueType::mask ? OperandKind::scalar : OperandKind::vector;
  result.index = static_cast<std::uint16_t>(4 * position);
  result.words = static_cast<std::uint8_t>(registers(type));
  if (type == ValueType::packed_f16 || type == ValueType::packed_i16 || type == ValueType::packed_bf16 ||
      type == ValueType::packed_f32)
    result.modifiers = modifier_op_sel_high;
  return result;
}

Instruction instruction_of(const Operation& operation) {
  // v_s_*: vector encodings that work on scalars. v_permlane*: what follows the value says which lanes, as scalars.
  const bool scalar = operation.op_class == OpClass::salu || operation.mnemonic.starts_with("v_s_");
  const bool names_lanes =
      operation.mnemonic.starts_with("v_permlane") && operation.mnemonic.find("_var") == std::string_view::npos;
  const bool reads_lane = operation.mnemonic == "v_readlane_b32" || operation.mnemonic == "v_readfirstlane_b32";
  Instruction instruction;
  instruction.offset = 0x5a;
  instruction.flags = operation.flags;
  instruction.dst = operand(operation.dst, scalar || reads_lane, 4);
  instruction.dst2 = operand(operation.dst2, true, 5);
  for (int k = 0; k < 4; ++k)
    instruction.src[k] =
        operand(operation.src[k],
                scalar || (operation.mnemonic == "v_writelane_b32") || ((reads_lane || names_lanes) && k >= 1), k);
  return instruction;
}

/// Computes registers from registers: what asks the workgroup, the program or MODE has no place in this test.
bool is_alu(const Operation& operation) {
  for (const std::string_view prefix : {"(", "s_movrel", "s_getpc", "s_getreg", "s_setreg", "s_get_shader_cycles",
                                        "s_sendmsg_rtn", "s_round_mode", "s_denorm_mode"})
    if (operation.mnemonic.starts_with(prefix)) return false;
  return operation.op_class == OpClass::valu || operation.op_class == OpClass::valu_transcendental ||
         operation.op_class == OpClass::valu_double || operation.op_class == OpClass::salu;
}

bool nan_word(std::uint32_t x) { return (x & 0x7fffffff) > 0x7f800000; }
bool nan_halves(std::uint32_t x, std::uint32_t y) {
  for (int shift = 0; shift < 32; shift += 16)
    if ((x >> shift & 0xffff) != (y >> shift & 0xffff) &&
        !((x >> shift & 0x7fff) > 0x7c00 && (y >> shift & 0x7fff) > 0x7c00))
      return false;
  return true;
}
bool nan_double(std::uint32_t high) { return (high & 0x7fffffff) >= 0x7ff00000; }

class HostInstructionSets : public testing::TestWithParam<int> {};

TEST_P(HostInstructionSets, AgreeOnEveryAluOperation) {
  const int lanes = GetParam();
  OperationTable reference[most_tables], other[most_tables];
  const int tables = host_sets().back().tables(lanes, reference);
  State a, b;
  int checked = 0;
  for (const HostSet& set : host_sets()) {
    if (!set.present || set.name == "generic") continue;
    ASSERT_EQ(set.tables(lanes, other), tables);
    for (int table = 0; table < tables; ++table) {
      ASSERT_EQ(reference[table].count, other[table].count);
      for (std::size_t row = 0; row < reference[table].count; ++row) {
        const Operation& expected = reference[table].begin[row];
        const Operation& actual = other[table].begin[row];
        ASSERT_EQ(expected.mnemonic, actual.mnemonic);
        if (!is_alu(expected)) continue;
        const Handler pairs[][2] = {{expected.plain, actual.plain},
                                    {expected.with_signs, actual.with_signs},
                                    {expected.clamped, actual.clamped}};
        for (const auto& pair : pairs) {
          if (pair[0] == nullptr) continue;
          ++checked;
          Instruction instruction = instruction_of(expected);
          if (pair[0] == expected.with_signs) {
            instruction.src[0].modifiers |= modifier_negate;
            instruction.src[1].modifiers |= modifier_absolute;
          }
          for (std::uint64_t round = 0; round < 6; ++round) {
            const std::uint64_t exec = round % 2 == 0 ? ~std::uint64_t{0} : 0x8421'00ff'3c3c'f00d;
            fill(a, lanes, 1000 + round, exec);
            fill(b, lanes, 1000 + round, exec);
            pair[0](a.wave, &instruction);
            pair[1](b.wave, &instruction);
            EXPECT_EQ(std::memcmp(a.wave.scalar, b.wave.scalar, sizeof a.wave.scalar), 0)
                << set.name << " " << expected.mnemonic << " scalars";
            EXPECT_EQ(a.wave.scc, b.wave.scc) << set.name << " " << expected.mnemonic;
            int wrong = 0;
            for (int i = 0; i < used_rows * row_lanes && wrong < 2; ++i) {
              const std::uint32_t x = a.rows.get()[i], y = b.rows.get()[i];
              if (x == y || (nan_word(x) && nan_word(y)) || nan_halves(x, y)) continue;
              const bool wide = expected.dst == ValueType::f64;
              if (wide && nan_double(a.rows.get()[i | row_lanes]) && nan_double(b.rows.get()[i | row_lanes])) continue;
              ++wrong;
              ADD_FAILURE() << set.name << " " << expected.mnemonic << std::hex << ": register " << i / row_lanes
                            << " lane " << i % row_lanes << " is 0x" << y << ", 0x" << x << " on generic";
            }
          }
        }
      }
    }
  }
  if (checked == 0) GTEST_SKIP() << "this machine has only the generic instruction set";
  EXPECT_GT(checked, 600);
}

INSTANTIATE_TEST_SUITE_P(WaveSizes, HostInstructionSets, testing::Values(32, 64),
                         [](const auto& info) { return "Wave" + std::to_string(info.param); });

}  // namespace
}  // namespace zellige::sim
