// Which host instruction set runs: chosen once, by CPUID or by ZELLIGE_SIM_ISA.
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "simulator/execute/host_sets.hpp"

namespace zellige::sim {

// A host set's tables, by wave size.
#define ZELLIGE_SIM_HOST_SET(set)                                                      \
  namespace set##_wave32 {                                                             \
  int all_operations(OperationTable* tables);                                          \
  }                                                                                    \
  namespace set##_wave64 {                                                             \
  int all_operations(OperationTable* tables);                                          \
  }                                                                                    \
  static int set##_tables(int lanes, OperationTable* tables) {                         \
    return lanes == 32 ? set##_wave32::all_operations(tables) : set##_wave64::all_operations(tables); \
  }
ZELLIGE_SIM_HOST_SET(generic)
#if defined(ZELLIGE_SIM_HAS_AVX2)
ZELLIGE_SIM_HOST_SET(avx2)
#endif
#if defined(ZELLIGE_SIM_HAS_AVX512)
ZELLIGE_SIM_HOST_SET(avx512)
#endif

namespace {

struct Chosen {
  std::string_view name;
  std::vector<std::span<const Operation>> wave32, wave64;
};

std::vector<std::span<const Operation>> spans_of(const HostSet& set, int lanes) {
  OperationTable tables[most_tables];
  std::vector<std::span<const Operation>> spans;
  const int count = set.tables(lanes, tables);
  for (int i = 0; i < count; ++i) spans.emplace_back(tables[i].begin, tables[i].count);
  return spans;
}

Chosen choose() {
  const char* wanted = std::getenv("ZELLIGE_SIM_ISA");
  for (const HostSet& set : host_sets()) {
    if (wanted != nullptr && *wanted != '\0' ? set.name != wanted : !set.present) continue;
    if (!set.present)
      throw std::runtime_error("ZELLIGE_SIM_ISA=" + std::string(wanted) + ": this machine's processor lacks that instruction set");
    return {set.name, spans_of(set, 32), spans_of(set, 64)};
  }
  std::string known;
  for (const HostSet& set : host_sets()) known += (known.empty() ? "" : ", ") + std::string(set.name);
  throw std::runtime_error("ZELLIGE_SIM_ISA=" + std::string(wanted) + ": this simulator was built for " + known);
}

const Chosen& chosen() {
  static const Chosen once = choose();
  return once;
}

}  // namespace

std::span<const HostSet> host_sets() {
  static const auto sets = [] {
    std::vector<HostSet> all;
    __builtin_cpu_init();
    [[maybe_unused]] const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                                       __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#if defined(ZELLIGE_SIM_HAS_AVX512)
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512cd");
    all.push_back({"avx512", avx512, &avx512_tables});
#endif
#if defined(ZELLIGE_SIM_HAS_AVX2)
    all.push_back({"avx2", avx2, &avx2_tables});
#endif
    all.push_back({"generic", true, &generic_tables});
    return all;
  }();
  return sets;
}

std::span<const std::span<const Operation>> operations(int lanes) {
  return lanes == 32 ? chosen().wave32 : chosen().wave64;
}

std::string_view host_instruction_set() { return chosen().name; }

}  // namespace zellige::sim
