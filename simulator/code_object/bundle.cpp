// Reading of offload bundles; bundle.hpp states the law.
#include "simulator/code_object/bundle.hpp"

#include "simulator/code_object/code_object.hpp"

#include <elf.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>

namespace zellige::sim {
namespace {

constexpr std::string_view plain_magic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view compressed_magic = "CCOB";
constexpr std::uint64_t largest_bundle = std::uint64_t{4} << 30;  // a header that asks for more is damaged

/// The header of a compressed bundle. Version 1: u32 raw size. Version 2: u32 total, u32 raw. Version 3: both 64-bit.
struct CompressedHeader {
  std::uint16_t version = 0, method = 0;
  std::uint64_t total = 0;  ///< bytes of header and payload; 0 where version 1 does not say
  std::uint64_t raw = 0;    ///< bytes after decompression
  std::size_t header = 0;   ///< bytes of the header itself
};

CompressedHeader read_compressed_header(Bytes bytes) {
  CompressedHeader result;
  result.version = bytes.read<std::uint16_t>(4, "the version of a compressed bundle");
  result.method = bytes.read<std::uint16_t>(6, "the method of a compressed bundle");
  switch (result.version) {
    case 1:
      result.raw = bytes.read<std::uint32_t>(8, "the size in a compressed bundle");
      result.header = 20;
      break;
    case 2:
      result.total = bytes.read<std::uint32_t>(8, "the size in a compressed bundle");
      result.raw = bytes.read<std::uint32_t>(12, "the raw size in a compressed bundle");
      result.header = 24;
      break;
    case 3:
      result.total = bytes.read<std::uint64_t>(8, "the size in a compressed bundle");
      result.raw = bytes.read<std::uint64_t>(16, "the raw size in a compressed bundle");
      result.header = 32;
      break;
    default:
      throw CodeObjectError("a compressed bundle has version " + std::to_string(result.version) +
                            "; versions 1, 2 and 3 are known");
  }
  if (result.raw > largest_bundle || result.total > largest_bundle)
    throw CodeObjectError("a compressed bundle claims " + std::to_string(std::max(result.raw, result.total)) +
                          " bytes, over the limit of " + std::to_string(largest_bundle));
  if (result.total != 0 && result.total < result.header)
    throw CodeObjectError("a compressed bundle claims " + std::to_string(result.total) +
                          " bytes, less than its header of " + std::to_string(result.header));
  return result;
}

std::vector<std::uint8_t> decompress(Bytes bytes) {
  const CompressedHeader header = read_compressed_header(bytes);
  const std::size_t total = header.total ? header.total : bytes.size();
  const Bytes payload = bytes.slice(header.header, total - header.header, "the payload of a compressed bundle");
  std::vector<std::uint8_t> raw(header.raw);
  if (header.method == 1) {
    const std::size_t got = ZSTD_decompress(raw.data(), raw.size(), payload.data(), payload.size());
    if (ZSTD_isError(got))
      throw CodeObjectError(std::string("a compressed bundle is damaged: zstd says ") + ZSTD_getErrorName(got));
    if (got != raw.size())
      throw CodeObjectError("a compressed bundle holds " + std::to_string(got) + " bytes where its header says " +
                            std::to_string(raw.size()));
  } else if (header.method == 0) {
    uLongf got = raw.size();
    const int status = uncompress(raw.data(), &got, payload.data(), payload.size());
    if (status != Z_OK || got != raw.size())
      throw CodeObjectError("a compressed bundle is damaged: zlib gives status " + std::to_string(status) + " and " +
                            std::to_string(got) + " of " + std::to_string(raw.size()) + " bytes");
  } else {
    throw CodeObjectError("a compressed bundle uses method " + std::to_string(header.method) +
                          "; 0 (zlib) and 1 (zstd) are known");
  }
  return raw;
}

struct PlainEntry {
  std::string_view id;
  std::uint64_t offset = 0, size = 0;
};

std::vector<PlainEntry> plain_entries(Bytes bytes) {
  std::uint64_t at = plain_magic.size();
  const auto count = bytes.read<std::uint64_t>(at, "the entry count of a bundle");
  at += 8;
  if (count > 4096) throw CodeObjectError("a bundle claims " + std::to_string(count) + " entries, over 4096");
  std::vector<PlainEntry> entries;
  for (std::uint64_t i = 0; i < count; ++i) {
    PlainEntry entry;
    entry.offset = bytes.read<std::uint64_t>(at, "the offset of a bundle's entry");
    entry.size = bytes.read<std::uint64_t>(at + 8, "the size of a bundle's entry");
    const auto length = bytes.read<std::uint64_t>(at + 16, "the id length of a bundle's entry");
    const Bytes id = bytes.slice(at + 24, length, "the id of a bundle's entry");
    entry.id = {reinterpret_cast<const char*>(id.data()), id.size()};
    entries.push_back(entry);
    at += 24 + length;
  }
  return entries;
}

/// "hipv4-amdgcn-amd-amdhsa--gfx942:xnack-" gives "gfx942:xnack-"; host and foreign entries give "".
std::string_view target_of(std::string_view id) {
  constexpr std::string_view triple = "amdgcn-amd-amdhsa-";
  const std::size_t at = id.find(triple);
  if (at == std::string_view::npos) return {};
  std::string_view rest = id.substr(at + triple.size());
  while (rest.starts_with('-')) rest.remove_prefix(1);  // an empty environment gives one more dash
  return rest;
}

std::size_t elf_bytes(Bytes header) {
  const auto elf = header.read<Elf64_Ehdr>(0, "an ELF header");
  // The section headers come last in what lld writes; programs headers and sections must not reach beyond them.
  std::uint64_t end = elf.e_shoff + std::uint64_t{elf.e_shnum} * elf.e_shentsize;
  const std::uint64_t programs = elf.e_phoff + std::uint64_t{elf.e_phnum} * elf.e_phentsize;
  return std::max(end, programs);
}

}  // namespace

std::string_view processor_of(std::string_view target) { return target.substr(0, target.find(':')); }

std::size_t bundle_bytes(const void* data) {
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  if (std::memcmp(bytes, compressed_magic.data(), compressed_magic.size()) == 0) {
    const CompressedHeader header = read_compressed_header(Bytes(data, 32));
    if (header.total == 0)
      throw CodeObjectError("a compressed bundle of version 1 does not state its size; load it from a file");
    return header.total;
  }
  if (std::memcmp(bytes, plain_magic.data(), plain_magic.size()) == 0) {
    std::uint64_t end = 0;
    // The table of entries has no stated end: 64 KiB hold any that clang writes, and lie inside the 4 KiB alignment
    // padding plus the first object.
    for (const PlainEntry& entry : plain_entries(Bytes(data, 65536))) end = std::max(end, entry.offset + entry.size);
    if (end > largest_bundle) throw CodeObjectError("a bundle claims " + std::to_string(end) + " bytes");
    return end;
  }
  if (std::memcmp(bytes, ELFMAG, SELFMAG) == 0) return elf_bytes(Bytes(data, sizeof(Elf64_Ehdr)));
  throw CodeObjectError("the image is neither an ELF file, nor an offload bundle, nor a compressed one");
}

std::vector<BundleEntry> read_bundle(Bytes bytes) {
  if (bytes.begins_with(compressed_magic)) {
    const std::vector<std::uint8_t> raw = decompress(bytes);
    if (Bytes(raw).begins_with(compressed_magic)) throw CodeObjectError("a compressed bundle holds another one");
    return read_bundle(Bytes(raw));
  }
  std::vector<BundleEntry> result;
  if (bytes.begins_with({ELFMAG, SELFMAG})) {
    result.push_back({elf_target(bytes), {bytes.data(), bytes.data() + bytes.size()}});
    return result;
  }
  if (!bytes.begins_with(plain_magic))
    throw CodeObjectError("the image (" + std::to_string(bytes.size()) +
                          " bytes) is neither an ELF file, nor an offload bundle, nor a compressed one");
  for (const PlainEntry& entry : plain_entries(bytes)) {
    const std::string_view target = target_of(entry.id);
    if (target.empty() || entry.size == 0) continue;
    const Bytes object = bytes.slice(entry.offset, entry.size, "the object of bundle entry " + std::string(entry.id));
    result.push_back({std::string(target), {object.data(), object.data() + object.size()}});
  }
  return result;
}

std::vector<std::string> bundle_targets(Bytes bytes) {
  std::vector<std::string> targets;
  if (bytes.begins_with(plain_magic)) {
    for (const PlainEntry& entry : plain_entries(bytes))
      if (const std::string_view target = target_of(entry.id); !target.empty() && entry.size)
        targets.emplace_back(target);
  } else {
    for (const BundleEntry& entry : read_bundle(bytes)) targets.push_back(entry.target);
  }
  return targets;
}

const BundleEntry* pick_entry(const std::vector<BundleEntry>& entries, std::span<const std::string_view> processors) {
  for (const std::string_view processor : processors) {
    const BundleEntry* best = nullptr;
    std::ptrdiff_t best_features = -1;
    for (const BundleEntry& entry : entries) {
      if (processor_of(entry.target) != processor) continue;
      if (entry.target.find(":sramecc-") != std::string::npos) continue;
      if (entry.target.find(":xnack+") != std::string::npos) continue;
      const std::ptrdiff_t features = std::ranges::count(entry.target, ':');
      if (features > best_features) best = &entry, best_features = features;
    }
    if (best) return best;
  }
  return nullptr;
}

}  // namespace zellige::sim
