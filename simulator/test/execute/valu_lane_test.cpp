// Compares and their masks, cross-lane instructions, DPP, SDWA and register indexing, against the ISA's definitions.
#include <array>

#include "simulator/test/execute/valu_table.hpp"

namespace zellige::sim::test {
namespace {

constexpr u64 some_lanes = 0x8001'0ff0'5555'aaaf;

struct Relation {
  const char* name;
  bool less, equal, greater, unordered;
};

TEST(ValuCompare, FloatsWithNan) {
  const Relation relations[] = {{"f", 0, 0, 0, 0},   {"lt", 1, 0, 0, 0},  {"eq", 0, 1, 0, 0},  {"le", 1, 1, 0, 0},
                                {"gt", 0, 0, 1, 0},  {"lg", 1, 0, 1, 0},  {"ge", 0, 1, 1, 0},  {"o", 1, 1, 1, 0},
                                {"u", 0, 0, 0, 1},   {"nge", 1, 0, 0, 1}, {"nlg", 0, 1, 0, 1}, {"ngt", 1, 1, 0, 1},
                                {"nle", 0, 0, 1, 1}, {"neq", 1, 0, 1, 1}, {"nlt", 0, 1, 1, 1}, {"tru", 1, 1, 1, 1}};
  for (const Relation& relation : relations) {
    AssemblyMachine machine;
    for (int lane = 0; lane < 64; ++lane) {
      machine.v(0, lane) = bits(edge_floats()[lane % 32]);
      machine.v(1, lane) = bits(edge_floats()[(lane * 5 + lane / 32) % 32]);
      machine.set_v64(2, lane, bits(edge_doubles()[lane % 32]));
      machine.set_v64(4, lane, bits(edge_doubles()[(lane * 5 + lane / 32) % 32]));
      const u32 half_bits[] = {0, 0x8000, 0x3c00, 0xbc00, 0x4000, 0x7c00, 0xfc00, 0x7e00};
      machine.v(6, lane) = half_bits[lane % 8];
      machine.v(7, lane) = half_bits[lane / 8];
    }
    machine.set_exec(some_lanes);
    const std::string name = relation.name;
    machine.run("v_cmp_" + name + "_f32 vcc, v0, v1\ns_mov_b64 s[0:1], vcc\nv_cmp_" + name +
                "_f32_e64 s[2:3], -v0, |v1|\nv_cmp_" + name +
                "_f64 vcc, v[2:3], v[4:5]\ns_mov_b64 s[4:5], vcc\nv_cmp_" + name +
                "_f16 vcc, v6, v7\ns_mov_b64 s[6:7], vcc\ns_mov_b64 s[12:13], exec\nv_cmpx_" + name +
                "_f64 s[8:9], v[2:3], v[4:5]\ns_mov_b64 s[14:15], exec\ns_mov_b64 exec, s[12:13]\nv_cmpx_" + name +
                "_f16 s[10:11], v6, v7\ns_mov_b64 s[16:17], exec\ns_mov_b64 exec, s[12:13]\nv_cmpx_" + name +
                "_f32 vcc, v0, v1");
    const auto expected = [&](double a, double b) {
      return std::isnan(a) || std::isnan(b) ? relation.unordered
             : a < b                        ? relation.less
             : a == b                       ? relation.equal
                                            : relation.greater;
    };
    for (int lane = 0; lane < 64; ++lane) {
      const bool active = some_lanes >> lane & 1;
      const float a = as_float(machine.v(0, lane)), b = as_float(machine.v(1, lane));
      const double halves[] = {0, 0, 1, -1, 2, INFINITY, -INFINITY, NAN};
      EXPECT_EQ(machine.s64(0) >> lane & 1, active && expected(a, b)) << name << " " << a << " " << b;
      EXPECT_EQ(machine.s64(2) >> lane & 1, active && expected(-a, std::fabs(b)))
          << name << " -" << a << " |" << b << "|";
      EXPECT_EQ(machine.s64(4) >> lane & 1,
                active && expected(as_double(machine.v64(2, lane)), as_double(machine.v64(4, lane))))
          << name << " f64";
      EXPECT_EQ(machine.s64(6) >> lane & 1, active && expected(halves[lane % 8], halves[lane / 8])) << name << " f16";
      EXPECT_EQ(machine.wave().exec() >> lane & 1, active && expected(a, b)) << name << " cmpx";
    }
    EXPECT_EQ(machine.s64(scalar_vcc), machine.wave().exec());
    EXPECT_EQ(machine.s64(8), machine.s64(4)) << name << " cmpx f64";
    EXPECT_EQ(machine.s64(14), machine.s64(4)) << name << " cmpx f64";
    EXPECT_EQ(machine.s64(10), machine.s64(6)) << name << " cmpx f16";
    EXPECT_EQ(machine.s64(16), machine.s64(6)) << name << " cmpx f16";
    machine.judged();
  }
}

TEST(ValuCompare, Integers) {
  const Relation relations[] = {{"f", 0, 0, 0, 0},  {"lt", 1, 0, 0, 0}, {"eq", 0, 1, 0, 0}, {"le", 1, 1, 0, 0},
                                {"gt", 0, 0, 1, 0}, {"ne", 1, 0, 1, 0}, {"ge", 0, 1, 1, 0}, {"t", 1, 1, 1, 0}};
  for (const Relation& relation : relations) {
    for (const int width : {16, 32, 64}) {
      for (const bool is_signed : {false, true}) {
        AssemblyMachine machine;
        for (int lane = 0; lane < 64; ++lane) {
          machine.set_v64(0, lane, u64{edge_integers()[lane % 32]} << 32 | edge_integers()[(lane * 3) % 32]);
          machine.set_v64(2, lane,
                          u64{edge_integers()[(lane * 5) % 32]} << 32 | edge_integers()[(lane * 7 + lane / 32) % 32]);
        }
        machine.set_exec(some_lanes);
        const std::string compare = std::string(relation.name) + "_" + (is_signed ? "i" : "u") + std::to_string(width) +
                                    (width == 64 ? " vcc, v[0:1], v[2:3]" : " vcc, v0, v2");
        machine.run("v_cmpx_" + compare + "\ns_mov_b64 s[4:5], vcc\ns_mov_b64 s[6:7], exec\ns_mov_b64 exec, 0x" +
                    "5555aaaf\ns_mov_b32 exec_hi, 0x80010ff0\nv_cmp_" + compare);
        ASSERT_EQ(machine.wave().exec(), some_lanes);
        EXPECT_EQ(machine.s64(4), machine.s64(scalar_vcc)) << compare;
        EXPECT_EQ(machine.s64(6), machine.s64(scalar_vcc)) << compare;
        for (int lane = 0; lane < 64; ++lane) {
          // Shifted to the top of 64 bits, and the sign flipped, every width and signedness compares as unsigned
          // 64-bit.
          const u64 flip = is_signed ? u64{1} << 63 : 0;
          const u64 a = machine.v64(0, lane) << (64 - width) ^ flip, b = machine.v64(2, lane) << (64 - width) ^ flip;
          const bool expected = a < b ? relation.less : a == b ? relation.equal : relation.greater;
          EXPECT_EQ(machine.s64(scalar_vcc) >> lane & 1, (some_lanes >> lane & 1) && expected)
              << relation.name << width << is_signed << std::hex << a << " " << b;
        }
        machine.judged();
      }
    }
  }
}

TEST(ValuCompare, Classes) {
  const u32 singles[] = {0x7f800001, 0x7fc00000, 0xff800000, 0xbf800000, 0x80000001,
                         0x80000000, 0,          1,          0x3f800000, 0x7f800000};
  const u32 halves[] = {0x7c01, 0x7e00, 0xfc00, 0xbc00, 0x8001, 0x8000, 0, 1, 0x3c00, 0x7c00};
  const u64 doubles[] = {0x7ff0000000000001,
                         0x7ff8000000000000,
                         0xfff0000000000000,
                         0xbff0000000000000,
                         0x8000000000000001,
                         0x8000000000000000,
                         0,
                         1,
                         0x3ff0000000000000,
                         0x7ff0000000000000};
  for (int kind = 0; kind < 10; ++kind) {
    AssemblyMachine machine;
    for (int lane = 0; lane < 64; ++lane) {
      machine.v(0, lane) = singles[kind];
      machine.v(1, lane) = halves[kind];
      machine.set_v64(2, lane, doubles[kind]);
      machine.v(4, lane) = 1u << lane % 10;
    }
    machine.run(
        "v_cmp_class_f32 vcc, v0, v4\ns_mov_b64 s[0:1], vcc\nv_cmp_class_f16 vcc, v1, v4\ns_mov_b64 s[2:3], "
        "vcc\nv_cmp_class_f64 vcc, v[2:3], v4\ns_mov_b64 s[4:5], vcc\n"
        "v_cmpx_class_f32 vcc, v0, v4\ns_mov_b64 s[6:7], exec\ns_mov_b64 exec, -1\n"
        "v_cmpx_class_f16 vcc, v1, v4\ns_mov_b64 s[8:9], exec\ns_mov_b64 exec, -1\n"
        "v_cmpx_class_f64 vcc, v[2:3], v4\ns_mov_b64 s[10:11], exec");
    for (int lane = 0; lane < 64; ++lane) {
      EXPECT_EQ(machine.s64(0) >> lane & 1, lane % 10 == kind);
      EXPECT_EQ(machine.s64(2) >> lane & 1, lane % 10 == kind);
      for (int mask = 4; mask <= 10; mask += 2) EXPECT_EQ(machine.s64(mask) >> lane & 1, lane % 10 == kind) << mask;
    }
    machine.judged();
  }
}

TEST(ValuLane, SelectsByMask) {
  AssemblyMachine machine;
  for (int lane = 0; lane < 64; ++lane) {
    machine.v(0, lane) = bits(1.0f + lane);
    machine.v(1, lane) = bits(-100.0f - lane);
    machine.v(3, lane) = old_value;
  }
  machine.set_s64(scalar_vcc, 0x123456789abcdef0);
  machine.set_s64(4, 0xf0f0f0f00f0f0f0f);
  machine.set_exec(some_lanes);
  machine.run(
      "v_cndmask_b32 v2, v0, v1, vcc\nv_cndmask_b32_e64 v3, -v0, |v1|, s[4:5]\nv_cndmask_b32_e64 v4, 0, 1, s[4:5]");
  for (int lane = 0; lane < 64; ++lane) {
    if (!(some_lanes >> lane & 1)) {
      EXPECT_EQ(machine.v(3, lane), old_value);
      continue;
    }
    EXPECT_EQ(machine.v(2, lane), 0x123456789abcdef0 >> lane & 1 ? machine.v(1, lane) : machine.v(0, lane));
    EXPECT_EQ(machine.v(3, lane), 0xf0f0f0f00f0f0f0f >> lane & 1 ? bits(100.0f + lane) : bits(-1.0f - lane));
    EXPECT_EQ(machine.v(4, lane), 0xf0f0f0f00f0f0f0f >> lane & 1);
  }
  machine.judged();
}

TEST(ValuLane, ReadsWritesAndCounts) {
  AssemblyMachine machine;
  for (int lane = 0; lane < 64; ++lane) machine.v(0, lane) = static_cast<u32>(1000 + lane);
  machine.s(4) = 70;
  machine.set_exec(0xfff0);
  machine.run(R"(
    v_readfirstlane_b32 s0, v0
    v_readlane_b32 s1, v0, 63
    v_readlane_b32 s2, v0, s4
    s_mov_b32 s5, 77
    v_writelane_b32 v1, s5, 2
    s_mov_b64 exec, 0
    v_readfirstlane_b32 s3, v0
    s_mov_b64 exec, -1
    s_mov_b32 s6, 0x80000001
    v_mbcnt_lo_u32_b32 v2, s6, 5
    v_mbcnt_hi_u32_b32 v2, s6, v2
    v_mbcnt_lo_u32_b32 v3, -1, 0
    v_mbcnt_hi_u32_b32 v3, -1, v3)");
  EXPECT_EQ(machine.s(0), 1004u);
  EXPECT_EQ(machine.s(1), 1063u);
  EXPECT_EQ(machine.s(2), 1006u) << "the lane number wraps";
  EXPECT_EQ(machine.s(3), 1000u) << "no active lane reads lane 0";
  for (u32 lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(machine.v(1, lane), lane == 2 ? 77u : 0u);
    EXPECT_EQ(machine.v(2, lane), 5u + (lane > 0) + (lane > 31) + (lane > 32) + (lane == 64));
    EXPECT_EQ(machine.v(3, lane), lane);
  }
  machine.judged();
}

TEST(ValuLane, SwapsOfRegistersAndBlocks) {
  AssemblyMachine machine("gfx950");
  const auto fill = [&] {
    for (u32 lane = 0; lane < 64; ++lane) {
      machine.v(0, lane) = lane;
      machine.v(1, lane) = 100 + lane;
    }
  };
  fill();
  machine.run("v_swap_b32 v0, v1");
  EXPECT_EQ(machine.v(0, 9), 109u);
  EXPECT_EQ(machine.v(1, 9), 9u);
  machine.judged();
  fill();
  machine.run("v_permlane32_swap_b32 v0, v1");
  for (u32 lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(machine.v(0, lane), lane < 32 ? lane : 100 + lane - 32);
    EXPECT_EQ(machine.v(1, lane), lane < 32 ? lane + 32 : 100 + lane);
  }
  machine.judged();
  fill();
  machine.run("v_permlane16_swap_b32 v0, v1");
  for (u32 lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(machine.v(0, lane), lane / 16 % 2 == 0 ? lane : 100 + lane - 16);
    EXPECT_EQ(machine.v(1, lane), lane / 16 % 2 == 0 ? lane + 16 : 100 + lane);
  }
  machine.judged();
}

/// The lane that each lane reads, -1 outside, written as tables of the ISA's pictures rather than as formulas of
/// controls.
struct DppCase {
  const char* control;
  int (*source)(int lane);
};
const DppCase dpp_cases[] = {
    {"quad_perm:[1,0,3,2]", [](int lane) { return lane ^ 1; }},
    {"quad_perm:[3,3,3,3]", [](int lane) { return lane | 3; }},
    {"row_shl:1", [](int lane) { return lane % 16 == 15 ? -1 : lane + 1; }},
    {"row_shr:5", [](int lane) { return lane % 16 < 5 ? -1 : lane - 5; }},
    {"row_ror:4", [](int lane) { return lane / 16 * 16 + (lane % 16 + 12) % 16; }},
    {"row_mirror", [](int lane) { return lane ^ 15; }},
    {"row_half_mirror", [](int lane) { return lane ^ 7; }},
    {"row_newbcast:9", [](int lane) { return lane / 16 * 16 + 9; }},
    {"wave_shl:1", [](int lane) { return lane == 63 ? -1 : lane + 1; }},
    {"wave_shr:1", [](int lane) { return lane == 0 ? -1 : lane - 1; }},
    {"wave_rol:1", [](int lane) { return (lane + 1) % 64; }},
    {"wave_ror:1", [](int lane) { return (lane + 63) % 64; }},
    {"row_bcast:15", [](int lane) { return lane < 16 ? -1 : lane / 16 * 16 - 1; }},
    {"row_bcast:31", [](int lane) { return lane < 32 ? -1 : 31; }},
};

TEST(ValuDpp, EveryControl) {
  for (const DppCase& c : dpp_cases) {
    for (const u64 exec : {~u64{0}, some_lanes}) {
      for (const bool bound : {false, true}) {
        for (const u32 row_mask : {0xfu, 0xau}) {
          AssemblyMachine machine;
          for (u32 lane = 0; lane < 64; ++lane) {
            machine.v(0, lane) = 1000 + lane;
            machine.v(1, lane) = 1;
            machine.v(2, lane) = old_value;
          }
          machine.set_exec(exec);
          machine.run(std::string("v_add_u32_dpp v2, v0, v1 ") + c.control + " row_mask:" + std::to_string(row_mask) +
                      " bank_mask:0xf" + (bound ? " bound_ctrl:0" : ""));
          for (int lane = 0; lane < 64; ++lane) {
            const int source = c.source(lane);
            const bool valid = source >= 0 && (exec >> source & 1);
            const bool written = (exec >> lane & 1) && (row_mask >> lane / 16 & 1) && (valid || bound);
            EXPECT_EQ(machine.v(2, lane), !written ? old_value
                                          : valid  ? 1001u + static_cast<u32>(source)
                                                   : 1u)
                << c.control << " lane " << lane << " bound " << bound;
          }
          EXPECT_EQ(machine.wave().exec(), exec);
        }
      }
    }
  }
}

TEST(ValuSdwa, SelectsOfSourcesAndDestination) {
  const struct {
    const char* name;
    int shift, width;
  } parts[] = {{"BYTE_0", 0, 8},  {"BYTE_1", 8, 8},   {"BYTE_2", 16, 8}, {"BYTE_3", 24, 8},
               {"WORD_0", 0, 16}, {"WORD_1", 16, 16}, {"DWORD", 0, 32}};
  for (const auto& source : parts) {
    for (const auto& to : parts) {
      for (const std::string unused : {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"}) {
        for (const bool sext : {false, true}) {
          AssemblyMachine machine;
          for (int lane = 0; lane < 64; ++lane) {
            machine.v(0, lane) = edge_integers()[lane % 32];
            machine.v(1, lane) = 0x1d;
            machine.v(2, lane) = old_value;
          }
          machine.run(std::string("v_add_u32_sdwa v2, ") + (sext ? "sext(v0)" : "v0") + ", v1 dst_sel:" + to.name +
                      " dst_unused:" + unused + " src0_sel:" + source.name + " src1_sel:DWORD");
          for (int lane = 0; lane < 64; ++lane) {
            const u64 field = u64{machine.v(0, lane)} >> source.shift & ((u64{1} << source.width) - 1);
            const bool negative = sext && field >> (source.width - 1);
            const u32 sum = static_cast<u32>(field - (negative ? u64{1} << source.width : 0) + 0x1d);
            const u64 mask = ((u64{1} << to.width) - 1) << to.shift;
            const u64 placed = u64{sum} << to.shift & mask;
            u64 expected = placed;
            if (unused == "UNUSED_PRESERVE") expected |= old_value & ~mask;
            if (unused == "UNUSED_SEXT" && placed >> (to.shift + to.width - 1))
              expected |= ~u64{0} << (to.shift + to.width);
            ASSERT_EQ(machine.v(2, lane), static_cast<u32>(expected))
                << source.name << " to " << to.name << unused << sext << " lane " << lane;
          }
        }
      }
    }
  }
  AssemblyMachine machine;
  for (int lane = 0; lane < 64; ++lane) {
    machine.v(0, lane) = static_cast<u32>(lane) << 8;
    machine.v(1, lane) = 20;
  }
  machine.run("v_cmp_lt_u16_sdwa vcc, v0, v1 src0_sel:BYTE_1 src1_sel:DWORD");
  EXPECT_EQ(machine.s64(scalar_vcc), 0xfffffu);
}

TEST(ValuLane, RegisterIndexing) {
  AssemblyMachine machine;
  for (int lane = 0; lane < 64; ++lane)
    for (int number = 10; number < 20; ++number) machine.v(number, lane) = static_cast<u32>(number * 100 + lane);
  machine.s(4) = 5;
  machine.run(
      "s_set_gpr_idx_on s4, gpr_idx(SRC0)\nv_mov_b32 v0, v10\ns_set_gpr_idx_off\ns_set_gpr_idx_on s4, "
      "gpr_idx(DST)\nv_mov_b32 v20, v10\ns_set_gpr_idx_off\nv_mov_b32 v1, v10");
  EXPECT_EQ(machine.v(0, 3), 1503u);
  EXPECT_EQ(machine.v(25, 3), 1003u);
  EXPECT_EQ(machine.v(1, 3), 1003u);
}

}  // namespace
}  // namespace zellige::sim::test
