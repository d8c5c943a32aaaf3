// The tensor data mover; tensor_copy.hpp states the law.
#include "simulator/execute/tensor_copy.hpp"

#include <algorithm>
#include <cstring>

#include "simulator/execute/global_bounds.hpp"

namespace zellige::sim {
namespace {

constexpr std::uint32_t field(const std::uint32_t* words, int word, int first, int bits) {
  return static_cast<std::uint32_t>(words[word] >> first & ((std::uint64_t{1} << bits) - 1));
}

constexpr std::uint32_t lines_of(std::uint64_t address, std::uint64_t bytes) {
  return bytes == 0 ? 0 : static_cast<std::uint32_t>((address + bytes - 1) / 128 - address / 128 + 1);
}

/// Where byte `at` of the dense tile lies in LDS, from the tile's beginning.
std::uint64_t padded(const TensorDescriptor& d, std::uint64_t at) {
  return d.pad_every == 0 ? at : at + at / d.pad_every * d.pad_bytes;
}

/// Copies `bytes` of the dense tile from `at` on to (or from) `global`, or fills with zeros where that is nullptr.
void move(const TensorDescriptor& d, std::uint8_t* lds, std::uint64_t at, std::uint8_t* global, std::uint64_t bytes,
          bool store) {
  while (bytes != 0) {
    const std::uint64_t run = d.pad_every == 0 ? bytes : std::min<std::uint64_t>(bytes, d.pad_every - at % d.pad_every);
    std::uint8_t* place = lds + padded(d, at);
    if (global == nullptr)
      std::memset(place, 0, run);
    else if (store)
      std::memcpy(global, place, run);
    else
      std::memcpy(place, global, run);
    if (global != nullptr) global += run;
    at += run;
    bytes -= run;
  }
}

}  // namespace

const char* read_tensor_descriptor(const std::uint32_t* group0, const std::uint32_t* group1,
                                   const std::uint32_t* group2, const std::uint32_t* group3, TensorDescriptor& d) {
  const std::uint32_t count = field(group0, 0, 0, 2);
  d.null = count == 0;
  if (d.null) return nullptr;
  if (count != 1) return "the tensor descriptor's count is neither 0 nor 1";
  if (field(group0, 0, 2, 8) != 0) return "bits 2 to 9 of the tensor descriptor (restore, store, scope) are not 0";
  if (field(group0, 3, 30, 2) != 2) return "the tensor descriptor's type is not 2";
  d.lds = group0[1];
  d.global = group0[2] | std::uint64_t{field(group0, 3, 0, 25)} << 32;
  d.gathers = field(group0, 0, 31, 1) != 0;
  d.workgroups = static_cast<std::uint16_t>(field(group1, 0, 0, 16));
  d.element_bytes = 1u << field(group1, 0, 16, 2);
  d.arrives = field(group1, 0, 18, 1) != 0;
  if (field(group1, 0, 19, 1) != 0) return "the tensor descriptor's iteration is not simulated";
  if (field(group1, 0, 21, 1) != 0) return "the tensor descriptor's early timeout is not simulated";
  if (field(group1, 0, 20, 1) != 0) {
    d.pad_every = 4u << (field(group1, 0, 22, 3) + 1);
    d.pad_bytes = 4 * (field(group1, 0, 25, 7) + 1);
  }
  d.barrier = field(group1, 1, 0, 16) * 8;
  d.tensor = {field(group1, 1, 16, 16) | field(group1, 2, 0, 16) << 16,
              field(group1, 2, 16, 16) | field(group1, 3, 0, 16) << 16, 1, 1, 1};
  d.tile = {field(group1, 3, 16, 16), field(group1, 4, 0, 16), 1, 1, 1};
  d.stride = {1, group1[5] | std::uint64_t{field(group1, 6, 0, 16)} << 32,
              field(group1, 6, 16, 16) | std::uint64_t{group1[7]} << 16, 0, 0};
  if (d.gathers) {
    if (group2 == nullptr || group3 == nullptr) return "a gathering tensor descriptor needs its groups 2 and 3";
    const bool wide = field(group0, 0, 30, 1) != 0;
    if (d.tile[1] > (wide ? 8u : 16u))
      return "a tensor descriptor gathers at most 16 rows of 16-bit or 8 of 32-bit indices";
    for (std::uint32_t row = 0; row < d.tile[1]; ++row) {
      const std::uint32_t word = wide ? row : row / 2;
      const std::uint32_t value = word < 4 ? group2[word] : group3[word - 4];
      d.index[row] = wide ? value : value >> 16 * (row % 2) & 0xffff;
    }
    return nullptr;
  }
  if (group2 != nullptr && group3 != nullptr) {
    d.tile[2] = field(group1, 4, 16, 16), d.tile[3] = field(group2, 3, 16, 16), d.tile[4] = field(group3, 2, 16, 16);
    d.tensor[2] = group2[0], d.tensor[3] = group2[1];
    d.tensor[4] = field(group3, 1, 16, 16) | field(group3, 2, 0, 16) << 16;
    d.stride[3] = group2[2] | std::uint64_t{field(group2, 3, 0, 16)} << 32;
    d.stride[4] = group3[0] | std::uint64_t{field(group3, 1, 0, 16)} << 32;
  }
  // A tile dimension of 0 is one that the tensor does not have.
  for (int axis = 1; axis < 5; ++axis)
    if (d.tile[axis] == 0) d.tile[axis] = 1, d.tensor[axis] = 1;
  return nullptr;
}

bool copy_tensor(Wave& wave, const Instruction* instruction, const TensorDescriptor& d, bool store) {
  if (d.null) return true;
  Workgroup& group = *wave.group;
  if (store && d.pad_every != 0) {
    fault_wave(wave, instruction, "a tensor store asks for padding, which only loads have");
    return false;
  }
  const AccessKind to_global = store ? AccessKind::store : AccessKind::load;
  const std::uint64_t row_bytes = std::uint64_t{d.tile[0]} * d.element_bytes;
  const std::uint64_t rows = std::uint64_t{d.tile[1]} * d.tile[2] * d.tile[3] * d.tile[4], bytes = row_bytes * rows;
  if (bytes != 0) {
    const std::uint64_t end = d.lds + padded(d, bytes - 1) + 1;
    if (end > group.lds_bytes) {
      raise_fault(wave, instruction,
                  "the tile spans LDS addresses 0x%x to 0x%llx, but the workgroup has %u bytes of LDS", d.lds,
                  static_cast<unsigned long long>(end - 1), group.lds_bytes);
      return false;
    }
  }
  const std::uint64_t inside = std::uint64_t{std::min(d.tile[0], d.tensor[0])} * d.element_bytes;
  std::uint8_t* lds = group.lds + d.lds;
  std::uint64_t moved = 0;
  for (std::uint64_t row = 0; row < rows; ++row) {
    std::uint64_t rest = row, offset = 0;
    bool in_tensor = inside != 0;
    for (int axis = 1; axis < 5; ++axis) {
      std::uint64_t at = rest % d.tile[axis];
      rest /= d.tile[axis];
      if (axis == 1 && d.gathers) at = d.index[at];
      in_tensor &= at < d.tensor[axis];
      offset += at * d.stride[axis];
    }
    const std::uint64_t place = row * row_bytes;
    if (!in_tensor) {
      if (!store) move(d, lds, place, nullptr, row_bytes, store);
      continue;
    }
    const std::uint64_t address = d.global + offset * d.element_bytes;
    if (!find_allocation(group, address, address + inside)) {
      fault_global(wave, instruction, 0, address, static_cast<std::uint32_t>(inside), to_global);
      return false;
    }
    move(d, lds, place, reinterpret_cast<std::uint8_t*>(address), inside, store);
    if (!store) move(d, lds, place + inside, nullptr, row_bytes - inside, store);
    moved += inside;
    if (group.observe) (store ? group.counts->store_lines : group.counts->load_lines) += lines_of(address, inside);
  }
  (store ? group.counts->store_bytes : group.counts->load_bytes) += moved;
  group.counts->lds_bytes += store ? moved : bytes;
  if (!d.arrives) return true;
  if (std::uint64_t{d.barrier} + 8 > group.lds_bytes) {
    fault_lds(wave, instruction, 0, d.barrier, 8, AccessKind::atomic);
    return false;
  }
  arrive_at_lds_barrier(group.lds + d.barrier, 1);
  return true;
}

std::uint64_t arrive_at_lds_barrier(std::uint8_t* state, std::uint64_t count) {
  constexpr int width = 29;
  constexpr std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  std::uint64_t before;
  std::memcpy(&before, state, sizeof before);
  const std::uint64_t pending = before & mask, phase = before >> width & 7, reload = before >> 32 & 0xffff;
  const std::uint64_t low =
      count <= pending ? phase << width | (pending - count) : (((phase + 1) & 7) << width | reload);
  const std::uint64_t after = (before & 0xffff'ffff'0000'0000u) | low;
  std::memcpy(state, &after, sizeof after);
  return before;
}

}  // namespace zellige::sim
