// Which host instruction set runs: chosen once, by CPUID or by ZELLIGE_SIM_ISA.
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "simulator/execute/host_sets.hpp"

namespace zellige::sim {

namespace generic {
int all_operations(OperationTable* tables);
}
namespace avx2 {
int all_operations(OperationTable* tables);
}
namespace avx512 {
int all_operations(OperationTable* tables);
}

namespace {

struct Chosen {
  std::string_view name;
  std::span<const Operation> spans[most_tables];
  int count = 0;
};

Chosen choose() {
  const char* wanted = std::getenv("ZELLIGE_SIM_ISA");
  for (const HostSet& set : host_sets()) {
    if (wanted != nullptr && *wanted != '\0' ? set.name != wanted : !set.present) continue;
    if (!set.present)
      throw std::runtime_error("ZELLIGE_SIM_ISA=" + std::string(wanted) + ": this machine's processor lacks that instruction set");
    Chosen chosen;
    chosen.name = set.name;
    OperationTable tables[most_tables];
    chosen.count = set.tables(tables);
    for (int i = 0; i < chosen.count; ++i) chosen.spans[i] = {tables[i].begin, tables[i].count};
    return chosen;
  }
  throw std::runtime_error("ZELLIGE_SIM_ISA=" + std::string(wanted) + ": not one of generic, avx2, avx512");
}

const Chosen& chosen() {
  static const Chosen once = choose();
  return once;
}

}  // namespace

std::span<const HostSet> host_sets() {
  static const auto sets = [] {
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512cd");
    return std::array<HostSet, 3>{{{"avx512", avx512, &avx512::all_operations},
                                   {"avx2", avx2, &avx2::all_operations},
                                   {"generic", true, &generic::all_operations}}};
  }();
  return sets;
}

std::span<const std::span<const Operation>> operations() {
  return {chosen().spans, static_cast<std::size_t>(chosen().count)};
}

std::string_view host_instruction_set() { return chosen().name; }

}  // namespace zellige::sim
