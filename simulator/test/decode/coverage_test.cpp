// Every scalar and vector opcode that LLVM's tables hold for a target has an operation here, but for a list of names.
//
// The opcodes are found by disassembling every value of each encoding's opcode field.
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "simulator/decode/bind.hpp"
#include "simulator/decode/text.hpp"

namespace zellige::sim {
namespace {

struct EncodingSpace {
  std::uint64_t base;
  int shift, count;
};
constexpr std::uint64_t vop3_sources = (0x104ull | 0x106ull << 9 | 0x108ull << 18) << 32;
constexpr EncodingSpace spaces_gfx9[] = {
    {0x7e0c0102, 9, 256},                                          // VOP1
    {0x3f80'0000'0000'0000 | 6u << 17 | 4u << 9 | 0x102, 25, 62},  // VOP2
    {0x7c000902, 17, 256},                                         // VOPC
    {0xd0000004 | vop3_sources, 16, 896},                          // VOP3
    {0xd3800004 | vop3_sources, 16, 128},                          // VOP3P
    {0xbe840008, 8, 256},                                          // SOP1
    {0x8004080c, 23, 96},                                          // SOP2
    {0xb0041001, 23, 28},                                          // SOPK
    {0xbf00080c, 16, 128},                                         // SOPC
    {0xbf800001, 16, 128},                                         // SOPP
    {0xc0020104 | 0x10ull << 32, 18, 256},                         // SMEM
};

constexpr EncodingSpace spaces_gfx11[] = {
    {0x7e0c0102, 9, 256},                                          // VOP1
    {0x3f80'0000'0000'0000 | 6u << 17 | 4u << 9 | 0x102, 25, 62},  // VOP2
    {0x7c000902, 17, 256},                                         // VOPC
    {0xd4000004 | vop3_sources, 16, 1024},                         // VOP3
    {0xd4006a04 | vop3_sources, 16, 1024},                         // VOP3 with a scalar destination
    {0xcc004004 | vop3_sources | 0x18ull << 56, 16, 128},          // VOP3P
    {0xbe840008, 8, 256},                                          // SOP1
    {0x8004080c, 23, 96},                                          // SOP2
    {0xb0041001, 23, 28},                                          // SOPK
    {0xbf00080c, 16, 128},                                         // SOPC
    {0xbf800001, 16, 128},                                         // SOPP
};
/// Scalar memory. gfx12 and later encode it otherwise; the tests of memory instructions go through theirs.
constexpr EncodingSpace smem_gfx11 = {0xf4000104 | 0xf8000000ull << 32, 18, 64};

std::vector<EncodingSpace> spaces_of(std::string_view target) {
  if (generation_of(target) == generation_gfx9) return {std::begin(spaces_gfx9), std::end(spaces_gfx9)};
  std::vector<EncodingSpace> all(std::begin(spaces_gfx11), std::end(spaces_gfx11));
  if (!(generation_of(target) & gfx12_up)) all.push_back(smem_gfx11);
  return all;
}

/// Debugging, graphics, interrupts and tracing; scalar atomics and scalar scratch, which compilers do not emit; named
/// barriers, dynamic allocation of registers and conversions with packed scales, which only builtins ask for.
bool is_left_out(std::string_view mnemonic) {
  for (const char* prefix :
       {"s_atomic_", "s_buffer_atomic_", "s_scratch_", "s_atc_probe", "s_dcache_discard", "s_cbranch_cdbg",
        "s_subvector_loop_", "s_cbranch_g_fork", "s_cbranch_i_fork", "s_cbranch_join", "s_rfe", "v_cvt_scale_pk",
        "v_interp", "v_mfma_ld_scale", "v_screen_partition"})
    if (mnemonic.starts_with(prefix)) return true;
  for (const char* name : {"s_alloc_vgpr", "s_barrier_init", "s_barrier_join", "s_barrier_leave", "s_get_barrier_state",
                           "s_wakeup_barrier", "s_setvskip", "s_setkill", "s_sethalt", "s_sendmsghalt", "v_clrexcp"})
    if (mnemonic == name) return true;
  return false;
}

class Coverage : public testing::TestWithParam<const char*> {};

TEST_P(Coverage, EveryScalarAndVectorOpcodeHasAnOperation) {
  const std::string target = GetParam();
  const int lanes = generation_of(target) == generation_gfx9 ? 64 : 32;
  const Disassembler disassembler(target, lanes);
  std::set<std::string> known, missing;
  for (const EncodingSpace& space : spaces_of(target)) {
    for (int opcode = 0; opcode < space.count; ++opcode) {
      const std::uint64_t word = space.base | static_cast<std::uint64_t>(opcode) << space.shift;
      std::uint8_t bytes[16] = {};
      std::memcpy(bytes, &word, sizeof word);
      const Disassembled read = disassembler.read(bytes, sizeof bytes, 0x1000);
      if (read.size == 0) continue;
      const std::string mnemonic(cut(std::string_view(read.text).substr(0, read.text.find(' '))).mnemonic);
      (find_operation(mnemonic, target, lanes) != nullptr ? known : missing).insert(mnemonic);
    }
  }
  std::string unexpected;
  for (const std::string& name : missing)
    if (!is_left_out(name)) unexpected += name + " ";
  EXPECT_EQ(unexpected, "");
  EXPECT_GT(known.size(), 640u);
  RecordProperty("known", static_cast<int>(known.size()));
  RecordProperty("missing", static_cast<int>(missing.size()));
}

INSTANTIATE_TEST_SUITE_P(Targets, Coverage,
                         testing::Values("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1151", "gfx1201", "gfx1250"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace zellige::sim
