// An instance library of an imagined older version, for the registry's test: its table is shorter than today's.
#include <cstdint>

extern "C" [[gnu::visibility("default")]] const void* zellige_instances_sm_90() {
  static const std::uint32_t table[4] = {16, 60, 60, 400};
  return table;
}
