// Accesses whose extent shows only when the instruction runs: typed buffer elements and blocks of registers.
//
// Law: another producer tells the access of the whole (AccessPlan::whole); of it those parts are kept that the
// instruction moves. Typed elements: the components that reach a register or come from one; the element is in range as
// a whole or not at all. Blocks: the dwords whose bits M0 has.
#pragma once

#include <string_view>

#include "simulator/check/access.hpp"

namespace zellige::sim {

/// Of the instruction of this canonical name.
bool moves_parts(std::string_view mnemonic);

/// Makes the plan of the whole's access one of its parts.
void take_parts(std::string_view mnemonic, AccessPlan& plan);

}  // namespace zellige::sim
