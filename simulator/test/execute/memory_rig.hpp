// Memory instructions from assembly text in waves of 32 and 64 lanes: a wave with LDS, scratch and a device buffer, the
// widths under the names of gfx11 and later, and the sweep over widths, address patterns and EXEC masks.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "simulator/test/execute/assembly_machine.hpp"
#include "simulator/test/execute/memory_widths.hpp"

namespace zellige::sim::test {

struct WaveTarget {
  const char* target;
  int lanes;
};
inline constexpr WaveTarget rdna_targets[] = {{"gfx1100", 32}, {"gfx1100", 64}, {"gfx1151", 32},
                                              {"gfx1201", 32}, {"gfx1201", 64}, {"gfx1250", 32}};

inline bool is_gfx11(const WaveTarget& at) { return std::string(at.target).starts_with("gfx11"); }
inline bool is_gfx1250(const WaveTarget& at) { return std::string(at.target) == "gfx1250"; }

/// v[data_row...] hold data, v4 (and v5) addresses; s[2:3] a base, s[16:19] a descriptor, s24 a scalar offset.
class MemoryRig : public AssemblyMachine {
 public:
  static constexpr std::uint32_t memory_size = 8192, lds_size = 8192, scratch_size = 8192;

  explicit MemoryRig(const WaveTarget& at)
      : AssemblyMachine(at.target, at.lanes),
        lanes(at.lanes),
        wide_descriptor(is_gfx1250(at)),
        memory(memory_size),
        lds_(lds_size + 64),
        scratch_(scratch_size * row_lanes) {
    lds = lds_.data() + (64 - reinterpret_cast<std::uintptr_t>(lds_.data()) % 64) % 64;
    group().lds = lds;
    group().lds_bytes = lds_size;
    wave().scratch = scratch = scratch_.data();
    wave().scratch_bytes = scratch_size;
    wave().scalar[scalar_shared_base + 1] = 0x10000;
    wave().scalar[scalar_private_base + 1] = 0x20000;
    wave().scalar[scalar_m0] = ~0u;
    fill();
  }

  /// Memory, LDS, scratch and the data registers hold known bytes again.
  void fill() {
    fill_bytes(memory.data(), memory_size);
    fill_bytes(lds, lds_size);
    fill_bytes(scratch, scratch_.size());
    fill_registers(wave());
  }
  void set_addresses(std::uint64_t base, const std::vector<std::uint32_t>& at) {
    for (int lane = 0; lane < lanes; ++lane) set_v64(address_row, lane, base + at[static_cast<std::size_t>(lane)]);
  }
  void set_offsets(std::uint32_t base, const std::vector<std::uint32_t>& at) {
    for (int lane = 0; lane < lanes; ++lane) v(address_row, lane) = base + at[static_cast<std::size_t>(lane)];
  }
  /// A linear descriptor of the target with OOB_SELECT `select` and more bits of word 3.
  void set_buffer(const void* base, std::uint32_t records, std::uint32_t select = 3, std::uint32_t stride = 0,
                  std::uint32_t word3 = 0) {
    const auto address = reinterpret_cast<std::uint64_t>(base);
    if (wide_descriptor) {
      set_s64(descriptor, address | std::uint64_t{records} << 57);
      set_s64(descriptor + 2, records >> 7 | std::uint64_t{stride} << 44 | std::uint64_t{select} << 60);
      return;
    }
    set_s64(descriptor, address);
    s(descriptor + 1) |= stride << 16;
    s(descriptor + 2) = records;
    s(descriptor + 3) = select << 28 | word3;
  }

  const int lanes;
  const bool wide_descriptor;  ///< gfx1250
  DeviceBytes memory;
  std::uint8_t *lds, *scratch;

