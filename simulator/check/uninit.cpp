// The check of uninitialised reads; uninit.hpp states the law.
#include "simulator/check/uninit.hpp"

#include <cinttypes>

#include "simulator/check/shadow.hpp"

namespace zellige::sim {
namespace {

/// The first byte at or after `at` that is not written.
std::uint64_t first_unwritten(const ByteBits& written, std::uint64_t at) {
  return at + static_cast<std::uint64_t>(__builtin_ctzll(~written.bits(at)));
}

bool check_lds(const Step& step, const Access& access) {
  ByteBits& written = step.shadow.lds_written;
  for (std::uint64_t mask = access.lanes; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    const std::uint64_t at = access.address[lane];
    if (at + access.bytes > step.wave.group->lds_bytes) continue;  // the handler's own fault
    if (access.kind == AccessKind::store) {
      written.set(at, access.bytes);
    } else if (!written.all(at, access.bytes)) {
      raise_fault(step.wave, step.instruction,
                  "uninitialised LDS: lane %d reads %u bytes at LDS address 0x%" PRIx64
                  ", and no wave of the workgroup has written byte 0x%" PRIx64,
                  lane, access.bytes, at, first_unwritten(written, at));
      return false;
    }
  }
  return true;
}

}  // namespace

bool uninit_wants(const CheckedInstruction& plan) { return plan.access.producer != nullptr; }

bool uninit_step(const Step& step) {
  for (const Access& access : step.accesses)
    if (access.space == Space::lds && !check_lds(step, access)) return false;
  return true;
}

}  // namespace zellige::sim
