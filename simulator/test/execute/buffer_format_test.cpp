// Typed buffer accesses of gfx11 and gfx12: formats, component selection, halves, ranges.
#include <algorithm>
#include <cmath>

#include "simulator/test/execute/memory_rig.hpp"

namespace zellige::sim::test {
namespace {

constexpr WaveTarget typed_targets[] = {{"gfx1100", 32}, {"gfx1100", 64}, {"gfx1201", 32}};
constexpr std::uint32_t select_xyzw = 4 | 5 << 3 | 6 << 6 | 7 << 9;

enum class Kind { unorm, snorm, uscaled, sscaled, uint, sint, number };

struct Format {
  int number;
  const char* name;
  int components, bits;
  Kind kind;
};
constexpr Format formats[] = {{1, "8_UNORM", 1, 8, Kind::unorm},
                              {2, "8_SNORM", 1, 8, Kind::snorm},
                              {5, "8_UINT", 1, 8, Kind::uint},
                              {6, "8_SINT", 1, 8, Kind::sint},
                              {7, "16_UNORM", 1, 16, Kind::unorm},
                              {11, "16_UINT", 1, 16, Kind::uint},
                              {12, "16_SINT", 1, 16, Kind::sint},
                              {13, "16_FLOAT", 1, 16, Kind::number},
                              {16, "8_8_USCALED", 2, 8, Kind::uscaled},
                              {18, "8_8_UINT", 2, 8, Kind::uint},
                              {20, "32_UINT", 1, 32, Kind::uint},
                              {21, "32_SINT", 1, 32, Kind::sint},
                              {22, "32_FLOAT", 1, 32, Kind::number},
                              {24, "16_16_SNORM", 2, 16, Kind::snorm},
                              {29, "16_16_FLOAT", 2, 16, Kind::number},
                              {42, "8_8_8_8_UNORM", 4, 8, Kind::unorm},
                              {45, "8_8_8_8_SSCALED", 4, 8, Kind::sscaled},
                              {46, "8_8_8_8_UINT", 4, 8, Kind::uint},
                              {47, "8_8_8_8_SINT", 4, 8, Kind::sint},
                              {50, "32_32_FLOAT", 2, 32, Kind::number},
                              {55, "16_16_16_16_UINT", 4, 16, Kind::uint},
                              {57, "16_16_16_16_FLOAT", 4, 16, Kind::number},
                              {59, "32_32_32_SINT", 3, 32, Kind::sint},
                              {63, "32_32_32_32_FLOAT", 4, 32, Kind::number}};

bool is_integer(const Format& format) { return format.kind == Kind::uint || format.kind == Kind::sint; }

std::uint32_t raw_of(const Format& format, const std::uint8_t* at, int component) {
  std::uint32_t raw = 0;
  std::memcpy(&raw, at + component * format.bits / 8, static_cast<std::size_t>(format.bits / 8));
  return raw;
}

std::int64_t extended(std::uint32_t raw, int width) {
  return raw >> (width - 1) & 1 ? static_cast<std::int64_t>(raw) - (std::int64_t{1} << width) : raw;
}

std::uint32_t loaded(const Format& format, const std::uint8_t* at, int component) {
  if (component >= format.components) return component < 3 ? 0 : is_integer(format) ? 1 : bits(1.0f);
  const std::uint32_t raw = raw_of(format, at, component);
  const std::int64_t number = extended(raw, format.bits);
  switch (format.kind) {
    case Kind::unorm:
      return bits(static_cast<float>(raw) / static_cast<float>((1ull << format.bits) - 1));
    case Kind::snorm:
      return bits(std::max(-1.0f, static_cast<float>(number) / static_cast<float>((1ull << (format.bits - 1)) - 1)));
    case Kind::uscaled:
      return bits(static_cast<float>(raw));
    case Kind::sscaled:
      return bits(static_cast<float>(number));
    case Kind::sint:
      return static_cast<std::uint32_t>(number);
    case Kind::number:
      return format.bits == 16 ? bits(static_cast<float>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(raw))))
                               : raw;
    default:
      return raw;
  }
}

