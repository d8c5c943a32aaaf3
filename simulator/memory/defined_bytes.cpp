// The bits of device memory; defined_bytes.hpp states the law.
#include "simulator/memory/defined_bytes.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "simulator/check/settings.hpp"

namespace zellige::sim {
namespace {

/// Calls body(word index, mask) for the words that [at, at + bytes) lies in.
template <class Body>
void for_each_word(std::uint64_t at, std::uint64_t bytes, Body body) {
  while (bytes != 0) {
    const std::uint64_t first = at % 64, count = std::min(bytes, 64 - first);
    body(at / 64, low_bits(count) << first);
    at += count, bytes -= count;
  }
}

}  // namespace

DefinedBytes* DefinedBytes::instance() {
  static DefinedBytes* bits = enabled_checks() & check_uninit ? new DefinedBytes : nullptr;
  return bits;
}

void DefinedBytes::cover(std::uint64_t begin, std::uint64_t end) {
  const std::size_t bytes = (end - begin) / 8 + 16;
  void* range = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) throw std::bad_alloc();
  words_ = static_cast<std::uint64_t*>(range);
  begin_ = begin, end_ = end;
}

void DefinedBytes::define(std::uint64_t address, std::uint64_t bytes) {
  if (!covers(address, bytes)) return;
  for_each_word(address - begin_, bytes, [&](std::uint64_t word, std::uint64_t mask) { set(words_[word], mask); });
}

void DefinedBytes::forget(std::uint64_t address, std::uint64_t bytes) {
  if (!covers(address, bytes)) return;
  // Whole pages of bits go back to the host, which gives them out clear again.
  constexpr std::uint64_t page_covers = 4096 * 8;
  const std::uint64_t at = address - begin_, end = at + bytes;
  const std::uint64_t first = (at + page_covers - 1) / page_covers * page_covers,
                      last = end / page_covers * page_covers;
  if (first < last) {
    madvise(words_ + first / 64, (last - first) / 8, MADV_DONTNEED);
    forget(address, first - at);
    forget(begin_ + last, end - last);
    return;
  }
  for_each_word(at, bytes, [&](std::uint64_t word, std::uint64_t mask) {
    __atomic_fetch_and(&words_[word], ~mask, __ATOMIC_RELAXED);
  });
}

void DefinedBytes::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  if (!covers(from, bytes)) return define(to, bytes);
  if (!covers(to, bytes)) return;
  // Copies may overlap: from the end where the destination lies behind.
  const bool backwards = to > from;
  constexpr std::uint64_t step = 64;
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t count = std::min(step, bytes - done), at = backwards ? bytes - done - count : done;
    const std::uint64_t source = from + at - begin_, shift = source % 64;
    std::uint64_t bits = words_[source / 64] >> shift;
    if (shift != 0) bits |= words_[source / 64 + 1] << (64 - shift);
    for_each_word(to + at - begin_, count, [&](std::uint64_t word, std::uint64_t mask) {
      const std::uint64_t first = static_cast<std::uint64_t>(__builtin_ctzll(mask));
      const std::uint64_t value = bits << first & mask;
      __atomic_fetch_and(&words_[word], value | ~mask, __ATOMIC_RELAXED);
      __atomic_fetch_or(&words_[word], value, __ATOMIC_RELAXED);
      const int taken = __builtin_popcountll(mask);
      bits = taken == 64 ? 0 : bits >> taken;
    });
    done += count;
  }
}

}  // namespace zellige::sim
