// Wait counters by target: which an instruction is outstanding on, and what a wait says; wait.hpp states the law.
#include <charconv>

#include "simulator/check/wait.hpp"
#include "simulator/decode/bind.hpp"

namespace zellige::sim {
namespace {

/// 9, 10, 11 or 12 of "gfx90a", "gfx1100", "gfx1250".
int generation(std::string_view target) {
  return target.starts_with("gfx9") ? 9 : target.starts_with("gfx10") ? 10 : target.starts_with("gfx11") ? 11 : 12;
}

std::uint32_t bits(std::uint32_t value, int first, int count) { return value >> first & ((1u << count) - 1); }

/// The last number of a text: "s_wait_loadcnt 0x3", "s_waitcnt_vscnt null, 0x0".
std::uint32_t last_number(std::string_view text) {
  std::string_view word = text.substr(text.find_last_of(" ,") + 1);
  const int base = word.starts_with("0x") ? 16 : 10;
  if (base == 16) word.remove_prefix(2);
  std::uint32_t value = 0;
  std::from_chars(word.data(), word.data() + word.size(), value, base);
  return value;
}

WaitPlan wait_for_all() {
  WaitPlan plan;
  plan.waits = true;
  plan.limit.fill(0);
  return plan;
}

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

/// s_waitcnt's immediate: vmcnt and lgkmcnt lie where the generation puts them.
WaitPlan wait_of_immediate(std::uint32_t immediate, int gfx) {
  WaitPlan plan;
  plan.waits = true;
  plan.limit.fill(-1);
  std::uint32_t loads, lds, most_loads = 63, most_lds = 63;
  if (gfx >= 11) {
    loads = bits(immediate, 10, 6), lds = bits(immediate, 4, 6);
  } else {
    loads = bits(immediate, 0, 4) | bits(immediate, 14, 2) << 4;
    lds = bits(immediate, 8, gfx == 9 ? 4 : 6);
    if (gfx == 9) most_lds = 15;
  }
  // A field of all ones waits for nothing.
  if (loads != most_loads) plan.limit[static_cast<int>(WaitCounter::load)] = static_cast<std::int16_t>(loads);
  if (lds != most_lds) plan.limit[static_cast<int>(WaitCounter::lds)] = static_cast<std::int16_t>(lds);
  return plan;
}

WaitPlan issue_on(WaitCounter counter, bool any_order = false) {
  WaitPlan plan;
  plan.issues = true;
  plan.counter = counter;
  plan.any_order = any_order;
  return plan;
}

}  // namespace

WaitPlan wait_plan(const Operation& operation, const Instruction& instruction, const AccessPlan& access,
                   std::string_view text, std::string_view target) {
  const int gfx = generation(target);
  const std::string_view name = text.substr(0, text.find(' '));
  if (name == "s_waitcnt") return wait_of_immediate(static_cast<std::uint32_t>(instruction.offset) & 0xffff, gfx);
  if (name == "s_wait_idle") return wait_for_all();
  for (const CounterWait& wait : counter_waits) {
    if (wait.mnemonic != name) continue;
    WaitPlan plan;
    plan.waits = true;
    plan.limit.fill(-1);
    const std::uint32_t number = last_number(text);
    const bool two = wait.low != wait.high;
    plan.limit[static_cast<int>(wait.low)] = static_cast<std::int16_t>(bits(number, 0, 6));
    if (two) plan.limit[static_cast<int>(wait.high)] = static_cast<std::int16_t>(bits(number, 8, 6));
    return plan;
  }
  if (name.starts_with("tensor_")) return issue_on(WaitCounter::tensor);
  if (name.find("_async_") != std::string_view::npos) return issue_on(WaitCounter::async);
  const WaitCounter scalar_counter = gfx == 12 ? WaitCounter::scalar : WaitCounter::lds;
  if (operation.op_class == OpClass::smem || name.starts_with("s_sendmsg_rtn"))
    return operation.dst != ValueType::none ? issue_on(scalar_counter, true) : WaitPlan{};
  if (operation.op_class == OpClass::lds)
    return operation.src[0] != ValueType::none || operation.dst != ValueType::none ? issue_on(WaitCounter::lds)
                                                                                   : WaitPlan{};
  if (access.producer == nullptr) return {};
  const bool returns =
      access.kind == AccessKind::load || (access.kind == AccessKind::atomic && (instruction.flags & flag_glc));
  WaitPlan plan = issue_on(returns || gfx == 9 ? WaitCounter::load : WaitCounter::store);
  plan.by_space = name.starts_with("flat_");
  return plan;
}

const char* wait_name(WaitCounter counter, std::string_view target) {
  const bool apart = generation(target) == 12;
  switch (counter) {
    case WaitCounter::load:
      return apart ? "s_wait_loadcnt" : "vmcnt";
    case WaitCounter::store:
      return apart ? "s_wait_storecnt" : "vscnt";
    case WaitCounter::lds:
      return apart ? "s_wait_dscnt" : "lgkmcnt";
    case WaitCounter::scalar:
      return "s_wait_kmcnt";
    case WaitCounter::sample:
      return "s_wait_samplecnt";
    case WaitCounter::ray:
      return "s_wait_bvhcnt";
    case WaitCounter::async:
      return "s_wait_asynccnt";
    default:
      return "s_wait_tensorcnt";
  }
}

}  // namespace zellige::sim
