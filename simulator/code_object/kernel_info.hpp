// What a code object says about one kernel: its descriptor (64 bytes, read by the hardware) and its metadata note.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace zellige::sim {

/// The kind of a kernel argument: explicit ones that the caller gives, and hidden ones that the runtime fills.
enum class ArgumentKind : std::uint8_t {
  by_value,
  global_buffer,
  dynamic_shared_pointer,
  image,
  other_explicit,
  hidden_block_count_x,
  hidden_block_count_y,
  hidden_block_count_z,
  hidden_group_size_x,
  hidden_group_size_y,
  hidden_group_size_z,
  hidden_remainder_x,
  hidden_remainder_y,
  hidden_remainder_z,
  hidden_global_offset_x,
  hidden_global_offset_y,
  hidden_global_offset_z,
  hidden_grid_dims,
  hidden_printf_buffer,
  hidden_hostcall_buffer,
  hidden_multigrid_sync_arg,
  hidden_heap,
  hidden_default_queue,
  hidden_completion_action,
  hidden_dynamic_lds_size,
  hidden_private_base,
  hidden_shared_base,
  hidden_queue_ptr,
  hidden_none,
  hidden_unknown,
};

constexpr bool is_hidden(ArgumentKind kind) { return kind >= ArgumentKind::hidden_block_count_x; }

struct KernelArgument {
  ArgumentKind kind = ArgumentKind::by_value;
  std::uint32_t offset = 0;  ///< bytes from the start of the kernel argument segment
  std::uint32_t size = 0;    ///< bytes
  std::string kind_text;     ///< as the metadata spells it
};

/// The kernel descriptor's fields (LLVM's AMDGPU usage guide, "Kernel Descriptor").
struct KernelDescriptor {
  std::uint32_t group_segment_fixed_size = 0, private_segment_fixed_size = 0, kernarg_size = 0;
  std::int64_t entry_offset = 0;  ///< from the descriptor's own address
  std::uint32_t rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;
  std::uint16_t properties = 0, kernarg_preload = 0;
};

struct KernelInfo {
  std::string name;       ///< symbol name without ".kd", as hipModuleGetFunction takes it
  std::string demangled;  ///< for messages
  KernelDescriptor descriptor;
  std::uint64_t descriptor_address = 0;  ///< where it was loaded
  std::uint64_t entry = 0;               ///< address of the first instruction, where it was loaded
  std::uint32_t kernarg_bytes = 0, kernarg_align = 8;
  std::vector<KernelArgument> arguments;  ///< in the metadata's order: explicit ones first
  std::uint32_t lds_bytes = 0;            ///< static LDS of a workgroup
  std::uint32_t scratch_bytes = 0;        ///< fixed private memory of a work-item
  int sgprs = 0;
  int vgprs = 0;  ///< on targets with one file for both (gfx90a and later CDNA): VGPRs and AGPRs together, as allocated
  int agprs = 0;
  int sgpr_spills = 0, vgpr_spills = 0;
  std::uint32_t max_workgroup_size = 1024;
  int lanes = 64;
  bool dynamic_stack = false;
  std::array<std::uint32_t, 3> required_workgroup_size{};  ///< zeros: none required
  std::array<std::uint32_t, 3> cluster_dims{};             ///< zeros: no such metadata

  /// Bytes that the explicit arguments span.
  std::uint32_t explicit_bytes() const {
    std::uint32_t end = 0;
    for (const KernelArgument& argument : arguments)
      if (!is_hidden(argument.kind) && argument.offset + argument.size > end) end = argument.offset + argument.size;
    return end;
  }
};

}  // namespace zellige::sim
