// Atomics in global memory: what they leave, what they return, in every address space that has them.
#include "simulator/test/execute/memory_widths.hpp"

namespace zellige::sim::test {
namespace {

constexpr int result_row = 300;

float as_float(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
std::uint32_t as_bits(float value) { return __builtin_bit_cast(std::uint32_t, value); }

TEST(GlobalAtomics, UpdateMemoryAndReturnWhatWasThere) {
  DeviceBytes memory(1024);
  for (const std::string& set : host_sets())
    for (const std::string space : {"global", "flat", "buffer"}) {
      const bool buffer = space == "buffer";
      const auto run = [&](Machine& machine, const std::string& name, bool returns) {
        std::uint64_t addresses[64];
        for (std::uint64_t& address : addresses) address = (buffer ? 0 : memory.address()) + 64;
        machine.set_addresses(address_row, addresses);
        machine.set_buffer(20, memory.data(), 1024);
        Instruction instruction;
        instruction.offset = 8;
        instruction.flags = (returns ? flag_glc : 0u) | (buffer ? flag_offen : 0u);
        instruction.src[buffer ? 1 : 0] = vector_operand(address_row, 2);
        instruction.src[buffer ? 0 : 1] = vector_operand(data_row, 4);
        if (buffer)
          instruction.src[2] = scalar_operand(20, 4);
        else
          instruction.dst = vector_operand(result_row, 2);
        return machine.run(space + "_atomic_" + name, instruction);
      };
      const auto result = [&](Machine& machine, int lane) {
        return machine.wave.row(buffer ? data_row : result_row)[lane];
      };
      Machine machine(set);
      std::memset(memory.data(), 0, 1024);
      for (int lane = 0; lane < 64; ++lane) machine.wave.row(data_row)[lane] = 2;
      ASSERT_TRUE(run(machine, "add", true)) << machine.fault.message;
      EXPECT_EQ(dword(memory.data() + 72), 128u);
      for (int lane = 0; lane < 64; ++lane) EXPECT_EQ(result(machine, lane), static_cast<std::uint32_t>(2 * lane));
      for (int lane = 0; lane < 64; ++lane) {
        machine.wave.row(data_row)[lane] = static_cast<std::uint32_t>(lane + 1000);  // new value
        machine.wave.row(data_row + 1)[lane] = static_cast<std::uint32_t>(lane == 5 ? 128 : 4);
      }
      ASSERT_TRUE(run(machine, "cmpswap", true));
      EXPECT_EQ(dword(memory.data() + 72), 1005u);
      EXPECT_EQ(result(machine, 5), 128u);
      EXPECT_EQ(result(machine, 6), 1005u);
      for (int lane = 0; lane < 64; ++lane) machine.wave.row(data_row)[lane] = as_bits(0.5f);
      std::memset(memory.data(), 0, 1024);
      ASSERT_TRUE(run(machine, "add_f32", false));
      EXPECT_EQ(as_float(dword(memory.data() + 72)), 32.0f);
      EXPECT_EQ(machine.wave.row(data_row)[3], as_bits(0.5f)) << "without glc nothing returns";
      std::memset(memory.data(), 0, 1024);
      for (int lane = 0; lane < 64; ++lane) machine.wave.row(data_row)[lane] = 0x3c004000;  // {2, 1}
      ASSERT_TRUE(run(machine, "pk_add_f16", false));
      EXPECT_EQ(dword(memory.data() + 72), 0x54005800u);  // {128, 64}
      std::memset(memory.data(), 0, 1024);
      for (int lane = 0; lane < 64; ++lane) {
        machine.wave.row(data_row)[lane] = 0;
        machine.wave.row(data_row + 1)[lane] = 0x3ff00000;  // 1.0
      }
      ASSERT_TRUE(run(machine, "add_f64", false));
      EXPECT_EQ(dword(memory.data() + 76), 0x40500000u);  // 64.0
      std::memset(memory.data(), 0xff, 1024);
      ASSERT_TRUE(run(machine, "umin_x2", false));
      EXPECT_EQ(dword(memory.data() + 76), 0x3ff00000u);
    }
}

}  // namespace
}  // namespace zellige::sim::test
