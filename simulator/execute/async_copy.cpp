// Copies between global memory and LDS that gfx1250 runs apart from the wave (async loads and stores, tensor copies),
// loads that the workgroups of a cluster share, and arrivals at barriers in LDS.
//
// Law: data moves when the instruction is issued; s_wait_asynccnt and s_wait_tensorcnt have nothing to wait for. The
// instruction's offset is added to both the global and the LDS address. A load that workgroups of a cluster share (mask
// in M0, or the tensor descriptor's) is issued by each of them and gives each its own data, so it is a plain load here;
// that the mask leaves out the issuing workgroup is a fault.
#include "simulator/execute/lds_access.hpp"
#include "simulator/execute/memory_operation.hpp"
#include "simulator/execute/tensor_copy.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

/// False after a fault.
inline bool check_sharing(Wave& wave, const Instruction* instruction, std::uint32_t mask) {
  const Workgroup& group = *wave.group;
  if (mask == 0 || group.cluster == nullptr || (mask >> group.cluster_rank & 1)) return true;
  fault_lane(wave, instruction, 0, "the mask of workgroups that share the load leaves out the wave's own", mask);
  return false;
}

template <Element E, bool shared>
const Instruction* load_to_lds(Wave& wave, const Instruction* instruction) {
  if (shared && !check_sharing(wave, instruction, wave.scalar[scalar_m0] & 0xffff)) return nullptr;
  LaneTargets from, to;
  const Reach reach = resolve_global(wave, instruction, from, instruction->src[1], instruction->src[2],
                                     element_bytes<E>, AccessKind::load);
  if (reach == Reach::none) return instruction + 1;
  alignas(64) std::uint32_t values[element_words<E> * row_lanes] = {};
  if (!transfer_load<E>(wave, from, reach, values)) return nullptr;
  if (!begin_lds(wave, to)) return instruction + 1;
  std::uint32_t offset = static_cast<std::uint32_t>(instruction->offset);
  if (!resolve_lds(wave, instruction, to, wave.row(instruction->src[0].index), offset, element_bytes<E>,
                   AccessKind::store))
    return nullptr;
  count_lds(wave, to, offset, element_bytes<E>, true);
  store_targets<E>(wave, to, Reach::rows, values);
  return instruction + 1;
}

template <Element E>
const Instruction* store_from_lds(Wave& wave, const Instruction* instruction) {
  LaneTargets from, to;
  const Reach reach = resolve_global(wave, instruction, to, instruction->src[0], instruction->src[2], element_bytes<E>,
                                     AccessKind::store);
  if (reach == Reach::fault) return nullptr;
  if (reach == Reach::none || !begin_lds(wave, from)) return instruction + 1;
  std::uint32_t offset = static_cast<std::uint32_t>(instruction->offset);
  if (!resolve_lds(wave, instruction, from, wave.row(instruction->src[1].index), offset, element_bytes<E>,
                   AccessKind::load))
    return nullptr;
  count_lds(wave, from, offset, element_bytes<E>, false);
  alignas(64) std::uint32_t values[element_words<E> * row_lanes] = {};
  load_targets<E>(wave, from, Reach::rows, values);
  count_store(wave, to, reach, to.active, element_bytes<E>);
  store_targets<E>(wave, to, reach, values);
  return instruction + 1;
}

template <Element E>
const Instruction* cluster_load(Wave& wave, const Instruction* instruction) {
  if (!check_sharing(wave, instruction, wave.scalar[scalar_m0] & 0xffff)) return nullptr;
  LaneTargets targets;
  const Reach reach = resolve_global(wave, instruction, targets, instruction->src[0], instruction->src[1],
                                     element_bytes<E>, AccessKind::load);
  return finish_load<E>(wave, instruction, targets, reach);
}

inline const std::uint32_t* scalars(const Wave& wave, const Operand& operand) {
  return operand.kind == OperandKind::scalar ? &wave.scalar[operand.index] : nullptr;
}

template <bool store>
const Instruction* tensor_copy(Wave& wave, const Instruction* instruction) {
  const std::uint32_t *group0 = scalars(wave, instruction->src[0]), *group1 = scalars(wave, instruction->src[1]);
  if (group0 == nullptr || group1 == nullptr)
    return fault_wave(wave, instruction, "the tensor descriptor is no scalars");
  TensorDescriptor descriptor;
  if (const char* wrong = read_tensor_descriptor(group0, group1, scalars(wave, instruction->src[2]),
                                                 scalars(wave, instruction->src[3]), descriptor))
    return fault_wave(wave, instruction, wrong);
  if (!check_sharing(wave, instruction, descriptor.workgroups)) return nullptr;
  return copy_tensor(wave, instruction, descriptor, store) ? instruction + 1 : nullptr;
}

