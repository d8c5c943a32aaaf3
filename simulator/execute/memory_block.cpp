// global_load_block, scratch_load_block and their stores (gfx12): bit i of M0 moves register i of 32 to or from the
// dword at address + 4 * i; the others keep their contents. Prefetches into the caches, which change nothing here.
//
// Bounds are those of the block up to the highest bit that is set.
#include "simulator/execute/global_access.hpp"
#include "simulator/execute/scratch_access.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

enum class BlockSpace : std::uint8_t { global, scratch };

template <BlockSpace space>
inline Reach resolve_block(Wave& wave, const Instruction* instruction, LaneTargets& targets, const Operand& base,
                           AccessKind kind) {
  const std::uint32_t selected = wave.scalar[scalar_m0];
  if (selected == 0) return Reach::none;
  const auto bytes = static_cast<std::uint32_t>(4 * (32 - __builtin_clz(selected)));
  if constexpr (space == BlockSpace::global)
    return resolve_global(wave, instruction, targets, instruction->src[0], base, bytes, kind);
  else
    return resolve_scratch(wave, instruction, targets, instruction->src[0], base, bytes, kind);
}

template <BlockSpace space>
const Instruction* load_block(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  const Reach reach = resolve_block<space>(wave, instruction, targets, instruction->src[1], AccessKind::load);
  if (reach == Reach::fault) return nullptr;
  if (reach == Reach::none) return instruction + 1;
  const std::uint32_t selected = wave.scalar[scalar_m0];
  count_load(wave, targets, reach, targets.active, static_cast<std::uint32_t>(4 * __builtin_popcount(selected)));
  std::uint32_t* rows = wave.row(instruction->dst.index);
  for_each_lane(targets.active, [&](int lane) {
    const std::uint8_t* from = host_bytes(lane_address(targets, reach, lane));
    for_each_lane(selected, [&](int word) { __builtin_memcpy(&rows[word * row_lanes + lane], from + 4 * word, 4); });
  });
  return instruction + 1;
}

template <BlockSpace space>
const Instruction* store_block(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  const Reach reach = resolve_block<space>(wave, instruction, targets, instruction->src[2], AccessKind::store);
  if (reach == Reach::fault) return nullptr;
  if (reach == Reach::none) return instruction + 1;
  const std::uint32_t selected = wave.scalar[scalar_m0];
  count_store(wave, targets, reach, targets.active, static_cast<std::uint32_t>(4 * __builtin_popcount(selected)));
  const std::uint32_t* rows = wave.row(instruction->src[1].index);
  for_each_lane(targets.active, [&](int lane) {
    std::uint8_t* to = host_bytes(lane_address(targets, reach, lane));
    for_each_lane(selected, [&](int word) { __builtin_memcpy(to + 4 * word, &rows[word * row_lanes + lane], 4); });
  });
  return instruction + 1;
}

const Instruction* prefetch(Wave&, const Instruction* instruction) { return instruction + 1; }

using enum ValueType;

constexpr Operation load(std::string_view mnemonic, ValueType lanes_part, ValueType wave_part, Handler handler) {
  return {.mnemonic = mnemonic,
          .op_class = OpClass::global_load,
          .dst = b1024,
          .src = {lanes_part, wave_part},
          .plain = handler};
}

constexpr Operation store(std::string_view mnemonic, ValueType lanes_part, ValueType wave_part, Handler handler) {
  return {
      .mnemonic = mnemonic, .op_class = OpClass::global_store, .src = {lanes_part, b1024, wave_part}, .plain = handler};
}

constexpr Operation table[] = {
    load("global_load_block", address, b64, load_block<BlockSpace::global>),
    store("global_store_block", address, b64, store_block<BlockSpace::global>),
    load("scratch_load_block", b32, b32, load_block<BlockSpace::scratch>),
    store("scratch_store_block", b32, b32, store_block<BlockSpace::scratch>),
    {.mnemonic = "global_prefetch_b8", .src = {address, b64}, .plain = prefetch},
    {.mnemonic = "flat_prefetch_b8", .src = {address, b64}, .plain = prefetch, .flags = flag_optional_sources},
};

}  // namespace

OperationTable memory_block_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
