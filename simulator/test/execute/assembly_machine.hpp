// One wave that runs assembly text, for tests of single instructions from text to registers, without the runtime.
//
// The text is assembled in the process by LLVM's C API, decoded as a kernel's code is, and executed on the host
// instruction set that operations() chose. Expected values must come from the ISA's definition, not from the
// simulator's own functions.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simulator/decode/program.hpp"
#include "simulator/execute/executor.hpp"

namespace zellige::sim::test {

/// The machine code of `text` for `target` in waves of `lanes` lanes, without headers.
std::vector<std::uint8_t> assemble(const std::string& target, const std::string& text, int lanes = 64);

class AssemblyMachine {
 public:
  explicit AssemblyMachine(std::string target = "gfx942", int lanes = 64);

  std::uint32_t& v(int number, int lane) { return wave().vector[number * row_lanes + lane]; }
  std::uint32_t& a(int number, int lane) { return v(first_agpr_row + number, lane); }
  std::uint32_t& s(int number) { return wave().scalar[number]; }
  std::uint64_t s64(int number) { return wave().scalar64(number); }
  void set_s64(int number, std::uint64_t value) { wave().set_scalar64(number, value); }
  void set_v64(int number, int lane, std::uint64_t value) {
    v(number, lane) = static_cast<std::uint32_t>(value);
    v(number + 1, lane) = static_cast<std::uint32_t>(value >> 32);
  }
  std::uint64_t v64(int number, int lane) { return v(number, lane) | std::uint64_t{v(number + 1, lane)} << 32; }
  void set_exec(std::uint64_t mask) {
    wave().set_scalar64(scalar_exec, mask);
    wave().refresh_exec();
  }
  Wave& wave() { return group_.waves[0]; }
  Workgroup& group() { return group_; }
  const Counts& counts() const { return counts_; }
  const Program& program() const { return *program_; }

  /// Decodes `text` followed by s_endpgm; execute() runs it, as often as one likes.
  void prepare(const std::string& text);
  /// The message of the fault that the prepared text raises; empty when it raises none.
  std::string execute();
  /// Runs `text` followed by s_endpgm; std::runtime_error with the fault's message when it faults. Registers stay.
  void run(const std::string& text);
  /// The message of the fault that `text` raises; empty when it raises none.
  std::string fault(const std::string& text);
  /// Notes that the results of every instruction of the last text agreed with expectations derived from the ISA.
  void judged() const;

 private:
  std::string target_;
  int lanes_;
  std::unique_ptr<std::uint32_t, void (*)(void*)> rows_;
  std::unique_ptr<Program> program_;
  Workgroup group_;
  Counts counts_;
  Fault fault_;
};

inline std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
inline std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }
inline float as_float(std::uint32_t value) { return std::bit_cast<float>(value); }
inline double as_double(std::uint64_t value) { return std::bit_cast<double>(value); }

/// Values where arithmetic goes wrong: zeros, ones, extremes, sign changes, shift counts at and past the width.
const std::vector<std::uint32_t>& edge_integers();
/// Zeros, ones, denormals, extremes, infinities, NaN, halves and numbers near powers of two.
const std::vector<float>& edge_floats();
const std::vector<double>& edge_doubles();

}  // namespace zellige::sim::test