/// Every active lane arrives, in ascending order. src[1] is the count, one where there is none.
template <bool returns>
const Instruction* arrive(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  if (!begin_lds(wave, targets)) return instruction + 1;
  std::uint32_t offset = static_cast<std::uint32_t>(instruction->offset);
  if (!resolve_lds(wave, instruction, targets, wave.row(instruction->src[0].index), offset, 8, AccessKind::atomic))
    return nullptr;
  count_lds(wave, targets, offset, 16, true);
  alignas(64) std::uint64_t before[row_lanes];
  for_each_lane(targets.active, [&](int lane) {
    std::uint64_t count = 1;
    if (returns) {
      const std::uint32_t* row = wave.row(instruction->src[1].index);
      count = row[lane] | std::uint64_t{row[row_lanes + lane]} << 32;
    }
    before[lane] = arrive_at_lds_barrier(host_bytes(targets.base + targets.offsets[lane]), count);
  });
  if (!returns) return instruction + 1;
  std::uint32_t* result = wave.row(instruction->dst.index);
  for_each_lane(targets.active, [&](int lane) {
    result[lane] = static_cast<std::uint32_t>(before[lane]);
    result[row_lanes + lane] = static_cast<std::uint32_t>(before[lane] >> 32);
  });
  return instruction + 1;
}

using enum ValueType;

/// src[0] is the LDS address, src[1] the global one, src[2] its scalar base.
constexpr Operation to_lds(std::string_view mnemonic, Handler handler, int bytes) {
  return {.mnemonic = mnemonic,
          .op_class = OpClass::global_load,
          .src = {b32, address, b64},
          .plain = handler,
          .access_bytes = static_cast<std::uint8_t>(bytes)};
}
/// src[0] is the global address, src[1] the LDS one, src[2] the scalar base of the first.
constexpr Operation from_lds(std::string_view mnemonic, Handler handler, int bytes) {
  return {.mnemonic = mnemonic,
          .op_class = OpClass::global_store,
          .src = {address, b32, b64},
          .plain = handler,
          .access_bytes = static_cast<std::uint8_t>(bytes)};
}
constexpr Operation tensor(std::string_view mnemonic, OpClass op_class, Handler handler) {
  return {.mnemonic = mnemonic,
          .op_class = op_class,
          .src = {b128, b256, b128, b128},
          .plain = handler,
          .flags = flag_optional_sources};
}
constexpr AddressTypes global_address = {address, b64};

constexpr Operation rows[] = {
    to_lds("global_load_async_to_lds_b8", load_to_lds<Element::u8, false>, 1),
    to_lds("global_load_async_to_lds_b32", load_to_lds<Element::x1, false>, 4),
    to_lds("global_load_async_to_lds_b64", load_to_lds<Element::x2, false>, 8),
    to_lds("global_load_async_to_lds_b128", load_to_lds<Element::x4, false>, 16),
    to_lds("cluster_load_async_to_lds_b8", load_to_lds<Element::u8, true>, 1),
    to_lds("cluster_load_async_to_lds_b32", load_to_lds<Element::x1, true>, 4),
    to_lds("cluster_load_async_to_lds_b64", load_to_lds<Element::x2, true>, 8),
    to_lds("cluster_load_async_to_lds_b128", load_to_lds<Element::x4, true>, 16),
    from_lds("global_store_async_from_lds_b8", store_from_lds<Element::u8>, 1),
    from_lds("global_store_async_from_lds_b32", store_from_lds<Element::x1>, 4),
    from_lds("global_store_async_from_lds_b64", store_from_lds<Element::x2>, 8),
    from_lds("global_store_async_from_lds_b128", store_from_lds<Element::x4>, 16),
    load_operation(global_address, "cluster_load_b32", b32, cluster_load<Element::x1>, 4),
    load_operation(global_address, "cluster_load_b64", b64, cluster_load<Element::x2>, 8),
    load_operation(global_address, "cluster_load_b128", b128, cluster_load<Element::x4>, 16),
    tensor("tensor_load_to_lds", OpClass::global_load, tensor_copy<false>),
    tensor("tensor_store_from_lds", OpClass::global_store, tensor_copy<true>),
    {.mnemonic = "ds_atomic_async_barrier_arrive_b64",
     .op_class = OpClass::lds,
     .src = {b32},
     .plain = arrive<false>,
     .access_bytes = 8},
    {.mnemonic = "ds_atomic_barrier_arrive_rtn_b64",
     .op_class = OpClass::lds,
     .dst = b64,
     .src = {b32, b64},
     .plain = arrive<true>,
     .access_bytes = 8},
};

}  // namespace

OperationTable async_copy_operations() { return {rows, sizeof rows / sizeof *rows}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
