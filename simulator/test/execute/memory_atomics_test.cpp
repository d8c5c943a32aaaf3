// Atomics of gfx11, gfx12 and gfx1250 in global, flat, buffer memory and LDS: what they leave and what they return.
#include <cmath>
#include <limits>

#include "simulator/test/execute/memory_rig.hpp"

namespace zellige::sim::test {
namespace {

enum Targets : unsigned { gfx11 = 1, gfx12 = 2, gfx1250 = 4, later = gfx12 | gfx1250, all = 7 };

unsigned bit_of(const WaveTarget& at) { return is_gfx11(at) ? gfx11 : is_gfx1250(at) ? gfx1250 : gfx12; }

constexpr std::uint32_t nan32 = 0x7fc00123, signalling = 0x7f800123, minus_zero = 0x80000000;
constexpr std::uint32_t f32(float value) { return __builtin_bit_cast(std::uint32_t, value); }

struct Row {
  const char* name;  ///< behind "global_atomic_"
  unsigned targets;
  std::uint64_t memory, data, compare, after;
  int bytes = 4;
};

constexpr Row rows[] = {
    {"swap_b32", all, 7, 9, 0, 9},
    {"cmpswap_b32", all, 7, 9, 7, 9},
    {"cmpswap_b32", all, 7, 9, 8, 7},
    {"add_u32", all, 0xfffffffe, 3, 0, 1},
    {"sub_u32", all, 2, 3, 0, 0xffffffff},
    {"csub_u32", gfx11, 2, 3, 0, 0},
    {"csub_u32", gfx11, 5, 3, 0, 2},
    {"sub_clamp_u32", later, 2, 3, 0, 0},
    {"sub_clamp_u32", later, 0xffffffff, 1, 0, 0xfffffffe},
    {"cond_sub_u32", later, 2, 3, 0, 2},
    {"cond_sub_u32", later, 3, 3, 0, 0},
    {"min_i32", all, 0xffffffff, 1, 0, 0xffffffff},
    {"max_i32", all, 0xffffffff, 1, 0, 1},
    {"min_u32", all, 0xffffffff, 1, 0, 1},
    {"max_u32", all, 0xffffffff, 1, 0, 0xffffffff},
    {"and_b32", all, 0xff00ff, 0x0ff0f0, 0, 0x0f00f0},
    {"or_b32", all, 0xff00ff, 0x0ff0f0, 0, 0xfff0ff},
    {"xor_b32", all, 0xff00ff, 0x0ff0f0, 0, 0xf0f00f},
    {"inc_u32", all, 4, 5, 0, 5},
    {"inc_u32", all, 5, 5, 0, 0},
    {"dec_u32", all, 0, 5, 0, 5},
    {"dec_u32", all, 6, 5, 0, 5},
    {"dec_u32", all, 5, 5, 0, 4},
    {"add_f32", all, f32(1.5f), f32(0.25f), 0, f32(1.75f)},
    {"pk_add_f16", later, 0x3c004000, 0x3c003c00, 0, 0x40004200},
    {"pk_add_bf16", later, 0x3f804000, 0x3f803f80, 0, 0x40004040},
    {"cmpswap_f32", gfx11, minus_zero, 9, 0, 9},
    {"cmpswap_f32", gfx11, nan32, 9, nan32, nan32},
    // gfx11 compares: NaNs lose every comparison, zeros are equal.
    {"min_f32", gfx11, f32(2.0f), f32(1.0f), 0, f32(1.0f)},
    {"min_f32", gfx11, nan32, f32(1.0f), 0, nan32},
    {"min_f32", gfx11, f32(1.0f), nan32, 0, f32(1.0f)},
    {"min_f32", gfx11, 0, minus_zero, 0, 0},
    {"max_f32", gfx11, f32(2.0f), f32(3.0f), 0, f32(3.0f)},
    {"max_f32", gfx11, nan32, f32(1.0f), 0, nan32},
    {"max_f32", gfx11, minus_zero, 0, 0, minus_zero},
    // gfx12 prefers numbers to NaNs, orders zeros, and makes the operand's NaN quiet.
    {"min_num_f32", later, f32(2.0f), f32(1.0f), 0, f32(1.0f)},
    {"min_num_f32", later, nan32, f32(1.0f), 0, f32(1.0f)},
    {"min_num_f32", later, f32(1.0f), nan32, 0, f32(1.0f)},
    {"min_num_f32", later, 0, minus_zero, 0, minus_zero},
    {"min_num_f32", later, nan32, signalling, 0, signalling | 0x400000},
    {"max_num_f32", later, minus_zero, 0, 0, 0},
    {"max_num_f32", later, f32(-1.0f), nan32, 0, f32(-1.0f)},
    {"max_num_f32", later, nan32, signalling, 0, signalling | 0x400000},
    {"swap_b64", all, 7, 0x1'0000'0009, 0, 0x1'0000'0009, 8},
    {"cmpswap_b64", all, 0x2'0000'0007, 9, 0x2'0000'0007, 9, 8},
    {"cmpswap_b64", all, 0x2'0000'0007, 9, 0x3'0000'0007, 0x2'0000'0007, 8},
    {"add_u64", all, 0xffffffff, 1, 0, 0x1'0000'0000, 8},
    {"sub_u64", all, 0x1'0000'0000, 1, 0, 0xffffffff, 8},
    {"min_i64", all, ~0ull, 1, 0, ~0ull, 8},
    {"max_i64", all, ~0ull, 1, 0, 1, 8},
    {"min_u64", all, ~0ull, 1, 0, 1, 8},
    {"max_u64", all, ~0ull, 1, 0, ~0ull, 8},
    {"and_b64", all, 0xf0'0000'00ff, 0x30'0000'00f0, 0, 0x30'0000'00f0, 8},
    {"or_b64", all, 0xf0'0000'000f, 0x0f'0000'00f0, 0, 0xff'0000'00ff, 8},
    {"xor_b64", all, 0xf0'0000'000f, 0x3f'0000'00f0, 0, 0xcf'0000'00ff, 8},
    {"inc_u64", all, 0xffffffff, ~0ull, 0, 0x1'0000'0000, 8},
    {"dec_u64", all, 0x1'0000'0000, ~0ull, 0, 0xffffffff, 8},
    {"add_f64", gfx1250, 0x3ff8000000000000, 0x3fd0000000000000, 0, 0x3ffc000000000000, 8},
    {"min_num_f64", gfx1250, 0x7ff8000000000000, 0x3ff0000000000000, 0, 0x3ff0000000000000, 8},
    {"max_num_f64", gfx1250, 0x4000000000000000, 0x3ff0000000000000, 0, 0x4000000000000000, 8},
};

bool compares(const std::string& name) { return name.starts_with("cmp"); }

/// One lane, with and without return.
void check(const WaveTarget& target, const Row& row, const std::string& space) {
  const bool buffer = space == "buffer", flat = space == "flat";
  const std::string mnemonic = space + "_atomic_" + row.name;
  const std::string data = data_registers(compares(row.name) ? 2 * row.bytes : row.bytes),
                    result = data_registers(row.bytes, 20);
  const std::string back = is_gfx11(target) ? " glc" : " th:TH_ATOMIC_RETURN";
  for (const bool returns : {false, true}) {
    if (!returns && std::string(row.name) == "csub_u32") continue;  // has no such form
    MemoryRig rig(target);
    std::memcpy(rig.memory.data() + 72, &row.memory, 8);
    rig.set_buffer(rig.memory.data(), MemoryRig::memory_size);
    rig.set_exec(2);
    rig.set_v64(4, 1, buffer ? 64 : rig.memory.address() + 64);
    for (int word = 0; word < row.bytes / 4; ++word) {
      rig.v(8 + word, 1) = static_cast<std::uint32_t>(row.data >> (32 * word));
      rig.v(8 + row.bytes / 4 + word, 1) = static_cast<std::uint32_t>(row.compare >> (32 * word));
    }
    const std::string first = returns && !buffer ? result + ", " : "";
    const std::string text = buffer
                                 ? mnemonic + " " + data + ", v4, s[16:19], null offen offset:8" + (returns ? back : "")
                                 : mnemonic + " " + first + "v[4:5], " + data +
                                       (flat ? " offset:8" : ", off offset:8") + (returns ? back : "");
    ASSERT_EQ(rig.fault(text), "") << target.target << " " << text;
    std::uint64_t after = 0;
    std::memcpy(&after, rig.memory.data() + 72, static_cast<std::size_t>(row.bytes));
    EXPECT_EQ(after, row.after) << target.target << " " << text;
    if (!returns) continue;
    const int at = buffer ? 8 : 20;
    const std::uint64_t old = row.bytes == 8 ? rig.v64(at, 1) : rig.v(at, 1);
    EXPECT_EQ(old, row.memory) << target.target << " " << text;
    rig.judged();
  }
}

TEST(TargetAtomics, UpdateAndReturnInEverySpace) {
  for (const WaveTarget& target : rdna_targets)
    for (const Row& row : rows) {
      if (!(row.targets & bit_of(target))) continue;
      check(target, row, "global");
      if (std::string(row.name) != "csub_u32") check(target, row, "flat");
      check(target, row, "buffer");
    }
}

TEST(TargetAtomics, LanesAddOneAfterAnother) {
  for (const WaveTarget& target : rdna_targets) {
    MemoryRig rig(target);
    std::memset(rig.memory.data(), 0, 64);
    rig.set_s64(2, rig.memory.address());
    for (int lane = 0; lane < 64; ++lane) rig.v(4, lane) = 4, rig.v(8, lane) = 2;
    rig.run("global_atomic_add_u32 v20, v4, v8, s[2:3] offset:8 " +
            std::string(is_gfx11(target) ? "glc" : "th:TH_ATOMIC_RETURN scope:SCOPE_DEV"));
    EXPECT_EQ(dword(rig.memory.data() + 12), static_cast<std::uint32_t>(2 * rig.lanes));
    for (int lane = 0; lane < rig.lanes; ++lane) EXPECT_EQ(rig.v(20, lane), static_cast<std::uint32_t>(2 * lane));
  }
}

TEST(TargetAtomics, FlatReachesLds) {
  for (const WaveTarget& target : rdna_targets) {
    MemoryRig rig(target);
    std::memset(rig.lds, 0, 64);
    for (int lane = 0; lane < 64; ++lane) rig.set_v64(4, lane, 0x10000'0000'0008ull), rig.v(8, lane) = 1;
    rig.run("flat_atomic_add_u32 v[4:5], v8");
    EXPECT_EQ(dword(rig.lds + 8), static_cast<std::uint32_t>(rig.lanes));
  }
}

struct LdsRow {
  const char* name;  ///< with "rtn"; the form without it is tested too
  unsigned targets;
  std::uint64_t memory, first, second, after;
  int bytes = 4;
  bool two = false;
};

constexpr LdsRow lds_rows[] = {
    {"ds_add_rtn_u32", all, 0xfffffffe, 3, 0, 1},
    {"ds_sub_rtn_u32", all, 2, 3, 0, 0xffffffff},
    {"ds_rsub_rtn_u32", all, 2, 3, 0, 1},
    {"ds_inc_rtn_u32", all, 5, 5, 0, 0},
    {"ds_dec_rtn_u32", all, 0, 5, 0, 5},
    {"ds_min_rtn_i32", all, 0xffffffff, 1, 0, 0xffffffff},
    {"ds_max_rtn_i32", all, 0xffffffff, 1, 0, 1},
    {"ds_min_rtn_u32", all, 0xffffffff, 1, 0, 1},
    {"ds_max_rtn_u32", all, 0xffffffff, 1, 0, 0xffffffff},
    {"ds_and_rtn_b32", all, 0xff00ff, 0x0ff0f0, 0, 0x0f00f0},
    {"ds_or_rtn_b32", all, 0xff00ff, 0x0ff0f0, 0, 0xfff0ff},
    {"ds_xor_rtn_b32", all, 0xff00ff, 0x0ff0f0, 0, 0xf0f00f},
    {"ds_mskor_rtn_b32", all, 0xff00ff, 0xff, 0x0a, 0xff000a, 4, true},
    {"ds_add_rtn_f32", all, f32(1.5f), f32(0.25f), 0, f32(1.75f)},
    {"ds_cmpstore_rtn_b32", all, 7, 9, 7, 9, 4, true},  // the new value first
    {"ds_cmpstore_rtn_b32", all, 7, 7, 9, 7, 4, true},
    {"ds_cmpstore_rtn_f32", gfx11, minus_zero, 9, 0, 9, 4, true},
    {"ds_cmpstore_rtn_b64", all, 0x7'0000'0000, 9, 0x7'0000'0000, 9, 8, true},
    {"ds_cmpstore_rtn_f64", gfx11, 0x8000'0000'0000'0000, 9, 0, 9, 8, true},
    {"ds_min_rtn_f32", gfx11, nan32, f32(1.0f), 0, nan32},
    {"ds_min_rtn_f32", gfx11, f32(2.0f), f32(1.0f), 0, f32(1.0f)},
    {"ds_max_rtn_f32", gfx11, minus_zero, 0, 0, minus_zero},
    {"ds_min_rtn_f64", gfx11, 0x7ff8000000000000, 0x3ff0000000000000, 0, 0x7ff8000000000000, 8},
    {"ds_max_rtn_f64", gfx11, 0x3ff0000000000000, 0x4000000000000000, 0, 0x4000000000000000, 8},
    {"ds_min_num_rtn_f32", later, nan32, f32(1.0f), 0, f32(1.0f)},
    {"ds_max_num_rtn_f32", later, minus_zero, 0, 0, 0},
    {"ds_min_num_rtn_f32", later, nan32, signalling, 0, signalling | 0x400000},
    {"ds_min_num_rtn_f64", gfx12, 0x7ff8000000000000, 0x3ff0000000000000, 0, 0x3ff0000000000000, 8},
    {"ds_max_num_rtn_f64", gfx12, 0x3ff0000000000000, 0x4000000000000000, 0, 0x4000000000000000, 8},
    {"ds_sub_clamp_rtn_u32", later, 2, 3, 0, 0},
    {"ds_sub_clamp_rtn_u32", later, 5, 3, 0, 2},
    {"ds_cond_sub_rtn_u32", later, 2, 3, 0, 2},
    {"ds_cond_sub_rtn_u32", later, 5, 3, 0, 2},
    {"ds_pk_add_rtn_f16", later, 0x3c004000, 0x3c003c00, 0, 0x40004200},
    {"ds_pk_add_rtn_bf16", later, 0x3f804000, 0x3f803f80, 0, 0x40004040},
    {"ds_wrap_rtn_b32", gfx11, 7, 5, 100, 2, 4, true},
    {"ds_wrap_rtn_b32", gfx11, 3, 5, 100, 103, 4, true},
    {"ds_storexchg_rtn_b32", all, 7, 9, 0, 9},
    {"ds_storexchg_rtn_b64", all, 7, 0x900000001, 0, 0x900000001, 8},
    {"ds_condxchg32_rtn_b64", gfx11 | gfx12, 0x1111111122222222, 0x80000033'00000044, 0, 0x00000033'22222222, 8},
    {"ds_add_rtn_u64", all, 0xffffffff, 1, 0, 0x1'0000'0000, 8},
    {"ds_min_rtn_i64", all, ~0ull, 1, 0, ~0ull, 8},
};

TEST(TargetAtomics, LdsUpdatesAndReturns) {
  for (const WaveTarget& target : rdna_targets)
    for (const LdsRow& row : lds_rows) {
      if (!(row.targets & bit_of(target))) continue;
      for (const bool returns : {false, true}) {
        std::string mnemonic = row.name;
        if (!returns) mnemonic.erase(mnemonic.find("_rtn"), 4);
        const bool exchange = mnemonic.find("xchg") != std::string::npos || mnemonic.find("wrap") != std::string::npos;
        if (!returns && exchange) continue;
        MemoryRig rig(target);
        std::memcpy(rig.lds + 72, &row.memory, 8);
        rig.set_exec(2);
        rig.v(4, 1) = 64;
        for (int word = 0; word < row.bytes / 4; ++word) {
          rig.v(8 + word, 1) = static_cast<std::uint32_t>(row.first >> (32 * word));
          rig.v(12 + word, 1) = static_cast<std::uint32_t>(row.second >> (32 * word));
        }
        const std::string text = mnemonic + " " + (returns ? data_registers(row.bytes, 20) + ", " : "") + "v4, " +
                                 data_registers(row.bytes) + (row.two ? ", " + data_registers(row.bytes, 12) : "") +
                                 " offset:8";
        ASSERT_EQ(rig.fault(text), "") << target.target << " " << text;
        std::uint64_t after = 0;
        std::memcpy(&after, rig.lds + 72, static_cast<std::size_t>(row.bytes));
        EXPECT_EQ(after, row.after) << target.target << " " << text;
        if (returns) EXPECT_EQ(row.bytes == 8 ? rig.v64(20, 1) : rig.v(20, 1), row.memory) << text;
        rig.judged();
      }
    }
}

TEST(TargetAtomics, WhatIsNotSimulatedSaysSo) {
  MemoryRig rdna3({"gfx1100", 32}), rdna4({"gfx1201", 32});
  EXPECT_NE(rdna3.fault("ds_bvh_stack_rtn_b32 v1, v2, v3, v[4:7]").find("ray tracing"), std::string::npos);
  EXPECT_NE(rdna4.fault("ds_bvh_stack_push8_pop1_rtn_b32 v1, v2, v3, v[4:11]").find("ray tracing"), std::string::npos);
  EXPECT_NE(
      rdna4.fault("global_atomic_ordered_add_b64 v[1:2], v3, v[4:5], s[2:3] th:TH_ATOMIC_RETURN").find("geometry"),
      std::string::npos);
}

}  // namespace
}  // namespace zellige::sim::test
