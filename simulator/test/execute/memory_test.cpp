// Global, flat and scratch accesses: which bytes move, which lanes, what is out of bounds, and what a fault says.
#include "simulator/test/execute/memory_widths.hpp"

namespace zellige::sim::test {
namespace {

TEST(GlobalMemory, LoadsAndStoresEveryWidth) {
  DeviceBytes memory(4096);
  fill_bytes(memory.data(), 4096);
  const auto wide = [&](Machine& machine, const std::vector<std::uint32_t>& at) {
    std::uint64_t addresses[64];
    for (std::size_t lane = 0; lane < 64; ++lane) addresses[lane] = memory.address() + at[lane] + 24;
    machine.set_addresses(address_row, addresses);
  };
  const auto based = [&](Machine& machine, const std::vector<std::uint32_t>& at) {
    machine.wave.set_scalar64(2, memory.address() + 24);
    for (std::size_t lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = at[lane];
  };
  Instruction load = global_load(), load_based = global_load(true), store = global_store(),
              store_based = global_store(true);
  load.offset = load_based.offset = store.offset = store_based.offset = -24;
  check_loads("global_load_", wide, load, memory.data());
  check_loads("global_load_", based, load_based, memory.data());
  check_loads("flat_load_", wide, load, memory.data());
  check_stores("global_store_", wide, store, memory.data(), 4096);
  check_stores("global_store_", based, store_based, memory.data(), 4096);
  check_stores("flat_store_", wide, store, memory.data(), 4096);
}

TEST(GlobalMemory, DestinationMayHoldTheAddress) {
  DeviceBytes memory(4096);
  fill_bytes(memory.data(), 4096);
  for (const std::string& set : host_sets()) {
    Machine machine(set);
    machine.wave.set_scalar64(2, memory.address());
    for (int lane = 0; lane < 64; ++lane) machine.wave.row(data_row)[lane] = static_cast<std::uint32_t>(lane) * 32;
    Instruction load = global_load(true);
    load.src[0] = vector_operand(data_row);
    ASSERT_TRUE(machine.run("global_load_dwordx4", load));
    for (int lane = 0; lane < 64; ++lane)
      for (int w = 0; w < 4; ++w)
        ASSERT_EQ(machine.wave.row(data_row + w)[lane], dword(memory.data() + lane * 32 + 4 * w));
  }
}

TEST(GlobalMemory, LanesMayReachDifferentAllocations) {
  DeviceBytes first(64), second(64);
  fill_bytes(first.data(), 64);
  fill_bytes(second.data(), 64);
  for (const std::string& set : host_sets()) {
    Machine machine(set);
    std::uint64_t addresses[64];
    for (unsigned lane = 0; lane < 64; ++lane) addresses[lane] = (lane % 2 ? first : second).address() + lane % 16 * 4;
    machine.set_addresses(address_row, addresses);
    ASSERT_TRUE(machine.run("global_load_dword", global_load())) << machine.fault.message;
    for (unsigned lane = 0; lane < 64; ++lane)
      EXPECT_EQ(machine.wave.row(data_row)[lane], dword(first.data() + lane % 16 * 4));
  }
}

TEST(GlobalMemory, OutOfBoundsIsAFaultThatNamesLaneAndAddress) {
  DeviceBytes memory(256);
  for (const std::string& set : host_sets()) {
    for (const char* mnemonic : {"global_load_dwordx4", "global_store_dwordx4", "flat_load_dwordx2"}) {
      Machine machine(set);
      std::uint64_t addresses[64];
      for (std::uint64_t& address : addresses) address = memory.address();
      addresses[37] = memory.address() + 250;
      machine.set_addresses(address_row, addresses);
      const bool store = std::string(mnemonic).find("store") != std::string::npos;
      EXPECT_FALSE(machine.run(mnemonic, store ? global_store() : global_load()));
      EXPECT_TRUE(machine.fault.raised);
      EXPECT_NE(machine.fault.message.find(mnemonic), std::string::npos) << machine.fault.message;
      EXPECT_NE(machine.fault.message.find("lane 37"), std::string::npos) << machine.fault.message;
      char address[32];
      std::snprintf(address, sizeof address, "0x%llx", static_cast<unsigned long long>(addresses[37]));
      EXPECT_NE(machine.fault.message.find(address), std::string::npos) << machine.fault.message;
      machine.set_exec(~(std::uint64_t{1} << 37));
      machine.fault = {};
      EXPECT_TRUE(machine.run(mnemonic, store ? global_store() : global_load())) << "an inactive lane must not fault";
    }
  }
}

TEST(GlobalMemory, FreedMemoryIsAFault) {
  for (const std::string& set : host_sets()) {
    Machine machine(set);
    void* pointer = Arena::instance().allocate(256, 0);
    std::uint64_t addresses[64];
    for (std::uint64_t& address : addresses) address = reinterpret_cast<std::uint64_t>(pointer);
    machine.set_addresses(address_row, addresses);
    EXPECT_TRUE(machine.run("global_load_dword", global_load()));
    Arena::instance().release(pointer);
    EXPECT_FALSE(machine.run("global_load_dword", global_load()));
  }
}

TEST(ScratchMemory, IsPrivateToTheLaneAndBounded) {
  for (const std::string& set : host_sets()) {
    Machine machine(set);
    machine.set_scratch(64);
    fill_registers(machine.wave);
    Instruction store;
    store.src[1] = vector_operand(data_row, 4);
    store.src[2] = scalar_operand(soffset);
    machine.wave.scalar[soffset] = 16;
    store.offset = 8;
    ASSERT_TRUE(machine.run("scratch_store_dwordx4", store)) << machine.fault.message;
    for (std::uint32_t lane = 0; lane < 64; ++lane)
      for (int w = 0; w < 4; ++w)
        ASSERT_EQ(dword(machine.wave.scratch + lane * 64 + 24 + static_cast<std::uint32_t>(4 * w)),
                  machine.wave.row(data_row + w)[lane]);
    // The same bytes through the private segment's descriptor, whose soffset counts for the whole wave.
    machine.set_buffer(descriptor, nullptr, 0xffffffffu);
    machine.wave.scalar[descriptor + 3] |= 1u << 23;
    machine.wave.scalar[soffset] = 16 * 64;
    for (int lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = 4;
    Instruction load = buffer_load();
    load.dst = vector_operand(40, 4);
    load.offset = 4;
    ASSERT_TRUE(machine.run("buffer_load_dwordx4", load)) << machine.fault.message;
    for (int w = 0; w < 4; ++w)
      for (int lane = 0; lane < 64; ++lane)
        ASSERT_EQ(machine.wave.row(40 + w)[lane], machine.wave.row(data_row + w)[lane]);
    // And through a flat address in the private aperture.
    std::uint64_t addresses[64];
    for (std::uint64_t& address : addresses)
      address = std::uint64_t{machine.wave.scalar[scalar_private_base + 1]} << 32 | 24;
    machine.set_addresses(address_row, addresses);
    Instruction flat = global_load();
    flat.dst = vector_operand(50, 2);
    ASSERT_TRUE(machine.run("flat_load_dwordx2", flat)) << machine.fault.message;
    for (int lane = 0; lane < 64; ++lane) ASSERT_EQ(machine.wave.row(51)[lane], machine.wave.row(data_row + 1)[lane]);
    store.offset = 40;
    machine.wave.scalar[soffset] = 16;
    EXPECT_FALSE(machine.run("scratch_store_dwordx4", store));
    EXPECT_NE(machine.fault.message.find("scratch offset 56"), std::string::npos) << machine.fault.message;
  }
}

TEST(FlatMemory, ReachesLdsThroughItsAperture) {
  DeviceBytes memory(256);
  fill_bytes(memory.data(), 256);
  for (const std::string& set : host_sets()) {
    Machine machine(set, "gfx942", 1024);
    for (int i = 0; i < 1024; ++i) machine.lds()[i] = static_cast<std::uint8_t>(i * 5);
    std::uint64_t addresses[64];
    for (unsigned lane = 0; lane < 64; ++lane)
      addresses[lane] = lane % 2 ? memory.address() + lane
                                 : std::uint64_t{machine.wave.scalar[scalar_shared_base + 1]} << 32 | lane * 8;
    machine.set_addresses(address_row, addresses);
    ASSERT_TRUE(machine.run("flat_load_dword", global_load())) << machine.fault.message;
    for (unsigned lane = 0; lane < 64; ++lane)
      EXPECT_EQ(machine.wave.row(data_row)[lane],
                lane % 2 ? dword(memory.data() + lane) : dword(machine.lds() + lane * 8));
    machine.wave.row(address_row)[4] = 1022;
    EXPECT_FALSE(machine.run("flat_load_dword", global_load()));
    EXPECT_NE(machine.fault.message.find("lane 4 loads 4 bytes at LDS address 0x3fe"), std::string::npos)
        << machine.fault.message;
  }
}

TEST(GlobalMemory, CountsLinesOfObservedWorkgroups) {
  DeviceBytes memory(64 * 256);
  for (const std::string& set : host_sets())
    for (const auto& [stride, lines] :
         {std::pair{4u, 2u}, std::pair{0u, 1u}, std::pair{256u, 64u}, std::pair{16u, 8u}}) {
      Machine machine(set);
      machine.group().observe = true;
      machine.wave.set_scalar64(2, memory.address());
      for (unsigned lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = lane * stride;
      ASSERT_TRUE(machine.run("global_load_dword", global_load(true)));
      EXPECT_EQ(machine.counts.load_lines, lines);
      ASSERT_TRUE(machine.run("global_store_dword", global_store(true)));
      EXPECT_EQ(machine.counts.store_lines, lines);
    }
}

}  // namespace
}  // namespace zellige::sim::test
