// Which checks run: ZELLIGE_SIM_CHECK, a list of names with commas between them.
#pragma once

#include <string>
#include <string_view>

namespace zellige::sim {

/// The checks, one bit each.
enum Check : unsigned {
  check_uninit = 1,  ///< reads of registers, LDS and global memory that nothing wrote
  check_race = 2,    ///< accesses that nothing orders
  check_wait = 4,    ///< results used before the wait for them
};

/// The bits of a list such as "uninit,wait" or "all". Names that are none go to `unknown`, with commas between them.
unsigned parse_checks(std::string_view list, std::string& unknown);

/// What ZELLIGE_SIM_CHECK asks for (0 when it is unset), read once. Unknown names are said on stderr and ignored.
unsigned enabled_checks();

}  // namespace zellige::sim
