// The loops of the checks over words of bits and over lanes, which hosts with AVX2 run in its vectors.
//
// Law: `bits` says which bytes an access touches; the other arrays, which do not overlap, are looked at or changed
// where it does. `count` is in words.
#pragma once

#include <cstdint>

namespace zellige::sim {

/// Any bit where bits touches `written` but not `own`, or `exact`.
std::uint64_t met_by_read(const std::uint64_t* bits, const std::uint64_t* written, const std::uint64_t* own,
                          const std::uint64_t* exact, std::uint32_t count);
/// Any bit where bits touches `written` but not `own`, `read` but not `own_read`, `shared` or `exact`.
std::uint64_t met_by_write(const std::uint64_t* bits, const std::uint64_t* written, const std::uint64_t* own,
                           const std::uint64_t* read, const std::uint64_t* own_read, const std::uint64_t* shared,
                           const std::uint64_t* exact, std::uint32_t count);
/// Sets bits in `read` and `own_read`; those that `read` had, but not `own_read`, in `shared`.
void mark_read(const std::uint64_t* bits, std::uint64_t* read, std::uint64_t* own_read, std::uint64_t* shared,
               std::uint32_t count);
/// Sets bits in `to`.
void set_bits(const std::uint64_t* bits, std::uint64_t* to, std::uint32_t count);
/// Any bit that is not in `of`.
std::uint64_t missing_bits(const std::uint64_t* bits, const std::uint64_t* of, std::uint32_t count);
/// Whether row[l] - first is relative[l] for every lane whose member[l] is all ones (else 0).
bool same_differences(const std::uint32_t* row, std::uint32_t first, const std::uint32_t* relative,
                      const std::uint32_t* member);
/// The largest row[l] of the lanes.
std::uint32_t largest_of(const std::uint32_t* row, std::uint64_t lanes);

}  // namespace zellige::sim
