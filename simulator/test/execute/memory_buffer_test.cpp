// Buffer accesses: every width, the bounds rule, descriptors, loads to LDS.
#include "simulator/test/execute/memory_widths.hpp"

namespace zellige::sim::test {
namespace {

TEST(BufferMemory, LoadsAndStoresEveryWidth) {
  DeviceBytes memory(4096);
  fill_bytes(memory.data(), 4096);
  const auto aim = [&](Machine& machine, const std::vector<std::uint32_t>& at) {
    machine.set_buffer(descriptor, memory.data() - 1000, 5096);
    machine.wave.scalar[soffset] = 990;
    for (std::size_t lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = at[lane];
  };
  Instruction load = buffer_load(), store = buffer_store();
  load.offset = store.offset = 10;
  check_loads("buffer_load_", aim, load, memory.data());
  check_stores("buffer_store_", aim, store, memory.data(), 4096);
}

TEST(BufferMemory, BoundsAreCheckedPerDwordOrElement) {
  DeviceBytes memory(1024);
  fill_bytes(memory.data(), 1024);
  for (const std::string& set : host_sets()) {
    // A dwordx4 that straddles num_records gives the dwords inside and zeros behind.
    Machine machine(set);
    machine.set_buffer(descriptor, memory.data(), 136);
    for (int lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = static_cast<std::uint32_t>(lane) * 4;
    ASSERT_TRUE(machine.run("buffer_load_dwordx4", buffer_load()));
    for (int lane = 0; lane < 64; ++lane)
      for (int w = 0; w < 4; ++w) {
        const int at = lane * 4 + 4 * w;
        EXPECT_EQ(machine.wave.row(data_row + w)[lane], at + 4 <= 136 ? dword(memory.data() + at) : 0u)
            << lane << " " << w;
      }
    // Stores drop what is outside.
    fill_registers(machine.wave);
    std::memset(memory.data(), 0, 1024);
    for (int lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = static_cast<std::uint32_t>(lane) * 16;
    ASSERT_TRUE(machine.run("buffer_store_dwordx4", buffer_store()));
    for (int at = 0; at < 1024; at += 4)
      EXPECT_EQ(dword(memory.data() + at), at < 136 ? machine.wave.row(data_row + at / 4 % 4)[at / 16] : 0u) << at;
    // A 2-byte access of the last element is inside; a 4-byte access there is not.
    Machine last(set);
    last.set_buffer(descriptor, memory.data(), 130);
    fill_registers(last.wave);
    std::memset(memory.data(), 0, 1024);
    for (int lane = 0; lane < 64; ++lane) last.wave.row(address_row)[lane] = 128;
    last.set_exec(1);
    ASSERT_TRUE(last.run("buffer_store_dword", buffer_store()));
    EXPECT_EQ(dword(memory.data() + 128), 0u);
    ASSERT_TRUE(last.run("buffer_store_short", buffer_store()));
    EXPECT_EQ(dword(memory.data() + 128), last.wave.row(data_row)[0] & 0xffffu);
    ASSERT_TRUE(last.run("buffer_load_dword", buffer_load()));
    EXPECT_EQ(last.wave.row(data_row)[0], 0u);
    ASSERT_TRUE(last.run("buffer_load_ushort", buffer_load()));
    EXPECT_EQ(last.wave.row(data_row)[0], half(memory.data() + 128));
  }
}

TEST(BufferMemory, SentinelOffsetsLoadZeroAndStoreNothing) {
  DeviceBytes memory(4096);
  for (const std::string& set : host_sets())
    for (const std::uint32_t sentinel : {0x7fffffffu, 0xffffffffu, 0x80000000u})
      for (const int immediate : {0, 16, 4095}) {
        fill_bytes(memory.data(), 4096);
        const std::vector<std::uint8_t> before(memory.data(), memory.data() + 4096);
        Machine machine(set);
        machine.set_buffer(descriptor, memory.data(), 4096);
        fill_registers(machine.wave);
        for (int lane = 0; lane < 64; ++lane)
          machine.wave.row(address_row)[lane] =
              lane % 3 == 0 || immediate > 4000 ? sentinel : static_cast<std::uint32_t>(lane) * 16;
        Instruction load = buffer_load(), store = buffer_store();
        load.offset = store.offset = immediate;
        ASSERT_TRUE(machine.run("buffer_load_dwordx4", load)) << machine.fault.message;
        for (int lane = 0; lane < 64; ++lane)
          for (int w = 0; w < 4; ++w) {
            const std::uint32_t at = machine.wave.row(address_row)[lane];
            EXPECT_EQ(machine.wave.row(data_row + w)[lane],
                      at == sentinel ? 0u : dword(memory.data() + at + static_cast<std::uint32_t>(immediate + 4 * w)));
          }
        for (int lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = sentinel;
        ASSERT_TRUE(machine.run("buffer_store_dwordx4", store));
        EXPECT_EQ(std::vector<std::uint8_t>(memory.data(), memory.data() + 4096), before);
        EXPECT_EQ(machine.counts.store_bytes, 0u);
      }
}

TEST(BufferMemory, ScalarOffsetShrinksTheRange) {
  DeviceBytes memory(1024);
  fill_bytes(memory.data(), 1024);
  for (const std::string& set : host_sets()) {
    Machine machine(set);
    machine.set_buffer(descriptor, memory.data(), 512);
    for (int lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = static_cast<std::uint32_t>(lane) * 4;
    machine.wave.scalar[soffset] = 400;
    ASSERT_TRUE(machine.run("buffer_load_dword", buffer_load()));
    for (int lane = 0; lane < 64; ++lane)
      EXPECT_EQ(machine.wave.row(data_row)[lane], lane * 4 + 404 <= 512 ? dword(memory.data() + lane * 4 + 400) : 0u);
    machine.wave.scalar[soffset] = 4000;
    ASSERT_TRUE(machine.run("buffer_load_dword", buffer_load()));
    for (int lane = 0; lane < 64; ++lane) EXPECT_EQ(machine.wave.row(data_row)[lane], 0u);
  }
}

TEST(BufferMemory, IndexedAccessCountsRecords) {
  DeviceBytes memory(1024);
  fill_bytes(memory.data(), 1024);
  for (const std::string& set : host_sets()) {
    Machine machine(set);
    machine.set_buffer(descriptor, memory.data(), 40, 16);
    for (int lane = 0; lane < 64; ++lane) {
      machine.wave.row(address_row)[lane] = static_cast<std::uint32_t>(lane);
      machine.wave.row(address_row + 1)[lane] = 4;
    }
    ASSERT_TRUE(machine.run("buffer_load_dwordx2", buffer_load(flag_idxen | flag_offen))) << machine.fault.message;
    for (int lane = 0; lane < 64; ++lane)
      EXPECT_EQ(machine.wave.row(data_row + 1)[lane], lane < 40 ? dword(memory.data() + lane * 16 + 8) : 0u);
  }
}

TEST(BufferMemory, RangeBeyondTheAllocationIsAFault) {
  DeviceBytes memory(256);
  for (const std::string& set : host_sets()) {
    Machine machine(set);
    machine.set_buffer(descriptor, memory.data(), 0x80000000u);
    for (int lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = static_cast<std::uint32_t>(lane) * 4;
    EXPECT_TRUE(machine.run("buffer_load_dword", buffer_load())) << machine.fault.message;
    machine.wave.row(address_row)[9] = 256;
    EXPECT_FALSE(machine.run("buffer_load_dword", buffer_load()));
    EXPECT_NE(machine.fault.message.find("lane 9 loads 4 bytes"), std::string::npos) << machine.fault.message;
  }
}

TEST(BufferMemory, LoadsToLdsAreConsecutiveByLane) {
  DeviceBytes memory(4096);
  fill_bytes(memory.data(), 4096);
  for (const std::string& set : host_sets())
    for (const auto& [mnemonic, bytes] :
         {std::pair{"buffer_load_dword", 4}, std::pair{"buffer_load_dwordx4", 16},
          std::pair{"global_load_lds_dword", 4}, std::pair{"global_load_lds_dwordx4", 16}}) {
      const bool buffer = mnemonic[0] == 'b';
      Machine machine(set, "gfx950");
      machine.set_buffer(descriptor, memory.data(), 2048);
      machine.wave.scalar[scalar_m0] = 512;
      std::uint64_t addresses[64];
      for (unsigned lane = 0; lane < 64; ++lane) addresses[lane] = (buffer ? 0 : memory.address()) + (63 - lane) * 32;
      machine.set_addresses(address_row, addresses);
      Instruction load = buffer ? buffer_load(flag_offen | flag_lds) : global_load();
      load.dst = {};
      load.offset = 64;
      machine.set_exec(~std::uint64_t{2});
      std::memset(machine.lds(), 0x77, 4096);
      ASSERT_TRUE(machine.run(mnemonic, load)) << machine.fault.message;
      for (int lane = 0; lane < 64; ++lane)
        for (int byte = 0; byte < bytes; ++byte) {
          const int from = (63 - lane) * 32 + 64 + byte;
          const int expected = lane == 1 ? 0x77 : buffer && from >= 2048 ? 0 : memory.data()[from];
          ASSERT_EQ(machine.lds()[512 + 64 + lane * bytes + byte], expected) << mnemonic << " lane " << lane;
        }
    }
}

}  // namespace
}  // namespace zellige::sim::test
