// Typed buffer accesses and blocks of registers under every check: each planted fault with its clean twin.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "simulator/memory/arena.hpp"
#include "simulator/memory/defined_bytes.hpp"
#include "simulator/test/check/check_machine.hpp"

namespace zellige::sim::test {
namespace {

// Read once, when the memory is set up: with it device memory has bits that say what was written.
[[maybe_unused]] const int with_memory = setenv("ZELLIGE_SIM_CHECK", "uninit", 1);

constexpr std::uint32_t memory_bytes = 65536, written_bytes = 32768;
constexpr int formats_at = 12;
constexpr std::uint32_t rg32_float = 50, select_xyzw = 4 | 5 << 3 | 6 << 6 | 7 << 9, select_x_one = 4 | 1 << 3;

/// Waves with device memory at s[2:3], whose first half was written; s[16:19] describes it as elements without a
/// format, s[20:23] as pairs of floats, s[24:27] as such whose second component reads as 1. v0 = 128 * lane; v1 and v2
/// are 7; s31 = 4 * the wave's number. Other registers were never written.
std::string run(const std::string& target, unsigned checks, const std::string& text, int waves = 1) {
  void* memory = Arena::instance().allocate(memory_bytes, 0);
  const auto address = reinterpret_cast<std::uint64_t>(memory);
  DefinedBytes::instance()->define(address, written_bytes);
  CheckMachine machine(target, checks, waves);
  machine.set_scalar_pair(2, address);
  constexpr std::uint32_t by_bytes = 3u << 28;  // out of range is what lies behind the last byte
  for (const auto& [first, word3] : {std::pair{16, 0u},
                                     {20, select_xyzw | rg32_float << formats_at},
                                     {24, select_x_one | rg32_float << formats_at}}) {
    machine.set_scalar_pair(first, address);
    machine.set_scalar(first + 2, memory_bytes);
    machine.set_scalar(first + 3, word3 | by_bytes);
  }
  machine.set_row(0, [](int lane) { return 128 * static_cast<std::uint32_t>(lane); });
  for (const int row : {1, 2}) machine.set_row(row, [](int) { return 7u; });
  const std::string message = machine.run("s_lshl_b32 s31, s30, 2\n" + text);
  Arena::instance().release(memory);
  return message;
}

constexpr const char* typed_targets[] = {"gfx1100", "gfx1151", "gfx1201"};
constexpr const char* block_targets[] = {"gfx1201", "gfx1250"};
bool is_gfx11(const std::string& target) { return target.starts_with("gfx11"); }

std::string typed(const std::string& operation, const std::string& data, const std::string& format,
                  const std::string& address = "v0", const std::string& soffset = "null") {
  return "tbuffer_" + operation + " " + data + ", " + address + ", s[16:19], " + soffset + " format:[BUF_FMT_" +
         format + "] offen\n";
}
std::string wait_for_loads(const std::string& target, int left) {
  return (is_gfx11(target) ? "s_waitcnt vmcnt(" + std::to_string(left) + ")"
                           : "s_wait_loadcnt " + std::to_string(left)) +
         "\n";
}

/// Operations of memory's classes that touch none that a check follows: exchanges of lanes, clocks, caches, prefetches,
/// and what the simulator refuses.
bool touches_nothing(std::string_view name) {
  static constexpr std::string_view beginnings[] = {"ds_swizzle",  "ds_permute",   "ds_bpermute",      "ds_nop",
                                                    "ds_gws_",     "ds_bvh_stack", "ds_add_gs_reg",    "ds_sub_gs_",
                                                    "s_memtime",   "s_memreal",    "s_dcache_",        "s_gl1_inv",
                                                    "s_atc_probe", "s_prefetch_",  "s_buffer_prefetch"};
  return std::ranges::any_of(beginnings, [&](std::string_view beginning) { return name.starts_with(beginning); });
}

TEST(AccessPlans, EveryMemoryOperationHasOne) {
  for (const int lanes : {32, 64})
    for (const auto& table : operations(lanes))
      for (const Operation& operation : table) {
        const OpClass kind = operation.op_class;
        if (kind != OpClass::global_load && kind != OpClass::global_store && kind != OpClass::atomic &&
            kind != OpClass::smem && kind != OpClass::lds)
          continue;
        EXPECT_EQ(touches_nothing(operation.mnemonic), access_plan(operation, Instruction{}).producer == nullptr)
            << operation.mnemonic;
      }
}

TEST(TypedUninit, DataAndAddresses) {
  for (const std::string target : typed_targets) {
    const auto check = [&](const std::string& text) { return run(target, check_uninit, text); };
    EXPECT_EQ("", check(typed("store_format_x", "v1", "32_FLOAT"))) << target;
    EXPECT_TRUE(says(check(typed("store_format_x", "v5", "32_FLOAT")), {"lane 0 uses v5 as data to store"}));
    EXPECT_TRUE(says(check(typed("store_format_x", "v1", "32_FLOAT", "v5")), {"uses v5 as an address"}));
    EXPECT_TRUE(says(check(typed("load_format_x", "v6", "32_FLOAT", "v5")), {"uses v5 as an address"}));
    EXPECT_TRUE(says(check(typed("load_format_x", "v6", "32_FLOAT", "v0", "s9")), {"s9 is used as an address"}));
    EXPECT_TRUE(says(check("buffer_store_format_xy v[4:5], v0, s[20:23], null offen"), {"uses v4 as data"}));
    EXPECT_EQ("", check("buffer_store_format_xy v[1:2], v0, s[20:23], null offen")) << target;
  }
}

TEST(TypedUninit, RegistersBehindTheFormatDoNotMatter) {
  for (const std::string target : typed_targets) {
    const auto check = [&](const std::string& text) { return run(target, check_uninit, text); };
    EXPECT_EQ("", check(typed("store_format_xyzw", "v[2:5]", "32_FLOAT"))) << target;
    EXPECT_TRUE(says(check(typed("store_format_xyzw", "v[2:5]", "32_32_FLOAT")), {"uses v3 as data"}));
    EXPECT_EQ("", check(typed("store_d16_format_xyzw", "v[2:3]", "16_16_FLOAT"))) << target;
    EXPECT_TRUE(says(check(typed("store_d16_format_xyzw", "v[2:3]", "16_16_16_16_FLOAT")), {"uses v3 as data"}));
  }
}

TEST(TypedUninit, MemoryThatNothingWrote) {
  const std::string unwritten = "s_movk_i32 s8, 0x7ff8\n";  // lane 0: the last eight bytes that were written
  for (const std::string target : typed_targets) {
    const auto load = [&](const std::string& operation, const std::string& format, const std::string& offset) {
      return run(target, check_uninit,
                 unwritten + "v_cmp_eq_u32 vcc_lo, 0, v0\ns_and_b32 exec_lo, exec_lo, vcc_lo\ns_add_u32 s8, s8, " +
                     offset + "\n" + typed(operation, "v[6:7]", format, "v0", "s8"));
    };
    EXPECT_EQ("", load("load_format_xy", "32_32_FLOAT", "0")) << target;
    EXPECT_TRUE(says(load("load_format_xy", "32_32_FLOAT", "4"), {"uninitialised memory", "lane 0 reads 8 bytes"}));
    EXPECT_EQ("", load("load_format_xy", "16_16_FLOAT", "4")) << target;
    // What is stored is written.
    EXPECT_EQ("", run(target, check_uninit,
                      "s_mov_b32 s8, 0x8000\n" + typed("store_format_xy", "v[1:2]", "32_32_FLOAT", "v0", "s8") +
                          typed("load_format_xy", "v[6:7]", "32_32_FLOAT", "v0", "s8")))
        << target;
    EXPECT_TRUE(says(run(target, check_uninit,
                         "s_mov_b32 s8, 0x8000\n" + typed("store_format_x", "v1", "32_FLOAT", "v0", "s8") +
                             typed("load_format_xy", "v[6:7]", "32_32_FLOAT", "v0", "s8")),
                     {"uninitialised memory"}));
    // The element's second component reaches no register: it is not asked for, or the descriptor says 1.
    const std::string first_half = "s_mov_b32 s8, 0x8000\n" + typed("store_format_x", "v1", "32_FLOAT", "v0", "s8");
    EXPECT_EQ("", run(target, check_uninit,
                      first_half + "buffer_load_format_x v6, v0, s[20:23], s8 offen\n"
                                   "buffer_load_format_xy v[6:7], v0, s[24:27], s8 offen"))
        << target;
    EXPECT_TRUE(says(run(target, check_uninit, first_half + "buffer_load_format_xy v[6:7], v0, s[20:23], s8 offen"),
                     {"uninitialised memory"}));
  }
}

TEST(TypedUninit, OutOfRangeReadsNothing) {
  for (const std::string target : typed_targets) {
    // Eight bytes of which the first four are in range: the element as a whole is not.
    const std::string text = "s_mov_b32 s18, 0x8004\nv_mov_b32 v3, 0x8000\n";
    EXPECT_EQ("", run(target, check_uninit, text + typed("load_format_xy", "v[6:7]", "32_32_FLOAT", "v3"))) << target;
    EXPECT_TRUE(says(run(target, check_uninit, text + typed("load_format_x", "v6", "32_FLOAT", "v3")),
                     {"uninitialised memory"}));
  }
}

TEST(TypedWait, LoadsAreOutstanding) {
  for (const std::string target : typed_targets) {
    const auto check = [&](const std::string& text) { return run(target, check_wait, text); };
    for (const std::string& load : {typed("load_format_xy", "v[6:7]", "32_32_FLOAT"),
                                    std::string("buffer_load_format_xy v[6:7], v0, s[20:23], null offen\n")}) {
      EXPECT_TRUE(says(check(load + "v_mov_b32 v8, v7"), {"missing wait", "reads v7", load.substr(0, 20)})) << target;
      EXPECT_TRUE(says(check(load + "v_mov_b32 v6, v1"), {"writes v6"})) << target;
      EXPECT_EQ("", check(load + wait_for_loads(target, 0) + "v_mov_b32 v8, v7")) << target;
    }
    // They count: with one outstanding behind it the other load has returned.
    const std::string plain = "global_load_b32 v9, v0, s[2:3]\n", other = typed("load_format_x", "v6", "32_FLOAT");
    EXPECT_EQ("", check(plain + other + wait_for_loads(target, 1) + "v_mov_b32 v8, v9")) << target;
    EXPECT_TRUE(says(check(other + plain + wait_for_loads(target, 1) + "v_mov_b32 v8, v9"), {"reads v9"}));
    // Stores do not: they have a counter of their own.
    EXPECT_TRUE(
        says(check(plain + typed("store_format_x", "v1", "32_FLOAT") + wait_for_loads(target, 1) + "v_mov_b32 v8, v9"),
             {"reads v9"}));
  }
}

TEST(TypedRace, WavesMeet) {
  for (const std::string target : typed_targets) {
    const auto check = [&](const std::string& text) { return run(target, check_race, text, 2); };
    const std::string same = typed("store_format_x", "v1", "32_FLOAT"),
                      apart = typed("store_format_x", "v1", "32_FLOAT", "v0", "s31");
    EXPECT_EQ("", check(apart)) << target;
    EXPECT_TRUE(says(check(same), {"data race", "lane 0 writes 4 bytes at global address", "wave 0 wrote byte",
                                   "tbuffer_store_format_x"}))
        << target;
    // Wave 1 stores behind what it loads itself: the second component of wave 0's elements.
    EXPECT_EQ(
        "", check(typed("load_format_x", "v6", "32_FLOAT") + "s_cmp_eq_u32 s30, 0\ns_cbranch_scc1 L\n" + apart + "L:"))
        << target;
    EXPECT_TRUE(says(check(typed("load_format_xy", "v[6:7]", "32_32_FLOAT") +
                           "s_cmp_eq_u32 s30, 0\ns_cbranch_scc1 L\n" + apart + "L:"),
                     {"data race", "wave 0 read byte"}))
        << target;
    EXPECT_EQ("", check("buffer_load_format_x v6, v0, s[20:23], null offen\ns_cmp_eq_u32 s30, 0\ns_cbranch_scc1 L\n" +
                        apart + "L:"))
        << target;
  }
}

std::string select(std::uint32_t registers) { return "s_mov_b32 m0, " + std::to_string(registers) + "\n"; }

TEST(BlockUninit, SelectedRegistersMatter) {
  for (const std::string target : block_targets) {
    const auto check = [&](const std::string& text) { return run(target, check_uninit, text); };
    const std::string some = "v_mov_b32 v40, v1\nv_mov_b32 v42, v1\nv_mov_b32 v71, v1\n",
                      store = "global_store_block v0, v[40:71], s[2:3]\n";
    EXPECT_EQ("", check(some + select(0x80000005) + store)) << target;
    EXPECT_TRUE(says(check(some + select(0x80000007) + store), {"lane 0 uses v41 as data to store"})) << target;
    EXPECT_EQ("", check(select(0) + store)) << target;
    EXPECT_TRUE(says(check(some + "s_mov_b32 m0, s9\n" + store), {"m0 is used as"})) << target;
    EXPECT_TRUE(says(check(some + select(1) + "global_store_block v5, v[40:71], s[2:3]"), {"v5 as an address"}));
    // A load defines those that it selects.
    const std::string load = select(5) + "global_load_block v[40:71], v0, s[2:3]\n";
    EXPECT_EQ("", check(load + "global_store_b32 v0, v42, s[2:3]")) << target;
    EXPECT_TRUE(says(check(load + "global_store_b32 v0, v41, s[2:3]"), {"uses v41"})) << target;
  }
}

TEST(BlockUninit, ScratchTakesOverWhatRegistersWere) {
  for (const std::string target : block_targets) {
    const auto check = [&](const std::string& text) { return run(target, check_uninit, text); };
    // Eight registers and a gap: v42 and v50 are open, which matters to who stores them from where they were loaded to.
    std::string saves = "v_mov_b32 v40, v1\nv_mov_b32 v41, v1\nv_mov_b32 v51, v1\n" + select(0x0c07);
    saves += "scratch_store_block off, v[40:71], off offset:16\nscratch_load_block v[80:111], off, off offset:16\n";
    for (const int row : {80, 81, 91})
      EXPECT_EQ("", check(saves + "global_store_b32 v0, v" + std::to_string(row) + ", s[2:3]")) << target << row;
    for (const int row : {82, 90, 83})
      EXPECT_TRUE(says(check(saves + "global_store_b32 v0, v" + std::to_string(row) + ", s[2:3]"),
                       {"uses v" + std::to_string(row) + " as data"}))
          << target;
  }
}

TEST(BlockUninit, MemoryThatNothingWrote) {
  for (const std::string target : block_targets) {
    const auto check = [&](const std::string& text) { return run(target, check_uninit, text); };
    const std::string base = "s_add_u32 s2, s2, 0x8000\ns_addc_u32 s3, s3, 0\n",
                      some = "v_mov_b32 v40, v1\nv_mov_b32 v71, v1\n" + select(0x80000001),
                      store = "global_store_block v0, v[40:71], s[2:3]\n",
                      load = "global_load_block v[40:71], v0, s[2:3]\n";
    EXPECT_EQ("", check(base + some + store + load)) << target;
    EXPECT_EQ("", check(base + some + store + "global_load_b32 v5, v0, s[2:3] offset:124")) << target;
    EXPECT_TRUE(says(check(base + some + store + select(3) + load), {"uninitialised memory", "lane 0 reads 8 bytes"}));
    EXPECT_TRUE(
        says(check(base + some + store + "global_load_b32 v5, v0, s[2:3] offset:64"), {"uninitialised memory"}));
    // All of 128 bytes.
    EXPECT_EQ("", check(select(0xffffffff) + load)) << target;
    EXPECT_TRUE(
        says(check("s_add_u32 s2, s2, 0x7f04\ns_addc_u32 s3, s3, 0\nv_mov_b32 v0, 0x80\n" + select(0xffffffff) + load),
             {"uninitialised memory"}));
  }
}

TEST(BlockWait, SelectedRegistersAreOutstanding) {
  for (const std::string target : block_targets) {
    const auto check = [&](const std::string& text) { return run(target, check_wait, text); };
    const std::string load = select(5) + "global_load_block v[40:71], v0, s[2:3]\n";
    EXPECT_TRUE(
        says(check(load + "v_mov_b32 v5, v42"), {"missing wait", "reads v42", "global_load_block", "s_wait_loadcnt 0"}))
        << target;
    EXPECT_EQ("", check(load + "v_mov_b32 v5, v41")) << target;
    EXPECT_TRUE(says(check(load + "v_mov_b32 v40, v1"), {"writes v40"})) << target;
    EXPECT_EQ("", check(load + "v_mov_b32 v41, v1")) << target;
    EXPECT_EQ("", check(load + wait_for_loads(target, 0) + "v_mov_b32 v5, v42")) << target;
    const std::string plain = "global_load_b32 v41, v0, s[2:3]\n", store = "global_store_block v0, v[40:71], s[2:3]\n";
    EXPECT_EQ("", check(select(5) + plain + store)) << target;
    EXPECT_TRUE(says(check(select(2) + plain + store), {"reads v41"})) << target;
    const std::string scratch = select(2) + "scratch_load_block v[40:71], off, off\n";
    EXPECT_TRUE(says(check(scratch + "v_mov_b32 v5, v41"), {"reads v41"})) << target;
    EXPECT_EQ("", check(scratch + "v_mov_b32 v5, v40")) << target;
  }
}

TEST(BlockRace, WavesMeetInTheSelectedDwords) {
  for (const std::string target : block_targets) {
    const auto check = [&](const std::string& text) { return run(target, check_race, text, 2); };
    const std::string store = "global_store_block v0, v[40:71], s[2:3]\n";
    // Wave 0 stores registers 0 and 2, wave 1 register 1 or these.
    const std::string own = "s_mov_b32 m0, 5\ns_cmp_eq_u32 s30, 0\ns_cbranch_scc1 L\ns_mov_b32 m0, 2\nL:\n";
    EXPECT_EQ("", check(own + store)) << target;
    EXPECT_TRUE(says(check(select(5) + store), {"data race", "lane 0 writes 4 bytes at global address",
                                                "wave 0 wrote byte", "global_store_block"}))
        << target;
    EXPECT_EQ("", check(select(5) + "global_load_block v[40:71], v0, s[2:3]\n")) << target;
  }
}

}  // namespace
}  // namespace zellige::sim::test
