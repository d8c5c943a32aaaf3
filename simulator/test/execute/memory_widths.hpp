// What the tests of memory instructions share: instructions, widths with the effect of each on a register or on memory,
// and the sweep over widths, address patterns and EXEC masks.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <random>

#include "simulator/test/execute/memory_machine.hpp"

namespace zellige::sim::test {

inline constexpr int data_row = 8, address_row = 4, descriptor = 16, soffset = 24;

inline Instruction global_load(bool scalar_base = false) {
  Instruction instruction;
  instruction.dst = vector_operand(data_row, 4);
  instruction.src[0] = vector_operand(address_row, scalar_base ? 1 : 2);
  if (scalar_base) instruction.src[1] = scalar_operand(2, 2);
  return instruction;
}

inline Instruction global_store(bool scalar_base = false) {
  Instruction instruction;
  instruction.src[0] = vector_operand(address_row, scalar_base ? 1 : 2);
  instruction.src[1] = vector_operand(data_row, 4);
  if (scalar_base) instruction.src[2] = scalar_operand(2, 2);
  return instruction;
}

inline Instruction buffer_load(std::uint32_t flags = flag_offen) {
  Instruction instruction;
  instruction.dst = vector_operand(data_row, 4);
  instruction.src[0] = vector_operand(address_row, 2);
  instruction.src[1] = scalar_operand(descriptor, 4);
  instruction.src[2] = scalar_operand(soffset);
  instruction.flags = flags;
  return instruction;
}

inline Instruction buffer_store(std::uint32_t flags = flag_offen) {
  Instruction instruction;
  instruction.src[0] = vector_operand(data_row, 4);
  instruction.src[1] = vector_operand(address_row, 2);
  instruction.src[2] = scalar_operand(descriptor, 4);
  instruction.src[3] = scalar_operand(soffset);
  instruction.flags = flags;
  return instruction;
}

inline void fill_bytes(std::uint8_t* data, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::uint8_t>(i * 37 + (i >> 8) * 11 + 128);
}

struct Width {
  const char* suffix;
  int bytes;
  /// The register's new content, from its old one and the bytes in memory (dword w of the element).
  std::function<std::uint32_t(std::uint32_t old, const std::uint8_t* from, int w)> loaded;
};

inline std::uint32_t half(const std::uint8_t* p) { return p[0] | std::uint32_t{p[1]} << 8; }
inline std::uint32_t dword(const std::uint8_t* p) { return half(p) | half(p + 2) << 16; }

inline const std::vector<Width>& load_widths() {
  const auto whole = [](std::uint32_t, const std::uint8_t* p, int w) { return dword(p + 4 * w); };
  static const std::vector<Width> widths = {
      {"ubyte", 1, [](std::uint32_t, const std::uint8_t* p, int) { return std::uint32_t{*p}; }},
      {"sbyte", 1, [](std::uint32_t, const std::uint8_t* p, int) { return *p < 128 ? *p : *p | 0xffffff00u; }},
      {"ushort", 2, [](std::uint32_t, const std::uint8_t* p, int) { return half(p); }},
      {"sshort", 2,
       [](std::uint32_t, const std::uint8_t* p, int) { return half(p) < 0x8000 ? half(p) : half(p) | 0xffff0000u; }},
      {"ubyte_d16", 1, [](std::uint32_t old, const std::uint8_t* p, int) { return (old & 0xffff0000u) | *p; }},
      {"ubyte_d16_hi", 1,
       [](std::uint32_t old, const std::uint8_t* p, int) { return (old & 0xffffu) | std::uint32_t{*p} << 16; }},
      {"sbyte_d16", 1,
       [](std::uint32_t old, const std::uint8_t* p, int) {
         return (old & 0xffff0000u) | *p | (*p < 128 ? 0u : 0xff00u);
       }},
      {"sbyte_d16_hi", 1,
       [](std::uint32_t old, const std::uint8_t* p, int) {
         return (old & 0xffffu) | std::uint32_t{*p} << 16 | (*p < 128 ? 0u : 0xff000000u);
       }},
      {"short_d16", 2, [](std::uint32_t old, const std::uint8_t* p, int) { return (old & 0xffff0000u) | half(p); }},
      {"short_d16_hi", 2,
       [](std::uint32_t old, const std::uint8_t* p, int) { return (old & 0xffffu) | half(p) << 16; }},
      {"dword", 4, whole},
      {"dwordx2", 8, whole},
      {"dwordx3", 12, whole},
      {"dwordx4", 16, whole}};
  return widths;
}

struct StoreWidth {
  const char* suffix;
  int bytes, first_bit;
};
inline constexpr StoreWidth store_widths[] = {{"byte", 1, 0},          {"byte_d16_hi", 1, 16}, {"short", 2, 0},
                                              {"short_d16_hi", 2, 16}, {"dword", 4, 0},        {"dwordx2", 8, 0},
                                              {"dwordx3", 12, 0},      {"dwordx4", 16, 0}};

inline void fill_registers(Wave& wave) {
  for (int w = 0; w < 4; ++w)
    for (int lane = 0; lane < 64; ++lane)
      wave.row(data_row + w)[lane] = 0xa0b0c0d0u + static_cast<std::uint32_t>(w * 0x01010101 + lane * 0x10305);
}

/// Byte offsets of the lanes: contiguous, strided, scattered, or all the same.
inline std::vector<std::uint32_t> offsets(int pattern, int bytes, std::size_t room) {
  std::vector<std::uint32_t> result(64);
  std::mt19937 generator(11);
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    const std::uint32_t size = static_cast<std::uint32_t>(bytes);
    result[lane] = pattern == 0   ? lane * size
                   : pattern == 1 ? lane * 48
                   : pattern == 2 ? 64
                                  : static_cast<std::uint32_t>(generator() % (room - size));
  }
  return result;
}

