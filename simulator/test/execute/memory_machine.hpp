// One wave on a workgroup of its own, for tests that run single memory and matrix instructions without the runtime.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/decode/program.hpp"
#include "simulator/execute/host_sets.hpp"
#include "simulator/execute/workgroup.hpp"
#include "simulator/memory/arena.hpp"
#include "simulator/test/execute/conformance.hpp"

namespace zellige::sim::test {

/// Names of the host instruction sets that this machine can run, generic first.
inline std::vector<std::string> host_sets() {
  std::vector<std::string> names;
  for (const HostSet& set : sim::host_sets())
    if (set.present) names.insert(names.begin(), std::string(set.name));
  return names;
}

inline const Operation* find_operation(std::string_view name, std::string_view mnemonic, int lanes = 64) {
  for (const HostSet& set : sim::host_sets()) {
    if (set.name != name) continue;
    OperationTable tables[most_tables];
    const int count = set.tables(lanes, tables);
    for (int table = 0; table < count; ++table)
      for (std::size_t i = 0; i < tables[table].count; ++i)
        if (tables[table].begin[i].mnemonic == mnemonic) return &tables[table].begin[i];
  }
  return nullptr;
}

inline Operand vector_operand(int row, int words = 1) {
  Operand operand;
  operand.kind = OperandKind::vector;
  operand.index = static_cast<std::uint16_t>(row);
  operand.words = static_cast<std::uint8_t>(words);
  return operand;
}

inline Operand scalar_operand(int number, int words = 1) {
  Operand operand;
  operand.kind = OperandKind::scalar;
  operand.index = static_cast<std::uint16_t>(number);
  operand.words = static_cast<std::uint8_t>(words);
  return operand;
}

class Machine {
 public:
  explicit Machine(std::string set, const std::string& target = "gfx942", std::uint32_t lds_bytes = 65536)
      : set_(std::move(set)),
        registers_(new (std::align_val_t{64}) std::uint32_t[allocated_rows * row_lanes]()),
        lds_(lds_bytes + 64) {
    program_.target = target;
    program_.kernel = "test_kernel";
    program_.instructions.resize(2);
    program_.addresses = {0x1000, 0x1008};
    program_.texts = {"", "s_endpgm"};
    group_.program = &program_;
    group_.arena = &Arena::instance();
    group_.counts = &counts;
    group_.fault = &fault;
    group_.lds = lds_.data() + (64 - reinterpret_cast<std::uintptr_t>(lds_.data()) % 64) % 64;
    group_.lds_bytes = lds_bytes;
    wave.vector = registers_.get();
    wave.group = &group_;
    wave.scalar[scalar_shared_base + 1] = 0x10000;
    wave.scalar[scalar_private_base + 1] = 0x20000;
    set_exec(~std::uint64_t{0});
  }

  void set_exec(std::uint64_t mask) {
    wave.set_scalar64(scalar_exec, mask);
    wave.refresh_exec();
  }
  void set_scratch(std::uint32_t bytes_a_lane) {
    scratch_.assign(std::size_t{bytes_a_lane} * row_lanes, 0);
    wave.scratch = scratch_.data();
    wave.scratch_bytes = bytes_a_lane;
  }
  /// A raw buffer descriptor in four scalars from `first`.
  void set_buffer(int first, const void* base, std::uint32_t records, std::uint32_t stride = 0) {
    wave.set_scalar64(first, reinterpret_cast<std::uint64_t>(base));
    wave.scalar[static_cast<std::size_t>(first) + 1] |= stride << 16;
    wave.scalar[static_cast<std::size_t>(first) + 2] = records;
    wave.scalar[static_cast<std::size_t>(first) + 3] = 0x00027000;
  }
  void set_addresses(int row, const std::uint64_t* addresses) {
    for (int lane = 0; lane < row_lanes; ++lane) {
      wave.row(row)[lane] = static_cast<std::uint32_t>(addresses[lane]);
      wave.row(row + 1)[lane] = static_cast<std::uint32_t>(addresses[lane] >> 32);
    }
  }

  /// Runs one instruction; true if it went on to the next one. Absent mnemonics are an empty handler: false.
  bool run(std::string_view mnemonic, Instruction instruction) {
    const Operation* operation = find_operation(set_, mnemonic);
    if (operation == nullptr) return false;
    instruction.flags |= operation->flags;
    instruction.op_class = operation->op_class;
    program_.texts[0] = std::string(mnemonic);
    program_.instructions[0] = instruction;
    return operation->plain(wave, program_.instructions.data()) == program_.instructions.data() + 1;
  }

  /// Notes that the results of `mnemonic` agreed with expectations derived from the ISA.
  void judged(std::string_view mnemonic) const { test::judged(program_.target, mnemonic); }

  std::uint8_t* lds() { return group_.lds; }
  Workgroup& group() { return group_; }

  Wave wave;
  Counts counts;
  Fault fault;

 private:
  struct AlignedDelete {
    void operator()(std::uint32_t* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  std::string set_;
  std::unique_ptr<std::uint32_t[], AlignedDelete> registers_;
  std::vector<std::uint8_t> lds_, scratch_;
  Program program_;
  Workgroup group_;
};

/// Device memory that lives as long as the test.
class DeviceBytes {
 public:
  explicit DeviceBytes(std::size_t bytes) : data_(static_cast<std::uint8_t*>(Arena::instance().allocate(bytes, 0))) {
    std::memset(data_, 0, bytes);
  }
  ~DeviceBytes() { Arena::instance().release(data_); }
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;
  std::uint8_t* data() { return data_; }
  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(data_); }

 private:
  std::uint8_t* data_;
};

}  // namespace zellige::sim::test
