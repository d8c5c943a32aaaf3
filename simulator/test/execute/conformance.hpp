// Which opcodes have been compared with values that the simulator did not compute.
//
// A test calls judged() behind a comparison with an expectation that was derived from the ISA's definition. When
// ZELLIGE_SIM_JUDGED names a file, the process appends "opcode target" lines to it as it ends; the test
// zellige_sim_conformance runs all test programs so and counts distinct opcodes.
#pragma once

#include <string_view>

namespace zellige::sim::test {

/// Notes that `mnemonic` of `target` agreed with an independent expectation. Names that no operation has are ignored;
/// encodings (_e32, _e64, _dpp, _sdwa) and targets' own spellings count as their operation.
void judged(std::string_view target, std::string_view mnemonic);

}  // namespace zellige::sim::test
