// The less usual integer instructions against the ISA's definitions: 16-bit and packed forms, dot products that
// accumulate, sums of absolute differences over masks, truth tables, AGPR moves.
#include <algorithm>
#include <span>

#include "simulator/test/execute/valu_table.hpp"

namespace zellige::sim::test {
namespace {

i64 sgn(u32 a) { return static_cast<i32>(a); }
i64 half(u32 a) { return static_cast<i16>(a); }
u32 kept(i64 value) { return (old_value & 0xffff0000u) | (static_cast<u32>(value) & 0xffff); }
u32 cleared(i64 value) { return static_cast<u32>(value) & 0xffff; }
u32 join(i64 low, i64 high) { return (static_cast<u32>(low) & 0xffff) | static_cast<u32>(high) << 16; }
template <class T>
T middle(T a, T b, T c) {
  T s[] = {a, b, c};
  std::sort(s, s + 3);
  return s[1];
}

const Row32 rows[] = {
    {"v_max_u16 v4, v1, v2", [](u32 a, u32 b, u32) { return std::max(a & 0xffff, b & 0xffff); }},
    {"v_min_i16 v4, v1, v2", [](u32 a, u32 b, u32) { return cleared(std::min(half(a), half(b))); }},
    {"v_min3_i16 v4, v1, v2, v3",
     [](u32 a, u32 b, u32 c) {
       return kept(std::min({half(a), half(b), half(c)}));
     }},
    {"v_max3_i16 v4, v1, v2, v3",
     [](u32 a, u32 b, u32 c) {
       return kept(std::max({half(a), half(b), half(c)}));
     }},
    {"v_min3_u16 v4, v1, v2, v3",
     [](u32 a, u32 b, u32 c) {
       return kept(std::min({a & 0xffff, b & 0xffff, c & 0xffff}));
     }},
    {"v_med3_u16 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return kept(middle(a & 0xffff, b & 0xffff, c & 0xffff)); }},
    {"v_mad_legacy_i16 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return cleared(half(a) * half(b) + half(c)); }},
    {"v_pk_add_i16 v4, v1, v2",
     [](u32 a, u32 b, u32) { return join(half(a) + half(b), half(a >> 16) + half(b >> 16)); }},
    {"v_pk_add_i16 v4, v1, v2 clamp",
     [](u32 a, u32 b, u32) {
       const auto add = [](i64 x, i64 y) { return std::clamp<i64>(x + y, -32768, 32767); };
       return join(add(half(a), half(b)), add(half(a >> 16), half(b >> 16)));
     }},
    {"v_pk_sub_u16 v4, v1, v2", [](u32 a, u32 b, u32) { return join(i64{a} - b, i64{a >> 16} - (b >> 16)); }},
    {"v_pk_lshrrev_b16 v4, v1, v2",
     [](u32 a, u32 b, u32) { return join((b & 0xffff) >> (a & 15), (b >> 16) >> (a >> 16 & 15)); }},
    {"v_pk_mad_u16 v4, v1, v2, v3",
     [](u32 a, u32 b, u32 c) {
       return join(static_cast<i64>(u64{a & 0xffff} * (b & 0xffff) + c),
                   static_cast<i64>(u64{a >> 16} * (b >> 16) + (c >> 16)));
     }},
    {"v_pk_max_u16 v4, v1, v2",
     [](u32 a, u32 b, u32) { return join(std::max(a & 0xffff, b & 0xffff), std::max(a >> 16, b >> 16)); }},
    {"v_pk_min_i16 v4, v1, v2",
     [](u32 a, u32 b, u32) { return join(std::min(half(a), half(b)), std::min(half(a >> 16), half(b >> 16))); }},
    {"v_dot2c_i32_i16 v4, v1, v2",
     [](u32 a, u32 b, u32) {
       return static_cast<u32>(half(a) * half(b) + half(a >> 16) * half(b >> 16) + sgn(old_value));
     }},
    {"v_dot4c_i32_i8 v4, v1, v2",
     [](u32 a, u32 b, u32) {
       i64 r = sgn(old_value);
       for (int k = 0; k < 32; k += 8) r += i64{static_cast<i8>(a >> k)} * static_cast<i8>(b >> k);
       return static_cast<u32>(r);
     }},
    {"v_dot8c_i32_i4 v4, v1, v2",
     [](u32 a, u32 b, u32) {
       i64 r = sgn(old_value);
       for (int k = 0; k < 32; k += 4) {
         const i64 x = a >> k & 15, y = b >> k & 15;
         r += (x > 7 ? x - 16 : x) * (y > 7 ? y - 16 : y);
       }
       return static_cast<u32>(r);
     }},
    {"v_accvgpr_write_b32 a5, v1\nv_accvgpr_mov_b32 a6, a5\nv_accvgpr_read_b32 v4, a6",
     [](u32 a, u32, u32) { return a; }},
};

const Row32 gfx950_rows[] = {
    {"v_bitop3_b16 v4, v1, v2, v3 bitop3:0x80", [](u32 a, u32 b, u32 c) { return kept(a & b & c); }},
    {"v_bitop3_b16 v4, v1, v2, v3 bitop3:0x12", [](u32 a, u32 b, u32 c) { return kept(~b & (a ^ c)); }},
    {"v_bitop3_b16 v4, v1, v2, v3 bitop3:0xca", [](u32 a, u32 b, u32 c) { return kept((a & b) | (~a & c)); }},
    {"v_bitop3_b32 v4, v1, v2, v3 bitop3:0x35", [](u32 a, u32 b, u32 c) { return (a & ~b) | (~a & ~c); }},
};

TEST(ValuIntegerForms, Results32) {
  check_rows<u32>("gfx942", rows, edge_integers(), same_bits);
  check_rows<u32>("gfx950", gfx950_rows, edge_integers(), same_bits);
}

/// Differences of the bytes of a from those of b that are not 0.
u64 masked_distance(u32 a, u32 b) {
  u64 sum = 0;
  for (int k = 0; k < 32; k += 8) {
    const int x = a >> k & 255, y = b >> k & 255;
    if (y != 0) sum += static_cast<u64>(std::abs(x - y));
  }
  return sum;
}

TEST(ValuIntegerForms, MaskedSumsOfDifferences) {
  AssemblyMachine machine;
  const auto& values = edge_integers();
  for (std::size_t i = 0; i < 64; ++i) {
    const int lane = static_cast<int>(i);
    machine.set_v64(2, lane, u64{values[i % 32]} << 32 | values[i * 3 % 32]);
    machine.v(4, lane) = values[(i * 7 + i / 32) % 32] ^ 0x00120034;
    for (int number = 0; number < 4; ++number)
      machine.v(6 + number, lane) = values[(i * 5 + static_cast<std::size_t>(number)) % 32];
  }
  machine.run("v_mqsad_u32_u8 v[10:13], v[2:3], v4, v[6:9]\nv_mqsad_pk_u16_u8 v[14:15], v[2:3], v4, v[6:7]");
  for (int lane = 0; lane < 64; ++lane) {
    for (int k = 0; k < 4; ++k) {
      const u64 sum = masked_distance(static_cast<u32>(machine.v64(2, lane) >> 8 * k), machine.v(4, lane));
      EXPECT_EQ(machine.v(10 + k, lane), static_cast<u32>(sum + machine.v(6 + k, lane))) << lane;
      EXPECT_EQ(machine.v64(14, lane) >> 16 * k & 0xffff, (sum + (machine.v64(6, lane) >> 16 * k)) & 0xffff) << lane;
    }
  }
  machine.judged();
}

}  // namespace
}  // namespace zellige::sim::test
