// Reading of files; device_code.hpp says of which.
#include "simulator/tool/device_code.hpp"

#include <elf.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace zellige::sim {
namespace {

constexpr std::uint16_t amdgpu_machine = 224;  // EM_AMDGPU

std::vector<std::uint8_t> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw CodeObjectError("cannot be opened: " + std::string(std::strerror(errno)));
  std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  if (file.bad() || bytes.empty()) throw CodeObjectError("cannot be read, or is empty");
  return bytes;
}

bool begins_bundle(Bytes bytes) { return bytes.begins_with("__CLANG_OFFLOAD_BUNDLE__") || bytes.begins_with("CCOB"); }

/// The bundles of a .hip_fatbin section: each begins at an aligned place behind the one before.
void read_section(Bytes section, std::vector<BundleEntry>& entries) {
  std::uint64_t at = 0;
  while (at < section.size()) {
    const Bytes rest = section.slice(at, section.size() - at, "the .hip_fatbin section");
    if (!begins_bundle(rest)) {
      at += 8;
      continue;
    }
    // The pointer that bundle_bytes takes must reach over the largest header.
    std::vector<std::uint8_t> head(rest.data(), rest.data() + std::min<std::size_t>(rest.size(), 65536));
    head.resize(65536);
    const std::size_t bytes = bundle_bytes(head.data());
    for (BundleEntry& entry : read_bundle(rest.slice(0, bytes, "a bundle"))) entries.push_back(std::move(entry));
    at = (at + bytes + 7) / 8 * 8;
  }
}

std::vector<BundleEntry> read_host_elf(Bytes file) {
  const auto header = file.read<Elf64_Ehdr>(0, "the ELF header");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize < sizeof(Elf64_Shdr))
    throw CodeObjectError("is an ELF file of another kind than 64-bit programs");
  const auto section_at = [&](std::uint64_t index) {
    return file.read<Elf64_Shdr>(header.e_shoff + index * header.e_shentsize, "a section header");
  };
  std::vector<BundleEntry> entries;
  if (header.e_shnum > 0) {
    const Elf64_Shdr names = section_at(header.e_shstrndx);
    for (int i = 0; i < header.e_shnum; ++i) {
      const Elf64_Shdr section = section_at(i);
      if (section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL) continue;
      const std::string_view name = file.text(names.sh_offset + section.sh_name, "a section's name");
      if (name == ".hip_fatbin" || name == "__CLANG_OFFLOAD_BUNDLE__")
        read_section(file.slice(section.sh_offset, section.sh_size, "the .hip_fatbin section"), entries);
    }
  }
  if (entries.empty()) throw CodeObjectError("is a host ELF file without device code (.hip_fatbin)");
  return entries;
}

}  // namespace

std::vector<BundleEntry> read_device_code(const std::string& path) {
  const std::vector<std::uint8_t> file = read_file(path);
  const Bytes bytes{std::span<const std::uint8_t>(file)};
  if (bytes.begins_with({ELFMAG, SELFMAG}) && bytes.read<Elf64_Ehdr>(0, "the ELF header").e_machine != amdgpu_machine)
    return read_host_elf(bytes);
  std::vector<BundleEntry> entries = read_bundle(bytes);
  if (entries.empty()) throw CodeObjectError("is a bundle without code for AMD GPUs");
  return entries;
}

std::vector<BundleEntry> of_target(std::vector<BundleEntry> entries, const std::string& target) {
  if (target.empty()) return entries;
  std::string known;
  for (const BundleEntry& entry : entries)
    if (known.find(entry.target) == std::string::npos) known += (known.empty() ? "" : ", ") + entry.target;
  std::erase_if(entries, [&](const BundleEntry& entry) {
    return entry.target != target && processor_of(entry.target) != target;
  });
  if (entries.empty()) throw CodeObjectError("holds no code for " + target + "; it has: " + known);
  return entries;
}

}  // namespace zellige::sim