/// Bytes that are ordinary numbers as 16-bit and 32-bit floats.
void fill_numbers(MemoryRig& rig) {
  for (std::uint32_t i = 0; i < MemoryRig::memory_size; ++i)
    rig.memory.data()[i] = static_cast<std::uint8_t>(i % 2 == 0 ? i * 29 : 0x3c + i / 2 % 4 + (i / 8 % 2 ? 0x80 : 0));
}

TEST(TypedBuffers, LoadsConvertAndSelectComponents) {
  static constexpr const char* suffixes[] = {"x", "xy", "xyz", "xyzw"};
  for (const WaveTarget& target : typed_targets)
    for (const Format& format : formats)
      for (const bool in_instruction : {false, true})
        for (int components = 1; components <= 4; ++components) {
          MemoryRig rig(target);
          fill_numbers(rig);
          const auto bytes = static_cast<std::uint32_t>(format.components * format.bits / 8);
          const std::uint32_t word3 =
              in_instruction ? 0 : select_xyzw | static_cast<std::uint32_t>(format.number) << 12;
          rig.set_buffer(rig.memory.data(), 25, 0, bytes, word3);
          for (int lane = 0; lane < 64; ++lane) rig.v(4, lane) = static_cast<std::uint32_t>(lane);
          const std::string text =
              std::string(in_instruction ? "tbuffer" : "buffer") + "_load_format_" + suffixes[components - 1] + " " +
              data_registers(4 * components, 20) + ", v4, s[16:19], null " +
              (in_instruction ? "format:[BUF_FMT_" + std::string(format.name) + "] " : "") + "idxen";
          ASSERT_EQ(rig.fault(text), "") << target.target << " " << text;
          for (int lane = 0; lane < rig.lanes; ++lane)
            for (int component = 0; component < components; ++component) {
              const std::uint8_t* at = rig.memory.data() + static_cast<std::uint32_t>(lane) * bytes;
              ASSERT_EQ(rig.v(20 + component, lane), lane < 25 ? loaded(format, at, component) : 0u)
                  << target.target << " " << text << " " << format.name << " lane " << lane << " component "
                  << component;
            }
          rig.judged();
        }
}

TEST(TypedBuffers, TheDescriptorReordersComponents) {
  for (const WaveTarget& target : typed_targets) {
    MemoryRig rig(target);
    // w, 0, 1, x of 8_8_8_8_UINT; a component that is 1 stays 1 out of range.
    rig.set_buffer(rig.memory.data(), 10, 0, 4, 7 | 0 << 3 | 1 << 6 | 4 << 9 | 46 << 12);
    for (int lane = 0; lane < 64; ++lane) rig.v(4, lane) = static_cast<std::uint32_t>(lane);
    rig.run("buffer_load_format_xyzw v[20:23], v4, s[16:19], null idxen");
    for (int lane = 0; lane < rig.lanes; ++lane) {
      const std::uint8_t* at = rig.memory.data() + 4 * lane;
      EXPECT_EQ(rig.v(20, lane), lane < 10 ? at[3] : 0u);
      EXPECT_EQ(rig.v(21, lane), 0u);
      EXPECT_EQ(rig.v(22, lane), 1u);
      EXPECT_EQ(rig.v(23, lane), lane < 10 ? at[0] : 0u);
    }
  }
}

