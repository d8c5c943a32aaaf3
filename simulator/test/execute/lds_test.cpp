// LDS: reads and writes of every width, atomics, exchanges between lanes, transposed reads, bounds and bank conflicts.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "simulator/execute/lds_banks.hpp"
#include "simulator/test/execute/memory_machine.hpp"

namespace zellige::sim::test {
namespace {

constexpr int address_row = 4, data_row = 8, second_row = 16, result_row = 300;

std::uint32_t dword(const std::uint8_t* p) {
  std::uint32_t value;
  std::memcpy(&value, p, 4);
  return value;
}

Instruction ds_read(int words, int offset = 0, int offset2 = 0) {
  Instruction instruction;
  instruction.dst = vector_operand(result_row, words);
  instruction.src[0] = vector_operand(address_row);
  instruction.offset = offset;
  instruction.offset2 = offset2;
  return instruction;
}

Instruction ds_write(int words, int offset = 0, int offset2 = 0) {
  Instruction instruction;
  instruction.src[0] = vector_operand(address_row);
  instruction.src[1] = vector_operand(data_row, words);
  instruction.src[2] = vector_operand(second_row, words);
  instruction.offset = offset;
  instruction.offset2 = offset2;
  return instruction;
}

void prepare(Machine& machine, const std::function<std::uint32_t(std::uint32_t)>& address) {
  std::mt19937 generator(3);
  for (std::uint32_t i = 0; i < machine.group().lds_bytes; ++i)
    machine.lds()[i] = static_cast<std::uint8_t>(generator());
  for (int row : {data_row, data_row + 1, data_row + 2, data_row + 3, second_row, second_row + 1, result_row,
                  result_row + 1, result_row + 2, result_row + 3})
    for (int lane = 0; lane < 64; ++lane) machine.wave.row(row)[lane] = static_cast<std::uint32_t>(generator());
  for (std::uint32_t lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = address(lane);
}

constexpr std::uint64_t masks[] = {~std::uint64_t{0}, 0x0f0f00ff80000001ull, 0};

TEST(Lds, ReadsEveryWidth) {
  struct Width {
    const char* mnemonic;
    int bytes;
    std::uint32_t (*value)(std::uint32_t old, std::uint32_t raw);
  };
  const Width widths[] = {
      {"ds_read_u8", 1, [](std::uint32_t, std::uint32_t raw) { return raw & 0xff; }},
      {"ds_read_i8", 1, [](std::uint32_t, std::uint32_t raw) { return raw & 0x80 ? raw | 0xffffff00u : raw & 0xff; }},
      {"ds_read_u16", 2, [](std::uint32_t, std::uint32_t raw) { return raw & 0xffff; }},
      {"ds_read_i16", 2,
       [](std::uint32_t, std::uint32_t raw) { return raw & 0x8000 ? raw | 0xffff0000u : raw & 0xffff; }},
      {"ds_read_u8_d16", 1, [](std::uint32_t old, std::uint32_t raw) { return (old & 0xffff0000u) | (raw & 0xff); }},
      {"ds_read_u8_d16_hi", 1,
       [](std::uint32_t old, std::uint32_t raw) { return (old & 0xffff) | (raw & 0xff) << 16; }},
      {"ds_read_i8_d16", 1,
       [](std::uint32_t old, std::uint32_t raw) {
         return (old & 0xffff0000u) | (raw & 0xff) | (raw & 0x80 ? 0xff00u : 0u);
       }},
      {"ds_read_i8_d16_hi", 1,
       [](std::uint32_t old, std::uint32_t raw) {
         return (old & 0xffffu) | (raw & 0xff) << 16 | (raw & 0x80 ? 0xff000000u : 0u);
       }},
      {"ds_read_u16_d16", 2, [](std::uint32_t old, std::uint32_t raw) { return (old & 0xffff0000u) | (raw & 0xffff); }},
      {"ds_read_u16_d16_hi", 2, [](std::uint32_t old, std::uint32_t raw) { return (old & 0xffffu) | raw << 16; }},
      {"ds_read_b32", 4, [](std::uint32_t, std::uint32_t raw) { return raw; }},
      {"ds_read_b64", 8, [](std::uint32_t, std::uint32_t raw) { return raw; }},
      {"ds_read_b96", 12, [](std::uint32_t, std::uint32_t raw) { return raw; }},
      {"ds_read_b128", 16, [](std::uint32_t, std::uint32_t raw) { return raw; }}};
  for (const std::string& set : host_sets())
    for (const Width& width : widths)
      for (const std::uint64_t mask : masks)
        for (const std::uint32_t stride : {static_cast<std::uint32_t>(width.bytes), 0u, 52u}) {
          Machine machine(set, "gfx942", 4096);
          prepare(machine, [&](std::uint32_t lane) { return lane * stride; });
          std::uint32_t old[4][64];
          for (int w = 0; w < 4; ++w) std::memcpy(old[w], machine.wave.row(result_row + w), sizeof old[w]);
          machine.set_exec(mask);
          ASSERT_TRUE(machine.run(width.mnemonic, ds_read(4, 36))) << machine.fault.message;
          for (int w = 0; w < 4; ++w)
            for (std::uint32_t lane = 0; lane < 64; ++lane) {
              const bool read = (mask >> lane & 1) && 4 * w < width.bytes;
              const std::uint32_t raw = dword(machine.lds() + lane * stride + 36 + static_cast<std::uint32_t>(4 * w));
              ASSERT_EQ(machine.wave.row(result_row + w)[lane], read ? width.value(old[w][lane], raw) : old[w][lane])
                  << width.mnemonic << " lane " << lane << " dword " << w;
            }
          EXPECT_EQ(machine.counts.lds_bytes, static_cast<std::uint64_t>(__builtin_popcountll(mask) * width.bytes));
          machine.judged(width.mnemonic);
        }
}

TEST(Lds, WritesEveryWidth) {
  struct Width {
    const char* mnemonic;
    int bytes, first_bit;
  };
  for (const std::string& set : host_sets())
    for (const Width& width :
         {Width{"ds_write_b8", 1, 0}, Width{"ds_write_b8_d16_hi", 1, 16}, Width{"ds_write_b16", 2, 0},
          Width{"ds_write_b16_d16_hi", 2, 16}, Width{"ds_write_b32", 4, 0}, Width{"ds_write_b64", 8, 0},
          Width{"ds_write_b96", 12, 0}, Width{"ds_write_b128", 16, 0}})
      for (const std::uint64_t mask : masks)
        for (const std::uint32_t stride : {static_cast<std::uint32_t>(width.bytes), 0u, 52u}) {
          Machine machine(set, "gfx942", 4096);
          prepare(machine, [&](std::uint32_t lane) { return lane * stride; });
          std::vector<std::uint8_t> expected(machine.lds(), machine.lds() + 4096);
          for (std::uint32_t lane = 0; lane < 64; ++lane)
            for (int byte = 0; byte < width.bytes && (mask >> lane & 1); ++byte)
              expected[lane * stride + 36 + static_cast<std::uint32_t>(byte)] = static_cast<std::uint8_t>(
                  machine.wave.row(data_row + byte / 4)[lane] >> (8 * (byte % 4) + width.first_bit));
          machine.set_exec(mask);
          ASSERT_TRUE(machine.run(width.mnemonic, ds_write(4, 36))) << machine.fault.message;
          ASSERT_EQ(std::vector<std::uint8_t>(machine.lds(), machine.lds() + 4096), expected) << width.mnemonic;
          machine.judged(width.mnemonic);
        }
}

TEST(Lds, PairsHaveTheirOwnOffsets) {
  for (const std::string& set : host_sets())
    for (const int words : {1, 2}) {
      const std::string type = words == 1 ? "b32" : "b64";
      Machine machine(set, "gfx942", 8192);
      prepare(machine, [&](std::uint32_t lane) { return lane * 8; });
      // The result may overwrite the address register.
      Instruction read = ds_read(2 * words, 1024, 8);
      read.dst = vector_operand(address_row, 2 * words);
      ASSERT_TRUE(machine.run("ds_read2_" + type, read));
      for (int word = 0; word < 2 * words; ++word)
        for (int lane = 0; lane < 64; ++lane)
          ASSERT_EQ(machine.wave.row(address_row + word)[lane],
                    dword(machine.lds() + lane * 8 + (word < words ? 1024 : 8) + 4 * (word % words)));
      prepare(machine, [&](std::uint32_t lane) { return lane * 8; });
      ASSERT_TRUE(machine.run("ds_write2st64_" + type, ds_write(words, 512, 4096)));
      for (int word = 0; word < words; ++word)
        for (int lane = 0; lane < 64; ++lane) {
          ASSERT_EQ(dword(machine.lds() + lane * 8 + 512 + 4 * word), machine.wave.row(data_row + word)[lane]);
          ASSERT_EQ(dword(machine.lds() + lane * 8 + 4096 + 4 * word), machine.wave.row(second_row + word)[lane]);
        }
      machine.judged("ds_read2_" + type);
      machine.judged("ds_write2st64_" + type);
    }
}

// A compiler folds a constant into the offset although the base is below zero; the sum wraps in 32 bits.
TEST(Lds, AddressesWrapIn32Bits) {
  for (const std::string& set : host_sets()) {
    Machine machine(set);
    prepare(machine, [](std::uint32_t lane) { return lane * 4 - 0x4000; });
    ASSERT_TRUE(machine.run("ds_read_b32", ds_read(1, 0x4000)));
    for (std::uint32_t lane = 0; lane < 64; ++lane)
      ASSERT_EQ(machine.wave.row(result_row)[lane], dword(machine.lds() + lane * 4)) << "lane " << lane;
  }
}

TEST(Lds, OutOfBoundsIsAFault) {
  for (const std::string& set : host_sets())
    for (const char* mnemonic : {"ds_read_b128", "ds_write_b128", "ds_add_u32", "ds_read_u16"}) {
      Machine machine(set, "gfx942", 1024);
      prepare(machine, [](std::uint32_t lane) { return lane == 21 ? 1023u : lane; });
      const bool write = std::string(mnemonic).find("read") == std::string::npos;
      EXPECT_FALSE(machine.run(mnemonic, write ? ds_write(4) : ds_read(4)));
      EXPECT_NE(machine.fault.message.find("lane 21"), std::string::npos) << machine.fault.message;
      EXPECT_NE(machine.fault.message.find("LDS address 0x3ff, but the workgroup has 1024 bytes"), std::string::npos)
          << machine.fault.message;
      machine.set_exec(~(std::uint64_t{1} << 21));
      EXPECT_TRUE(machine.run(mnemonic, write ? ds_write(4) : ds_read(4)));
      // A sum that wraps below the end is an address; one that does not is none.
      machine.set_exec(1);
      machine.wave.row(address_row)[0] = ~0u - 15;
      EXPECT_TRUE(machine.run(mnemonic, write ? ds_write(4, 16) : ds_read(4, 16)));
      EXPECT_FALSE(machine.run(mnemonic, write ? ds_write(4, 8) : ds_read(4, 8)));
    }
}

float as_float(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
std::uint32_t as_bits(float value) { return __builtin_bit_cast(std::uint32_t, value); }

TEST(Lds, AtomicsReturnTheOldValueAndCombineLanes) {
  struct Row {
    const char* mnemonic;
    std::uint32_t start, data, second, after_one;
  };
  const Row rows[] = {{"ds_add_rtn_u32", 0xfffffffe, 3, 0, 1},
                      {"ds_sub_rtn_u32", 2, 3, 0, 0xffffffff},
                      {"ds_rsub_rtn_u32", 2, 3, 0, 1},
                      {"ds_inc_rtn_u32", 5, 5, 0, 0},
                      {"ds_inc_rtn_u32", 4, 5, 0, 5},
                      {"ds_dec_rtn_u32", 0, 5, 0, 5},
                      {"ds_dec_rtn_u32", 6, 5, 0, 5},
                      {"ds_dec_rtn_u32", 5, 5, 0, 4},
                      {"ds_min_rtn_i32", 0xffffffff, 1, 0, 0xffffffff},
                      {"ds_max_rtn_i32", 0xffffffff, 1, 0, 1},
                      {"ds_min_rtn_u32", 0xffffffff, 1, 0, 1},
                      {"ds_max_rtn_u32", 0xffffffff, 1, 0, 0xffffffff},
                      {"ds_and_rtn_b32", 0xff00ff, 0x0ff0f0, 0, 0x0f00f0},
                      {"ds_or_rtn_b32", 0xff00ff, 0x0ff0f0, 0, 0xfff0ff},
                      {"ds_xor_rtn_b32", 0xff00ff, 0x0ff0f0, 0, 0xf0f00f},
                      {"ds_wrxchg_rtn_b32", 7, 9, 0, 9},
                      {"ds_cmpst_rtn_b32", 7, 7, 9, 9},
                      {"ds_cmpst_rtn_b32", 7, 8, 9, 7},
                      {"ds_mskor_rtn_b32", 0xffff, 0x00f0, 0x0a0000, 0x0aff0f},
                      {"ds_add_rtn_f32", as_bits(1.5f), as_bits(2.25f), 0, as_bits(3.75f)},
                      {"ds_min_rtn_f32", as_bits(1.5f), as_bits(-2.0f), 0, as_bits(-2.0f)},
                      {"ds_max_rtn_f32", as_bits(1.5f), as_bits(-2.0f), 0, as_bits(1.5f)},
                      {"ds_min_rtn_f32", 0x7fc00000, as_bits(-2.0f), 0, as_bits(-2.0f)},
                      {"ds_pk_add_rtn_f16", 0x3c003c00, 0x40003800, 0, 0x42003e00},  // {1, 1} + {0.5, 2}
                      {"ds_pk_add_rtn_bf16", 0x3f803f80, 0x40003f00, 0, 0x40403fc0}};
  for (const std::string& set : host_sets())
    for (const Row& row : rows) {
      Machine machine(set, "gfx942", 1024);
      prepare(machine, [](std::uint32_t) { return 64u; });
      for (int lane = 0; lane < 64; ++lane) {
        machine.wave.row(data_row)[lane] = row.data;
        machine.wave.row(second_row)[lane] = row.second;
      }
      std::memcpy(machine.lds() + 72, &row.start, 4);
      machine.set_exec(1ull << 40);
      Instruction instruction = ds_write(1, 8);
      instruction.dst = vector_operand(result_row);
      ASSERT_TRUE(machine.run(row.mnemonic, instruction)) << row.mnemonic << " " << machine.fault.message;
      EXPECT_EQ(dword(machine.lds() + 72), row.after_one)
          << row.mnemonic << std::hex << " " << dword(machine.lds() + 72);
      EXPECT_EQ(machine.wave.row(result_row)[40], row.start) << row.mnemonic;
      machine.judged(row.mnemonic);
    }
  for (const std::string& set : host_sets()) {
    Machine machine(set, "gfx942", 1024);
    prepare(machine, [](std::uint32_t) { return 64u; });
    std::memset(machine.lds(), 0, 1024);
    for (int lane = 0; lane < 64; ++lane) machine.wave.row(data_row)[lane] = as_bits(static_cast<float>(lane));
    ASSERT_TRUE(machine.run("ds_add_f32", ds_write(1)));
    EXPECT_EQ(as_float(dword(machine.lds() + 64)), 2016.0f);
    for (int lane = 0; lane < 64; ++lane) {
      machine.wave.row(data_row)[lane] = 1;
      machine.wave.row(data_row + 1)[lane] = 1;
    }
    ASSERT_TRUE(machine.run("ds_add_u64", ds_write(2, 16)));
    EXPECT_EQ(dword(machine.lds() + 80), 64u);
    EXPECT_EQ(dword(machine.lds() + 84), 64u);
  }
}

TEST(Lds, ExchangesBetweenLanes) {
  for (const std::string& set : host_sets()) {
    Machine machine(set, "gfx942", 1024);
    prepare(machine, [](std::uint32_t lane) { return 4 * (lane * 7 % 64); });
    Instruction instruction = ds_write(1);
    instruction.dst = vector_operand(result_row);
    ASSERT_TRUE(machine.run("ds_bpermute_b32", instruction));
    for (int lane = 0; lane < 64; ++lane)
      EXPECT_EQ(machine.wave.row(result_row)[lane], machine.wave.row(data_row)[lane * 7 % 64]);
    ASSERT_TRUE(machine.run("ds_permute_b32", instruction));
    for (int lane = 0; lane < 64; ++lane)
      EXPECT_EQ(machine.wave.row(result_row)[lane * 7 % 64], machine.wave.row(data_row)[lane]);
    // Reading an inactive lane gives 0; inactive lanes keep their destination.
    machine.set_exec(0x00000000ffffffffull);
    const std::uint32_t kept = machine.wave.row(result_row)[50];
    ASSERT_TRUE(machine.run("ds_bpermute_b32", instruction));
    EXPECT_EQ(machine.wave.row(result_row)[5], 0u) << "lane 5 reads lane 35";
    EXPECT_EQ(machine.wave.row(result_row)[50], kept);
    machine.set_exec(~std::uint64_t{0});
    const struct {
      int control, lane, source;
    } swizzles[] = {{0x041f, 6, 7},
                    {0x401f, 5, 21},
                    {0x401f, 37, 53},
                    {0x7c1f, 3, 28},
                    {0x0010, 20, 16},
                    {0x8000 | 0x1b, 5, 6},
                    {0x8000 | 0xe4, 9, 9},
                    {0xc000 | 1 << 5, 31, 0},
                    {0xc000 | 1 << 10 | 1 << 5, 0, 31},
                    {0xe000, 1, 16},
                    {0xe01f, 9, 9}};
    for (const auto& row : swizzles) {
      Instruction swizzle;
      swizzle.dst = vector_operand(result_row);
      swizzle.src[0] = vector_operand(data_row);
      swizzle.offset = row.control;
      ASSERT_TRUE(machine.run("ds_swizzle_b32", swizzle));
      EXPECT_EQ(machine.wave.row(result_row)[row.lane], machine.wave.row(data_row)[row.source])
          << std::hex << row.control;
    }
    for (const char* mnemonic : {"ds_bpermute_b32", "ds_permute_b32", "ds_swizzle_b32"}) machine.judged(mnemonic);
  }
}

TEST(Lds, TransposedReadsGatherColumns) {
  // Each group of 16 lanes reads a 16 x 4 tile of halves stored by rows (lane l its own row); lane i gets column i % 4
  // of rows i / 4, i / 4 + 4, ...
  for (const std::string& set : host_sets()) {
    Machine machine(set, "gfx950", 4096);
    prepare(machine, [](std::uint32_t lane) { return lane * 24; });
    ASSERT_TRUE(machine.run("ds_read_b64_tr_b16", ds_read(2, 8)));
    for (int lane = 0; lane < 64; ++lane)
      for (int e = 0; e < 4; ++e) {
        const int source = lane / 16 * 16 + 4 * e + lane % 16 / 4;
        std::uint16_t expected;
        std::memcpy(&expected, machine.lds() + source * 24 + 8 + 2 * (lane % 4), 2);
        EXPECT_EQ(machine.wave.row(result_row + e / 2)[lane] >> (16 * (e % 2)) & 0xffff, expected) << lane << " " << e;
      }
    ASSERT_TRUE(machine.run("ds_read_b64_tr_b8", ds_read(2, 8)));
    for (int lane = 0; lane < 64; ++lane)
      for (int e = 0; e < 8; ++e) {
        const int source = lane / 16 * 16 + 2 * e + lane % 16 / 8;
        EXPECT_EQ(machine.wave.row(result_row + e / 4)[lane] >> (8 * (e % 4)) & 0xff,
                  machine.lds()[source * 24 + 8 + lane % 8]);
      }
    for (const char* mnemonic : {"ds_read_b64_tr_b16", "ds_read_b64_tr_b8"}) machine.judged(mnemonic);
    ASSERT_TRUE(machine.run("ds_read_b96_tr_b6", ds_read(3, 8)));
    machine.set_exec(1);
    EXPECT_FALSE(machine.run("ds_read_b64_tr_b16", ds_read(2)));
  }
}

TEST(Lds, AppendCountsActiveLanes) {
  for (const std::string& set : host_sets()) {
    Machine machine(set, "gfx942", 1024);
    machine.wave.scalar[scalar_m0] = 128;
    std::memset(machine.lds(), 0, 1024);
    Instruction instruction;
    instruction.dst = vector_operand(result_row);
    instruction.offset = 4;
    machine.set_exec(0xff0f);
    ASSERT_TRUE(machine.run("ds_append", instruction));
    ASSERT_TRUE(machine.run("ds_append", instruction));
    EXPECT_EQ(dword(machine.lds() + 132), 24u);
    EXPECT_EQ(machine.wave.row(result_row)[0], 12u);
    ASSERT_TRUE(machine.run("ds_consume", instruction));
    EXPECT_EQ(dword(machine.lds() + 132), 12u);
    for (const char* mnemonic : {"ds_append", "ds_consume"}) machine.judged(mnemonic);
  }
}

struct Cycles {
  std::uint64_t access, conflict;
};

Cycles cycles_of(const std::string& target, const std::string& mnemonic,
                 const std::function<std::uint32_t(std::uint32_t)>& address, std::uint64_t mask = ~std::uint64_t{0}) {
  Machine machine("generic", target, 65536);
  machine.group().observe = true;
  prepare(machine, address);
  machine.set_exec(mask);
  const bool write = mnemonic.find("write") != std::string::npos;
  EXPECT_TRUE(machine.run(mnemonic, write ? ds_write(4) : ds_read(4))) << machine.fault.message;
  return {machine.counts.lds_access_cycles, machine.counts.lds_conflict_cycles};
}

void expect_cycles(const Cycles& got, std::uint64_t access, std::uint64_t conflict) {
  EXPECT_EQ(got.access, access);
  EXPECT_EQ(got.conflict, conflict);
}

TEST(LdsBanks, KnownPatterns) {
  const auto strided = [](std::uint32_t bytes) { return [bytes](std::uint32_t lane) { return lane * bytes; }; };
  expect_cycles(cycles_of("gfx942", "ds_read_b32", strided(4)), 2, 0);
  expect_cycles(cycles_of("gfx942", "ds_read_b32", strided(8)), 2, 2);
  expect_cycles(cycles_of("gfx942", "ds_read_b32", strided(128)), 2, 62);  // 32-way: all lanes of a half in one bank
  expect_cycles(cycles_of("gfx942", "ds_read_b32", strided(132)), 2, 0);   // a dword of padding spreads them
  expect_cycles(cycles_of("gfx942", "ds_read_b32", strided(0)), 2, 0);     // one dword for all is a broadcast
  expect_cycles(cycles_of("gfx942", "ds_read_u16", strided(2)), 2, 0);     // two lanes share a dword
  expect_cycles(cycles_of("gfx942", "ds_read_b64", strided(8)), 4, 0);
  expect_cycles(cycles_of("gfx942", "ds_write_b64", strided(8)), 4, 0);
  expect_cycles(cycles_of("gfx942", "ds_read_b128", strided(16)), 8, 0);
  expect_cycles(cycles_of("gfx942", "ds_read_b128", strided(128)), 8, 56);  // 8 lanes of a phase on the same 4 banks
  expect_cycles(cycles_of("gfx942", "ds_write_b128", strided(16)), 8, 0);
  expect_cycles(cycles_of("gfx942", "ds_read_b32", strided(4), 1), 1, 0);  // the idle half takes no cycle
  expect_cycles(cycles_of("gfx950", "ds_read_b128", strided(16)), 4, 0);
  expect_cycles(cycles_of("gfx950", "ds_read_b128", strided(256)), 4, 60);  // 16 lanes on the same 4 of 64 banks
  expect_cycles(cycles_of("gfx950", "ds_read_b64", strided(8)), 2, 0);
  expect_cycles(cycles_of("gfx950", "ds_write_b64", strided(8)), 4, 0);
  // 8 lanes of a b128 phase of gfx942 are not consecutive: lanes 0-3 and 20-23 collide here, 0-3 and 4-7 do not.
  const auto blocks = [](std::uint32_t lane) { return lane / 20 * 8192 + lane % 4 * 16 + (lane / 4 == 1 ? 64u : 0u); };
  EXPECT_GT(cycles_of("gfx942", "ds_read_b128", blocks, 0x00f0000full).conflict, 0u);
  EXPECT_EQ(cycles_of("gfx942", "ds_read_b128", blocks, 0x000000ffull).conflict, 0u);
}

TEST(LdsBanks, PaddedRowsOnGfx1250) {
  // 16 rows of 64 16-bit elements: lane l of a wave32 reads 16 bytes of row l % 16. Rows that are 32 + pad / 2 dwords apart
  // begin in 64 / gcd(32 + pad / 2, 64) different places of the 64 banks, each of which takes four banks.
  for (const auto& [pad, ways] : {std::pair{0u, 8u}, std::pair{8u, 1u}, std::pair{16u, 2u}, std::pair{24u, 1u}, std::pair{32u, 4u}}) {
    const LdsCycles cycles = lds_cycles(lds_phases("gfx1250", 16, false), 0xffffffffu, 16, [&](int lane) {
      return static_cast<std::uint32_t>(lane % 16) * (128 + 2 * pad) + static_cast<std::uint32_t>(lane / 16) * 16;
    });
    EXPECT_EQ(2u, cycles.access) << pad;
    EXPECT_EQ(2 * (ways - 1), cycles.conflict) << pad;
  }
}

TEST(LdsBanks, PhasesCoverEveryLaneOnce) {
  for (const char* target : {"gfx90a", "gfx942", "gfx950", "gfx1250"})
    for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 12u, 16u})
      for (const bool store : {false, true}) {
        const LdsPhases phases = lds_phases(target, bytes, store);
        std::uint32_t seen = 0;
        for (int i = 0; i < phases.count; ++i) {
          EXPECT_EQ(seen & phases.groups[i], 0u);
          seen |= phases.groups[i];
        }
        EXPECT_EQ(seen, ~0u);
      }
}

}  // namespace
}  // namespace zellige::sim::test
