// Spellings of scalar and vector ALU instructions, and the lookup; alias.hpp states the law.
#include "simulator/decode/alias.hpp"

#include <string>
#include <unordered_map>

namespace zellige::sim {
namespace {

constexpr Alias alu_aliases[] = {
    // Scalar
    {"s_and_not1_b32", "s_andn2_b32", gfx11_up},
    {"s_or_not1_b32", "s_orn2_b32", gfx11_up},
    {"s_and_not1_saveexec_b32", "s_andn2_saveexec_b32", gfx11_up},
    {"s_and_not0_saveexec_b32", "s_andn1_saveexec_b32", gfx11_up},
    {"s_or_not1_saveexec_b32", "s_orn2_saveexec_b32", gfx11_up},
    {"s_or_not0_saveexec_b32", "s_orn1_saveexec_b32", gfx11_up},
    {"s_and_not1_wrexec_b32", "s_andn2_wrexec_b32", gfx11_up},
    {"s_and_not0_wrexec_b32", "s_andn1_wrexec_b32", gfx11_up},
    {"s_and_not1_b64", "s_andn2_b64", gfx11_up},
    {"s_or_not1_b64", "s_orn2_b64", gfx11_up},
    {"s_and_not1_saveexec_b64", "s_andn2_saveexec_b64", gfx11_up},
    {"s_and_not0_saveexec_b64", "s_andn1_saveexec_b64", gfx11_up},
    {"s_or_not1_saveexec_b64", "s_orn2_saveexec_b64", gfx11_up},
    {"s_or_not0_saveexec_b64", "s_orn1_saveexec_b64", gfx11_up},
    {"s_and_not1_wrexec_b64", "s_andn2_wrexec_b64", gfx11_up},
    {"s_and_not0_wrexec_b64", "s_andn1_wrexec_b64", gfx11_up},
    {"s_clz_i32_u32", "s_flbit_i32_b32", gfx11_up},
    {"s_clz_i32_u64", "s_flbit_i32_b64", gfx11_up},
    {"s_ctz_i32_b32", "s_ff1_i32_b32", gfx11_up},
    {"s_ctz_i32_b64", "s_ff1_i32_b64", gfx11_up},
    {"s_cls_i32", "s_flbit_i32", gfx11_up},
    {"s_cls_i32_i64", "s_flbit_i32_i64", gfx11_up},
    {"s_add_co_u32", "s_add_u32", gfx12_up},
    {"s_sub_co_u32", "s_sub_u32", gfx12_up},
    {"s_add_co_i32", "s_add_i32", gfx12_up},
    {"s_sub_co_i32", "s_sub_i32", gfx12_up},
    {"s_add_co_ci_u32", "s_addc_u32", gfx12_up},
    {"s_sub_co_ci_u32", "s_subb_u32", gfx12_up},
    {"s_addk_co_i32", "s_addk_i32", gfx12_up},
    {"s_min_num_f32", "s_min_f32", gfx12_up},
    {"s_max_num_f32", "s_max_f32", gfx12_up},
    {"s_min_num_f16", "s_min_f16", gfx12_up},
    {"s_max_num_f16", "s_max_f16", gfx12_up},
    {"s_get_pc_i64", "s_getpc_b64", generation_gfx1250},
    {"s_set_pc_i64", "s_setpc_b64", generation_gfx1250},
    {"s_swap_pc_i64", "s_swappc_b64", generation_gfx1250},
    {"s_call_i64", "s_call_b64", generation_gfx1250},
    // Vector integers
    {"v_add_nc_u32", "v_add_u32", gfx11_up},
    {"v_sub_nc_u32", "v_sub_u32", gfx11_up},
    {"v_add_nc_i32", "v_add_i32", gfx11_up},
    {"v_sub_nc_i32", "v_sub_i32", gfx11_up},
    {"v_add_nc_u16", "v_add_u16", gfx11_up},
    {"v_sub_nc_u16", "v_sub_u16", gfx11_up},
    {"v_add_nc_i16", "v_add_i16", gfx11_up},
    {"v_sub_nc_i16", "v_sub_i16", gfx11_up},
    {"v_subrev_nc_u32", "v_subrev_u32", gfx11_up},
    {"v_add_co_ci_u32", "v_addc_co_u32", gfx11_up},
    {"v_sub_co_ci_u32", "v_subb_co_u32", gfx11_up},
    {"v_subrev_co_ci_u32", "v_subbrev_co_u32", gfx11_up},
    {"v_cls_i32", "v_ffbh_i32", gfx11_up},
    {"v_clz_i32_u32", "v_ffbh_u32", gfx11_up},
    {"v_ctz_i32_b32", "v_ffbl_b32", gfx11_up},
    {"v_mad_co_u64_u32", "v_mad_u64_u32", gfx12_up},
    {"v_mad_co_i64_i32", "v_mad_i64_i32", gfx12_up},
    {"v_alignbit_b32", "v_alignbit_b32@half", gfx11_up},
    {"v_alignbyte_b32", "v_alignbyte_b32@half", gfx11_up},
    // Vector floats
    {"v_mul_dx9_zero_f32", "v_mul_legacy_f32", gfx11_up},
    {"v_min_num_f16", "v_min_f16", gfx12_up},
    {"v_max_num_f16", "v_max_f16", gfx12_up},
    {"v_min_num_f32", "v_min_f32", gfx12_up},
    {"v_max_num_f32", "v_max_f32", gfx12_up},
    {"v_min_num_f64", "v_min_f64", gfx12_up},
    {"v_max_num_f64", "v_max_f64", gfx12_up},
    {"v_min3_num_f16", "v_min3_f16", gfx12_up},
    {"v_max3_num_f16", "v_max3_f16", gfx12_up},
    {"v_med3_num_f16", "v_med3_f16", gfx12_up},
    {"v_minmax_num_f16", "v_minmax_f16", gfx12_up},
    {"v_maxmin_num_f16", "v_maxmin_f16", gfx12_up},
    {"v_min3_num_f32", "v_min3_f32", gfx12_up},
    {"v_max3_num_f32", "v_max3_f32", gfx12_up},
    {"v_med3_num_f32", "v_med3_f32", gfx12_up},
    {"v_minmax_num_f32", "v_minmax_f32", gfx12_up},
    {"v_maxmin_num_f32", "v_maxmin_f32", gfx12_up},
    {"v_pk_min_num_f16", "v_pk_min_f16", gfx12_up},
    {"v_pk_max_num_f16", "v_pk_max_f16", gfx12_up},
    {"v_dot2acc_f32_f16", "v_dot2c_f32_f16", gfx11_up},
    // Conversions and compares
    {"v_cmp_class_f16", "v_cmp_class_f16@half", gfx11_up},
    {"v_cmpx_class_f16", "v_cmpx_class_f16@half", gfx11_up},
    {"v_sat_pk_u8_i16", "v_sat_pk_u8_i16@half", gfx11_up},
    {"v_cvt_pk_f32_fp8", "v_cvt_pk_f32_fp8@half", gfx12_up},
    {"v_cvt_pk_f32_bf8", "v_cvt_pk_f32_bf8@half", gfx12_up},
    {"v_cvt_floor_i32_f32", "v_cvt_flr_i32_f32", gfx11_up},
    {"v_cvt_nearest_i32_f32", "v_cvt_rpi_i32_f32", gfx11_up},
    {"v_cvt_pk_rtz_f16_f32", "v_cvt_pkrtz_f16_f32", gfx11_up},
    {"v_cvt_pk_norm_i16_f16", "v_cvt_pknorm_i16_f16", gfx11_up},
    {"v_cvt_pk_norm_u16_f16", "v_cvt_pknorm_u16_f16", gfx11_up},
    {"v_cvt_pk_norm_i16_f32", "v_cvt_pknorm_i16_f32", gfx11_up},
    {"v_cvt_pk_norm_u16_f32", "v_cvt_pknorm_u16_f32", gfx11_up},
    {"v_cmp_t_f16", "v_cmp_tru_f16", gfx11_up},
    {"v_cmpx_t_f16", "v_cmpx_tru_f16", gfx11_up},
    {"v_cmp_t_f32", "v_cmp_tru_f32", gfx11_up},
    {"v_cmpx_t_f32", "v_cmpx_tru_f32", gfx11_up},
    {"v_cmp_t_f64", "v_cmp_tru_f64", gfx11_up},
    {"v_cmpx_t_f64", "v_cmpx_tru_f64", gfx11_up},
};

using Index = std::unordered_map<std::string_view, std::string_view>;

Index make_index(Generation generation) {
  Index all;
  for (const auto table : {std::span<const Alias>(alu_aliases), memory_aliases()})
    for (const Alias& alias : table)
      if (alias.generations & generation) all.emplace(alias.name, alias.canonical);
  return all;
}

const Index& index_of(Generation generation) {
  static const Index gfx9 = make_index(generation_gfx9), gfx11 = make_index(generation_gfx11),
                     gfx12 = make_index(generation_gfx12), gfx1250 = make_index(generation_gfx1250);
  switch (generation) {
    case generation_gfx11:
      return gfx11;
    case generation_gfx12:
      return gfx12;
    case generation_gfx1250:
      return gfx1250;
    default:
      return gfx9;
  }
}

}  // namespace

Generation generation_of(std::string_view target) {
  if (target.starts_with("gfx125")) return generation_gfx1250;
  if (target.starts_with("gfx12")) return generation_gfx12;
  if (target.starts_with("gfx11")) return generation_gfx11;
  return generation_gfx9;
}

std::string_view canonical_mnemonic(std::string_view mnemonic, std::string_view target) {
  const Index& index = index_of(generation_of(target));
  const auto found = index.find(mnemonic);
  return found == index.end() ? mnemonic : found->second;
}

}  // namespace zellige::sim
