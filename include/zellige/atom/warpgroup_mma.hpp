// wgmma: four consecutive warps multiply tiles that lie in shared memory (NVIDIA targets with warpgroups).
//
// A tile is rows of 32, 64 or 128 bytes of k, in the copy engine's swizzle of that width (atom/tensor_copy.hpp writes
// it so). One instruction multiplies 64 rows of A by `n` rows of B over 32 bytes of k; of 16-bit types A may also come
// from registers. Results: thread t of the warpgroup holds rows 16 * (t / 32) + t % 32 / 4 and that + 8, columns 8 * i
// + 2 * (t % 4) and that + 1: c[4 * i], c[4 * i + 1] of the first row, c[4 * i + 2], c[4 * i + 3] of the second.
//
// The law: from the instruction to the wgmma_wait() that covers it nobody touches c, nor a that lies in registers, and
// wgmma_fence() stands between what wrote them and the instruction. Only the order of statements says so: these asm
// statements name no registers but their own, and so whether nvcc keeps the order is seen in its PTX.
//
// Source: the PTX ISA manual, "Asynchronous warpgroup level matrix instructions".
#pragma once

#include "zellige/core/platform.hpp"
#include "zellige/core/types.hpp"

namespace zellige {

inline constexpr int warpgroup_threads = 128;
inline constexpr int wgmma_rows = 64;         ///< of A that one instruction multiplies
inline constexpr int wgmma_depth_bytes = 32;  ///< of k that one instruction takes, in any type

/// Whether the copy engine can swizzle rows of so many bytes.
ZELLIGE_HD constexpr bool swizzles_rows(int row_bytes) {
  return row_bytes == 32 || row_bytes == 64 || row_bytes == 128;
}

/// Where byte `byte` of row `row` lies in a tile of `row_bytes` a row: 16-byte chunks are exchanged by the row's
/// number, as the copy engine does it; rows that it cannot swizzle follow each other as they are.
ZELLIGE_HD constexpr std::uint32_t swizzled_offset(std::uint32_t row, std::uint32_t byte, std::uint32_t row_bytes) {
  const std::uint32_t at = row * row_bytes + byte;
  if (!swizzles_rows(static_cast<int>(row_bytes))) return at;
  return at ^ ((at >> 7 & (row_bytes / 16 - 1)) << 4);
}

#if defined(__CUDACC__)

/// Describes a tile of `row_bytes` a row at `address`: a multiple of 8 rows, plus a multiple of 32 for a later part of
/// k.
template <int row_bytes>
ZELLIGE_DEVICE std::uint64_t shared_tile(std::uint32_t address) {
  static_assert(swizzles_rows(row_bytes));
  constexpr std::uint64_t swizzle = row_bytes == 128 ? 1 : row_bytes == 64 ? 2 : 3, eight_rows = 8 * row_bytes >> 4;
  return (address >> 4 & 0x3fff) | std::uint64_t{1} << 16 | eight_rows << 32 | swizzle << 62;
}

/// Registers that were written before are visible to the multiplications that follow.
ZELLIGE_DEVICE void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
/// Closes a group of multiplications.
ZELLIGE_DEVICE void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/// Waits until at most `groups` of the last groups are in flight.
template <int groups>
ZELLIGE_DEVICE void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(groups) : "memory");
}

#define ZELLIGE_C4(i) "+f"(c[i]), "+f"(c[i + 1]), "+f"(c[i + 2]), "+f"(c[i + 3])
#define ZELLIGE_C8(i)                                                                                         \
  "+f"(c[i]), "+f"(c[i + 1]), "+f"(c[i + 2]), "+f"(c[i + 3]), "+f"(c[i + 4]), "+f"(c[i + 5]), "+f"(c[i + 6]), \
      "+f"(c[i + 7])
