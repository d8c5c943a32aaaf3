// Waits by their mnemonics and numbers; wait_counters.hpp states the law.
#include "simulator/decode/wait_counters.hpp"

#include <algorithm>
#include <iterator>

namespace zellige::sim {
namespace {

constexpr std::uint32_t bits(std::uint32_t value, int first, int count) { return value >> first & ((1u << count) - 1); }

struct CounterWait {
  std::string_view mnemonic;
  WaitCounter low, high;  ///< one count: both the same; two: low in bits 0 to 5, high in bits 8 to 13
};
constexpr CounterWait counter_waits[] = {
    {"s_waitcnt_vmcnt", WaitCounter::load, WaitCounter::load},
    {"s_waitcnt_vscnt", WaitCounter::store, WaitCounter::store},
    {"s_waitcnt_lgkmcnt", WaitCounter::lds, WaitCounter::lds},
    {"s_wait_loadcnt", WaitCounter::load, WaitCounter::load},
    {"s_wait_storecnt", WaitCounter::store, WaitCounter::store},
    {"s_wait_samplecnt", WaitCounter::sample, WaitCounter::sample},
    {"s_wait_bvhcnt", WaitCounter::ray, WaitCounter::ray},
    {"s_wait_dscnt", WaitCounter::lds, WaitCounter::lds},
    {"s_wait_kmcnt", WaitCounter::scalar, WaitCounter::scalar},
    {"s_wait_asynccnt", WaitCounter::async, WaitCounter::async},
    {"s_wait_tensorcnt", WaitCounter::tensor, WaitCounter::tensor},
    {"s_wait_loadcnt_dscnt", WaitCounter::lds, WaitCounter::load},
    {"s_wait_storecnt_dscnt", WaitCounter::lds, WaitCounter::store},
};

void limit(WaitLimits& limits, WaitCounter counter, std::uint32_t left) {
  limits[static_cast<std::size_t>(counter)] = static_cast<std::int16_t>(left);
}

/// s_waitcnt's immediate: vmcnt and lgkmcnt lie where the generation puts them.
WaitLimits limits_of_immediate(std::uint32_t immediate, Generation generation) {
  const bool gfx9 = generation == generation_gfx9;
  const std::uint32_t loads = gfx9 ? bits(immediate, 0, 4) | bits(immediate, 14, 2) << 4 : bits(immediate, 10, 6),
                      lds = gfx9 ? bits(immediate, 8, 4) : bits(immediate, 4, 6), most_lds = gfx9 ? 15 : 63;
  WaitLimits limits = no_wait;
  if (loads != 63) limit(limits, WaitCounter::load, loads);
  if (lds != most_lds) limit(limits, WaitCounter::lds, lds);
  return limits;
}

}  // namespace

std::optional<WaitLimits> wait_limits(std::string_view mnemonic, const Instruction& instruction,
                                      Generation generation) {
  // s_waitcnt_vmcnt and its like name a register, which is null, before the number.
  const auto number = static_cast<std::uint32_t>(instruction.src[1].kind == OperandKind::constant
                                                     ? instruction.src[1].constant()
                                                     : static_cast<std::uint64_t>(instruction.offset & 0xffff));
  if (mnemonic == "s_waitcnt") return limits_of_immediate(number, generation);
  WaitLimits limits = no_wait;
  if (mnemonic == "s_wait_idle") {
    limits.fill(0);
    return limits;
  }
  const auto* const wait = std::ranges::find(counter_waits, mnemonic, &CounterWait::mnemonic);
  if (wait == std::end(counter_waits)) return std::nullopt;
  limit(limits, wait->low, bits(number, 0, 6));
  if (wait->high != wait->low) limit(limits, wait->high, bits(number, 8, 6));
  return limits;
}

}  // namespace zellige::sim
