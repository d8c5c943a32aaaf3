// Access plans and their producers; access.hpp states the law.
#include "simulator/check/access.hpp"

#include <algorithm>

#include "simulator/check/access_parts.hpp"
#include "simulator/check/word_loops.hpp"
#include "simulator/execute/buffer_descriptor.hpp"
#include "simulator/execute/tensor_copy.hpp"

namespace zellige::sim {
namespace {

/// Calls body(lane) for every lane, active or not: loops that compilers turn into vector instructions.
template <class Body>
void for_all_lanes(Body body) {
  for (int lane = 0; lane < row_lanes; ++lane) body(lane);
}

template <class Body>
void for_each_lane(std::uint64_t mask, Body body) {
  for (; mask != 0; mask &= mask - 1) body(__builtin_ctzll(mask));
}

std::uint64_t active_lanes(const Wave& wave) { return wave.lanes == 64 ? wave.exec() : wave.exec() & 0xffffffffu; }

const std::uint32_t* row_of(const Wave& wave, const Operand& operand, int word = 0) {
  return wave.vector + (operand.index + word) * row_lanes;
}

const Operand& source(const Instruction* i, std::int8_t position) {
  static const Operand none;
  return position < 0 ? none : i->src[position];
}

std::uint32_t scalar32(const Wave& wave, const Operand& operand) {
  return operand.kind == OperandKind::scalar     ? wave.scalar[operand.index]
         : operand.kind == OperandKind::constant ? operand.rows[0]
                                                 : 0;
}
std::uint64_t scalar64(const Wave& wave, const Operand& operand) {
  return operand.kind == OperandKind::scalar     ? wave.scalar64(operand.index)
         : operand.kind == OperandKind::constant ? operand.constant()
                                                 : 0;
}

std::uint64_t extended(std::int32_t value) { return static_cast<std::uint64_t>(std::int64_t{value}); }

/// The store half of a copy to LDS: lane l at M0 + offset + l * max(4, bytes).
void add_direct_store(const AccessPlan& plan, const Wave& wave, const Instruction* i, AccessList& list) {
  const std::uint64_t lanes = active_lanes(wave);
  if (!(i->flags & flag_lds) || lanes == 0) return;
  const std::uint32_t bytes = std::max(plan.bytes, 4u),
                      base = wave.scalar[scalar_m0] + static_cast<std::uint32_t>(i->offset);
  Access& access = list.add(Space::lds, AccessKind::store, bytes, lanes);
  for_all_lanes([&](int lane) { access.address[lane] = base + static_cast<std::uint32_t>(lane) * bytes; });
}

void produce_global(const AccessPlan& plan, const Wave& wave, const Instruction* i, AccessList& list) {
  const std::uint64_t lanes = active_lanes(wave);
  if (lanes == 0) return;
  Access& access = list.add(Space::global, plan.kind, plan.bytes, lanes);
  const Operand &address = source(i, plan.address), &base = source(i, plan.base);
  const std::uint64_t offset = extended(i->offset);
  if (base.kind == OperandKind::none) {
    const std::uint32_t *low = row_of(wave, address), *high = row_of(wave, address, 1);
    for_each_lane(lanes,
                  [&](int lane) { access.address[lane] = (low[lane] | std::uint64_t{high[lane]} << 32) + offset; });
  } else {
    const std::uint64_t common = scalar64(wave, base) + offset;
    const bool has_row = address.kind == OperandKind::vector;
    const std::uint64_t scale = i->flags & flag_scale_offset ? plan.bytes : 1;
    const std::uint32_t* offsets = has_row ? row_of(wave, address) : nullptr;
    if (has_row && scale == 1 && !(i->flags & flag_signed_rows)) {
      access.row = offsets, access.common = common;
      add_direct_store(plan, wave, i, list);
      return;
    }
    const auto widened = [&](std::uint32_t own) {
      return i->flags & flag_signed_rows ? extended(static_cast<std::int32_t>(own)) : std::uint64_t{own};
    };
    for_all_lanes([&](int lane) { access.address[lane] = common + (has_row ? widened(offsets[lane]) * scale : 0); });
  }
  add_direct_store(plan, wave, i, list);
}

/// global_load_addtid, global_store_addtid: base + 4 * lane + offset.
void produce_global_by_lane(const AccessPlan& plan, const Wave& wave, const Instruction* i, AccessList& list) {
  const std::uint64_t lanes = active_lanes(wave);
  if (lanes == 0) return;
  Access& access = list.add(Space::global, plan.kind, plan.bytes, lanes);
  const std::uint64_t common = scalar64(wave, source(i, plan.base)) + extended(i->offset);
  for_each_lane(lanes, [&](int lane) { access.address[lane] = common + 4 * static_cast<std::uint64_t>(lane); });
}

void produce_flat(const AccessPlan& plan, const Wave& wave, const Instruction* i, AccessList& list) {
  const Operand &address = source(i, plan.address), &base = source(i, plan.base);
  const bool has_base = base.kind != OperandKind::none, has_row = address.kind == OperandKind::vector;
  const std::uint64_t common = has_base ? scalar64(wave, base) : 0;
  const std::uint64_t scale = i->flags & flag_scale_offset ? plan.bytes : 1;
  const std::uint32_t shared = wave.scalar[scalar_shared_base + 1], own = wave.scalar[scalar_private_base + 1];
  const std::uint32_t aperture_of = wave.scalar[scalar_flat_scratch_base + 1] != 0 ? 0xfffffu : ~0u;  // flat_access.hpp
  std::uint64_t in_lds = 0, in_scratch = 0, at[row_lanes];
  const std::uint64_t lanes = active_lanes(wave);
  for_each_lane(lanes, [&](int lane) {
    const std::uint32_t own_part = has_row ? row_of(wave, address)[lane] : 0;
    at[lane] = has_base ? extended(static_cast<std::int32_t>(own_part)) * scale : own_part;
    if (!has_base && has_row) at[lane] |= std::uint64_t{row_of(wave, address, 1)[lane]} << 32;
    at[lane] += common;
    const auto high = static_cast<std::uint32_t>(at[lane] >> 32);
    in_lds |= std::uint64_t{high == shared} << lane;
    in_scratch |= std::uint64_t{(high & aperture_of) == own} << lane;
  });
  if (const std::uint64_t rest = lanes & ~in_lds & ~in_scratch) {
    Access& access = list.add(Space::global, plan.kind, plan.bytes, rest);
    for_each_lane(rest, [&](int lane) { access.address[lane] = at[lane] + extended(i->offset); });
  }
  for (const auto& [mask, space] : {std::pair{in_lds, Space::lds}, std::pair{in_scratch, Space::scratch}}) {
    if (mask == 0) continue;
    Access& access = list.add(space, plan.kind, plan.bytes, mask);
    for_each_lane(mask,
                  [&](int lane) { access.address[lane] = static_cast<std::uint32_t>(at[lane]) + extended(i->offset); });
  }
}

void produce_scratch(const AccessPlan& plan, const Wave& wave, const Instruction* i, AccessList& list) {
  const std::uint64_t lanes = active_lanes(wave);
  if (lanes == 0) return;
  Access& access = list.add(Space::scratch, plan.kind, plan.bytes, lanes);
  const Operand& address = source(i, plan.address);
  const bool has_row = address.kind == OperandKind::vector;
  const auto widened = [&](std::uint32_t offset) {
    return i->flags & flag_signed_offsets ? extended(static_cast<std::int32_t>(offset)) : std::uint64_t{offset};
  };
  const std::uint64_t common = widened(scalar32(wave, source(i, plan.base))) + extended(i->offset);
  const std::uint64_t scale = i->flags & flag_scale_offset ? plan.bytes : 1;
  const std::uint32_t* offsets = has_row ? row_of(wave, address) : nullptr;
  for_all_lanes([&](int lane) { access.address[lane] = common + (has_row ? widened(offsets[lane]) * scale : 0); });
}

/// Raw and structured buffers, and the private segment's (add_tid_enable); buffer_descriptor.hpp states the range rule.
void produce_buffer(const AccessPlan& plan, const Wave& wave, const Instruction* i, AccessList& list) {
  const std::uint64_t lanes = active_lanes(wave);
  const Operand &address = source(i, plan.address), &descriptor = source(i, plan.base);
  if (lanes == 0 || descriptor.kind != OperandKind::scalar) return;
  const BufferDescriptor buffer = buffer_descriptor(&wave.scalar[descriptor.index], i->flags);
  const bool has_index = i->flags & flag_idxen, has_offset = i->flags & flag_offen;
  const std::uint32_t* index_row = has_index ? row_of(wave, address) : nullptr;
  const std::uint32_t* offset_row = has_offset ? row_of(wave, address, has_index ? 1 : 0) : nullptr;
  const std::uint32_t soffset = scalar32(wave, source(i, plan.scalar_offset));
  const std::uint64_t instruction_offset = extended(i->offset);
  if (buffer.private_segment) {
    Access& access = list.add(Space::scratch, plan.kind, plan.bytes, lanes);
    const std::uint64_t common = soffset / static_cast<std::uint32_t>(wave.lanes) + instruction_offset;
    for_each_lane(lanes, [&](int lane) { access.address[lane] = common + (has_offset ? offset_row[lane] : 0); });
    return;
  }
  // Mostly every lane is in range: one access, and no look at each dword.
  if (!has_index && !buffer.adds_lane && buffer.element_bytes == 0 && buffer.range == BufferRange::raw) {
    const std::uint64_t common = soffset + instruction_offset;
    const std::uint32_t highest = has_offset ? largest_of(offset_row, lanes) : 0;
    if (common + highest + plan.bytes <= buffer.records && common <= buffer.records) {
      Access& access = list.add(Space::global, plan.kind, plan.bytes, lanes);
      access.row = offset_row;
      access.common = buffer.base + common;
      if (!has_offset) for_all_lanes([&](int lane) { access.address[lane] = access.common; });
      add_direct_store(plan, wave, i, list);
      return;
    }
  }
  const std::uint32_t element = plan.indivisible ? plan.bytes : std::min(plan.bytes, 4u);
  const int most_parts = static_cast<int>(plan.bytes / element);
  std::uint64_t at[row_lanes], by_parts[5] = {};
  for_each_lane(lanes, [&](int lane) {
    const std::uint64_t index = (has_index ? index_row[lane] : 0) + std::uint64_t(buffer.adds_lane ? lane : 0);
    const std::uint64_t offset = (has_offset ? offset_row[lane] : 0) + instruction_offset;
    at[lane] = buffer.base + soffset + buffer_position(buffer, index, offset);
    const std::int64_t limit = offset_limit(buffer, index, soffset);
    int parts = 0;
    while (parts < most_parts && static_cast<std::int64_t>(offset + (parts + 1) * element) <= limit) ++parts;
    by_parts[parts] |= std::uint64_t{1} << lane;
  });
  for (int parts = most_parts; parts > 0; --parts) {
    if (by_parts[parts] == 0) continue;
    Access& access = list.add(Space::global, plan.kind, parts * element, by_parts[parts]);
    for_each_lane(by_parts[parts], [&](int lane) { access.address[lane] = at[lane]; });
  }
  add_direct_store(plan, wave, i, list);
}

void add_lds(const AccessPlan& plan, const Wave& wave, const Instruction* i, std::int32_t offset, AccessList& list) {
  const std::uint64_t lanes = active_lanes(wave);
  if (lanes == 0) return;
  Access& access = list.add(Space::lds, plan.kind, plan.bytes, lanes);
  access.row = row_of(wave, source(i, plan.address));
  access.common = static_cast<std::uint32_t>(offset);
}
void produce_lds(const AccessPlan& plan, const Wave& wave, const Instruction* i, AccessList& list) {
  add_lds(plan, wave, i, i->offset, list);
}
void produce_lds_pair(const AccessPlan& plan, const Wave& wave, const Instruction* i, AccessList& list) {
  add_lds(plan, wave, i, i->offset, list);
  add_lds(plan, wave, i, i->offset2, list);
}
/// ds_read_addtid, ds_write_addtid: M0[15:0] + 4 * lane + offset.
void produce_lds_by_lane(const AccessPlan& plan, const Wave& wave, const Instruction* i, AccessList& list) {
  const std::uint64_t lanes = active_lanes(wave);
  if (lanes == 0) return;
  Access& access = list.add(Space::lds, plan.kind, plan.bytes, lanes);
  const std::uint32_t base = (wave.scalar[scalar_m0] & 0xffffu) + static_cast<std::uint32_t>(i->offset);
  for_all_lanes([&](int lane) { access.address[lane] = base + 4 * static_cast<std::uint32_t>(lane); });
}
/// gfx1250's copies between global memory and LDS: both have the instruction's offset.
void produce_async(const AccessPlan& plan, const Wave& wave, const Instruction* i, AccessList& list) {
  const bool store = plan.kind == AccessKind::store;
  AccessPlan lds = plan;
  lds.kind = store ? AccessKind::load : AccessKind::store;
  lds.address = plan.lds_address;
  if (store) add_lds(lds, wave, i, i->offset, list);
  produce_global(plan, wave, i, list);
  if (!store) add_lds(lds, wave, i, i->offset, list);
}

/// Tensor copies: the rows of the tile in global memory, and its bytes in LDS. Loads fill what lies outside the tensor
/// with zeros, and leave gaps where the descriptor pads; stores do neither.
void produce_tensor(const AccessPlan& plan, const Wave& wave, const Instruction* i, AccessList& list) {
  const auto group = [&](int k) {
    return i->src[k].kind == OperandKind::scalar ? &wave.scalar[i->src[k].index] : nullptr;
  };
  TensorDescriptor d;
  if (!group(0) || !group(1) || read_tensor_descriptor(group(0), group(1), group(2), group(3), d) || d.null) return;
  const bool store = plan.kind == AccessKind::store;
  const std::uint64_t row_bytes = std::uint64_t{d.tile[0]} * d.element_bytes;
  const std::uint64_t rows = std::uint64_t{d.tile[1]} * d.tile[2] * d.tile[3] * d.tile[4], bytes = row_bytes * rows;
  if (bytes == 0) return;
  if (!store) {
    const std::uint64_t piece = d.pad_every == 0 ? bytes : d.pad_every;
    for (std::uint64_t done = 0, at = d.lds; done < bytes; done += piece, at += piece + d.pad_bytes)
      list.ranges.push_back({Space::lds, AccessKind::store, at, std::min(piece, bytes - done)});
  }
  const std::uint64_t inside = std::uint64_t{std::min(d.tile[0], d.tensor[0])} * d.element_bytes;
  for (std::uint64_t row = 0; row < rows && inside != 0; ++row) {
    std::uint64_t rest = row, offset = 0;
    bool in_tensor = true;
    for (int axis = 1; axis < 5; ++axis) {
      std::uint64_t at = rest % d.tile[axis];
      rest /= d.tile[axis];
      if (axis == 1 && d.gathers) at = d.index[at];
      in_tensor &= at < d.tensor[axis];
      offset += at * d.stride[axis];
    }
    if (!in_tensor) continue;
    if (store) list.ranges.push_back({Space::lds, AccessKind::load, d.lds + row * row_bytes, inside});
    list.ranges.push_back({Space::global, plan.kind, d.global + offset * d.element_bytes, inside});
  }
}

/// ds_append, ds_consume: one counter of the wave.
void produce_lds_counter(const AccessPlan& plan, const Wave& wave, const Instruction* i, AccessList& list) {
  const std::uint64_t lanes = active_lanes(wave);
  if (lanes == 0) return;
  Access& access = list.add(Space::lds, plan.kind, plan.bytes, 1);
  access.scalar = true;
  access.address[0] = (wave.scalar[scalar_m0] & 0xffffu) + static_cast<std::uint32_t>(i->offset);
}

std::uint64_t scalar_offset_of(const AccessPlan& plan, const Wave& wave, const Instruction* i) {
  const Operand& offset = source(i, plan.scalar_offset);
  const std::uint64_t value = offset.kind == OperandKind::constant ? extended(static_cast<std::int32_t>(offset.rows[0]))
                                                                   : scalar32(wave, offset);
  const std::uint64_t scale = i->flags & flag_scale_offset ? plan.bytes : 1;
  return value * scale + extended(i->offset);
}

void add_scalar(const AccessPlan& plan, std::uint64_t address, std::uint32_t bytes, AccessList& list) {
  Access& access = list.add(Space::global, plan.kind, bytes, 1);
  access.scalar = true;
  access.address[0] = address;
}
void produce_scalar(const AccessPlan& plan, const Wave& wave, const Instruction* i, AccessList& list) {
  const std::uint64_t sum = scalar64(wave, source(i, plan.base)) + scalar_offset_of(plan, wave, i);
  add_scalar(plan, sum & ~std::uint64_t{std::min(plan.bytes, 4u) - 1}, plan.bytes, list);
}
void produce_scalar_buffer(const AccessPlan& plan, const Wave& wave, const Instruction* i, AccessList& list) {
  const Operand& descriptor = source(i, plan.base);
  if (descriptor.kind != OperandKind::scalar) return;
  const BufferDescriptor buffer = buffer_descriptor(&wave.scalar[descriptor.index], i->flags);
  const std::uint64_t bytes = buffer.stride == 0 ? buffer.records : buffer.records * buffer.stride;
  const std::uint64_t element = std::min(plan.bytes, 4u);
  const std::uint64_t offset = scalar_offset_of(plan, wave, i) & ~(element - 1);
  if (offset >= bytes) return;
  const std::uint64_t in_range = std::min<std::uint64_t>(plan.bytes, (bytes - offset) / element * element);
  if (in_range != 0)
    add_scalar(plan, (buffer.base & ~std::uint64_t{3}) + offset, static_cast<std::uint32_t>(in_range), list);
}

// Positions of the operands, by operation.hpp. Loads name their destination apart, so sources begin with the address.
constexpr std::int8_t no = -1;
struct Positions {
  std::int8_t address, base, scalar_offset, data;
};
struct Row {
  std::string_view prefix;
  AccessProducer producer;
  Positions load, store;  ///< store: of stores and atomics
};
constexpr Row rows[] = {
    {"global_load_addtid", &produce_global_by_lane, {no, 0, no, no}, {no, no, no, no}},
    {"global_store_addtid", &produce_global_by_lane, {no, no, no, no}, {no, 1, no, 0}},
    {"global_load_async_to_lds", &produce_async, {1, 2, no, no}, {no, no, no, no}},
    {"cluster_load_async_to_lds", &produce_async, {1, 2, no, no}, {no, no, no, no}},
    {"global_store_async_from_lds", &produce_async, {no, no, no, no}, {0, 2, no, no}},
    {"cluster_load_", &produce_global, {0, 1, no, no}, {no, no, no, no}},
    {"tensor_", &produce_tensor, {no, no, no, no}, {no, no, no, no}},
    {"global_", &produce_global, {0, 1, no, no}, {0, 2, no, 1}},
    {"flat_", &produce_flat, {0, 1, no, no}, {0, 2, no, 1}},
    {"scratch_", &produce_scratch, {0, 1, no, no}, {0, 2, no, 1}},
    {"buffer_", &produce_buffer, {0, 1, 2, no}, {1, 2, 3, 0}},
    {"tbuffer_", &produce_buffer, {0, 1, 2, no}, {1, 2, 3, 0}},
    {"ds_append", &produce_lds_counter, {no, no, no, no}, {no, no, no, no}},
    {"ds_consume", &produce_lds_counter, {no, no, no, no}, {no, no, no, no}},
    {"ds_read_addtid", &produce_lds_by_lane, {no, no, no, no}, {no, no, no, 0}},
    {"ds_write_addtid", &produce_lds_by_lane, {no, no, no, no}, {no, no, no, 0}},
    {"ds_read2", &produce_lds_pair, {0, no, no, no}, {0, no, no, 1}},
    {"ds_write2", &produce_lds_pair, {0, no, no, no}, {0, no, no, 1}},
    {"ds_wrxchg2", &produce_lds_pair, {0, no, no, no}, {0, no, no, 1}},
    {"ds_", &produce_lds, {0, no, no, no}, {0, no, no, 1}},
    {"s_buffer_load", &produce_scalar_buffer, {no, 0, 1, no}, {no, no, no, no}},
    {"s_buffer_store", &produce_scalar_buffer, {no, no, no, no}, {no, 1, 2, 0}},
    {"s_load", &produce_scalar, {no, 0, 1, no}, {no, no, no, no}},
    {"s_store", &produce_scalar, {no, no, no, no}, {no, 1, 2, 0}},
};

AccessKind kind_of(const Operation& operation) {
  const std::string_view name = operation.mnemonic;
  switch (operation.op_class) {
    case OpClass::global_store:
      return AccessKind::store;
    case OpClass::atomic:
      return AccessKind::atomic;
    case OpClass::smem:
      return operation.dst == ValueType::none ? AccessKind::store : AccessKind::load;
    case OpClass::lds:
      return name.starts_with("ds_read") || name.starts_with("ds_load")     ? AccessKind::load
             : name.starts_with("ds_write") || name.starts_with("ds_store") ? AccessKind::store
                                                                            : AccessKind::atomic;
    default:
      return AccessKind::load;
  }
}

}  // namespace

AccessPlan access_plan(const Operation& operation, const Instruction& instruction) {
  AccessPlan plan;
  const bool parts = moves_parts(operation.mnemonic);
  if (operation.access_bytes == 0 && !parts && !operation.mnemonic.starts_with("tensor_")) return plan;
  const auto row =
      std::ranges::find_if(rows, [&](const Row& entry) { return operation.mnemonic.starts_with(entry.prefix); });
  if (row == std::end(rows)) return plan;
  plan.producer = row->producer;
  plan.kind = kind_of(operation);
  const Positions& at = plan.kind == AccessKind::load ? row->load : row->store;
  plan.address = at.address, plan.base = at.base, plan.scalar_offset = at.scalar_offset, plan.data = at.data;
  if (plan.producer == &produce_async) plan.lds_address = plan.kind == AccessKind::store ? 1 : 0;
  const bool pair = plan.producer == &produce_lds_pair;
  plan.bytes = operation.access_bytes / (pair ? 2u : 1u);
  if (plan.data == 1 && instruction.src[2].kind == OperandKind::vector && operation.op_class == OpClass::lds)
    plan.data2 = 2;
  plan.indivisible = plan.kind == AccessKind::atomic;
  plan.returns_to_data =
      plan.producer == &produce_buffer && plan.kind == AccessKind::atomic && (instruction.flags & flag_glc);
  if (parts) take_parts(operation.mnemonic, plan);
  return plan;
}

}  // namespace zellige::sim
