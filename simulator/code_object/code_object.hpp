// One loaded code object: its segments in memory that kernels may access, its symbols, its kernels.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/code_object/bytes.hpp"
#include "simulator/code_object/kernel_info.hpp"
#include "simulator/code_object/line_table.hpp"
#include "simulator/decode/program.hpp"

namespace zellige::sim {

struct Symbol {
  std::uint64_t address = 0;  ///< where it was loaded
  std::uint64_t size = 0;     ///< bytes
};

class CodeObject {
 public:
  /// Loads an AMDGPU ELF for `device`: copies the segments, applies the relocations, reads symbols, descriptors and
  /// metadata. Throws CodeObjectError on anything malformed, and on targets that are not AMDHSA.
  static std::shared_ptr<CodeObject> load(Bytes elf, int device);
  ~CodeObject();
  CodeObject(const CodeObject&) = delete;
  CodeObject& operator=(const CodeObject&) = delete;

  const std::string& target() const { return target_; }  ///< processor, "gfx942"
  const std::vector<KernelInfo>& kernels() const { return kernels_; }
  /// The kernel of that symbol name, or nullptr.
  const KernelInfo* kernel(std::string_view name) const;
  /// The data symbol (or any other) of that name, or nullptr.
  const Symbol* symbol(std::string_view name) const;
  /// The kernel's decoded program; decoded at the first call and kept.
  const Program& program(const KernelInfo& kernel);
  /// The same decoded anew, for looking at: what the decoder does not understand is an unknown instruction, and a
  /// sentence in `problems`.
  std::unique_ptr<Program> decode_leniently(const KernelInfo& kernel, std::vector<std::string>& problems) const;

 private:
  CodeObject() = default;
  void map_segments(Bytes elf, int device);
  void read_symbols(Bytes elf);
  void relocate(Bytes elf);
  void read_kernels(Bytes elf);
  void read_lines(Bytes elf);

  std::string target_;
  std::uint8_t* memory_ = nullptr;  ///< page-aligned, holds the virtual addresses [0, memory_bytes_)
  std::uint64_t memory_bytes_ = 0;
  std::uint64_t code_begin_ = 0, code_bytes_ = 0;  ///< executable segment, virtual address
  std::vector<void*> adopted_;
  std::map<std::string, Symbol, std::less<>> symbols_;
  std::vector<KernelInfo> kernels_;
  LineTable lines_;  ///< empty unless the code was compiled with line tables
  std::mutex decode_lock_;
  std::map<std::uint64_t, std::unique_ptr<Program>> programs_;  ///< by entry address
};

/// The target id of an AMDGPU ELF ("gfx942:sramecc+:xnack-"), from its metadata note. Throws CodeObjectError.
std::string elf_target(Bytes elf);

/// Reads the metadata note of an ELF: the target id, and one KernelInfo a kernel (descriptor and addresses not filled).
struct Metadata {
  std::string target;
  std::vector<KernelInfo> kernels;
};
Metadata read_metadata(Bytes elf);

}  // namespace zellige::sim
