// Moves between lanes through the LDS hardware (swizzle, permute), transposed reads, and counters in LDS (append,
// consume).
#include "simulator/execute/lds_exchange.hpp"
#include "simulator/execute/lds_access.hpp"
#include "simulator/execute/lds_packed.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

/// dst[l] = source[from(l)] for active lanes l; 0 if lane from(l) is inactive.
template <class From>
inline void exchange(Wave& wave, const Instruction* instruction, const std::uint32_t* source, From from) {
  alignas(64) std::uint32_t values[row_lanes];
  for (int lane = 0; lane < lanes; ++lane) {
    const int other = from(lane);
    values[lane] = source[other] & wave.exec_mask[other];
  }
  write_masked(wave.row(instruction->dst.index), values, 1, wave.exec_mask);
}

const Instruction* ds_swizzle(Wave& wave, const Instruction* instruction) {
  const std::uint32_t control = static_cast<std::uint32_t>(instruction->offset) & 0xffffu;
  exchange(wave, instruction, wave.row(instruction->src[0].index),
           [&](int lane) { return swizzle_source(control, lane); });
  return instruction + 1;
}

/// The lane that an address of ds_permute and ds_bpermute names, 4 bytes a lane: modulo `span` lanes, in the block of
/// `span` lanes that `lane` is in.
template <int span>
inline int named_lane(std::uint32_t address, int lane) {
  return static_cast<int>(address / 4 % span) + (span == lanes ? 0 : lane / span * span);
}

/// Pull: each lane reads the lane that its address names.
template <int span>
const Instruction* ds_bpermute(Wave& wave, const Instruction* instruction) {
  const std::uint32_t* addresses = wave.row(instruction->src[0].index);
  const std::uint32_t offset = static_cast<std::uint32_t>(instruction->offset);
  exchange(wave, instruction, wave.row(instruction->src[1].index),
           [&](int lane) { return named_lane<span>(addresses[lane] + offset, lane); });
  return instruction + 1;
}

/// The same, from inactive lanes too.
const Instruction* ds_bpermute_inactive(Wave& wave, const Instruction* instruction) {
  const std::uint32_t* addresses = wave.row(instruction->src[0].index);
  const std::uint32_t* source = wave.row(instruction->src[1].index);
  const std::uint32_t offset = static_cast<std::uint32_t>(instruction->offset);
  alignas(64) std::uint32_t values[row_lanes];
  for (int lane = 0; lane < lanes; ++lane) values[lane] = source[named_lane<lanes>(addresses[lane] + offset, lane)];
  write_masked(wave.row(instruction->dst.index), values, 1, wave.exec_mask);
  return instruction + 1;
}

/// Push: each active lane sends to the lane that its address names; of two senders the higher lane wins; lanes that
/// nobody sends to get 0.
template <int span>
const Instruction* ds_permute(Wave& wave, const Instruction* instruction) {
  const std::uint32_t* addresses = wave.row(instruction->src[0].index);
  const std::uint32_t* source = wave.row(instruction->src[1].index);
  const std::uint32_t offset = static_cast<std::uint32_t>(instruction->offset);
  alignas(64) std::uint32_t values[row_lanes] = {};
  for_each_lane(active_lanes(wave),
                [&](int lane) { values[named_lane<span>(addresses[lane] + offset, lane)] = source[lane]; });
  write_masked(wave.row(instruction->dst.index), values, 1, wave.exec_mask);
  return instruction + 1;
}

/// Transposed reads: each lane fetches bits * per_lane bits, then the lanes of a group of 16 exchange elements.
template <int bits, int registers>
const Instruction* ds_read_transposed(Wave& wave, const Instruction* instruction) {
  constexpr int per_lane = registers * 32 / bits;
  LaneTargets targets;
  if (!begin_lds(wave, targets)) return instruction + 1;
  if (!wave.exec_full)
    return fault_wave(wave, instruction, "a transposed LDS read needs every lane of the wave active");
  constexpr Element element = registers == 3 ? Element::x3 : Element::x2;
  std::uint32_t offset = static_cast<std::uint32_t>(instruction->offset);
  if (!resolve_lds(wave, instruction, targets, wave.row(instruction->src[0].index), offset, element_bytes<element>,
                   AccessKind::load))
    return nullptr;
  count_lds(wave, targets, offset, element_bytes<element>, false);
  alignas(64) std::uint32_t fetched[registers * row_lanes];
  alignas(64) std::uint32_t result[registers * row_lanes] = {};
  load_targets<element>(wave, targets, Reach::rows, fetched);
  for (int lane = 0; lane < lanes; ++lane) {
    for (int e = 0; e < per_lane; ++e) {
      const TransposeSource from = transpose_source(per_lane, lane, e);
      const std::uint32_t value = packed_element<bits>(fetched, from.lane, from.element);
      place_packed_element<bits>(result, lane, e, value);
    }
  }
  __builtin_memcpy(wave.row(instruction->dst.index), result, sizeof result);
  return instruction + 1;
}