inline constexpr std::uint64_t masks[] = {~std::uint64_t{0}, 0x00000000ffffffffull, 0x8000000000000001ull,
                                          0x5a5a00ff12345678ull, 0};

/// Runs a load of every width, address pattern and EXEC mask and checks every register.
inline void check_loads(const std::string& prefix,
                        const std::function<void(Machine&, const std::vector<std::uint32_t>&)>& aim,
                        const Instruction& instruction, std::uint8_t* memory) {
  for (const std::string& set : host_sets())
    for (const Width& width : load_widths())
      for (int pattern = 0; pattern < 4; ++pattern)
        for (const std::uint64_t mask : masks) {
          Machine machine(set);
          fill_registers(machine.wave);
          const auto at = offsets(pattern, width.bytes, 4096);
          aim(machine, at);
          machine.set_exec(mask);
          ASSERT_TRUE(machine.run(prefix + width.suffix, instruction))
              << prefix << width.suffix << ": " << machine.fault.message;
          Machine before(set);
          fill_registers(before.wave);
          for (int w = 0; w < 4; ++w)
            for (std::size_t lane = 0; lane < 64; ++lane) {
              const std::uint32_t old = before.wave.row(data_row + w)[lane];
              const bool written = (mask >> lane & 1) && 4 * w < width.bytes;
              ASSERT_EQ(machine.wave.row(data_row + w)[lane], written ? width.loaded(old, memory + at[lane], w) : old)
                  << prefix << width.suffix << " lane " << lane << " dword " << w << " pattern " << pattern << " exec "
                  << std::hex << mask;
            }
          EXPECT_EQ(machine.counts.load_bytes, static_cast<std::uint64_t>(__builtin_popcountll(mask) * width.bytes));
          machine.judged(prefix + width.suffix);
        }
}

inline void check_stores(const std::string& prefix,
                         const std::function<void(Machine&, const std::vector<std::uint32_t>&)>& aim,
                         const Instruction& instruction, std::uint8_t* memory, std::size_t bytes) {
  for (const std::string& set : host_sets())
    for (const StoreWidth& width : store_widths)
      for (int pattern = 0; pattern < 4; ++pattern)
        for (const std::uint64_t mask : masks) {
          Machine machine(set);
          fill_registers(machine.wave);
          const auto at = offsets(pattern, width.bytes, 4096);
          aim(machine, at);
          machine.set_exec(mask);
          fill_bytes(memory, bytes);
          std::vector<std::uint8_t> expected(memory, memory + bytes);
          for (std::size_t lane = 0; lane < 64; ++lane)
            for (int byte = 0; byte < width.bytes && (mask >> lane & 1); ++byte)
              expected[at[lane] + static_cast<std::size_t>(byte)] = static_cast<std::uint8_t>(
                  machine.wave.row(data_row + byte / 4)[lane] >> (8 * (byte % 4) + width.first_bit));
          ASSERT_TRUE(machine.run(prefix + width.suffix, instruction))
              << prefix << width.suffix << ": " << machine.fault.message;
          ASSERT_EQ(std::vector<std::uint8_t>(memory, memory + bytes), expected)
              << prefix << width.suffix << " pattern " << pattern;
          EXPECT_EQ(machine.counts.store_bytes, static_cast<std::uint64_t>(__builtin_popcountll(mask) * width.bytes));
          machine.judged(prefix + width.suffix);
        }
}

}  // namespace zellige::sim::test
