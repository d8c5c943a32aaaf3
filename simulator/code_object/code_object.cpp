// Loading of AMDGPU ELF files; code_object.hpp states the law.
#include "simulator/code_object/code_object.hpp"

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "simulator/check/checked_program.hpp"
#include "simulator/memory/arena.hpp"
#include "simulator/timing/issue.hpp"

namespace zellige::sim {
namespace {

constexpr std::uint16_t machine_amdgpu = 224;  // EM_AMDGPU
constexpr std::uint8_t abi_amdhsa = 64;        // ELFOSABI_AMDGPU_HSA
constexpr std::uint64_t largest_image = std::uint64_t{4} << 30;

enum Relocation : std::uint32_t {
  abs32_lo = 1,
  abs32_hi = 2,
  abs64 = 3,
  rel32 = 4,
  rel64 = 5,
  abs32 = 6,
  rel32_lo = 10,
  rel32_hi = 11,
  relative64 = 13
};

Elf64_Ehdr read_header(Bytes elf) {
  const auto header = elf.read<Elf64_Ehdr>(0, "the ELF header");
  if (!elf.begins_with({ELFMAG, SELFMAG})) throw CodeObjectError("the image is not an ELF file");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_machine != machine_amdgpu)
    throw CodeObjectError("the ELF file is for machine " + std::to_string(header.e_machine) +
                          ", not a 64-bit AMDGPU one (224)");
  if (header.e_ident[EI_OSABI] != abi_amdhsa)
    throw CodeObjectError("the ELF file has OS ABI " + std::to_string(header.e_ident[EI_OSABI]) + ", not AMDHSA (64)");
  if (header.e_phnum && header.e_phentsize != sizeof(Elf64_Phdr))
    throw CodeObjectError("the ELF file's program headers have " + std::to_string(header.e_phentsize) +
                          " bytes, not 56");
  if (header.e_shnum && header.e_shentsize != sizeof(Elf64_Shdr))
    throw CodeObjectError("the ELF file's section headers have " + std::to_string(header.e_shentsize) +
                          " bytes, not 64");
  return header;
}

std::vector<Elf64_Shdr> read_sections(Bytes elf) {
  const Elf64_Ehdr header = read_header(elf);
  std::vector<Elf64_Shdr> sections;
  for (int i = 0; i < header.e_shnum; ++i)
    sections.push_back(
        elf.read<Elf64_Shdr>(header.e_shoff + sizeof(Elf64_Shdr) * std::uint64_t(i), "a section header"));
  return sections;
}

const Elf64_Shdr& section_at(const std::vector<Elf64_Shdr>& sections, std::uint32_t index) {
  if (index >= sections.size())
    throw CodeObjectError("a section refers to section " + std::to_string(index) + " of " +
                          std::to_string(sections.size()));
  return sections[index];
}

KernelDescriptor read_descriptor(Bytes image, std::uint64_t address, const std::string& name) {
  const Bytes bytes = image.slice(address, 64, "the descriptor of kernel " + name);
  KernelDescriptor result;
  result.group_segment_fixed_size = bytes.read<std::uint32_t>(0, "a descriptor");
  result.private_segment_fixed_size = bytes.read<std::uint32_t>(4, "a descriptor");
  result.kernarg_size = bytes.read<std::uint32_t>(8, "a descriptor");
  result.entry_offset = bytes.read<std::int64_t>(16, "a descriptor");
  result.rsrc3 = bytes.read<std::uint32_t>(44, "a descriptor");
  result.rsrc1 = bytes.read<std::uint32_t>(48, "a descriptor");
  result.rsrc2 = bytes.read<std::uint32_t>(52, "a descriptor");
  result.properties = bytes.read<std::uint16_t>(56, "a descriptor");
  result.kernarg_preload = bytes.read<std::uint16_t>(58, "a descriptor");
  return result;
}

}  // namespace

std::shared_ptr<CodeObject> CodeObject::load(Bytes elf, int device) {
  std::shared_ptr<CodeObject> result(new CodeObject);
  read_header(elf);
  result->target_ = elf_target(elf);
  result->target_.resize(std::min(result->target_.size(), result->target_.find(':')));
  result->map_segments(elf, device);
  result->read_symbols(elf);
  result->relocate(elf);
  result->read_kernels(elf);
  result->read_lines(elf);
  return result;
}

CodeObject::~CodeObject() {
  for (void* pointer : adopted_) Arena::instance().abandon(pointer);
  if (memory_) munmap(memory_, memory_bytes_);
}

