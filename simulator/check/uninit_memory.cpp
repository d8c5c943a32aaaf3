// Definedness of addresses and data, and of the memory that an instruction reads; uninit.hpp states the law.
#include <algorithm>
#include <cinttypes>

#include "simulator/check/checked_program.hpp"
#include "simulator/check/shadow.hpp"
#include "simulator/check/uninit.hpp"
#include "simulator/check/word_loops.hpp"
#include "simulator/memory/arena.hpp"
#include "simulator/memory/defined_bytes.hpp"

namespace zellige::sim {
namespace {

/// The first byte at or after `at` whose bit is clear.
std::uint64_t first_clear(const ByteBits& bits, std::uint64_t at) {
  return at + static_cast<std::uint64_t>(__builtin_ctzll(~bits.bits(at)));
}

/// An access of LDS that has a shape: marks what it writes, or tells whether all that it reads was written.
bool all_written(ByteBits& written, const Access& access, std::uint64_t first) {
  const AccessShape& shape = *access.shape;
  const std::uint64_t* bits = shape.bits.data();
  std::uint64_t open = 0;
  for (const AccessShape::Piece& piece : shape.pieces) {
    std::uint64_t* words =
        written.word(static_cast<std::uint64_t>(static_cast<std::int64_t>(first / 64) + piece.first));
    if (access.kind == AccessKind::store)
      set_bits(bits, words, piece.words);
    else
      open |= missing_bits(bits, words, piece.words);
    bits += piece.words;
  }
  return open == 0;
}

bool check_lds(const Step& step, const Access& access) {
  ByteBits& written = step.shadow.lds_written;
  if (access.shape != nullptr)
    if (const std::uint64_t first = access.first(); access.shape->lies_in(first, step.wave.group->lds_bytes))
      if (all_written(written, access, first)) return true;
  for (std::uint64_t mask = access.lanes; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    const std::uint64_t at = access.at(lane);
    if (at + access.bytes > step.wave.group->lds_bytes) continue;  // the handler's own fault
    if (access.kind == AccessKind::store) {
      written.set(at, access.bytes);
    } else if (!written.all(at, access.bytes)) {
      raise_fault(step.wave, step.instruction,
                  "uninitialised LDS: lane %d reads %u bytes at LDS address 0x%" PRIx64
                  ", and no wave of the workgroup has written byte 0x%" PRIx64,
                  lane, access.bytes, at, first_clear(written, at));
      return false;
    }
  }
  return true;
}

bool check_global(const Step& step, const Access& access, DefinedBytes& memory) {
  if (access.shape != nullptr) {
    const std::uint64_t first = access.first();
    bool all = true;
    for (const AccessShape::Run& run : access.shape->runs) {
      const std::uint64_t at = first + static_cast<std::uint64_t>(run.begin);
      if (access.kind == AccessKind::store)
        memory.define(at, run.bytes);
      else
        all = all && memory.all_defined(at, run.bytes);
    }
    if (all) return true;
  }
  for (std::uint64_t mask = access.lanes; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    const std::uint64_t at = access.at(lane);
    if (access.kind == AccessKind::store) {
      memory.define_few(at, access.bytes);
    } else if (!memory.defined(at, access.bytes)) {
      const auto allocation = step.wave.group->arena->find(at);
      if (!allocation || allocation->host || at + access.bytes > allocation->end) continue;  // the handler's own fault
      std::uint64_t open = at;
      while (memory.defined(open, 1)) ++open;
      raise_fault(step.wave, step.instruction,
                  "uninitialised memory: lane %d reads %u bytes at 0x%" PRIx64
                  ", and nothing has written byte 0x%" PRIx64 ": %s",
                  lane, access.bytes, at, open, step.wave.group->arena->describe(open).c_str());
      return false;
    }
  }
  return true;
}

/// What a tensor copy reads and writes.
bool check_range(const Step& step, const AccessRange& range) {
  if (range.space == Space::lds) {
    ByteBits& written = step.shadow.lds_written;
    for (std::uint64_t at = range.begin; at < range.begin + range.bytes; at += 64) {
      const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(range.begin + range.bytes - at, 64));
      if (range.kind == AccessKind::store) {
        written.set(at, count);
      } else if (!written.all(at, count) && at + count <= step.wave.group->lds_bytes) {
        raise_fault(step.wave, step.instruction,
                    "uninitialised LDS: the copy reads LDS address 0x%" PRIx64
                    ", which no wave of the workgroup has written",
                    first_clear(written, at));
        return false;
      }
    }
    return true;
  }
  DefinedBytes* memory = DefinedBytes::instance();
  if (memory == nullptr) return true;
  if (range.kind == AccessKind::store) {
    memory->define(range.begin, range.bytes);
    return true;
  }
  std::uint64_t open = range.begin;
  while (open < range.begin + range.bytes && memory->defined(open, 1)) ++open;
  const auto allocation = step.wave.group->arena->find(open);
  if (open == range.begin + range.bytes || !allocation || allocation->host) return true;
  raise_fault(step.wave, step.instruction,
              "uninitialised memory: the copy reads 0x%" PRIx64 ", which nothing has written: %s", open,
              step.wave.group->arena->describe(open).c_str());
  return false;
}

/// Scratch takes over whether the data is defined, word for word, and gives it back.
void follow_scratch(const Step& step, const Access& access, WaveDefinedness& defined) {
  const Wave& wave = step.wave;
  const bool stores = access.kind == AccessKind::store;
  const AccessPlan& plan = step.plan.access;
  const Operand& data = stores ? step.instruction->src[plan.data] : step.instruction->dst;
  if (data.kind != OperandKind::vector) return;
  for (std::uint64_t mask = access.lanes; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    const std::uint64_t bit = std::uint64_t{1} << lane;
    if (access.at(lane) + access.bytes > wave.scratch_bytes) continue;  // the handler's own fault
    for (std::uint32_t done = 0; done < access.bytes; done += 4) {
      const std::uint64_t at =
          std::uint64_t{wave.scratch_bytes} * static_cast<std::uint64_t>(lane) + access.at(lane) + done;
      const std::uint32_t bytes = access.bytes - done < 4 ? access.bytes - done : 4;
      std::uint64_t& row = defined.rows[data.index + access.word + done / 4];
      if (!stores)
        row = defined.scratch.any(at, bytes) ? row | bit : row & ~bit;
      else if (row & bit)
        defined.scratch.set(at, bytes);
      else
        defined.scratch.clear(at, bytes);
    }
  }
}

/// Data that goes to global memory or LDS.
bool check_data(const Step& step, const WaveDefinedness& defined, std::int8_t position, std::uint64_t lanes) {
  if (position < 0) return true;
  const Operand& data = step.instruction->src[position];
  if (data.kind != OperandKind::vector) return true;
  for (int word = 0; word < data.words; ++word)
    if (const std::uint64_t open = lanes & ~defined.rows[data.index + word]; open && step.accesses.words >> word & 1)
      return fault_undefined_row(step, __builtin_ctzll(open), data.index + word, "data to store");
  return true;
}

}  // namespace

