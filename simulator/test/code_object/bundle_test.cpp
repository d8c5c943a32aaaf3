// Bundles: every form is read, everything malformed is a sentence, never a crash.
#include "simulator/code_object/bundle.hpp"

#include <gtest/gtest.h>
#include <zstd.h>

#include <cstring>

namespace zellige::sim {
namespace {

void put(std::vector<std::uint8_t>& out, const void* data, std::size_t bytes) {
  const auto* begin = static_cast<const std::uint8_t*>(data);
  out.insert(out.end(), begin, begin + bytes);
}
void put64(std::vector<std::uint8_t>& out, std::uint64_t value) { put(out, &value, 8); }

struct Entry {
  std::string id, content;
};

std::vector<std::uint8_t> bundle_of(const std::vector<Entry>& entries) {
  std::vector<std::uint8_t> out;
  put(out, "__CLANG_OFFLOAD_BUNDLE__", 24);
  put64(out, entries.size());
  std::uint64_t offset = 4096;
  for (const Entry& entry : entries) {
    put64(out, offset);
    put64(out, entry.content.size());
    put64(out, entry.id.size());
    put(out, entry.id.data(), entry.id.size());
    offset += entry.content.size();
  }
  out.resize(4096);
  for (const Entry& entry : entries) put(out, entry.content.data(), entry.content.size());
  return out;
}

std::vector<std::uint8_t> compress(const std::vector<std::uint8_t>& raw, int version, std::uint16_t method = 1) {
  std::vector<std::uint8_t> packed(ZSTD_compressBound(raw.size()));
  packed.resize(ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), 3));
  std::vector<std::uint8_t> out;
  put(out, "CCOB", 4);
  const auto version16 = static_cast<std::uint16_t>(version);
  put(out, &version16, 2);
  put(out, &method, 2);
  const std::uint64_t header = version == 3 ? 32 : version == 2 ? 24 : 20;
  const std::uint64_t total = header + packed.size(), size = raw.size();
  const std::size_t width = version == 3 ? 8 : 4;
  if (version >= 2) put(out, &total, width);
  put(out, &size, width);
  put64(out, 0x1234);  // hash, not checked
  put(out, packed.data(), packed.size());
  return out;
}

const std::vector<Entry> three = {{"host-x86_64-unknown-linux-gnu-", ""},
                                  {"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", "one"},
                                  {"hipv4-amdgcn-amd-amdhsa--gfx942", "two!"}};

template <class Body>
std::string error_of(Body body) {
  try {
    body();
  } catch (const CodeObjectError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Bundle, PlainAndCompressedFormsHoldTheSameEntries) {
  const std::vector<std::uint8_t> plain = bundle_of(three);
  for (const int version : {0, 1, 2, 3}) {
    const std::vector<std::uint8_t> bytes = version ? compress(plain, version) : plain;
    const std::vector<BundleEntry> entries = read_bundle(Bytes(bytes));
    ASSERT_EQ(2u, entries.size()) << version;
    EXPECT_EQ("gfx90a:xnack+", entries[0].target);
    EXPECT_EQ("gfx942", entries[1].target);
    EXPECT_EQ("two!", std::string(entries[1].object.begin(), entries[1].object.end()));
    if (version != 1) {
      std::vector<std::uint8_t> padded = bytes;
      padded.resize(padded.size() + 70000);  // what follows it in memory
      EXPECT_EQ(bytes.size(), bundle_bytes(padded.data())) << version;
    }
  }
}

TEST(Bundle, PicksByProcessorAndFeatures) {
  std::vector<BundleEntry> entries(4);
  entries[0].target = "gfx942";
  entries[1].target = "gfx942:sramecc+";
  entries[2].target = "gfx942:xnack+";
  entries[3].target = "gfx12-generic";
  const std::vector<std::string_view> gfx942 = {"gfx942"}, gfx1201 = {"gfx1201", "gfx12-generic"}, gfx90a = {"gfx90a"};
  EXPECT_EQ(&entries[1], pick_entry(entries, gfx942));
  EXPECT_EQ(&entries[3], pick_entry(entries, gfx1201));
  EXPECT_EQ(nullptr, pick_entry(entries, gfx90a));
}

TEST(Bundle, EveryTruncationIsAnError) {
  for (const std::vector<std::uint8_t>& whole :
       {bundle_of(three), compress(bundle_of(three), 3), compress(bundle_of(three), 2)}) {
    for (std::size_t bytes = 0; bytes < whole.size(); bytes += bytes < 200 ? 1 : 97) {
      // Exact allocation: reading past the end is seen by a sanitizer, and here by the missing error.
      const std::vector<std::uint8_t> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(bytes));
      EXPECT_NE("no error", error_of([&] { read_bundle(Bytes(part)); })) << bytes;
    }
  }
}

TEST(Bundle, DamageIsNamed) {
  EXPECT_EQ("the image (4 bytes) is neither an ELF file, nor an offload bundle, nor a compressed one",
            error_of([] { read_bundle(Bytes("abcd", 4)); }));
  EXPECT_NE(std::string::npos, error_of([] { read_bundle(Bytes(compress(bundle_of(three), 3, 9))); }).find("method 9"));
  std::vector<std::uint8_t> version9 = compress(bundle_of(three), 3);
  version9[4] = 9;
  EXPECT_NE(std::string::npos, error_of([&] { read_bundle(Bytes(version9)); }).find("version 9"));
  std::vector<std::uint8_t> flipped = compress(bundle_of(three), 3);
  for (std::size_t i = 40; i < flipped.size(); ++i) flipped[i] ^= 0xff;
  EXPECT_NE(std::string::npos, error_of([&] { read_bundle(Bytes(flipped)); }).find("zstd says"));
  std::vector<std::uint8_t> huge = bundle_of(three);
  std::memset(huge.data() + 24, 0xff, 8);
  EXPECT_NE(std::string::npos, error_of([&] { read_bundle(Bytes(huge)); }).find("entries, over 4096"));
  std::vector<std::uint8_t> outside = bundle_of(three);
  std::memset(outside.data() + 32 + 24 + 30, 0x7f, 8);  // the second entry's offset
  EXPECT_NE(std::string::npos, error_of([&] { read_bundle(Bytes(outside)); }).find("but there are"));
}

}  // namespace
}  // namespace zellige::sim
