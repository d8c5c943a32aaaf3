// A wave with one WMMA or SWMMAC that LLVM assembled and the simulator decoded, and random matrices in its registers;
// and the list of all such instructions, by target and wave size.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "simulator/decode/bind.hpp"
#include "simulator/test/execute/assembly_machine.hpp"
#include "simulator/test/execute/memory_machine.hpp"
#include "simulator/test/execute/wmma_cases.hpp"

namespace zellige::sim::test {

inline constexpr int a_first = 0, b_first = 16, c_first = 40, d_first = 60, index_first = 80, a_scale_first = 82,
                     b_scale_first = 84;

inline constexpr const char* gfx11_names[] = {"v_wmma_f32_16x16x16_f16", "v_wmma_f32_16x16x16_bf16",
                                              "v_wmma_f16_16x16x16_f16", "v_wmma_bf16_16x16x16_bf16",
                                              "v_wmma_i32_16x16x16_iu8", "v_wmma_i32_16x16x16_iu4"};
inline constexpr const char* gfx12_names[] = {
    "v_wmma_f32_16x16x16_f16",       "v_wmma_f32_16x16x16_bf16",      "v_wmma_f16_16x16x16_f16",
    "v_wmma_bf16_16x16x16_bf16",     "v_wmma_i32_16x16x16_iu8",       "v_wmma_i32_16x16x16_iu4",
    "v_wmma_i32_16x16x32_iu4",       "v_wmma_f32_16x16x16_fp8_fp8",   "v_wmma_f32_16x16x16_fp8_bf8",
    "v_wmma_f32_16x16x16_bf8_fp8",   "v_wmma_f32_16x16x16_bf8_bf8",   "v_swmmac_f32_16x16x32_f16",
    "v_swmmac_f32_16x16x32_bf16",    "v_swmmac_f16_16x16x32_f16",     "v_swmmac_bf16_16x16x32_bf16",
    "v_swmmac_i32_16x16x32_iu8",     "v_swmmac_i32_16x16x32_iu4",     "v_swmmac_i32_16x16x64_iu4",
    "v_swmmac_f32_16x16x32_fp8_fp8", "v_swmmac_f32_16x16x32_fp8_bf8", "v_swmmac_f32_16x16x32_bf8_fp8",
    "v_swmmac_f32_16x16x32_bf8_bf8"};
inline constexpr const char* gfx1250_names[] = {
    "v_wmma_f32_16x16x4_f32",         "v_wmma_f32_16x16x32_f16",        "v_wmma_f32_16x16x32_bf16",
    "v_wmma_f16_16x16x32_f16",        "v_wmma_bf16_16x16x32_bf16",      "v_wmma_bf16f32_16x16x32_bf16",
    "v_wmma_i32_16x16x64_iu8",        "v_wmma_f32_16x16x64_fp8_fp8",    "v_wmma_f32_16x16x64_fp8_bf8",
    "v_wmma_f32_16x16x64_bf8_fp8",    "v_wmma_f32_16x16x64_bf8_bf8",    "v_wmma_f16_16x16x64_fp8_fp8",
    "v_wmma_f16_16x16x64_fp8_bf8",    "v_wmma_f16_16x16x64_bf8_fp8",    "v_wmma_f16_16x16x64_bf8_bf8",
    "v_wmma_f32_16x16x128_fp8_fp8",   "v_wmma_f32_16x16x128_fp8_bf8",   "v_wmma_f32_16x16x128_bf8_fp8",
    "v_wmma_f32_16x16x128_bf8_bf8",   "v_wmma_f16_16x16x128_fp8_fp8",   "v_wmma_f16_16x16x128_fp8_bf8",
    "v_wmma_f16_16x16x128_bf8_fp8",   "v_wmma_f16_16x16x128_bf8_bf8",   "v_wmma_f32_16x16x128_f8f6f4",
    "v_wmma_f32_32x16x128_f4",        "v_swmmac_f32_16x16x64_f16",      "v_swmmac_f32_16x16x64_bf16",
    "v_swmmac_f16_16x16x64_f16",      "v_swmmac_bf16_16x16x64_bf16",    "v_swmmac_bf16f32_16x16x64_bf16",
    "v_swmmac_i32_16x16x128_iu8",     "v_swmmac_f32_16x16x128_fp8_fp8", "v_swmmac_f32_16x16x128_fp8_bf8",
    "v_swmmac_f32_16x16x128_bf8_fp8", "v_swmmac_f32_16x16x128_bf8_bf8", "v_swmmac_f16_16x16x128_fp8_fp8",
    "v_swmmac_f16_16x16x128_fp8_bf8", "v_swmmac_f16_16x16x128_bf8_fp8", "v_swmmac_f16_16x16x128_bf8_bf8"};

inline std::vector<WmmaCase> all_cases() {
  std::vector<WmmaCase> cases;
  for (const int lanes : {32, 64}) {
    for (const char* name : gfx11_names)
      for (const char* target : {"gfx1100", "gfx1151"}) cases.push_back(wmma_case(name, target, lanes));
    for (const char* name : gfx12_names) cases.push_back(wmma_case(name, "gfx1201", lanes));
  }
  for (const char* name : gfx12_names) cases.push_back(wmma_case(name, "gfx1250", 32));
  for (const char* name : gfx1250_names) cases.push_back(wmma_case(name, "gfx1250", 32));
  return cases;
}

inline std::string registers(int first, int count) {
  return count == 1 ? "v" + std::to_string(first)
                    : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

inline int result_registers(const WmmaCase& c, Element type) {
  const int slots = c.m * 16 / c.lanes;
  return element_bits(type) == 16 && !c.gfx11() ? slots / 2 : slots;
}

/// The instruction's text; `c_text` is empty for C in registers.
inline std::string text_of(const WmmaCase& c, const std::string& modifiers, const std::string& c_text = "") {
  const auto words = [](int slots, Element type) { return slots * element_bits(type) / 32; };
  const int d_registers = result_registers(c, c.sparse ? c.c : c.d);
  std::string text = c.name + " " + registers(d_first, d_registers) + ", " +
                     registers(a_first, words(c.a_slots() * c.m / 16, c.a)) + ", " +
                     registers(b_first, words(c.b_slots(), c.b)) + ", ";
  if (c.sparse)
    text += registers(index_first, c.a_slots() == 32 ? 2 : 1);
  else
    text += c_text.empty() ? registers(c_first, result_registers(c, c.c)) : c_text;
  if (c.name.find("_scale_") != std::string::npos)
    text += ", " + registers(a_scale_first, 1) + ", " + registers(b_scale_first, 1);
  if (c.name.find("_scale16_") != std::string::npos)
    text += ", " + registers(a_scale_first, 2) + ", " + registers(b_scale_first, 2);
  return text + " " + modifiers;
}

inline void put_bits(Wave& wave, int first_row, int bits, int lane, int slot, std::uint32_t value) {
  for (int bit = 0; bit < bits; ++bit) {
    const int at = slot * bits + bit;
    std::uint32_t& word = wave.row(first_row + at / 32)[lane];
    word = (word & ~(1u << (at % 32))) | (value >> bit & 1) << (at % 32);
  }
}

/// What a test asks of the operands beyond their places.
struct Wanted {
  bool a_signed = true, b_signed = true;
  int index_shift = 0;  ///< bits that the sparse indices are moved up by
  bool high = false;    ///< gfx11: C and D in the high halves
  double c_limit = 40;
};

/// One wave with an instruction that LLVM assembled and the simulator decoded, and the matrices in its registers.
class WmmaMachine {
 public:
  WmmaMachine(const WmmaCase& c, std::string set, const std::string& text)
      : c_(c), set_(std::move(set)), machine_(set_, c.target), text_(text) {
    machine_.wave.lanes = c.lanes;
    machine_.set_exec(~std::uint64_t{0});
    const auto code = assemble(c.target, text + "\ns_endpgm\n", c.lanes);
    program_ = decode(c.target, c.lanes, code.data(), 0x1000, code.size(), 0x1000, "test");
  }

  Wave& wave() { return machine_.wave; }
  double& a(int i, int k) { return a_[static_cast<std::size_t>(i * c_.k + k)]; }
  double& b(int k, int j) { return b_[static_cast<std::size_t>(k * 16 + j)]; }
  double& accumulator(int i, int j) { return accumulator_[static_cast<std::size_t>(i * 16 + j)]; }

  void fill(std::uint32_t seed, const Wanted& wanted = {}) {
    std::mt19937 generator(seed);
    a_.assign(static_cast<std::size_t>(c_.m * c_.k), 0);
    b_.assign(static_cast<std::size_t>(c_.k * 16), 0);
    accumulator_.assign(static_cast<std::size_t>(c_.m * 16), 0);
    for (int row = 0; row < 100; ++row)
      for (int lane = 0; lane < 64; ++lane) wave().row(row)[lane] = static_cast<std::uint32_t>(generator());
    if (c_.gfx11())
      fill_repeated(generator, wanted);
    else
      fill_operands(generator, wanted);
    std::uniform_int_distribution<int> small(-static_cast<int>(wanted.c_limit), static_cast<int>(wanted.c_limit));
    for (int i = 0; i < c_.m; ++i)
      for (int j = 0; j < 16; ++j) put_accumulator(i, j, small(generator), wanted.high);
  }

  void put_accumulator(int i, int j, double value, bool high = false) {
    accumulator(i, j) = value;
    const ResultPlace place = result_place(c_, i, j);
    const int bits = element_bits(c_.c), first = c_.sparse ? d_first : c_first;
    const int slot = bits == 16 && c_.gfx11() ? 2 * place.slot + high : place.slot;
    put_bits(wave(), first, bits, place.lane, slot, encode(c_.c, value));
  }

  double result(int i, int j, bool high = false) {
    const ResultPlace place = result_place(c_, i, j);
    if (element_bits(c_.d) == 32) return decode_result(c_.d, wave().row(d_first + place.slot)[place.lane]);
    const int slot = c_.gfx11() ? 2 * place.slot + high : place.slot;
    return decode_result(c_.d, wave().row(d_first + slot / 2)[place.lane] >> (slot % 2 * 16) & 0xffffu);
  }

  /// Runs the handler of this host set; false when it faulted.
  bool run() {
    const Operation* operation = find_operation(set_, c_.name + "@" + c_.target, c_.lanes);
    if (operation == nullptr) operation = find_operation(set_, c_.name, c_.lanes);
    if (operation == nullptr || is_unknown(program_->instructions[0])) return false;
    instruction_ = program_->instructions[0];
    return operation->plain(wave(), &instruction_) == &instruction_ + 1;
  }

  double product(int i, int j) {
    double sum = 0;
    for (int k = 0; k < c_.k; ++k) sum += a(i, k) * b(k, j);
    return sum;
  }

  void check(const std::function<double(int, int)>& expected, bool high = false) {
    for (int i = 0; i < c_.m; ++i)
      for (int j = 0; j < 16; ++j)
        ASSERT_EQ(result(i, j, high), expected(i, j)) << text_ << " on " << c_.target << " in " << c_.lanes
                                                      << " lanes, " << set_ << ": row " << i << " column " << j;
    machine_.judged(c_.name);
  }
  const std::string& fault() const { return machine_.fault.message; }

 private:
  void fill_repeated(std::mt19937& generator, const Wanted& wanted) {
    for (int i = 0; i < 16; ++i)
      for (int k = 0; k < c_.k; ++k) {
        a(i, k) = random_element(c_.a, c_, wanted.a_signed, generator);
        b(k, i) = random_element(c_.b, c_, wanted.b_signed, generator);
        for (int lane = i; lane < c_.lanes; lane += 16) {
          put_bits(wave(), a_first, c_.bits(), lane, k, encode(c_.a, a(i, k)));
          put_bits(wave(), b_first, c_.bits(), lane, k, encode(c_.b, b(k, i)));
        }
      }
  }

  void fill_operands(std::mt19937& generator, const Wanted& wanted) {
    for (int lane = 0; lane < c_.a_lanes(); ++lane)
      for (int tile = 0; tile < c_.m / 16; ++tile)
        for (int slot = 0; slot < c_.a_slots(); slot += 2) {
          const int i = 16 * tile + lane % 16, bits = element_bits(c_.a);
          // A sparse pair goes to two different places among four, in order.
          const unsigned low = generator() % 3, high = low + 1 + generator() % (3 - low);
          for (int half = 0; half < 2; ++half) {
            const int place = static_cast<int>(half == 0 ? low : high);
            const int k = c_.sparse ? sparse_k(c_, lane, slot) + place : dense_k(c_, bits, lane, slot + half);
            a(i, k) = random_element(c_.a, c_, wanted.a_signed, generator);
            put_bits(wave(), a_first + 8 * tile, bits, lane, slot + half, encode(c_.a, a(i, k)));
            if (!c_.sparse) continue;
            const IndexPlace index = index_place(c_, lane, slot + half);
            for (int bit = 0; bit < 2; ++bit)
              if (index.bit + wanted.index_shift + bit < 64)
                put_bits(wave(), index_first, 1, index.lane, index.bit + wanted.index_shift + bit,
                         static_cast<std::uint32_t>(place) >> bit & 1);
          }
        }
    for (int lane = 0; lane < c_.b_lanes(); ++lane)
      for (int slot = 0; slot < c_.b_slots(); ++slot) {
        const int bits = element_bits(c_.b),
                  k = c_.sparse ? uncompressed_k(c_, lane, slot) : dense_k(c_, bits, lane, slot);
        b(k, lane % 16) = random_element(c_.b, c_, wanted.b_signed, generator);
        put_bits(wave(), b_first, bits, lane, slot, encode(c_.b, b(k, lane % 16)));
      }
  }

  WmmaCase c_;
  std::string set_;
  Machine machine_;
  std::string text_;
  std::unique_ptr<Program> program_;
  Instruction instruction_;
  std::vector<double> a_, b_, accumulator_;
};

}  // namespace zellige::sim::test
