// The AMDGPU metadata note: MessagePack, keys as LLVM's AMDGPU usage guide lists them (code object version 3 and
// later).
#include <elf.h>
#include <llvm/Demangle/Demangle.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "simulator/code_object/code_object.hpp"

namespace zellige::sim {
namespace {

using Json = nlohmann::json;

constexpr std::uint32_t note_amdgpu_metadata = 32;  // NT_AMDGPU_METADATA

constexpr std::pair<std::string_view, ArgumentKind> argument_kinds[] = {
    {"by_value", ArgumentKind::by_value},
    {"global_buffer", ArgumentKind::global_buffer},
    {"dynamic_shared_pointer", ArgumentKind::dynamic_shared_pointer},
    {"image", ArgumentKind::image},
    {"hidden_block_count_x", ArgumentKind::hidden_block_count_x},
    {"hidden_block_count_y", ArgumentKind::hidden_block_count_y},
    {"hidden_block_count_z", ArgumentKind::hidden_block_count_z},
    {"hidden_group_size_x", ArgumentKind::hidden_group_size_x},
    {"hidden_group_size_y", ArgumentKind::hidden_group_size_y},
    {"hidden_group_size_z", ArgumentKind::hidden_group_size_z},
    {"hidden_remainder_x", ArgumentKind::hidden_remainder_x},
    {"hidden_remainder_y", ArgumentKind::hidden_remainder_y},
    {"hidden_remainder_z", ArgumentKind::hidden_remainder_z},
    {"hidden_global_offset_x", ArgumentKind::hidden_global_offset_x},
    {"hidden_global_offset_y", ArgumentKind::hidden_global_offset_y},
    {"hidden_global_offset_z", ArgumentKind::hidden_global_offset_z},
    {"hidden_grid_dims", ArgumentKind::hidden_grid_dims},
    {"hidden_printf_buffer", ArgumentKind::hidden_printf_buffer},
    {"hidden_hostcall_buffer", ArgumentKind::hidden_hostcall_buffer},
    {"hidden_multigrid_sync_arg", ArgumentKind::hidden_multigrid_sync_arg},
    {"hidden_heap_v1", ArgumentKind::hidden_heap},
    {"hidden_default_queue", ArgumentKind::hidden_default_queue},
    {"hidden_completion_action", ArgumentKind::hidden_completion_action},
    {"hidden_dynamic_lds_size", ArgumentKind::hidden_dynamic_lds_size},
    {"hidden_private_base", ArgumentKind::hidden_private_base},
    {"hidden_shared_base", ArgumentKind::hidden_shared_base},
    {"hidden_queue_ptr", ArgumentKind::hidden_queue_ptr},
    {"hidden_none", ArgumentKind::hidden_none},
};

ArgumentKind kind_of(std::string_view text) {
  for (const auto& [name, kind] : argument_kinds)
    if (name == text) return kind;
  return text.starts_with("hidden_") ? ArgumentKind::hidden_unknown : ArgumentKind::other_explicit;
}

/// By LLVM, which knows the types that its compiler mangles (_Float16, __bf16); GCC 12's runtime library does not.
std::string demangle(const std::string& name) {
  char* text = llvm::itaniumDemangle(name);
  std::string result = text != nullptr ? text : name;
  std::free(text);
  return result;
}

/// The value of `key` in a metadata map, or `fallback` where it is absent; a value of another type is an error.
template <class T>
T field(const Json& map, const char* key, T fallback) {
  const auto it = map.find(key);
  return it == map.end() ? fallback : it->get<T>();
}

std::array<std::uint32_t, 3> three(const Json& map, const char* key) {
  std::array<std::uint32_t, 3> result{};
  const auto it = map.find(key);
  if (it == map.end()) return result;
  if (!it->is_array() || it->size() != 3)
    throw CodeObjectError(std::string("metadata ") + key + " is not three numbers");
  for (int i = 0; i < 3; ++i) result[i] = it->at(i).get<std::uint32_t>();
  return result;
}

KernelInfo read_kernel(const Json& map) {
  KernelInfo kernel;
  kernel.name = map.at(".symbol").get<std::string>();
  if (!kernel.name.ends_with(".kd")) throw CodeObjectError("kernel symbol '" + kernel.name + "' does not end in .kd");
  kernel.name.resize(kernel.name.size() - 3);
  kernel.demangled = demangle(kernel.name);
  kernel.kernarg_bytes = map.at(".kernarg_segment_size").get<std::uint32_t>();
  kernel.kernarg_align = field<std::uint32_t>(map, ".kernarg_segment_align", 8);
  kernel.lds_bytes = map.at(".group_segment_fixed_size").get<std::uint32_t>();
  kernel.scratch_bytes = map.at(".private_segment_fixed_size").get<std::uint32_t>();
  kernel.lanes = map.at(".wavefront_size").get<int>();
  kernel.sgprs = field(map, ".sgpr_count", 0);
  kernel.vgprs = field(map, ".vgpr_count", 0);
  kernel.agprs = field(map, ".agpr_count", 0);
  kernel.sgpr_spills = field(map, ".sgpr_spill_count", 0);
  kernel.vgpr_spills = field(map, ".vgpr_spill_count", 0);
  kernel.max_workgroup_size = field<std::uint32_t>(map, ".max_flat_workgroup_size", 1024);
  kernel.dynamic_stack = field(map, ".uses_dynamic_stack", false);
  kernel.required_workgroup_size = three(map, ".reqd_workgroup_size");
  kernel.cluster_dims = three(map, ".cluster_dims");
  if (kernel.lanes != 32 && kernel.lanes != 64)
    throw CodeObjectError("kernel " + kernel.name + " has waves of " + std::to_string(kernel.lanes) + " lanes");
  if (const auto arguments = map.find(".args"); arguments != map.end()) {
    for (const Json& entry : *arguments) {
      KernelArgument argument;
      argument.kind_text = entry.at(".value_kind").get<std::string>();
      argument.kind = kind_of(argument.kind_text);
      argument.offset = entry.at(".offset").get<std::uint32_t>();
      argument.size = entry.at(".size").get<std::uint32_t>();
      if (argument.offset > kernel.kernarg_bytes || argument.size > kernel.kernarg_bytes - argument.offset)
        throw CodeObjectError("an argument of kernel " + kernel.name + " spans " + std::to_string(argument.offset) +
                              "+" + std::to_string(argument.size) + " bytes of a segment of " +
                              std::to_string(kernel.kernarg_bytes));
      kernel.arguments.push_back(std::move(argument));
    }
  }
  return kernel;
}

/// The descriptor bytes of the metadata note.
Bytes find_note(Bytes elf) {
  const auto header = elf.read<Elf64_Ehdr>(0, "the ELF header");
  for (int i = 0; i < header.e_phnum; ++i) {
    const auto segment =
        elf.read<Elf64_Phdr>(header.e_phoff + std::uint64_t{header.e_phentsize} * i, "a program header");
    if (segment.p_type != PT_NOTE) continue;
    const Bytes notes = elf.slice(segment.p_offset, segment.p_filesz, "a note segment");
    std::uint64_t at = 0;
    while (at + sizeof(Elf64_Nhdr) <= notes.size()) {
      const auto note = notes.read<Elf64_Nhdr>(at, "a note");
      at += sizeof(Elf64_Nhdr);
      const Bytes name = notes.slice(at, note.n_namesz, "a note's name");
      at += (std::uint64_t{note.n_namesz} + 3) & ~std::uint64_t{3};
      const Bytes content = notes.slice(at, note.n_descsz, "a note's content");
      at += (std::uint64_t{note.n_descsz} + 3) & ~std::uint64_t{3};
      if (note.n_type == note_amdgpu_metadata && name.begins_with({"AMDGPU", 7})) return content;
    }
  }
  throw CodeObjectError("the ELF file has no AMDGPU metadata note; code objects before version 3 are not supported");
}

Json parse_note(Bytes elf) {
  const Bytes note = find_note(elf);
  Json root = Json::from_msgpack(note.data(), note.data() + note.size(), true, false);
  if (root.is_discarded() || !root.is_object())
    throw CodeObjectError("the AMDGPU metadata note (" + std::to_string(note.size()) +
                          " bytes) is not a MessagePack map");
  return root;
}

std::string target_of(const Json& root) {
  const std::string text = root.at("amdhsa.target").get<std::string>();
  constexpr std::string_view prefix = "amdgcn-amd-amdhsa--";
  if (!text.starts_with(prefix)) throw CodeObjectError("the code object's target is '" + text + "', not one of AMDHSA");
  return text.substr(prefix.size());
}

}  // namespace

std::string elf_target(Bytes elf) {
  try {
    return target_of(parse_note(elf));
  } catch (const Json::exception& error) {
    throw CodeObjectError(std::string("the AMDGPU metadata note is malformed: ") + error.what());
  }
}

Metadata read_metadata(Bytes elf) {
  try {
    const Json root = parse_note(elf);
    Metadata result{target_of(root), {}};
    if (const auto kernels = root.find("amdhsa.kernels"); kernels != root.end())
      for (const Json& kernel : *kernels) result.kernels.push_back(read_kernel(kernel));
    return result;
  } catch (const Json::exception& error) {
    throw CodeObjectError(std::string("the AMDGPU metadata note is malformed: ") + error.what());
  }
}

}  // namespace zellige::sim
