// Which bits SDWA selects name.
#pragma once

#include "simulator/execute/types.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

ZELLIGE_SIM_INLINE int select_shift(SdwaSelect select) {
  switch (select) {
    case SdwaSelect::byte_1: return 8;
    case SdwaSelect::byte_2: return 16;
    case SdwaSelect::byte_3: return 24;
    case SdwaSelect::word_1: return 16;
    default: return 0;
  }
}
ZELLIGE_SIM_INLINE int select_bits(SdwaSelect select) {
  return select == SdwaSelect::dword ? 32 : select >= SdwaSelect::word_0 ? 16 : 8;
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
