// Loads and stores of gfx11, gfx12 and gfx1250 in waves of 32 and 64 lanes, from text to bytes: every width in every
// form of address.
#include "simulator/test/execute/memory_rig.hpp"

namespace zellige::sim::test {
namespace {

std::uint8_t* in_memory(MemoryRig& rig, int, std::uint32_t offset) { return rig.memory.data() + offset; }
std::uint8_t* in_lds(MemoryRig& rig, int, std::uint32_t offset) { return rig.lds + offset; }
std::uint8_t* in_scratch(MemoryRig& rig, int lane, std::uint32_t offset) {
  return rig.scratch + static_cast<std::uint32_t>(lane) * MemoryRig::scratch_size + offset;
}

void check(const WaveTarget& target, AddressForm load, const std::string& store_prefix) {
  check_rig_loads(target, load);
  AddressForm store = load;
  store.prefix = store_prefix;
  check_rig_stores(target, store);
}

TEST(TargetMemory, GlobalByVectorAddressOrScalarBase) {
  for (const WaveTarget& target : rdna_targets) {
    check(target,
          {.before = "v[4:5]",
           .after = ", off offset:-24",
           .aim = [](MemoryRig& rig, const auto& at) { rig.set_addresses(rig.memory.address() + 24, at); },
           .at = in_memory,
           .prefix = "global_load_"},
          "global_store_");
    check(target,
          {.before = "v4",
           .after = ", s[2:3] offset:-24",
           .aim =
               [](MemoryRig& rig, const auto& at) {
                 rig.set_s64(2, rig.memory.address() + 16);
                 rig.set_offsets(8, at);
               },
           .at = in_memory,
           .prefix = "global_load_"},
          "global_store_");
  }
}

TEST(TargetMemory, LaterTargetsHave24BitOffsets) {
  for (const WaveTarget& target : rdna_targets) {
    if (is_gfx11(target)) continue;
    check(target,
          {.before = "v[4:5]",
           .after = ", off offset:-8388608 scope:SCOPE_SYS",
           .aim = [](MemoryRig& rig, const auto& at) { rig.set_addresses(rig.memory.address() + 8388608, at); },
           .at = in_memory,
           .prefix = "global_load_"},
          "global_store_");
  }
}

TEST(TargetMemory, FlatReachesGlobalMemoryLdsAndScratch) {
  struct Place {
    std::uint32_t high;
    std::uint8_t* (*at)(MemoryRig&, int, std::uint32_t);
  };
  for (const WaveTarget& target : rdna_targets)
    for (const Place place : {Place{0, in_memory}, Place{0x10000, in_lds}, Place{0x20000, in_scratch}}) {
      const auto base = [place](MemoryRig& rig) {
        return place.high != 0 ? std::uint64_t{place.high} << 32 : rig.memory.address();
      };
      check(target,
            {.before = "v[4:5]",
             .after = " offset:24",
             .aim = [base](MemoryRig& rig, const auto& at) { rig.set_addresses(base(rig), at); },
             .at = [place](MemoryRig& rig, int lane, std::uint32_t offset) { return place.at(rig, lane, offset + 24); },
             .prefix = "flat_load_"},
            "flat_store_");
      if (!is_gfx1250(target)) continue;
      check(target,
            {.before = "v4",
             .after = ", s[2:3] offset:-24",
             .aim =
                 [base](MemoryRig& rig, const auto& at) {
                   rig.set_s64(2, base(rig) + 16);
                   rig.set_offsets(8, at);
                 },
             .at = place.at,
             .prefix = "flat_load_"},
            "flat_store_");
    }
}

TEST(TargetMemory, ScratchByVectorScalarAndBoth) {
  for (const WaveTarget& target : rdna_targets) {
    const auto both = [](MemoryRig& rig, const auto& at) {
      rig.s(2) = 16;
      rig.set_offsets(8, at);
    };
    check(target,
          {.before = "v4", .after = ", s2 offset:-24", .aim = both, .at = in_scratch, .prefix = "scratch_load_"},
          "scratch_store_");
    check(target,
          {.before = "v4",
           .after = ", off offset:-24",
           .aim = [](MemoryRig& rig, const auto& at) { rig.set_offsets(24, at); },
           .at = in_scratch,
           .prefix = "scratch_load_"},
          "scratch_store_");
    check(target,
          {.before = "off",
           .after = ", s2 offset:24",
           .aim = [](MemoryRig& rig, const auto&) { rig.s(2) = 40; },
           .at = in_scratch,
           .same_address = true,
           .prefix = "scratch_load_"},
          "scratch_store_");
    check(target,
          {.before = "off",
           .after = ", off offset:64",
           .aim = [](MemoryRig&, const auto&) {},
           .at = in_scratch,
           .same_address = true,
           .prefix = "scratch_load_"},
          "scratch_store_");
  }
}

// gfx12 takes the vector and the scalar offset of scratch as signed numbers, gfx11 does not.
TEST(TargetMemory, ScratchOffsetsAreSignedFromGfx12On) {
  for (const WaveTarget& target : rdna_targets) {
    MemoryRig rig(target);
    rig.s(2) = static_cast<std::uint32_t>(-64);
    rig.set_offsets(0, std::vector<std::uint32_t>(64, 96));
    const std::string negative_scalar = rig.fault("scratch_load_b32 v8, v4, s2");
    rig.s(2) = 96;
    rig.set_offsets(0, std::vector<std::uint32_t>(64, static_cast<std::uint32_t>(-64)));
    const std::string negative_vector = rig.fault("scratch_load_b32 v9, v4, s2");
    if (is_gfx11(target)) {
      EXPECT_NE(negative_scalar.find("scratch offset"), std::string::npos) << negative_scalar;
      EXPECT_NE(negative_vector.find("scratch offset"), std::string::npos) << negative_vector;
      continue;
    }
    ASSERT_EQ(negative_scalar + negative_vector, "") << target.target;
    for (int lane = 0; lane < rig.lanes; ++lane) {
      EXPECT_EQ(rig.v(8, lane), dword(in_scratch(rig, lane, 32)));
      EXPECT_EQ(rig.v(9, lane), dword(in_scratch(rig, lane, 32)));
    }
    rig.s(2) = 0;
    EXPECT_NE(rig.fault("scratch_load_b32 v9, v4, s2"), "") << "below the lane's scratch";
  }
}

TEST(TargetMemory, BuffersByOffset) {
  for (const WaveTarget& target : rdna_targets)
    check(target,
          {.before = "",
           .after = ", v4, s[16:19], s24 offen offset:10",
           .aim =
               [](MemoryRig& rig, const auto& at) {
                 rig.set_buffer(rig.memory.data() - 1000, 5096);
                 rig.s(24) = 980;
                 rig.set_offsets(10, at);
               },
           .at = in_memory,
           .prefix = "buffer_load_"},
          "buffer_store_");
}

TEST(TargetMemory, LdsWidths) {
  static constexpr const char* loads[] = {"u8",        "i8",      "u16",        "i16", "u8_d16", "u8_d16_hi", "i8_d16",
                                          "i8_d16_hi", "u16_d16", "u16_d16_hi", "b32", "b64",    "b96",       "b128"};
  static constexpr const char* stores[] = {"b8", "b8_d16_hi", "b16", "b16_d16_hi", "b32", "b64", "b96", "b128"};
  for (const WaveTarget& target : rdna_targets) {
    AddressForm form{.before = "v4",
                     .after = " offset:2000",
                     .aim = [](MemoryRig& rig, const auto& at) { rig.set_offsets(8, at); },
                     .at = [](MemoryRig& rig, int, std::uint32_t offset) { return rig.lds + offset + 2008; },
                     .prefix = "ds_load_"};
    check_rig_loads(target, form, loads);
    form.prefix = "ds_store_";
    check_rig_stores(target, form, stores);
  }
}

TEST(TargetMemory, AccessesByLaneNumber) {
  for (const WaveTarget& target : rdna_targets) {
    MemoryRig rig(target);
    rig.set_s64(2, rig.memory.address() + 64);
    rig.s(scalar_m0) = 128;
    rig.set_exec(0x8000000000f0ff0full);
    rig.run(
        "ds_load_addtid_b32 v9 offset:8\nds_store_addtid_b32 v8 offset:1024\nglobal_load_addtid_b32 v10, s[2:3] "
        "offset:16\n"
        "global_store_addtid_b32 v8, s[2:3] offset:2048");
    MemoryRig before(target);
    for (int lane = 0; lane < rig.lanes; ++lane) {
      const bool active = 0x8000000000f0ff0full >> lane & 1;
      const auto at = static_cast<std::uint32_t>(4 * lane);
      EXPECT_EQ(rig.v(9, lane), active ? dword(rig.lds + 136 + at) : before.v(9, lane));
      EXPECT_EQ(rig.v(10, lane), active ? dword(before.memory.data() + 80 + at) : before.v(10, lane));
      EXPECT_EQ(dword(rig.lds + 1152 + at), active ? rig.v(8, lane) : dword(before.lds + 1152 + at));
      EXPECT_EQ(dword(rig.memory.data() + 2112 + at),
                active ? rig.v(8, lane) : dword(before.memory.data() + 2112 + at));
    }
    rig.judged();
  }
}

TEST(TargetMemory, Gfx1250CountsOffsetsInAccesses) {
  MemoryRig rig({"gfx1250", 32});
  rig.set_s64(2, rig.memory.address() + 1024);
  rig.s(4) = 24;
  for (int lane = 0; lane < 32; ++lane) rig.v(4, lane) = static_cast<std::uint32_t>(lane - 10);
  rig.s(12) = 512;
  rig.run(
      "global_load_b64 v[20:21], v4, s[2:3] offset:8 scale_offset\nflat_load_b32 v22, v4, s[2:3] offset:4 "
      "scale_offset\n"
      "scratch_load_b64 v[24:25], v4, s12 offset:8 scale_offset\n"
      "s_load_b64 s[6:7], s[2:3], s4 offset:0x8 scale_offset\ns_load_u16 s8, s[2:3], s4 offset:0x8 scale_offset");
  for (int lane = 0; lane < 32; ++lane) {
    const int count = lane - 10;
    for (int word = 0; word < 2; ++word) {
      EXPECT_EQ(rig.v(20 + word, lane), dword(rig.memory.data() + 1032 + 8 * count + 4 * word));
      EXPECT_EQ(rig.v(24 + word, lane), dword(in_scratch(rig, lane, 0) + 520 + 8 * count + 4 * word));
    }
    EXPECT_EQ(rig.v(22, lane), dword(rig.memory.data() + 1028 + 4 * count));
  }
  EXPECT_EQ(rig.s(6), dword(rig.memory.data() + 1032 + 24 * 8));
  EXPECT_EQ(rig.s(7), dword(rig.memory.data() + 1036 + 24 * 8));
  EXPECT_EQ(rig.s(8), half(rig.memory.data() + 1032 + 24 * 2));
}

TEST(TargetMemory, BlocksMoveTheRegistersThatM0Names) {
  for (const WaveTarget& target : rdna_targets) {
    if (is_gfx11(target)) continue;
    MemoryRig rig(target);
    constexpr std::uint32_t selected = 0x80000a05;
    rig.s(scalar_m0) = selected;
    rig.set_addresses(rig.memory.address(), offsets(0, 32, 4096));
    rig.set_exec(~std::uint64_t{4});
    for (int word = 0; word < 32; ++word)
      for (int lane = 0; lane < 64; ++lane) rig.v(40 + word, lane) = static_cast<std::uint32_t>(100 * word + lane);
    rig.run("global_load_block v[40:71], v[4:5], off offset:16");
    for (int lane = 0; lane < target.lanes; ++lane)
      for (int word = 0; word < 32; ++word)
        ASSERT_EQ(rig.v(40 + word, lane), lane != 2 && (selected >> word & 1)
                                              ? dword(rig.memory.data() + 32 * lane + 16 + 4 * word)
                                              : static_cast<std::uint32_t>(100 * word + lane))
            << target.target << " lane " << lane << " word " << word;
    rig.set_offsets(0, std::vector<std::uint32_t>(64, 256));
    rig.run("scratch_store_block v4, v[40:71], off offset:8");
    MemoryRig before(target);
    for (int lane = 0; lane < target.lanes; ++lane)
      for (int word = 0; word < 32; ++word)
        ASSERT_EQ(dword(in_scratch(rig, lane, 264) + 4 * word), lane != 2 && (selected >> word & 1)
                                                                    ? rig.v(40 + word, lane)
                                                                    : dword(in_scratch(before, lane, 264) + 4 * word));
    rig.judged();
  }
}

TEST(TargetMemory, FaultsNameLaneAndAddress) {
  for (const WaveTarget& target : rdna_targets) {
    MemoryRig rig(target);
    rig.set_addresses(rig.memory.address(), std::vector<std::uint32_t>(64, 0));
    rig.set_v64(address_row, 13, MemoryRig::memory_size + rig.memory.address());
    EXPECT_NE(rig.fault("global_load_b32 v8, v[4:5], off").find("lane 13 loads 4 bytes"), std::string::npos);
    rig.set_exec(~std::uint64_t{1 << 13});
    EXPECT_EQ(rig.fault("global_load_b32 v8, v[4:5], off"), "");
    rig.set_exec(~std::uint64_t{0});
    rig.set_offsets(0, std::vector<std::uint32_t>(64, 0));
    rig.v(address_row, 7) = MemoryRig::lds_size - 2;
    EXPECT_NE(rig.fault("ds_store_b32 v4, v8").find("lane 7 stores 4 bytes at LDS"), std::string::npos);
    rig.v(address_row, 7) = MemoryRig::scratch_size - 3;
    EXPECT_NE(rig.fault("scratch_load_b32 v8, v4, off").find("lane 7 loads 4 bytes at scratch"), std::string::npos);
  }
}

}  // namespace
}  // namespace zellige::sim::test