void CodeObject::map_segments(Bytes elf, int device) {
  const Elf64_Ehdr header = read_header(elf);
  std::vector<Elf64_Phdr> loads;
  std::uint64_t end = 0;
  for (int i = 0; i < header.e_phnum; ++i) {
    const auto segment =
        elf.read<Elf64_Phdr>(header.e_phoff + sizeof(Elf64_Phdr) * std::uint64_t(i), "a program header");
    if (segment.p_type != PT_LOAD) continue;
    if (segment.p_filesz > segment.p_memsz)
      throw CodeObjectError("a segment has " + std::to_string(segment.p_filesz) + " bytes in the file and " +
                            std::to_string(segment.p_memsz) + " in memory");
    if (segment.p_vaddr > largest_image || segment.p_memsz > largest_image)
      throw CodeObjectError("a segment at " + std::to_string(segment.p_vaddr) + " of " +
                            std::to_string(segment.p_memsz) + " bytes passes the limit of 4 GiB");
    loads.push_back(segment);
    end = std::max(end, segment.p_vaddr + segment.p_memsz);
  }
  if (loads.empty()) throw CodeObjectError("the ELF file has nothing to load");
  const std::uint64_t page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  memory_bytes_ = (end + 2 * page - 1) / page * page;  // a page more: a fetch past the code's end stays in our memory
  void* memory =
      mmap(nullptr, memory_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw CodeObjectError("no memory for an image of " + std::to_string(memory_bytes_) + " bytes");
  memory_ = static_cast<std::uint8_t*>(memory);
  for (const Elf64_Phdr& segment : loads) {
    const Bytes content = elf.slice(segment.p_offset, segment.p_filesz, "a segment");
    std::memcpy(memory_ + segment.p_vaddr, content.data(), content.size());
    Arena::instance().adopt(memory_ + segment.p_vaddr, segment.p_memsz, device);
    adopted_.push_back(memory_ + segment.p_vaddr);
    if (segment.p_flags & PF_X) {
      code_begin_ = segment.p_vaddr;
      code_bytes_ = segment.p_filesz;
    }
  }
}

void CodeObject::read_lines(Bytes elf) {
  const std::vector<Elf64_Shdr> sections = read_sections(elf);
  const std::uint32_t names = read_header(elf).e_shstrndx;
  if (names >= sections.size()) return;
  Bytes lines, strings;
  const Bytes texts = elf.slice(sections[names].sh_offset, sections[names].sh_size, "the names of sections");
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type == SHT_NULL || section.sh_type == SHT_NOBITS || (section.sh_flags & SHF_COMPRESSED)) continue;
    const std::string_view name = texts.text(section.sh_name, "the name of a section");
    if (name == ".debug_line") lines = elf.slice(section.sh_offset, section.sh_size, name);
    if (name == ".debug_line_str") strings = elf.slice(section.sh_offset, section.sh_size, name);
  }
  try {
    lines_ = LineTable::read(lines, strings);
  } catch (const CodeObjectError&) {
    lines_ = {};  // messages then come without lines
  }
}

void CodeObject::read_symbols(Bytes elf) {
  const std::vector<Elf64_Shdr> sections = read_sections(elf);
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_DYNSYM) continue;
    const Elf64_Shdr& names = section_at(sections, section.sh_link);
    const Bytes table = elf.slice(section.sh_offset, section.sh_size, "the symbol table");
    const Bytes text = elf.slice(names.sh_offset, names.sh_size, "the symbol names");
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.size(); at += sizeof(Elf64_Sym)) {
      const auto symbol = table.read<Elf64_Sym>(at, "a symbol");
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_name == 0) continue;
      const std::string name(text.text(symbol.st_name, "a symbol's name"));
      if (symbol.st_value > memory_bytes_ || symbol.st_size > memory_bytes_ - symbol.st_value)
        throw CodeObjectError("symbol " + name + " at " + std::to_string(symbol.st_value) + "+" +
                              std::to_string(symbol.st_size) + " lies outside the image of " +
                              std::to_string(memory_bytes_) + " bytes");
      symbols_[name] = {reinterpret_cast<std::uint64_t>(memory_) + symbol.st_value, symbol.st_size};
    }
  }
}