#define ZELLIGE_C32(i) ZELLIGE_C8(i), ZELLIGE_C8(i + 8), ZELLIGE_C8(i + 16), ZELLIGE_C8(i + 24)
#define ZELLIGE_R_4 "%0,%1,%2,%3"
#define ZELLIGE_R0 "%0,%1,%2,%3,%4,%5,%6,%7"
#define ZELLIGE_R8 ",%8,%9,%10,%11,%12,%13,%14,%15"
#define ZELLIGE_R16 ",%16,%17,%18,%19,%20,%21,%22,%23"
#define ZELLIGE_R24 ",%24,%25,%26,%27,%28,%29,%30,%31"
#define ZELLIGE_R32 ",%32,%33,%34,%35,%36,%37,%38,%39"
#define ZELLIGE_R40 ",%40,%41,%42,%43,%44,%45,%46,%47"
#define ZELLIGE_R48 ",%48,%49,%50,%51,%52,%53,%54,%55"
#define ZELLIGE_R56 ",%56,%57,%58,%59,%60,%61,%62,%63"
#define ZELLIGE_R64 ",%64,%65,%66,%67,%68,%69,%70,%71"
#define ZELLIGE_R72 ",%72,%73,%74,%75,%76,%77,%78,%79"
#define ZELLIGE_R80 ",%80,%81,%82,%83,%84,%85,%86,%87"
#define ZELLIGE_R88 ",%88,%89,%90,%91,%92,%93,%94,%95"
#define ZELLIGE_R96 ",%96,%97,%98,%99,%100,%101,%102,%103"
#define ZELLIGE_R104 ",%104,%105,%106,%107,%108,%109,%110,%111"
#define ZELLIGE_R112 ",%112,%113,%114,%115,%116,%117,%118,%119"
#define ZELLIGE_R120 ",%120,%121,%122,%123,%124,%125,%126,%127"
#define ZELLIGE_R_32 ZELLIGE_R0 ZELLIGE_R8 ZELLIGE_R16 ZELLIGE_R24
#define ZELLIGE_R_48 ZELLIGE_R_32 ZELLIGE_R32 ZELLIGE_R40
#define ZELLIGE_R_64 ZELLIGE_R_32 ZELLIGE_R32 ZELLIGE_R40 ZELLIGE_R48 ZELLIGE_R56
#define ZELLIGE_R_96 ZELLIGE_R_64 ZELLIGE_R64 ZELLIGE_R72 ZELLIGE_R80 ZELLIGE_R88
#define ZELLIGE_R_128 ZELLIGE_R_96 ZELLIGE_R96 ZELLIGE_R104 ZELLIGE_R112 ZELLIGE_R120
// The predicate says that c is added to. The last operands of f16 and bf16 say that both tiles run along k.
#define ZELLIGE_WGMMA(shape, types, registers, a_number, b_number, tail, ...)                                        \
  asm volatile(                                                                                                      \
      "{\n.reg .pred p;\nsetp.eq.b32 p, 0, 0;\n"                                                                     \
      "wgmma.mma_async.sync.aligned." shape "." types " {" registers "}, %" a_number ", %" b_number ", p, 1, 1" tail \
      ";\n}\n"                                                                                                       \
      : __VA_ARGS__                                                                                                  \
      : "l"(a), "l"(b))
#define ZELLIGE_WGMMA_TYPE(n, registers, a_number, b_number, ...)                                         \
  if constexpr (input == DataType::f16) {                                                                 \
    ZELLIGE_WGMMA("m64n" n "k16", "f32.f16.f16", registers, a_number, b_number, ", 0, 0", __VA_ARGS__);   \
  } else if constexpr (input == DataType::bf16) {                                                         \
    ZELLIGE_WGMMA("m64n" n "k16", "f32.bf16.bf16", registers, a_number, b_number, ", 0, 0", __VA_ARGS__); \
  } else if constexpr (input == DataType::f8e4m3) {                                                       \
    ZELLIGE_WGMMA("m64n" n "k32", "f32.e4m3.e4m3", registers, a_number, b_number, "", __VA_ARGS__);       \
  } else {                                                                                                \
    static_assert(input == DataType::f8e5m2, "wgmma() has no line for this type");                        \
    ZELLIGE_WGMMA("m64n" n "k32", "f32.e5m2.e5m2", registers, a_number, b_number, "", __VA_ARGS__);       \
  }

#define ZELLIGE_WGMMA_REGISTERS(shape, types, registers, a_numbers, b_number, ...)                    \
  asm volatile(                                                                                       \
      "{\n.reg .pred p;\nsetp.eq.b32 p, 0, 0;\n"                                                      \
      "wgmma.mma_async.sync.aligned." shape "." types " {" registers "}, {" a_numbers "}, %" b_number \
      ", p, 1, 1, 0;\n}\n"                                                                            \
      : __VA_ARGS__                                                                                   \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b))
#define ZELLIGE_WGMMA_REGISTERS_TYPE(n, registers, a_numbers, b_number, ...)                               \
  if constexpr (input == DataType::f16) {                                                                  \
    ZELLIGE_WGMMA_REGISTERS("m64n" n "k16", "f32.f16.f16", registers, a_numbers, b_number, __VA_ARGS__);   \
  } else {                                                                                                 \
    static_assert(input == DataType::bf16, "wgmma() takes registers of 16-bit types alone");               \
    ZELLIGE_WGMMA_REGISTERS("m64n" n "k16", "f32.bf16.bf16", registers, a_numbers, b_number, __VA_ARGS__); \
  }

