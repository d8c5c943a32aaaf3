// The decoder: each operand and modifier form, literals by the type that reads them, reachable code, and its refusals.
#include <gtest/gtest.h>

#include "simulator/decode/bind.hpp"
#include "simulator/decode/text.hpp"
#include "simulator/test/execute/assembly_machine.hpp"

namespace zellige::sim::test {
namespace {

/// The first instruction of `text`.
class Decoded {
 public:
  Decoded(const std::string& target, const std::string& text) {
    const auto code = assemble(target, text + "\ns_endpgm\n");
    program_ = decode(target, 64, code.data(), 0x1000, code.size(), 0x1000, "test");
  }
  explicit Decoded(const std::string& text) : Decoded("gfx942", text) {}
  const Instruction* operator->() const { return program_->entry; }
  const Instruction& operator*() const { return *program_->entry; }
  const Program& program() const { return *program_; }

 private:
  std::unique_ptr<Program> program_;
};

TEST(Decode, RegistersOfEveryFile) {
  const Decoded add("v_add_f32 v7, s3, v255");
  EXPECT_EQ(add->dst.kind, OperandKind::vector);
  EXPECT_EQ(add->dst.index, 7);
  EXPECT_EQ(add->src[0].kind, OperandKind::scalar);
  EXPECT_EQ(add->src[0].index, 3);
  EXPECT_EQ(add->src[1].index, 255);
  EXPECT_EQ(Decoded("v_accvgpr_read_b32 v0, a9")->src[0].index, first_agpr_row + 9);
  EXPECT_EQ(Decoded("ds_read_b64 a[68:69], v0")->dst.index, first_agpr_row + 68);
  const Decoded wide("s_load_dwordx16 s[16:31], s[2:3], 0x40");
  EXPECT_EQ(wide->dst.index, 16);
  EXPECT_EQ(wide->dst.words, 16);
  EXPECT_EQ(wide->src[1].constant(), 0x40u);
  EXPECT_EQ(Decoded("s_mov_b64 s[0:1], vcc")->src[0].index, scalar_vcc);
  EXPECT_EQ(Decoded("s_mov_b32 m0, s1")->dst.index, scalar_m0);
  EXPECT_EQ(Decoded("s_mov_b32 s0, ttmp9")->src[0].index, scalar_ttmp0 + 9);
  EXPECT_EQ(Decoded("s_mov_b64 s[0:1], src_shared_base")->src[0].index, scalar_shared_base);
  EXPECT_EQ(Decoded("s_mov_b32 s0, flat_scratch_hi")->src[0].index, scalar_flat_scratch + 1);
  EXPECT_NE(Decoded("s_mov_b64 exec, s[0:1]")->flags & flag_writes_exec, 0u);
  EXPECT_EQ(Decoded("s_mov_b64 vcc, s[0:1]")->flags & flag_writes_exec, 0u);
}

TEST(Decode, LiteralsByTheTypeThatReadsThem) {
  const auto constant = [](const std::string& text, int source = 0) { return Decoded(text)->src[source].constant(); };
  EXPECT_EQ(constant("v_add_f32 v0, 1.0, v1"), 0x3f800000u);
  EXPECT_EQ(constant("v_add_f32 v0, 0.15915494, v1"), 0x3e22f983u);
  EXPECT_EQ(constant("v_add_f32 v0, 0x40490fdb, v1"), 0x40490fdbu);
  EXPECT_EQ(constant("v_add_f32 v0, -4, v1"), 0xfffffffcu);
  EXPECT_EQ(constant("v_add_f16 v0, 1.0, v1"), 0x3c00u);
  EXPECT_EQ(constant("v_add_f16 v0, -4.0, v1"), 0xc400u);
  EXPECT_EQ(constant("v_add_f16 v0, 0.15915494, v1"), 0x3118u);
  EXPECT_EQ(constant("v_add_f16 v0, 0x3c66, v1"), 0x3c66u);
  EXPECT_EQ(constant("v_add_f64 v[0:1], v[2:3], 1.0", 1), 0x3ff0000000000000u);
  EXPECT_EQ(constant("v_add_f64 v[0:1], v[2:3], 5", 1), 5u);
  EXPECT_EQ(constant("v_add_f64 v[0:1], v[2:3], -5", 1), ~std::uint64_t{0} - 4);
  EXPECT_EQ(constant("v_ceil_f64 v[0:1], 0x40590000"), 0x4059000000000000u);
  EXPECT_EQ(constant("s_mov_b64 s[0:1], -1"), ~std::uint64_t{0});
  EXPECT_EQ(constant("s_mov_b64 s[0:1], 0xfffffff0"), 0xfffffff0u);
  EXPECT_EQ(constant("s_ashr_i64 s[0:1], -3, 1"), ~std::uint64_t{0} - 2);
  EXPECT_EQ(constant("s_movk_i32 s0, -5"), 0xfffffffbu);
  EXPECT_EQ(constant("s_cmpk_eq_u32 s0, 0xffff", 1), 0xffffu);
  EXPECT_EQ(constant("s_cmpk_eq_i32 s0, 0xffff", 1), 0xffffffffu);
  EXPECT_EQ(constant("v_pk_add_f16 v0, v1, 1.0 op_sel_hi:[1,0]", 1), 0x3c00u);
  EXPECT_EQ(constant("v_pk_mul_f32 v[0:1], v[2:3], 2.0 op_sel_hi:[1,0]", 1) & 0xffffffffu, 0x40000000u);
  EXPECT_EQ(constant_bits("lit(0x12345678)", ValueType::b32), 0x12345678u) << "a forced literal";
  EXPECT_EQ(constant_bits("lit64(0x123456789)", ValueType::b64), 0x123456789u);
  const Decoded matrix("v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], 1.0 cbsz:1 abid:2 blgp:3");
  EXPECT_EQ(matrix->src[2].rows[0], 0x3f800000u);
  EXPECT_EQ(matrix->offset2, 1 | 2 << 8 | 3 << 16);
  for (int lane = 0; lane < row_lanes; ++lane) EXPECT_EQ(matrix->src[2].rows[lane], 0x3f800000u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(matrix->src[2].rows) % 64, 0u);
}

TEST(Decode, Modifiers) {
  const Decoded signs("v_fma_f32 v0, -v1, |v2|, -|v3| clamp mul:2");
  EXPECT_EQ(signs->src[0].modifiers, modifier_negate);
  EXPECT_EQ(signs->src[1].modifiers, modifier_absolute);
  EXPECT_EQ(signs->src[2].modifiers, modifier_negate | modifier_absolute);
  EXPECT_EQ(signs->out_modifier, 1);
  EXPECT_NE(signs->flags & flag_float_clamp, 0u);
  EXPECT_EQ(Decoded("v_add_f32_e64 v0, neg(1.0), v1")->src[0].modifiers, modifier_negate);
  EXPECT_EQ(Decoded("v_add_f32_e64 v0, -1.0, v1")->src[0].modifiers, 0);
  const Decoded packed("v_pk_fma_f16 v0, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[0,1,1] neg_lo:[0,1,0] neg_hi:[0,0,1]");
  EXPECT_EQ(packed->src[0].modifiers, modifier_op_sel);
  EXPECT_EQ(packed->src[1].modifiers, modifier_op_sel_high | modifier_negate);
  EXPECT_EQ(packed->src[2].modifiers, modifier_op_sel_high | modifier_negate_high);
  const Decoded sdwa(
      "v_add_u16_sdwa v0, v1, sext(v2) dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:BYTE_2");
  EXPECT_EQ(sdwa->sdwa_dst, SdwaSelect::byte_1);
  EXPECT_EQ(sdwa->sdwa_unused, SdwaUnused::preserve);
  EXPECT_EQ(static_cast<SdwaSelect>(sdwa->src[0].select), SdwaSelect::word_1);
  EXPECT_EQ(static_cast<SdwaSelect>(sdwa->src[1].select), SdwaSelect::byte_2);
  EXPECT_EQ(sdwa->src[1].modifiers, modifier_sign_extend);
  const Decoded dpp("v_mov_b32_dpp v0, v1 row_shr:3 row_mask:0xa bank_mask:0x3 bound_ctrl:0");
  EXPECT_EQ(dpp->dpp.kind, DppKind::row_shr);
  EXPECT_EQ(dpp->dpp.control, 3u);
  EXPECT_EQ(dpp->dpp.row_mask, 0xa);
  EXPECT_EQ(dpp->dpp.bank_mask, 0x3);
  EXPECT_TRUE(dpp->dpp.bound_control);
  EXPECT_EQ(Decoded("gfx950", "v_bitop3_b32 v0, v1, v2, v3 bitop3:0x27")->offset, 0x27);
}

TEST(Decode, MemoryOperands) {
  const Decoded global("global_load_dwordx4 v[0:3], v4, s[6:7] offset:-16 sc0 nt sc1");
  EXPECT_EQ(global->offset, -16);
  EXPECT_EQ(global->flags & (flag_glc | flag_slc | flag_sc1), flag_glc | flag_slc | flag_sc1);
  EXPECT_EQ(global->src[1].index, 6);
  EXPECT_EQ(Decoded("global_load_dword v0, v[2:3], off")->src[1].kind, OperandKind::none);
  EXPECT_EQ(Decoded("gfx90a", "global_load_dword v0, v[2:3], off glc")->flags & flag_glc, flag_glc);
  const Decoded store("global_store_dword v1, v2, s[4:5]");
  EXPECT_EQ(store->dst.kind, OperandKind::none);
  EXPECT_EQ(store->src[0].index, 1);
  EXPECT_EQ(store->src[1].index, 2);
  const Decoded atomic("global_atomic_add v1, v2, s[4:5]"), returning("global_atomic_add v0, v1, v2, s[4:5] sc0");
  EXPECT_EQ(atomic->dst.kind, OperandKind::none);
  EXPECT_EQ(atomic->src[0].index, 1);
  EXPECT_EQ(returning->dst.kind, OperandKind::vector);
  EXPECT_EQ(returning->src[0].index, 1);
  const Decoded buffer("buffer_load_dword v1, v[2:3], s[8:11], s5 idxen offen offset:64");
  EXPECT_EQ(buffer->flags & (flag_offen | flag_idxen), flag_offen | flag_idxen);
  EXPECT_EQ(buffer->src[0].words, 2);
  EXPECT_EQ(buffer->src[1].words, 4);
  EXPECT_EQ(buffer->src[2].index, 5);
  EXPECT_EQ(buffer->offset, 64);
  const Decoded to_lds("buffer_load_dword v1, s[8:11], 0 offen lds");
  EXPECT_NE(to_lds->flags & flag_lds, 0u);
  EXPECT_EQ(to_lds->dst.kind, OperandKind::none);
  EXPECT_EQ(to_lds->src[0].index, 1);
  const Decoded two("ds_read2_b32 v[0:1], v2 offset0:1 offset1:3"), strided("ds_read2st64_b64 v[0:3], v4 offset1:2");
  EXPECT_EQ(two->offset, 4);
  EXPECT_EQ(two->offset2, 12);
  EXPECT_EQ(strided->offset, 0);
  EXPECT_EQ(strided->offset2, 2 * 64 * 8);
  EXPECT_EQ(Decoded("ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,16)")->offset, 0x401f);
  EXPECT_EQ(Decoded("s_load_dword s3, s[0:1], s7 offset:0x10")->offset, 0x10);
  EXPECT_NE(Decoded("buffer_inv sc0 sc1")->flags & flag_sc1, 0u);
}

TEST(Decode, ScalarImmediates) {
  const Decoded getreg("s_getreg_b32 s0, hwreg(HW_REG_HW_ID, 4, 8)");
  EXPECT_EQ(getreg->offset, 4);
  EXPECT_EQ(getreg->offset2, 4 | 8 << 8);
  const Decoded whole("s_setreg_imm32_b32 hwreg(HW_REG_MODE), 0x1234");
  EXPECT_EQ(whole->offset, 1);
  EXPECT_EQ(whole->offset2, 32 << 8);
  EXPECT_EQ(whole->src[0].constant(), 0x1234u);
  EXPECT_EQ(Decoded("s_trap 2")->offset, 2);
  EXPECT_EQ(Decoded("s_set_gpr_idx_on s2, gpr_idx(SRC0,DST)")->offset, 9);
}

TEST(Decode, BranchesAndReachableCode) {
  const Decoded code("s_cbranch_scc0 skip\ns_nop 0\ns_nop 0\nskip:\ns_endpgm\n.long 0xffffffff\nunused:\ns_nop 1");
  const Program& program = code.program();
  ASSERT_NE(code->target, nullptr);
  EXPECT_EQ(program.addresses[code->target->index], 0x1000u + 12);
  EXPECT_EQ(program.at(0x1004), code->target - 2);
  EXPECT_EQ(program.at(0x1006), nullptr);
  EXPECT_EQ(program.at(0x1014), nullptr) << "code that nothing reaches is not decoded";
  EXPECT_TRUE(undecoded(program).empty());
  const CumulativeCounts& end = program.cumulative[code->target->index + 1];
  EXPECT_EQ(end.by_class[static_cast<int>(OpClass::branch)], 1u);
  EXPECT_EQ(end.by_class[static_cast<int>(OpClass::other)], 3u);
}

TEST(Decode, UnknownInstructionsAreListedNotRefused) {
  const Decoded code("s_cbranch_join s8\ns_dcache_discard s[8:9], 0x10");
  EXPECT_EQ(undecoded(code.program()), (std::vector<std::string>{"s_cbranch_join", "s_dcache_discard"}));
}

TEST(Decode, RefusesTextThatItDoesNotUnderstand) {
  std::vector<std::unique_ptr<std::uint32_t[]>> storage;
  ConstantPool constants(storage);
  Binder::Pairs pairs;
  Binder binder("gfx942", 64, constants, pairs);
  const auto refusal = [&](const std::string& text) -> std::string {
    try {
      binder.bind({.size = 4, .encoding = 0, .text = text});
    } catch (const DecodeError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("v_add_f32_e32 v0, v1, v2"), "");
  EXPECT_EQ(refusal("v_add_f32_e32 v0, w1, v2"), "operand `w1` is not understood");
  EXPECT_EQ(refusal("v_add_f32_e32 v0, v1, v2 sparkle:1"), "modifier `sparkle:1` is not understood");
  EXPECT_EQ(refusal("v_add_f32_e32 v0, v1"), "an operand is missing");
  EXPECT_EQ(refusal("v_add_f32_e32 v0, v1, v2, v3"), "operand `v3` is one more than the operation takes");
  EXPECT_EQ(refusal("v_add_f32_e32 v0, v[1:2], v2"), "operand `v[1:2]` spans 2 registers where 1 are expected");
  EXPECT_EQ(refusal("v_add_f32_e32 v0, v1024, v2"), "register out of range: `v1024`");
  EXPECT_EQ(refusal("v_add_f32_e32 v0, 0x1g, v2"), "not a number: `0x1g`");
  EXPECT_EQ(refusal("v_add_f32_e32 v0, v1, v2 offset:[1"), "unbalanced bracket or quote");
  EXPECT_EQ(refusal("v_add_u16_sdwa v0, v1, v2 dst_sel:WORD_2"), "unknown select `WORD_2`");
  const std::uint8_t nothing[4] = {};
  EXPECT_THROW(decode("gfx942", 64, nothing, 0x1000, 4, 0x2000, "test"), std::runtime_error);
}

}  // namespace
}  // namespace zellige::sim::test