void CodeObject::relocate(Bytes elf) {
  const std::vector<Elf64_Shdr> sections = read_sections(elf);
  const auto base = reinterpret_cast<std::uint64_t>(memory_);
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_RELA || !(section.sh_flags & SHF_ALLOC)) continue;
    const Elf64_Shdr& symbol_section = section_at(sections, section.sh_link);
    const Elf64_Shdr& names = section_at(sections, symbol_section.sh_link);
    const Bytes table = elf.slice(section.sh_offset, section.sh_size, "the relocations");
    const Bytes symbols = elf.slice(symbol_section.sh_offset, symbol_section.sh_size, "the symbol table");
    const Bytes text = elf.slice(names.sh_offset, names.sh_size, "the symbol names");
    for (std::uint64_t at = 0; at + sizeof(Elf64_Rela) <= table.size(); at += sizeof(Elf64_Rela)) {
      const auto entry = table.read<Elf64_Rela>(at, "a relocation");
      const auto type = static_cast<std::uint32_t>(ELF64_R_TYPE(entry.r_info));
      const int width = type == abs64 || type == rel64 || type == relative64 ? 8 : 4;
      Bytes(memory_, memory_bytes_).slice(entry.r_offset, width, "a relocation's place");
      std::uint64_t value = base + static_cast<std::uint64_t>(entry.r_addend);
      if (type != relative64) {
        const auto symbol =
            symbols.read<Elf64_Sym>(ELF64_R_SYM(entry.r_info) * sizeof(Elf64_Sym), "a relocation's symbol");
        if (symbol.st_shndx == SHN_UNDEF)
          throw CodeObjectError("the code object needs symbol '" +
                                std::string(text.text(symbol.st_name, "a symbol's name")) +
                                "', which it does not define");
        value += symbol.st_value;
      }
      const std::uint64_t place = base + entry.r_offset;
      switch (type) {
        case abs64:
        case relative64:
        case abs32:
        case abs32_lo:
          break;
        case abs32_hi:
          value >>= 32;
          break;
        case rel64:
        case rel32:
        case rel32_lo:
          value -= place;
          break;
        case rel32_hi:
          value = (value - place) >> 32;
          break;
        default:
          throw CodeObjectError("the code object has a relocation of type " + std::to_string(type) + ", unknown here");
      }
      std::memcpy(memory_ + entry.r_offset, &value, width);
    }
  }
}

void CodeObject::read_kernels(Bytes elf) {
  kernels_ = read_metadata(elf).kernels;
  const auto base = reinterpret_cast<std::uint64_t>(memory_);
  for (KernelInfo& kernel : kernels_) {
    const Symbol* descriptor = symbol(kernel.name + ".kd");
    if (!descriptor) throw CodeObjectError("kernel " + kernel.name + " has metadata, but no descriptor symbol");
    kernel.descriptor_address = descriptor->address;
    const std::uint64_t offset = descriptor->address - base;
    kernel.descriptor = read_descriptor(Bytes(memory_, memory_bytes_), offset, kernel.name);
    const std::uint64_t entry = offset + static_cast<std::uint64_t>(kernel.descriptor.entry_offset);
    if (entry < code_begin_ || entry - code_begin_ >= code_bytes_)
      throw CodeObjectError("kernel " + kernel.name + " begins at " + std::to_string(entry) + ", outside the code at " +
                            std::to_string(code_begin_) + "+" + std::to_string(code_bytes_));
    kernel.entry = base + entry;
  }
}

const KernelInfo* CodeObject::kernel(std::string_view name) const {
  const auto it = std::ranges::find(kernels_, name, &KernelInfo::name);
  return it == kernels_.end() ? nullptr : &*it;
}

const Symbol* CodeObject::symbol(std::string_view name) const {
  const auto it = symbols_.find(name);
  return it == symbols_.end() ? nullptr : &it->second;
}

const Program& CodeObject::program(const KernelInfo& kernel) {
  const std::lock_guard lock(decode_lock_);
  std::unique_ptr<Program>& program = programs_[kernel.entry];
  if (!program) {
    program =
        decode(target_, kernel.lanes, memory_ + code_begin_, reinterpret_cast<std::uint64_t>(memory_) + code_begin_,
               code_bytes_, kernel.entry, kernel.demangled);
    program->lines.reserve(program->addresses.size());
    for (const std::uint64_t address : program->addresses)
      program->lines.push_back(lines_.at(address - reinterpret_cast<std::uint64_t>(memory_)));
    program->issue = std::make_shared<IssuePlan>(issue_plan(*program));
    if (const unsigned checks = enabled_checks()) attach_checks(*program, checks);
  }
  return *program;
}

std::unique_ptr<Program> CodeObject::decode_leniently(const KernelInfo& kernel,
                                                      std::vector<std::string>& problems) const {
  return decode(target_, kernel.lanes, memory_ + code_begin_, reinterpret_cast<std::uint64_t>(memory_) + code_begin_,
                code_bytes_, kernel.entry, kernel.demangled, &problems);
}

}  // namespace zellige::sim
