// How definedness goes through each operation; uninit.hpp states the law.
#include <algorithm>

#include "simulator/check/uninit.hpp"

namespace zellige::sim {
namespace {

template <std::size_t N>
bool begins_with_one(std::string_view name, const std::string_view (&list)[N]) {
  return std::ranges::any_of(list, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

// Put two values into one register, or take bits of two: one source may be left open.
constexpr std::string_view packing[] = {
    "v_perm_b32", "v_alignbit", "v_alignbyte", "v_bfi_b32", "v_and_or_b32",      "v_lshl_or",      "v_or_b32",
    "v_or3_b32",  "v_pack_b32", "v_cvt_pk",    "v_pk_mov",  "v_cvt_scalef32_pk", "v_lshl_add_u32", "v_bitop3"};
// Lanes go anywhere: what they read is not followed.
constexpr std::string_view unfollowed[] = {"v_permlane", "v_movrel",          "s_movrel", "ds_swizzle",
                                           "ds_permute", "v_cvt_scalef32_sr", "v_interp"};

constexpr std::string_view keeps_scc[] = {"s_mov",   "s_cmov",   "s_cselect", "s_mul",     "s_pack",   "s_bfm",
                                          "s_brev",  "s_ff",     "s_flbit",   "s_sext",    "s_bitset", "s_bitreplicate",
                                          "s_getpc", "s_getreg", "s_setreg",  "s_set_gpr", "s_swappc", "s_call",
                                          "s_ctz",   "s_clz",    "s_cls"};
constexpr std::string_view takes_scc[] = {"s_addc", "s_subb", "s_cselect", "s_cmov", "s_add_co_ci", "s_sub_co_ci"};

struct ScalarRow {
  std::string_view prefix;
  ScalarRule rule;
  bool inverts_second = false;
};
constexpr ScalarRow scalar_rows[] = {
    {"s_movk", ScalarRule::move},
    {"s_mov_", ScalarRule::move},
    {"s_cmov", ScalarRule::conditional_move},
    {"s_cselect", ScalarRule::select},
    {"s_andn2_b", ScalarRule::bit_and, true},
    {"s_and_not1_b", ScalarRule::bit_and, true},
    {"s_and_b", ScalarRule::bit_and},
    {"s_orn2_b", ScalarRule::bit_or, true},
    {"s_or_not1_b", ScalarRule::bit_or, true},
    {"s_or_b", ScalarRule::bit_or},
    {"s_nand_b", ScalarRule::bit_each},
    {"s_nor_b", ScalarRule::bit_each},
    {"s_xor_b", ScalarRule::bit_each},
    {"s_xnor_b", ScalarRule::bit_each},
    {"s_not_b", ScalarRule::bit_each},
    {"s_lshl_b", ScalarRule::shift_left},
    {"s_lshr_b", ScalarRule::shift_right},
    {"s_add", ScalarRule::low_first},
    {"s_sub", ScalarRule::low_first},
    {"s_mul_i32", ScalarRule::low_first},
};

Flow vector_flow(std::string_view name, const Instruction& instruction) {
  if (name.starts_with("v_readfirstlane")) return Flow::read_first_lane;
  if (name.starts_with("v_readlane")) return Flow::read_lane;
  if (name.starts_with("v_writelane")) return Flow::write_lane;
  if (name.starts_with("v_cndmask")) return Flow::select;
  if (name.starts_with("v_permlane16_swap")) return Flow::swap_blocks16;
  if (name.starts_with("v_permlane32_swap")) return Flow::swap_blocks32;
  if (name.starts_with("v_swap_b32")) return Flow::swap;
  if (begins_with_one(name, unfollowed)) return Flow::define;
  if (begins_with_one(name, packing)) return Flow::packed;
  if (instruction.dst.words == 2 && instruction.src[0].type == ValueType::packed_f32) return Flow::pairs;
  return Flow::lanes;
}

void plan_scalar(std::string_view name, UninitPlan& plan) {
  plan.flow = Flow::scalar;
  plan.saves_exec = name.find("saveexec") != std::string_view::npos || name.find("wrexec") != std::string_view::npos;
  plan.writes_scc = !begins_with_one(name, keeps_scc);
  plan.reads_scc = begins_with_one(name, takes_scc);
  const auto row =
      std::ranges::find_if(scalar_rows, [&](const ScalarRow& entry) { return name.starts_with(entry.prefix); });
  if (row != std::end(scalar_rows)) plan.rule = row->rule, plan.inverts_second = row->inverts_second;
  // Saving EXEC reads it as well; its own rule is in uninit_scalar().
  if (plan.saves_exec) plan.rule = ScalarRule::whole;
}

}  // namespace

UninitPlan dual_uninit_plan() {
  UninitPlan plan;
  plan.flow = Flow::lanes;
  return plan;
}

UninitPlan uninit_plan(const Operation& operation, const Instruction& instruction, const AccessPlan& access) {
  UninitPlan plan;
  const std::string_view name = operation.mnemonic;
  switch (operation.op_class) {
    case OpClass::valu:
    case OpClass::valu_transcendental:
    case OpClass::valu_double:
      plan.flow = vector_flow(name, instruction);
      plan.saves_exec = name.starts_with("v_cmpx");
      break;
    case OpClass::matrix:
      plan.flow = Flow::matrix;
      break;
    case OpClass::salu:
      plan_scalar(name, plan);
      if (begins_with_one(name, unfollowed)) plan.flow = Flow::define;
      break;
    case OpClass::branch:
      plan.flow = Flow::branch;
      if (name.starts_with("s_cbranch_scc")) plan.condition = Condition::scc;
      if (name.starts_with("s_cbranch_vcc")) plan.condition = Condition::vcc;
      break;
    default:
      plan.flow = Flow::none;
      if (instruction.dst.kind != OperandKind::none) plan.flow = Flow::define;
      if (access.producer != nullptr) plan.flow = Flow::memory;
      if (name.starts_with("ds_bpermute")) plan.flow = Flow::permute;
      plan.permutes_halves = name == "ds_bpermute_b32@gfx11";
      plan.permutes_inactive = name == "ds_bpermute_fi_b32";
      break;
  }
  return plan;
}

}  // namespace zellige::sim