/// c += A * B over 32 bytes of k, 64 x n elements. Asynchronous: see wgmma_wait().
template <DataType input, int n>
ZELLIGE_DEVICE void wgmma(float (&c)[n / 2], std::uint64_t a, std::uint64_t b) {
  if constexpr (n == 8) {
    ZELLIGE_WGMMA_TYPE("8", ZELLIGE_R_4, "4", "5", ZELLIGE_C4(0))
  } else if constexpr (n == 16) {
    ZELLIGE_WGMMA_TYPE("16", ZELLIGE_R0, "8", "9", ZELLIGE_C8(0))
  } else if constexpr (n == 32) {
    ZELLIGE_WGMMA_TYPE("32", ZELLIGE_R0 ZELLIGE_R8, "16", "17", ZELLIGE_C8(0), ZELLIGE_C8(8))
  } else if constexpr (n == 48) {
    ZELLIGE_WGMMA_TYPE("48", ZELLIGE_R0 ZELLIGE_R8 ZELLIGE_R16, "24", "25", ZELLIGE_C8(0), ZELLIGE_C8(8),
                       ZELLIGE_C8(16))
  } else if constexpr (n == 64) {
    ZELLIGE_WGMMA_TYPE("64", ZELLIGE_R_32, "32", "33", ZELLIGE_C32(0))
  } else if constexpr (n == 96) {
    ZELLIGE_WGMMA_TYPE("96", ZELLIGE_R_48, "48", "49", ZELLIGE_C32(0), ZELLIGE_C8(32), ZELLIGE_C8(40))
  } else if constexpr (n == 128) {
    ZELLIGE_WGMMA_TYPE("128", ZELLIGE_R_64, "64", "65", ZELLIGE_C32(0), ZELLIGE_C32(32))
  } else if constexpr (n == 144) {
    ZELLIGE_WGMMA_TYPE("144", ZELLIGE_R_64 ZELLIGE_R64, "72", "73", ZELLIGE_C32(0), ZELLIGE_C32(32), ZELLIGE_C8(64))
  } else if constexpr (n == 192) {
    ZELLIGE_WGMMA_TYPE("192", ZELLIGE_R_96, "96", "97", ZELLIGE_C32(0), ZELLIGE_C32(32), ZELLIGE_C32(64))
  } else {
    static_assert(n == 256, "wgmma() has no line for this n");
    ZELLIGE_WGMMA_TYPE("256", ZELLIGE_R_128, "128", "129", ZELLIGE_C32(0), ZELLIGE_C32(32), ZELLIGE_C32(64),
                       ZELLIGE_C32(96))
  }
}

/// The same with A in registers: thread t of the warpgroup holds rows 16 * (t / 32) + t % 32 / 4 (a[0], a[2]) and that
/// + 8 (a[1], a[3]), each two neighbouring k: 2 * (t % 4) (a[0], a[1]) and that + 8 (a[2], a[3]). They may change after
/// the wait.
template <DataType input, int n>
ZELLIGE_DEVICE void wgmma(float (&c)[n / 2], const std::uint32_t (&a)[4], std::uint64_t b) {
  static_assert(n == 16 || n == 32 || n == 64 || n == 96 || n == 128, "wgmma() has no line for this n");
  if constexpr (n == 16) {
    ZELLIGE_WGMMA_REGISTERS_TYPE("16", ZELLIGE_R0, "%8,%9,%10,%11", "12", ZELLIGE_C8(0))
  } else if constexpr (n == 32) {
    ZELLIGE_WGMMA_REGISTERS_TYPE("32", ZELLIGE_R0 ZELLIGE_R8, "%16,%17,%18,%19", "20", ZELLIGE_C8(0), ZELLIGE_C8(8))
  } else if constexpr (n == 64) {
    ZELLIGE_WGMMA_REGISTERS_TYPE("64", ZELLIGE_R_32, "%32,%33,%34,%35", "36", ZELLIGE_C32(0))
  } else if constexpr (n == 96) {
    ZELLIGE_WGMMA_REGISTERS_TYPE("96", ZELLIGE_R_48, "%48,%49,%50,%51", "52", ZELLIGE_C32(0), ZELLIGE_C8(32),
                                 ZELLIGE_C8(40))
  } else {
    ZELLIGE_WGMMA_REGISTERS_TYPE("128", ZELLIGE_R_64, "%64,%65,%66,%67", "68", ZELLIGE_C32(0), ZELLIGE_C32(32))
  }
}

#undef ZELLIGE_WGMMA_REGISTERS_TYPE
#undef ZELLIGE_WGMMA_REGISTERS
#undef ZELLIGE_WGMMA_TYPE
#undef ZELLIGE_WGMMA
#undef ZELLIGE_R_128
#undef ZELLIGE_R_96
#undef ZELLIGE_R_64
#undef ZELLIGE_R_48
#undef ZELLIGE_R_32
#undef ZELLIGE_R_4
#undef ZELLIGE_R0
#undef ZELLIGE_R8
#undef ZELLIGE_R16
#undef ZELLIGE_R24
#undef ZELLIGE_R32
#undef ZELLIGE_R40
#undef ZELLIGE_R48
#undef ZELLIGE_R56
#undef ZELLIGE_R64
#undef ZELLIGE_R72
#undef ZELLIGE_R80
#undef ZELLIGE_R88
#undef ZELLIGE_R96
#undef ZELLIGE_R104
#undef ZELLIGE_R112
#undef ZELLIGE_R120
#undef ZELLIGE_C32
#undef ZELLIGE_C8
#undef ZELLIGE_C4

#endif

}  // namespace zellige
