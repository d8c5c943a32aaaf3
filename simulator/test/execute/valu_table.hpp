// Tables of vector instructions: text and the value expected of each lane.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "simulator/test/execute/assembly_machine.hpp"

namespace zellige::sim::test {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

/// The text reads v1, v2 and v3 and writes v4, whose old value is `old_value`.
struct Row32 {
  const char* text;
  u32 (*expected)(u32 a, u32 b, u32 c);
};
inline constexpr u32 old_value = 0xcafe1234;

/// The same with register pairs: v[2:3], v[4:5] and v[6:7] are read, v[8:9] is written. 32-bit operands are the low
/// registers.
struct Row64 {
  const char* text;
  u64 (*expected)(u64 a, u64 b, u64 c);
};

/// Whether two results are the same, any NaN being like any other.
inline bool same_float(u32 x, u32 y) { return x == y || (std::isnan(as_float(x)) && std::isnan(as_float(y))); }
inline bool same_double(u64 x, u64 y) { return x == y || (std::isnan(as_double(x)) && std::isnan(as_double(y))); }
inline bool same_half(u32 x, u32 y) {
  return x == y || (x >> 16 == y >> 16 && (x & 0x7fff) > 0x7c00 && (y & 0x7fff) > 0x7c00);
}
inline bool same_bits(u32 x, u32 y) { return x == y; }

/// Runs each row over combinations of `values` in all three sources, with all lanes active and with some switched off, in
/// waves of `lanes` lanes.
template <class Value>
void check_rows(const std::string& target, std::span<const Row32> rows, const std::vector<Value>& values,
                bool (*same)(u32, u32), int lanes = 64) {
  const auto bits_of = [](Value value) {
    if constexpr (sizeof(Value) == 2)
      return u32{std::bit_cast<u16>(value)};
    else
      return std::bit_cast<u32>(value);
  };
  for (const Row32& row : rows) {
    AssemblyMachine machine(target, lanes);
    machine.prepare(row.text);
    int wrong = 0;
    for (std::size_t round = 0; round < 16 && wrong == 0; ++round) {
      const u64 exec = round % 4 == 3 ? 0xf0f0'3333'5555'00ffu : ~u64{0};
      machine.set_exec(exec);
      const std::size_t count = values.size();
      for (std::size_t lane = 0; lane < 64; ++lane) {
        machine.v(1, lane) = bits_of(values[(lane + round) % count]);
        machine.v(2, lane) = bits_of(values[(lane * 7 + round * 5 + lane / count) % count]);
        machine.v(3, lane) = bits_of(values[(lane * 11 + round * 3 + 4) % count]);
        machine.v(4, lane) = old_value;
      }
      ASSERT_EQ(machine.execute(), "") << row.text;
      for (int lane = 0; lane < lanes && wrong < 3; ++lane) {
        const u32 a = machine.v(1, lane), b = machine.v(2, lane), c = machine.v(3, lane);
        const u32 expected = exec >> lane & 1 ? row.expected(a, b, c) : old_value;
        if (same(machine.v(4, lane), expected)) continue;
        ++wrong;
        ADD_FAILURE() << target << " " << row.text << std::hex << " of 0x" << a << ", 0x" << b << ", 0x" << c
                      << " gave 0x" << machine.v(4, lane) << ", not 0x" << expected << std::dec << " in lane " << lane;
      }
    }
    if (wrong == 0) machine.judged();
  }
}

template <class Value>
void check_rows(const std::string& target, std::span<const Row64> rows, const std::vector<Value>& values,
                bool (*same)(u64, u64), int lanes = 64) {
  for (const Row64& row : rows) {
    AssemblyMachine machine(target, lanes);
    machine.prepare(row.text);
    int wrong = 0;
    for (std::size_t round = 0; round < 16 && wrong == 0; ++round) {
      const u64 exec = round % 4 == 3 ? 0xf0f0'3333'5555'00ffu : ~u64{0};
      machine.set_exec(exec);
      const std::size_t count = values.size();
      for (std::size_t lane = 0; lane < 64; ++lane) {
        machine.set_v64(2, lane, std::bit_cast<u64>(values[(lane + round) % count]));
        machine.set_v64(4, lane, std::bit_cast<u64>(values[(lane * 7 + round * 5 + lane / count) % count]));
        machine.set_v64(6, lane, std::bit_cast<u64>(values[(lane * 11 + round * 3 + 4) % count]));
        machine.set_v64(8, lane, u64{old_value} << 32 | old_value);
      }
      ASSERT_EQ(machine.execute(), "") << row.text;
      for (int lane = 0; lane < lanes && wrong < 3; ++lane) {
        const u64 a = machine.v64(2, lane), b = machine.v64(4, lane), c = machine.v64(6, lane);
        const u64 expected = exec >> lane & 1 ? row.expected(a, b, c) : u64{old_value} << 32 | old_value;
        if (same(machine.v64(8, lane), expected)) continue;
        ++wrong;
        ADD_FAILURE() << target << " " << row.text << std::hex << " of 0x" << a << ", 0x" << b << ", 0x" << c
                      << " gave 0x" << machine.v64(8, lane) << ", not 0x" << expected << std::dec << " in lane "
                      << lane;
      }
    }
    if (wrong == 0) machine.judged();
  }
}

}  // namespace zellige::sim::test