/// Adds (or subtracts) the number of active lanes to the counter at M0 + offset; every active lane gets the old value.
template <bool consume>
const Instruction* ds_append(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  if (!begin_lds(wave, targets)) return instruction + 1;
  const std::uint32_t address = (wave.scalar[scalar_m0] & 0xffffu) + static_cast<std::uint32_t>(instruction->offset);
  if (address + 4 > wave.group->lds_bytes)
    return fault_lds(wave, instruction, __builtin_ctzll(targets.active), address, 4, AccessKind::atomic);
  const std::uint32_t count = static_cast<std::uint32_t>(__builtin_popcountll(targets.active));
  std::uint32_t old;
  __builtin_memcpy(&old, wave.group->lds + address, 4);
  const std::uint32_t updated = consume ? old - count : old + count;
  __builtin_memcpy(wave.group->lds + address, &updated, 4);
  wave.group->counts->lds_bytes += 8;
  std::uint32_t* result = wave.row(instruction->dst.index);
  for_each_lane(targets.active, [&](int lane) { result[lane] = old; });
  return instruction + 1;
}

const Instruction* no_operation(Wave&, const Instruction* instruction) { return instruction + 1; }

const Instruction* global_wave_sync(Wave& wave, const Instruction* instruction) {
  return fault_wave(wave, instruction, "global wave sync (GWS) is not simulated");
}

using enum ValueType;

constexpr Operation row(std::string_view mnemonic, ValueType data, Handler handler, int bytes, ValueType first = none,
                        ValueType second = none) {
  return {.mnemonic = mnemonic,
          .op_class = OpClass::lds,
          .dst = data,
          .src = {first, second},
          .plain = handler,
          .access_bytes = static_cast<std::uint8_t>(bytes)};
}

constexpr Operation table[] = {
    row("ds_swizzle_b32", b32, ds_swizzle, 0, b32),
    row("ds_permute_b32", b32, ds_permute<lanes>, 0, b32, b32),
    row("ds_bpermute_b32", b32, ds_bpermute<lanes>, 0, b32, b32),
    // gfx11 exchanges within 32 lanes in waves of 64, too. [The ISA document takes the lane modulo 32; that it is one
    // of the same half is how Mesa's compiler uses the instruction.]
    row("ds_permute_b32@gfx11", b32, ds_permute<32>, 0, b32, b32),
    row("ds_bpermute_b32@gfx11", b32, ds_bpermute<32>, 0, b32, b32),
    row("ds_bpermute_fi_b32", b32, ds_bpermute_inactive, 0, b32, b32),
    row("ds_read_b64_tr_b16", b64, ds_read_transposed<16, 2>, 8, b32),
    row("ds_read_b64_tr_b8", b64, ds_read_transposed<8, 2>, 8, b32),
    row("ds_read_b64_tr_b4", b64, ds_read_transposed<4, 2>, 8, b32),
    row("ds_read_b96_tr_b6", b96, ds_read_transposed<6, 3>, 12, b32),
    row("ds_append", b32, ds_append<false>, 4),
    row("ds_consume", b32, ds_append<true>, 4),
    row("ds_nop", none, no_operation, 0),
    row("ds_gws_init", none, global_wave_sync, 0, b32),
    row("ds_gws_barrier", none, global_wave_sync, 0, b32),
    row("ds_gws_sema_br", none, global_wave_sync, 0, b32),
    row("ds_gws_sema_v", none, global_wave_sync, 0),
    row("ds_gws_sema_p", none, global_wave_sync, 0),
    row("ds_gws_sema_release_all", none, global_wave_sync, 0),
};

}  // namespace

OperationTable lds_exchange_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