 private:
  std::vector<std::uint8_t> lds_, scratch_;
};

/// The suffixes of gfx11 for load_widths() and store_widths, in their order.
inline constexpr const char* load_suffixes[] = {"u8",        "i8",     "u16",       "i16",     "d16_u8",
                                                "d16_hi_u8", "d16_i8", "d16_hi_i8", "d16_b16", "d16_hi_b16",
                                                "b32",       "b64",    "b96",       "b128"};
inline constexpr const char* store_suffixes[] = {"b8", "d16_hi_b8", "b16", "d16_hi_b16", "b32", "b64", "b96", "b128"};

/// "v8", "v[8:9]", ...: where an access of `bytes` has its data.
inline std::string data_registers(int bytes, int first = data_row) {
  const int words = (bytes + 3) / 4;
  if (words == 1) return "v" + std::to_string(first);
  return "v[" + std::to_string(first) + ":" + std::to_string(first + words - 1) + "]";
}

/// A form of address: the operands' text around the data, and how the lanes' offsets get into the registers.
struct AddressForm {
  std::string before, after;  ///< of a store; a load has its destination first
  std::function<void(MemoryRig&, const std::vector<std::uint32_t>&)> aim;
  std::function<std::uint8_t*(MemoryRig&, int lane, std::uint32_t offset)> at;
  bool same_address = false;  ///< the form has no vector address
  std::string prefix;         ///< "global_"
};

inline std::vector<std::uint32_t> lane_offsets(const AddressForm& form, int pattern, int bytes) {
  if (form.same_address) return std::vector<std::uint32_t>(64, 64);
  return offsets(pattern, bytes, 4096);
}

inline constexpr std::uint64_t rig_masks[] = {~std::uint64_t{0}, 0x8000000080000001ull, 0x5a5a00ff12345678ull, 0};

inline void check_rig_loads(const WaveTarget& target, const AddressForm& form,
                            const char* const* suffixes = load_suffixes) {
  for (std::size_t width = 0; width < load_widths().size(); ++width) {
    const Width& kind = load_widths()[width];
    const std::string mnemonic = form.prefix + suffixes[width];
    MemoryRig rig(target);
    const std::string before = form.before.empty() ? "" : ", " + form.before;
    rig.prepare(mnemonic + " " + data_registers(kind.bytes) + before + form.after);
    for (int pattern = 0; pattern < 4; ++pattern)
      for (const std::uint64_t mask : rig_masks) {
        rig.fill();
        const auto at = lane_offsets(form, pattern, kind.bytes);
        form.aim(rig, at);
        rig.set_exec(rig.lanes == 64 ? mask : mask & 0xffffffffu);
        std::uint32_t old[4][64];
        for (int w = 0; w < 4; ++w)
          for (int lane = 0; lane < 64; ++lane) old[w][lane] = rig.v(data_row + w, lane);
        ASSERT_EQ(rig.execute(), "") << target.target << " " << mnemonic << form.before << form.after;
        for (int w = 0; w < 4; ++w)
          for (int lane = 0; lane < rig.lanes; ++lane) {
            const bool written = (mask >> lane & 1) && 4 * w < kind.bytes;
            const std::uint8_t* from = form.at(rig, lane, at[static_cast<std::size_t>(lane)]);
            ASSERT_EQ(rig.v(data_row + w, lane), written ? kind.loaded(old[w][lane], from, w) : old[w][lane])
                << target.target << " " << mnemonic << form.before << form.after << " lane " << lane << " dword " << w
                << " pattern " << pattern << " exec " << std::hex << mask;
          }
      }
    rig.judged();
  }
}

inline void check_rig_stores(const WaveTarget& target, const AddressForm& form,
                             const char* const* suffixes = store_suffixes) {
  for (std::size_t width = 0; width < std::size(store_widths); ++width) {
    const StoreWidth& kind = store_widths[width];
    const std::string mnemonic = form.prefix + suffixes[width];
    MemoryRig rig(target), expected(target);
    rig.prepare(mnemonic + " " + form.before + (form.before.empty() ? "" : ", ") + data_registers(kind.bytes) +
                form.after);
    for (int pattern = 0; pattern < 4; ++pattern)
      for (const std::uint64_t mask : rig_masks) {
        rig.fill();
        const auto at = lane_offsets(form, pattern, kind.bytes);
        form.aim(rig, at);
        rig.set_exec(rig.lanes == 64 ? mask : mask & 0xffffffffu);
        expected.fill();
        for (int lane = 0; lane < rig.lanes; ++lane)
          for (int byte = 0; byte < kind.bytes && (mask >> lane & 1); ++byte)
            form.at(expected, lane, at[static_cast<std::size_t>(lane)])[byte] =
                static_cast<std::uint8_t>(rig.v(data_row + byte / 4, lane) >> (8 * (byte % 4) + kind.first_bit));
        ASSERT_EQ(rig.execute(), "") << target.target << " " << mnemonic << form.before << form.after;
        const auto same = [](const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes) {
          return std::memcmp(a, b, bytes) == 0;
        };
        ASSERT_TRUE(same(rig.memory.data(), expected.memory.data(), MemoryRig::memory_size) &&
                    same(rig.lds, expected.lds, MemoryRig::lds_size) &&
                    same(rig.scratch, expected.scratch, std::size_t{MemoryRig::scratch_size} * row_lanes))
            << target.target << " " << mnemonic << form.before << form.after << " pattern " << pattern << " exec "
            << std::hex << mask;
      }
    rig.judged();
  }
}

}  // namespace zellige::sim::test
