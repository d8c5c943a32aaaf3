// Prints what each instance of the build promises about its code, one JSON object a line, for gates.py to hold against the
// code itself.
#include <cstdio>

#include "../targets.hpp"
#include "zellige/gemm/interleave.hpp"
#include "zellige/library.hpp"

namespace zellige {
namespace {

/// The name of the kernel in its code object. Throws RuntimeError where the runtime does not know it.
const char* symbol_of(const Operation& operation) {
  const char* symbol = hipKernelNameRefByPtr(operation.entry(), nullptr);
  if (symbol == nullptr) throw RuntimeError("hipKernelNameRefByPtr", hipErrorNotFound, operation.name);
  return symbol;
}

Derived derived_of(const Operation& operation) {
  if (const auto* gemm = std::get_if<GemmKernel>(&operation.kernel)) return derive(gemm->config, operation.arch);
  return derive(lowered(std::get<ConvKernel>(operation.kernel).config), operation.arch);
}

/// The operands' types as the instruction's mnemonic spells them.
std::string spelt_types(const Mma& mma, MatrixPath path) {
  const auto float8 = [](DataType type) {
    return type == DataType::f8e4m3 || type == DataType::f8e4m3fnuz ? std::string("fp8") : std::string("bf8");
  };
  switch (mma.input) {
    case DataType::tf32: return mma.products == 3 ? "bf16" : "xf32";
    case DataType::i8: return path == MatrixPath::mfma ? "i8" : "iu8";
    case DataType::f8e4m3:
    case DataType::f8e5m2:
    case DataType::f8e4m3fnuz:
    case DataType::f8e5m2fnuz:
      if (path == MatrixPath::mfma && mma.shape.m * mma.shape.k >= 2048) return "f8f6f4";
      return float8(mma.input) + "_" + float8(mma.input_b);
    default: return name_of(mma.input);
  }
}

/// The order in which an interleaved loop has its instructions: [["lds_write", 4], ...]; empty where there is none.
std::string order_of(const Derived& d) {
  if (d.scheduling != Scheduling::interleaved) return "[]";
  std::string text;
  const InterleavePlan plan = interleave_plan(d);
  for (int i = 0; i < plan.count; ++i) {
    const InstructionClass kind = plan.group[i].kind;
    const char* const name = kind == InstructionClass::matrix     ? "matrix"
                             : kind == InstructionClass::load     ? "load"
                             : kind == InstructionClass::lds_read ? "lds_read"
                                                                  : "lds_write";
    text += std::string(i > 0 ? ", " : "") + "[\"" + name + "\", " + std::to_string(plan.group[i].count) + "]";
  }
  return "[" + text + "]";
}

/// The widths of the loads in the loop that multiplies: other waves have them where some only load.
std::string loads_of(const Tiling& t, const Derived& d) {
  if (d.load_threads > 0) return "[]";
  return "[" + std::to_string(t.vector_a * d.bytes_in) + ", " + std::to_string(t.vector_b * d.bytes_in) + "]";
}

/// Multiply-adds of a lane that stand for the matrix instruction; 0 where it is one.
int fmas_of(const Mma& mma) {
  for (const MmaRow& row : scalar_rows()) {
    if (row.op == mma.op) return mma.c.slots() * mma.shape.k;
  }
  return 0;
}

/// Transposed LDS reads of a step.
int transposed_reads(const WaveShape& w) {
  const auto reads = [&](const LaneMap& map, int atoms, int bytes) {
    return bytes != 0 ? w.steps * atoms * fragment_reads(map, w.pack, w.bytes, bytes) : 0;
  };
  return reads(w.mma.a, w.atoms_m, w.transposed_a) + reads(w.mma.b, w.atoms_n, w.transposed_b);
}

void print_facts(const std::string& file, const Operation& operation) {
  const Tiling& t = operation.tiling();
  const Derived d = derived_of(operation);
  const int mmas = t.block.m / t.waves.m / t.atom.m * (t.block.n / t.waves.n / t.atom.n) * (t.block.k / t.atom.k) * d.wave.mma.products;
  std::printf("{\"name\": \"%s\", \"arch\": \"%s\", \"file\": \"%s\", \"symbol\": \"%s\", \"threads\": %d, \"lds_bytes\": %d, "
              "\"mma\": [%d, %d, %d], \"result\": \"%s\", \"type\": \"%s\", \"mmas\": %d, \"fmas\": %d, \"load_bytes\": %s, \"min_blocks\": %d, \"order\": %s, "
              "\"direct\": %s, \"transposed_reads\": %d}\n",
              operation.name.c_str(), arch_traits(operation.arch).name, file.c_str(), symbol_of(operation), d.threads, d.lds_bytes, t.atom.m,
              t.atom.n, t.atom.k, name_of(d.wave.mma.accumulator),
              spelt_types(d.wave.mma, arch_traits(operation.arch).matrix).c_str(), mmas, fmas_of(d.wave.mma), loads_of(t, d).c_str(), t.min_blocks,
              order_of(d).c_str(), d.staging == Staging::direct_to_lds ? "true" : "false", transposed_reads(d.wave));
}

int print_all() {
  for (Arch arch : built_targets()) {
    const TargetLibrary& target = target_library(arch);
    if (!target.error.empty()) {
      std::fprintf(stderr, "%s\n", target.error.c_str());
      return 1;
    }
    for (const Operation& operation : target.operations) print_facts(target.file, operation);
  }
  return 0;
}

}  // namespace
}  // namespace zellige

int main() {
  try {
    return zellige::print_all();
  } catch (const zellige::RuntimeError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
