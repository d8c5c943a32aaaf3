// LDS tiles: every byte has one place, chunks stay whole, and fragment reads and staging writes meet no bank twice.
#include "zellige/layout/swizzle.hpp"

#include <gtest/gtest.h>

#include <set>

#include "zellige/atom/mma.hpp"

namespace zellige {
namespace {

/// address() is injective and in bounds, keeps 16-byte chunks whole, and steps of period() rows are constants.
void expect_tile(const LdsTile& tile) {
  std::set<std::uint32_t> taken;
  const auto step = static_cast<std::uint32_t>(tile.period() * tile.pitch_bytes);
  for (std::uint32_t row = 0; row < static_cast<std::uint32_t>(tile.rows); ++row) {
    for (std::uint32_t byte = 0; byte < static_cast<std::uint32_t>(tile.row_bytes); ++byte) {
      const std::uint32_t address = tile.address(row, byte);
      ASSERT_LT(address, static_cast<std::uint32_t>(tile.bytes()));
      ASSERT_TRUE(taken.insert(address).second) << "row " << row << " byte " << byte << " falls on another";
      ASSERT_EQ(address, tile.address(row, byte / 16 * 16) + byte % 16);
      ASSERT_EQ(address % 16, byte % 16) << "chunks are aligned";
      ASSERT_EQ(tile.address(row + static_cast<std::uint32_t>(tile.period()), byte), address + step);
    }
  }
}

TEST(LdsTile, EveryByteHasOnePlace) {
  for (int banks : {32, 64}) {
    for (int row_bytes : {16, 32, 64, 128, 256, 512}) {
      expect_tile(make_lds_tile(LdsLayout::swizzled, 48, row_bytes, banks));
      expect_tile(make_lds_tile(LdsLayout::padded, 48, row_bytes, banks));
    }
    expect_tile(make_lds_tile(LdsLayout::padded, 48, 48, banks));
    expect_tile(make_lds_tile(LdsLayout::padded, 48, 96, banks));
  }
}

TEST(LdsTile, SwizzlingLosesNoBytes) {
  EXPECT_EQ(make_lds_tile(LdsLayout::swizzled, 128, 64, 32).bytes(), 8192);
  EXPECT_EQ(make_lds_tile(LdsLayout::padded, 128, 64, 32).bytes(), 128 * 80);
  EXPECT_EQ(make_lds_tile(LdsLayout::padded, 128, 48, 32).bytes(), 128 * 48)
      << "an odd number of chunks needs no padding";
}

/// Phases: each lane of 0 to 31 is served in exactly one.
TEST(LdsPhases, ServeEveryLaneOnce) {
  for (Arch arch : all_arches) {
    for (LdsAccess access : {LdsAccess::read, LdsAccess::write}) {
      for (int bytes : {4, 8, 12, 16}) {
        const LdsPhases phases = lds_phases(arch, access, bytes);
        std::uint32_t served = 0;
        for (int i = 0; i < phases.count; ++i) {
          EXPECT_EQ(served & phases.group[i], 0u);
          served |= phases.group[i];
        }
        EXPECT_EQ(served, 0xffffffffu) << arch_traits(arch).name << " " << bytes;
      }
    }
  }
}

TEST(BankCycles, CountsDifferentWordsOfABank) {
  const LdsPhases words = lds_phases(Arch::gfx942, LdsAccess::read, 4);
  const auto cycles = [&](auto address) { return worst_bank_cycles(words, 64, 4, address); };
  EXPECT_EQ(cycles([](int lane) { return static_cast<std::uint32_t>(4 * lane); }), 1);
  EXPECT_EQ(cycles([](int) { return 64u; }), 1) << "one word is broadcast";
  EXPECT_EQ(cycles([](int lane) { return static_cast<std::uint32_t>(8 * lane); }), 2);
  EXPECT_EQ(cycles([](int lane) { return static_cast<std::uint32_t>(128 * lane); }), 32);
  EXPECT_EQ(cycles([](int lane) { return static_cast<std::uint32_t>(132 * lane); }), 1);
  const LdsPhases wide = lds_phases(Arch::gfx950, LdsAccess::read, 16);
  EXPECT_EQ(worst_bank_cycles(wide, 64, 16, [](int lane) { return static_cast<std::uint32_t>(16 * lane); }), 1);
  EXPECT_EQ(worst_bank_cycles(wide, 64, 16, [](int lane) { return static_cast<std::uint32_t>(256 * lane); }), 16);
}

/// The atom's fragment read out of a tile of `depth` k, `pack` atoms at once: the slowest phase of any k step.
int read_cycles(Arch arch, const Mma& mma, const LdsTile& tile, int depth, int pack) {
  const int bytes = bytes_of(mma.input), owned = k_slots(mma.a) * pack * bytes, width = min_of(16, owned);
  const LaneMap fragment = k_contiguous(mma.a, pack);
  const LdsPhases phases = lds_phases(arch, LdsAccess::read, width);
  int worst = 0;
  for (int k = 0; k < depth; k += mma.shape.k * pack) {
    for (int packet = 0; packet < owned; packet += width) {
      worst = max_of(worst, worst_bank_cycles(phases, fragment.lanes(), width, [&](int lane) {
                       const Coordinate c = fragment.of_lane(static_cast<unsigned>(lane));
                       const int byte = (c.column + k) * bytes + packet;
                       return tile.address(static_cast<unsigned>(c.row), static_cast<unsigned>(byte));
                     }));
    }
  }
  return worst;
}

struct ReadCase {
  Arch arch;
  Mma mma;
  int depth, pack;
};

/// Every single-block atom of AMD's targets, in tiles of 16 to 256 bytes of k, at the widest read of up to 16 bytes.
template <class Visit>
void for_each_read(Visit visit) {
  const auto rows = [&](const auto& table) {
    for (Arch arch : all_arches) {
      for (const MmaRow& row : table) {
        if (!row.archs.has(arch) || row.blocks != 1) continue;
        const Mma mma = find_mma(arch, {row.input, row.input_b()}, row.shape);
        const int bytes = bytes_of(row.input);
        for (int depth = 16 / bytes; depth <= 256 / bytes; depth *= 2) {
          if (depth % mma.shape.k != 0) continue;
          int pack = 1;
          while (k_slots(mma.a) * pack * bytes < 16 && depth % (mma.shape.k * pack * 2) == 0) pack *= 2;
          visit(ReadCase{arch, mma, depth, pack});
        }
      }
    }
  };
  rows(mfma_rows());
  rows(rdna_rows());
  rows(scalar_rows());
  rows(gfx1250_rows());
}

std::string describe(const ReadCase& c) {
  const Mnk s = c.mma.shape;
  return std::string(arch_traits(c.arch).name) + " " + name_of(c.mma.input) + " " + std::to_string(s.m) + "x" +
         std::to_string(s.n) + "x" + std::to_string(s.k) + " of " + std::to_string(c.depth) + " k, pack " +
         std::to_string(c.pack);
}

// Reads of 16 bytes are free of conflicts in a swizzled tile, for every atom and depth. Narrower ones (a tile no deeper
// than one or two atoms) cannot be: with whole 16-byte chunks, lanes that read the same part of their chunks share
// fewer banks. Nor are atoms of 16 rows on gfx950 that own 32 bytes of k in rows of 128: its phases take rows of both
// halves of the atom, which then lie two chunks apart.
TEST(Swizzled, WideFragmentReadsMeetNoBankTwice) {
  int wide = 0;
  for_each_read([&](const ReadCase& c) {
    const int bytes = bytes_of(c.mma.input), owned = k_slots(c.mma.a) * c.pack * bytes, width = min_of(16, owned);
    const LdsTile tile = make_lds_tile(LdsLayout::swizzled, 128, c.depth * bytes, arch_traits(c.arch).lds_banks);
    const int cycles = read_cycles(c.arch, c.mma, tile, c.depth, c.pack);
    if (width == 16) {
      const bool apart = c.arch == Arch::gfx950 && owned == 32 && c.mma.shape.m == 16 && c.depth * bytes == 128;
      EXPECT_EQ(cycles, apart ? 2 : 1) << describe(c);
      ++wide;
    } else {
      EXPECT_LE(cycles, 16 / width) << describe(c);
    }
  });
  EXPECT_GE(wide, 60);
}

// Padding frees atoms of 32 rows. In atoms of 16, a phase takes eight rows of one chunk and eight of the next, which
// padding moves onto each other.
TEST(Padded, WideFragmentReadsOf32Rows) {
  int wide = 0;
  for_each_read([&](const ReadCase& c) {
    const int bytes = bytes_of(c.mma.input), width = min_of(16, k_slots(c.mma.a) * c.pack * bytes);
    if (width != 16) return;
    const LdsTile tile = make_lds_tile(LdsLayout::padded, 128, c.depth * bytes, arch_traits(c.arch).lds_banks);
    EXPECT_LE(read_cycles(c.arch, c.mma, tile, c.depth, c.pack), c.mma.shape.m == 32 ? 1 : 2) << describe(c);
    ++wide;
  });
  EXPECT_GE(wide, 60);
}

// Without a cure the same reads do meet: the counter sees it.
TEST(Plain, FragmentReadsCollide) {
  LdsTile plain = make_lds_tile(LdsLayout::swizzled, 128, 64, 32);
  plain.mask = 0;
  EXPECT_EQ(read_cycles(Arch::gfx942, find_mma(Arch::gfx942, DataType::f16, {32, 32, 8}), plain, 32, 2), 4);
}

/// What tile/transposed_reader.hpp reads at once: lane i's first element out of lines of k, which hold `rows` elements.
template <class Address>
int transposed_read_cycles(const LdsPhases& phases, const Mma& mma, int pack, int elements, Address address) {
  const LaneMap fragment = k_contiguous(mma.a, pack);
  const int together = 64 / elements, lanes_of_line = together / elements;
  int worst = 0;
  for (int first = 0; first < k_slots(mma.a) * pack; first += elements) {
    const auto address_of = [&](int lane) {
      const int within = lane % together;
      const Coordinate at = fragment.of_lane(static_cast<unsigned>(lane - within));
      return address(static_cast<unsigned>(at.column + first + within / lanes_of_line),
                     static_cast<unsigned>(at.row + within % lanes_of_line * elements));
    };
    worst = max_of(worst, worst_bank_cycles(phases, fragment.lanes(), elements * 2, address_of));
  }
  return worst;
}

// Transposed reads of every 16-bit atom that gfx950 and gfx1250 have are free of conflicts out of lines of at least 32 elements, and
// wider lines collide without the swizzle.
TEST(Transposed, ReadsMeetNoBankTwice) {
  int tiles = 0;
  for (const MmaRow& row : mfma_rows()) {
    if (!row.archs.has(Arch::gfx950) || row.blocks != 1 || bytes_of(row.input) != 2) continue;
    const Mma mma = mfma_of(row);
    for (int pack = 1; pack * k_slots(mma.a) <= 8; pack *= 2) {
      for (int rows : {32, 64, 128, 256}) {
        const int skipped = mma.shape.m == 16 && pack * k_slots(mma.a) > 4 ? 2 : -1;
        LdsTile tile = make_transposed_lds_tile(LdsLayout::swizzled, 32, rows * 2, 64, mma.shape.m / 8, skipped);
        const auto cycles = [&] {
          return transposed_read_cycles(lds_phases(Arch::gfx950, LdsAccess::read, 8), mma, pack, 4,
                                        [&](unsigned k, unsigned r) { return tile.address(k, r * 2); });
        };
        EXPECT_EQ(cycles(), 1) << mma.shape.m << " rows of k = " << mma.shape.k << ", pack " << pack << ", " << rows;
        expect_tile(tile);
        tile.mask = 0;
        if (rows >= 128) EXPECT_GE(cycles(), 4);
        ++tiles;
      }
    }
  }
  EXPECT_GE(tiles, 24);
  const Mma wmma = find_mma(Arch::gfx1250, DataType::f16, {16, 16, 32});
  for (int rows : {32, 64, 128, 256}) {
    const LdsTile tile = make_transposed_lds_tile(LdsLayout::swizzled, 32, rows * 2, 64, 2, -1);
    EXPECT_EQ(transposed_read_cycles(lds_phases(Arch::gfx1250, LdsAccess::read, 16), wmma, 1, 8,
                                     [&](unsigned k, unsigned r) { return tile.address(k, r * 2); }),
              1)
        << rows;
    expect_tile(tile);
  }
}

/// Staging: consecutive lanes write consecutive 16-byte chunks of consecutive rows.
TEST(Swizzled, StagingWritesMeetNoBankTwice) {
  for (Arch arch : {Arch::gfx90a, Arch::gfx942, Arch::gfx950}) {
    for (LdsLayout layout : {LdsLayout::swizzled, LdsLayout::padded}) {
      for (int row_bytes : {16, 32, 64, 128, 256}) {
        const LdsTile tile = make_lds_tile(layout, 128, row_bytes, arch_traits(arch).lds_banks);
        const unsigned chunks = static_cast<unsigned>(row_bytes) / 16;
        const int cycles = worst_bank_cycles(lds_phases(arch, LdsAccess::write, 16), 64, 16, [&](int lane) {
          const auto i = static_cast<unsigned>(lane);
          return tile.address(i / chunks, i % chunks * 16);
        });
        EXPECT_LE(cycles, layout == LdsLayout::swizzled ? 1 : 2) << arch_traits(arch).name << " rows of " << row_bytes;
      }
    }
  }
}

}  // namespace
}  // namespace zellige
