// Typed buffer elements and blocks of registers; access_parts.hpp states the law.
#include "simulator/check/access_parts.hpp"

#include <algorithm>
#include <bit>

#include "simulator/execute/data_format.hpp"
#include "simulator/memory/low_bits.hpp"

namespace zellige::sim {
namespace {

constexpr std::string_view typed_mark = "_format_";
constexpr std::string_view typed_components = "xyzw";
constexpr std::uint32_t most_typed_bytes = 16, most_block_words = 32, most_access_bytes = 64;

bool is_typed(std::string_view mnemonic) { return mnemonic.find(typed_mark) != std::string_view::npos; }
bool is_block(std::string_view mnemonic) {
  return mnemonic.ends_with("_load_block") || mnemonic.ends_with("_store_block");
}

/// Of the list's only access, if it has one, the parts whose bits are set: an access for every run of them, but for
/// each 64 bytes of a longer one.
void keep_parts(AccessList& list, std::uint64_t parts, std::uint32_t part_bytes) {
  if (list.count == 0) return;
  const Access whole = list.items[0];
  list.count = 0;
  for (std::uint64_t rest = parts; rest != 0;) {
    const int first = std::countr_zero(rest),
              count = std::min(std::countr_one(rest >> first), static_cast<int>(most_access_bytes / part_bytes));
    rest &= ~(low_bits(static_cast<std::uint64_t>(count)) << first);
    const std::uint32_t before = static_cast<std::uint32_t>(first) * part_bytes;
    Access& access = list.items[list.count++];
    access = whole;
    access.bytes = static_cast<std::uint32_t>(count) * part_bytes;
    access.word = static_cast<std::uint8_t>(before / 4);
    if (whole.row != nullptr)
      access.common += before;
    else
      for (std::uint64_t mask = whole.lanes; mask != 0; mask &= mask - 1)
        access.address[std::countr_zero(mask)] += before;
  }
}

/// The components of the element that a load gives its registers.
std::uint64_t loaded_components(const AccessPlan& plan, const BufferFormat& format, std::uint32_t word3) {
  if (plan.format_in_text) return low_bits(plan.components) & low_bits(format.components);
  std::uint64_t loaded = 0;
  for (int component = 0; component < plan.components; ++component)
    if (const std::uint32_t selection = selection_of_descriptor(word3, component); selection >= 4)
      loaded |= std::uint64_t{1} << (selection - 4);
  return loaded & low_bits(format.components);
}

void produce_typed(const AccessPlan& plan, const Wave& wave, const Instruction* i, AccessList& list) {
  const Operand& descriptor = i->src[plan.base];
  if (descriptor.kind != OperandKind::scalar) return;
  const std::uint32_t word3 = wave.scalar[descriptor.index + 3];
  const BufferFormat format =
      buffer_format(plan.format_in_text ? static_cast<std::uint32_t>(i->offset2) : format_of_descriptor(word3));
  if (format.components == 0) return;  // the handler's own fault
  AccessPlan element = plan;
  element.bytes = format.bytes();
  plan.whole(element, wave, i, list);
  const bool store = plan.kind == AccessKind::store;
  const std::uint32_t words = plan.halves ? (format.components + 1u) / 2 : format.components;
  if (store) list.words = static_cast<std::uint32_t>(low_bits(words));
  keep_parts(list, store ? low_bits(format.components) : loaded_components(plan, format, word3), format.bits / 8u);
}

void produce_block(const AccessPlan& plan, const Wave& wave, const Instruction* i, AccessList& list) {
  list.words = wave.scalar[scalar_m0];
  if (list.words == 0) return;
  AccessPlan reach = plan;
  reach.bytes = 4 * static_cast<std::uint32_t>(std::bit_width(list.words));
  plan.whole(reach, wave, i, list);
  keep_parts(list, list.words, 4);
}

}  // namespace

bool moves_parts(std::string_view mnemonic) { return is_typed(mnemonic) || is_block(mnemonic); }

void take_parts(std::string_view mnemonic, AccessPlan& plan) {
  plan.whole = plan.producer;
  if (is_block(mnemonic)) {
    plan.producer = &produce_block;
    plan.bytes = 4 * most_block_words;
    return;
  }
  plan.producer = &produce_typed;
  plan.bytes = most_typed_bytes;
  plan.indivisible = true;
  plan.format_in_text = mnemonic.starts_with("tbuffer_");
  plan.halves = mnemonic.find("_d16_") != std::string_view::npos;
  std::string_view named = mnemonic.substr(mnemonic.find(typed_mark) + typed_mark.size());
  named = named.substr(0, named.find_first_not_of(typed_components));
  plan.components = static_cast<std::uint8_t>(named.size());
}

}  // namespace zellige::sim
