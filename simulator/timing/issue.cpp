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
#include <charconv>
#include <cstdlib>
#include <string>

#include "simulator/decode/program.hpp"

namespace zellige::sim {
namespace {

int major_of(std::string_view target) {
  // gfx90a, gfx942, gfx950 are 9; gfx1100 is 11. The last two characters are the minor number and the stepping.
  if (target.size() < 6) return 9;
  int major = 9;
  std::from_chars(target.data() + 3, target.data() + target.size() - 2, major);
  return major;
}

/// The number behind `name` in `text`: "vmcnt(3)" or "0x3"; -1 where there is none.
int number_at(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == '(' || text[at] == ' ' || text[at] == ',')) ++at;
  const std::string digits(text.substr(at, 12));
  char* end = nullptr;
  const long value = std::strtol(digits.c_str(), &end, 0);
  return end == digits.c_str() ? -1 : static_cast<int>(value);
}

int number_after(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  return at == std::string_view::npos ? -1 : number_at(text, at + name.size());
}

std::int8_t limit(int value) { return static_cast<std::int8_t>(value > 127 ? 127 : value); }

IssueInfo info_of(const Instruction& instruction, std::string_view text, int major, const IssueRates& rates) {
  IssueInfo info;
  const bool rdna = major >= 10;
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
      info.counter = major >= 12 ? IssueCounter::scalar : IssueCounter::lds;
      break;
    case OpClass::matrix:
      info.kind = IssueKind::matrix;
      break;
    case OpClass::lds:
      info.kind = IssueKind::lds;
      info.counter = IssueCounter::lds;
      break;
    case OpClass::global_load:
      info.kind = IssueKind::load;
      break;
    case OpClass::global_store:
      info.kind = IssueKind::store;
      info.counter = rdna ? IssueCounter::store : IssueCounter::load;
      break;
    case OpClass::atomic: {
      info.atomic = true;
      const bool returns = instruction.flags & flag_glc;
      info.kind = returns ? IssueKind::load : IssueKind::store;
      info.counter = returns || !rdna ? IssueCounter::load : IssueCounter::store;
      break;
    }
    case OpClass::branch:
      info.kind = IssueKind::branch;
      break;
    case OpClass::wait:
      info.kind = IssueKind::wait;
      info.outstanding = waits_of(text);
      break;
    default:
      break;
  }
  if (text.starts_with("tensor_") || text.find("_async_") != std::string_view::npos) {
    info.kind = IssueKind::async;
    info.counter = IssueCounter::async;
  }
  if (text.starts_with("s_barrier_wait")) info.kind = IssueKind::barrier_wait;
  // s_nop N idles N + 1 slots of the wave.
  if (text.starts_with("s_nop ")) {
    const int slots = number_at(text, 6) + 1;
    info.clocks = static_cast<std::uint8_t>(std::min(slots, 16) * rates.wave);
  }
  // Hints that the front end eats.
  if (text.starts_with("s_delay_alu") || text.starts_with("s_clause")) info.clocks = 0;
  return info;
}

}  // namespace

IssueRates issue_rates(int major, int lanes, bool fast_f64) {
  if (major == 9) return {4, 16, 4, 4};
  const int halves = std::max(1, lanes / 32);
  // gfx1250 runs f64 at half rate; the client targets at 1/16.
  return {halves, 4 * halves, (fast_f64 ? 2 : 16) * halves, 1};
}

std::array<std::int8_t, issue_counters> waits_of(std::string_view text) {
  std::array<std::int8_t, issue_counters> result{-1, -1, -1, -1, -1};
  const auto set = [&](IssueCounter counter, int value) {
    if (value >= 0) result[static_cast<int>(counter)] = limit(value);
  };
  if (text.starts_with("s_waitcnt")) {
    if (text.starts_with("s_waitcnt_vscnt")) {
      set(IssueCounter::store, number_at(text, text.find(',') == std::string_view::npos ? 15 : text.find(',') + 1));
      return result;
    }
    set(IssueCounter::load, number_after(text, "vmcnt"));
    set(IssueCounter::lds, number_after(text, "lgkmcnt"));
    // A bare 0 waits for everything.
    if (text.find("cnt(") == std::string_view::npos && number_at(text, 9) == 0)
      set(IssueCounter::load, 0), set(IssueCounter::lds, 0);
    return result;
  }
  if (!text.starts_with("s_wait_")) return result;
  const std::size_t space = text.find(' ');
  const std::string_view name = text.substr(7, space == std::string_view::npos ? space : space - 7);
  const int value = space == std::string_view::npos ? -1 : number_at(text, space);
  // The combined forms hold the LDS counter in bits 5:0 and the other in bits 13:8.
  if (name == "loadcnt_dscnt" && value >= 0) {
    set(IssueCounter::load, value >> 8 & 63), set(IssueCounter::lds, value & 63);
  } else if (name == "storecnt_dscnt" && value >= 0) {
    set(IssueCounter::store, value >> 8 & 63), set(IssueCounter::lds, value & 63);
  } else if (name == "loadcnt") {
    set(IssueCounter::load, value);
  } else if (name == "storecnt") {
    set(IssueCounter::store, value);
  } else if (name == "dscnt") {
    set(IssueCounter::lds, value);
  } else if (name == "kmcnt") {
    set(IssueCounter::scalar, value);
  } else if (name == "asynccnt" || name == "tensorcnt") {
    set(IssueCounter::async, value);
  }
  return result;
}

IssuePlan issue_plan(const Program& program) {
  const int major = major_of(program.target);
  const IssueRates rates = issue_rates(major, program.lanes, program.target == "gfx1250");
  IssuePlan plan;
  plan.instructions.reserve(program.instructions.size());
  for (std::size_t i = 0; i < program.instructions.size(); ++i)
    plan.instructions.push_back(info_of(program.instructions[i], program.texts[i], major, rates));
  return plan;
}

}  // namespace zellige::sim
