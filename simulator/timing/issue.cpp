// Issue costs; issue.hpp says of what.
//
// CDNA: four SIMDs of 16 lanes issue in turn, so that a wave64 instruction holds its SIMD for 4 clocks and a wave
// issues at most one instruction every 4; transcendental operations take four times as long, f64 as long as f32 (CDNA 2
// and later). RDNA: SIMDs of 32 lanes, a wave32 instruction a clock and a wave64 one in two; transcendentals at a
// quarter rate; a vector result can be read after 5 clocks, a transcendental one after 10, a scalar one after 2 (LLVM's
// GFX11 scheduling model). A dual-issued pair is one instruction. A taken branch costs 16 clocks (an estimate: the
// fetch).
#include "simulator/timing/issue.hpp"

#include <algorithm>
#include <string_view>

#include "simulator/decode/program.hpp"

namespace zellige::sim {
namespace {

IssueInfo info_of(const Instruction& instruction, std::string_view text, Generation generation,
                  const IssueRates& rates) {
  IssueInfo info;
  const bool rdna = generation != generation_gfx9;
  info.clocks = static_cast<std::uint8_t>(rates.wave);
  const auto vector = [&](int clocks, int result) {
    info.kind = IssueKind::vector;
    info.clocks = static_cast<std::uint8_t>(clocks);
    info.result_clocks = static_cast<std::uint8_t>(rdna ? result + clocks - 1 : clocks);
  };
  switch (instruction.op_class) {
    case OpClass::valu:
      vector(rates.vector, 5);
      break;
    case OpClass::valu_transcendental:
      vector(rdna ? rates.vector : rates.transcendental, 10);
      break;
    case OpClass::valu_double:
      vector(rates.f64, 38);
      break;
    case OpClass::salu:
      if (rdna) info.clocks = 2;
      break;
    case OpClass::smem:
      info.kind = text.find("load") != std::string_view::npos ? IssueKind::scalar_load : IssueKind::other;
      info.counter = scalar_counter(generation);
      break;
    case OpClass::matrix:
      info.kind = IssueKind::matrix;
      break;
    case OpClass::lds:
      info.kind = IssueKind::lds;
      info.counter = WaitCounter::lds;
      break;
    case OpClass::global_load:
      info.kind = IssueKind::load;
      break;
    case OpClass::global_store:
      info.kind = IssueKind::store;
      info.counter = store_counter(generation);
      break;
    case OpClass::atomic: {
      info.atomic = true;
      const bool returns = instruction.flags & flag_glc;
      info.kind = returns ? IssueKind::load : IssueKind::store;
      info.counter = returns ? WaitCounter::load : store_counter(generation);
      break;
    }
    case OpClass::branch:
      info.kind = IssueKind::branch;
      break;
    case OpClass::wait:
      info.kind = IssueKind::wait;
      info.outstanding = wait_limits(text.substr(0, text.find(' ')), instruction, generation).value_or(no_wait);
      break;
    default:
      break;
  }
  const bool tensor = text.starts_with("tensor_");
  if (tensor || text.find("_async_") != std::string_view::npos) {
    info.kind = IssueKind::async;
    info.counter = tensor ? WaitCounter::tensor : WaitCounter::async;
  }
  if (text.starts_with("s_barrier_wait")) info.kind = IssueKind::barrier_wait;
  // s_nop N idles N + 1 slots of the wave.
  if (text.starts_with("s_nop ")) {
    const int slots = (instruction.offset & 0xffff) + 1;
    info.clocks = static_cast<std::uint8_t>(std::min(slots, 16) * rates.wave);
  }
  // Hints that the front end eats.
  if (text.starts_with("s_delay_alu") || text.starts_with("s_clause")) info.clocks = 0;
  return info;
}

}  // namespace

IssueRates issue_rates(bool rdna, int lanes, bool fast_f64) {
  if (!rdna) return {4, 16, 4, 4};
  const int halves = std::max(1, lanes / 32);
  // gfx1250 runs f64 at half rate; the client targets at 1/16.
  return {halves, 4 * halves, (fast_f64 ? 2 : 16) * halves, 1};
}

IssuePlan issue_plan(const Program& program) {
  const Generation generation = generation_of(program.target);
  const IssueRates rates = issue_rates(generation != generation_gfx9, program.lanes, generation == generation_gfx1250);
  IssuePlan plan;
  plan.instructions.reserve(program.instructions.size());
  for (std::size_t i = 0; i < program.instructions.size(); ++i)
    plan.instructions.push_back(info_of(program.instructions[i], program.texts[i], generation, rates));
  return plan;
}

}  // namespace zellige::sim
