// Code objects as the compiler makes them: kernels, symbols, metadata; and what is damaged in them.
//
// MODULE_OBJECT and MODULE_COMPRESSED are files that the build makes from hip/module_kernels.hip.
#include "simulator/code_object/code_object.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "simulator/code_object/bundle.hpp"
#include "simulator/memory/arena.hpp"

namespace zellige::sim {
namespace {

std::vector<std::uint8_t> read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(CodeObject, KernelsSymbolsAndMetadata) {
  const std::vector<std::uint8_t> file = read_file(MODULE_OBJECT);
  ASSERT_FALSE(file.empty());
  EXPECT_EQ(file.size(), bundle_bytes(file.data()));
  EXPECT_EQ("gfx942", std::string(processor_of(elf_target(Bytes(file)))));
  const std::shared_ptr<CodeObject> object = CodeObject::load(Bytes(file), 0);
  EXPECT_EQ("gfx942", object->target());
  EXPECT_EQ(3u, object->kernels().size());
  const KernelInfo* scale = object->kernel("scale");
  ASSERT_NE(nullptr, scale);
  EXPECT_EQ(nullptr, object->kernel("scal"));
  EXPECT_EQ(64, scale->lanes);
  EXPECT_EQ(16u, scale->explicit_bytes());
  EXPECT_GT(scale->kernarg_bytes, 200u) << "explicit and hidden arguments";
  EXPECT_EQ(1024u, scale->max_workgroup_size);
  EXPECT_EQ(0, scale->vgpr_spills);
  ASSERT_GE(scale->arguments.size(), 4u);
  EXPECT_EQ(ArgumentKind::global_buffer, scale->arguments[0].kind);
  EXPECT_EQ(8u, scale->arguments[1].offset);
  EXPECT_EQ(4u, scale->arguments[1].size);
  EXPECT_EQ(ArgumentKind::hidden_block_count_x, scale->arguments[3].kind);
  const KernelInfo* halve = object->kernel("_Z5halvePDF16_");
  ASSERT_NE(nullptr, halve);
  EXPECT_EQ("halve(_Float16*)", halve->demangled);
  const Symbol* table = object->symbol("module_table");
  ASSERT_NE(nullptr, table);
  EXPECT_EQ(32u, table->size);
  int values[4];
  std::memcpy(values, reinterpret_cast<const void*>(table->address), sizeof values);
  EXPECT_EQ(7, values[2]);
  EXPECT_TRUE(Arena::instance().find(table->address)) << "kernels may read and write globals";
  const Program& program = object->program(*scale);
  EXPECT_EQ(&program, &object->program(*scale)) << "decoded once";
  EXPECT_NE(nullptr, program.entry);
}

TEST(CodeObject, GlobalsLeaveTheArenaWithTheirObject) {
  const std::vector<std::uint8_t> file = read_file(MODULE_OBJECT);
  std::shared_ptr<CodeObject> object = CodeObject::load(Bytes(file), 0);
  const std::uint64_t address = object->symbol("module_table")->address;
  object.reset();
  EXPECT_FALSE(Arena::instance().find(address));
}

TEST(CodeObject, TruncatedFilesAreErrors) {
  const std::vector<std::uint8_t> file = read_file(MODULE_OBJECT);
  for (std::size_t bytes = 0; bytes + 1 < file.size(); bytes += 61) {
    const std::vector<std::uint8_t> part(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(bytes));
    EXPECT_THROW(CodeObject::load(Bytes(part), 0), CodeObjectError) << bytes << " of " << file.size();
  }
}

TEST(CodeObject, RandomDamageIsAnErrorOrHarmless) {
  const std::vector<std::uint8_t> file = read_file(MODULE_OBJECT);
  std::mt19937 random(11);
  int errors = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::uint8_t> damaged = file;
    const int flips = 1 + static_cast<int>(random() % 4);
    for (int i = 0; i < flips; ++i)
      damaged[random() % std::min<std::size_t>(damaged.size(), 2048)] = static_cast<std::uint8_t>(random());
    try {
      CodeObject::load(Bytes(damaged), 0);
    } catch (const CodeObjectError&) {
      ++errors;
    }
  }
  EXPECT_GT(errors, 100);
}

TEST(CodeObject, OtherMachinesAreRefused) {
  std::vector<std::uint8_t> file = read_file(MODULE_OBJECT);
  file[18] = 62, file[19] = 0;  // x86-64
  try {
    CodeObject::load(Bytes(file), 0);
    FAIL();
  } catch (const CodeObjectError& error) {
    EXPECT_STREQ("the ELF file is for machine 62, not a 64-bit AMDGPU one (224)", error.what());
  }
}

TEST(CodeObject, CompressedFileHoldsTheSameObject) {
  const std::vector<std::uint8_t> file = read_file(MODULE_COMPRESSED);
  EXPECT_EQ(0, std::memcmp(file.data(), "CCOB", 4));
  const std::vector<BundleEntry> entries = read_bundle(Bytes(file));
  ASSERT_EQ(1u, entries.size());
  EXPECT_EQ("gfx942", entries[0].target);
  EXPECT_EQ(3u, CodeObject::load(Bytes(entries[0].object), 0)->kernels().size());
}

}  // namespace
}  // namespace zellige::sim
