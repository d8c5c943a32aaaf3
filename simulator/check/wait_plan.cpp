// Which counter an instruction is outstanding on, and what a wait lets stay so; wait.hpp states the law.
#include "simulator/check/wait.hpp"

namespace zellige::sim {
namespace {

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
  const Generation generation = generation_of(target);
  const std::string_view name = text.substr(0, text.find(' '));
  if (const auto limits = wait_limits(name, instruction, generation)) {
    WaitPlan plan;
    plan.waits = true;
    plan.limit = *limits;
    return plan;
  }
  if (name.starts_with("tensor_")) return issue_on(WaitCounter::tensor);
  if (name.find("_async_") != std::string_view::npos) return issue_on(WaitCounter::async);
  if (operation.op_class == OpClass::smem || name.starts_with("s_sendmsg_rtn"))
    return operation.dst != ValueType::none ? issue_on(scalar_counter(generation), true) : WaitPlan{};
  if (operation.op_class == OpClass::lds)
    return operation.src[0] != ValueType::none || operation.dst != ValueType::none ? issue_on(WaitCounter::lds)
                                                                                   : WaitPlan{};
  if (access.producer == nullptr) return {};
  const bool returns =
      access.kind == AccessKind::load || (access.kind == AccessKind::atomic && (instruction.flags & flag_glc));
  WaitPlan plan = issue_on(returns ? WaitCounter::load : store_counter(generation));
  plan.by_space = name.starts_with("flat_");
  return plan;
}

const char* wait_name(WaitCounter counter, std::string_view target) {
  const bool apart = generation_of(target) & gfx12_up;
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