bool uninit_memory(const Step& step) {
  const Wave& wave = step.wave;
  const Instruction& i = *step.instruction;
  const AccessPlan& plan = step.plan.access;
  WaveDefinedness& defined = step.shadow.defined[static_cast<std::size_t>(wave.id)];
  const std::uint64_t exec = wave.lanes == 64 ? wave.exec() : wave.exec() & 0xffffffffu;

  for (const std::int8_t position : {plan.address, plan.lds_address}) {
    if (position < 0 || i.src[position].kind != OperandKind::vector) continue;
    const Operand& address = i.src[position];
    for (int word = 0; word < address.words; ++word)
      if (const std::uint64_t open = exec & ~defined.rows[address.index + word])
        return fault_undefined_row(step, __builtin_ctzll(open), address.index + word, "an address");
  }
  const bool of_wave = step.accesses.count == 1 && step.accesses.items[0].scalar;
  const bool of_lanes = exec != 0 && plan.bytes != 0;  // the descriptors of tensor copies may leave words open
  if (of_lanes || of_wave)
    for (const RegisterSpan& span : step.plan.registers.scalars_read)
      for (int number = span.first; number < span.first + span.words; ++number)
        if (defined.scalars[number] != ~0u)
          return fault_undefined_scalar(step, number, "an address, descriptor or data");

  DefinedBytes* memory = DefinedBytes::instance();
  for (const AccessRange& range : step.accesses.ranges)
    if (!check_range(step, range)) return false;
  std::uint64_t stores = 0;
  for (const Access& access : step.accesses) {
    if (access.kind != AccessKind::load && access.space != Space::scratch) stores |= access.lanes;
    if (access.space == Space::lds && !check_lds(step, access)) return false;
    if (access.space == Space::global && memory && !check_global(step, access, *memory)) return false;
  }
  if (stores != 0 && !(i.flags & flag_lds)) {
    if (!check_data(step, defined, plan.data, stores)) return false;
    if (!check_data(step, defined, plan.data2, stores)) return false;
  }
  for (const RegisterSpan& span : step.plan.registers.rows_written)
    for (int row = span.first; row < span.first + span.words; ++row)
      if (span.holds(step.moved(span), row)) defined.rows[static_cast<std::size_t>(row)] |= exec;
  for (const RegisterSpan& span : step.plan.registers.scalars_written)
    for (int number = span.first; number < span.first + span.words; ++number) defined.scalars[number] = ~0u;
  for (const Access& access : step.accesses)
    if (access.space == Space::scratch && access.kind != AccessKind::atomic) follow_scratch(step, access, defined);
  return true;
}

}  // namespace zellige::sim