TEST(TypedBuffers, HalvesTakeTwoComponentsARegister) {
  for (const WaveTarget& target : typed_targets) {
    MemoryRig rig(target);
    fill_numbers(rig);
    rig.set_buffer(rig.memory.data(), 64, 0, 8, select_xyzw | 57 << 12);
    for (int lane = 0; lane < 64; ++lane)
      rig.v(4, lane) = static_cast<std::uint32_t>(lane), rig.v(20, lane) = 0x11112222;
    rig.run(
        "buffer_load_d16_format_xyz v[8:9], v4, s[16:19], null idxen\nbuffer_load_d16_hi_format_x v20, v4, s[16:19], "
        "null idxen");
    MemoryRig before(target);
    for (int lane = 0; lane < rig.lanes; ++lane) {
      const std::uint8_t* at = rig.memory.data() + 8 * lane;
      EXPECT_EQ(rig.v(8, lane), dword(at));
      EXPECT_EQ(rig.v(9, lane), half(at + 4) | (before.v(9, lane) & 0xffff0000u));
      EXPECT_EQ(rig.v(20, lane), half(at) << 16 | 0x2222u);
    }
    rig.judged();
    rig.set_buffer(rig.memory.data() + 1024, 64, 0, 8, select_xyzw | 57 << 12);
    rig.run("buffer_store_d16_format_xyzw v[8:9], v4, s[16:19], null idxen");
    for (int lane = 0; lane < rig.lanes; ++lane) {
      EXPECT_EQ(dword(rig.memory.data() + 1024 + 8 * lane), rig.v(8, lane));
      EXPECT_EQ(dword(rig.memory.data() + 1028 + 8 * lane), rig.v(9, lane));
    }
    rig.judged();
  }
}

TEST(TypedBuffers, StoresConvertAndStopAtTheEnd) {
  for (const WaveTarget& target : typed_targets)
    for (const Format& format : formats) {
      if (format.kind == Kind::uscaled || format.kind == Kind::sscaled) continue;
      MemoryRig rig(target);
      fill_numbers(rig);
      const auto bytes = static_cast<std::uint32_t>(format.components * format.bits / 8);
      std::vector<std::uint8_t> source(rig.memory.data(), rig.memory.data() + 2048);
      for (int lane = 0; lane < 64; ++lane) {
        rig.v(4, lane) = static_cast<std::uint32_t>(lane);
        for (int component = 0; component < 4; ++component)
          rig.v(8 + component, lane) =
              loaded(format, source.data() + static_cast<std::uint32_t>(lane) * bytes, component);
      }
      rig.set_buffer(rig.memory.data() + 4096, 25, 0, bytes,
                     select_xyzw | static_cast<std::uint32_t>(format.number) << 12);
      std::memset(rig.memory.data() + 4096, 0x77, 2048);
      ASSERT_EQ(rig.fault("buffer_store_format_xyzw v[8:11], v4, s[16:19], null idxen"), "") << format.name;
      // What was loaded goes back to its bits, except that -128 / 127 has become -1.
      for (std::uint32_t lane = 0; lane < static_cast<std::uint32_t>(rig.lanes); ++lane)
        for (int component = 0; component < format.components; ++component) {
          const std::uint32_t least = 1u << (format.bits - 1);
          std::uint32_t expected = raw_of(format, source.data() + lane * bytes, component);
          if (format.kind == Kind::snorm && expected == least) expected = least + 1;
          const std::uint32_t untouched = 0x77777777u >> (32 - format.bits);
          EXPECT_EQ(raw_of(format, rig.memory.data() + 4096 + lane * bytes, component),
                    lane < 25 ? expected : untouched)
              << target.target << " " << format.name << " lane " << lane;
        }
      rig.judged();
    }
}

TEST(TypedBuffers, WhatIsNotSimulatedSaysSo) {
  MemoryRig rig({"gfx1201", 32});
  rig.set_buffer(rig.memory.data(), 64, 0, 4, select_xyzw | 32 << 12);
  EXPECT_NE(rig.fault("buffer_load_format_x v8, v4, s[16:19], null idxen").find("data format is not simulated"),
            std::string::npos);
  EXPECT_NE(rig.fault("tbuffer_load_format_x v8, v4, s[16:19], null format:[BUF_FMT_10_11_11_FLOAT] idxen")
                .find("data format"),
            std::string::npos);
}

}  // namespace
}  // namespace zellige::sim::test
