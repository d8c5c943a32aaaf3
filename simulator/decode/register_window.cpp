// The register window's fields; register_window.hpp states the law.
#include "simulator/decode/register_window.hpp"

namespace zellige::sim {

int window_field(std::string_view mnemonic, const Operation& operation, int source) {
  if (mnemonic.starts_with("buffer_") || mnemonic.starts_with("tbuffer_")) {
    const bool has_data_first = operation.dst == ValueType::none;
    if (has_data_first) return source == 0 ? window_field_of_destination : source == 1 ? 0 : outside_of_windows;
    return source == 0 ? 0 : outside_of_windows;
  }
  if (mnemonic.find("_load_async_to_lds_") != std::string_view::npos)
    return source == 0 ? window_field_of_destination : source == 1 ? 0 : outside_of_windows;
  if (mnemonic.starts_with("ds_write_addtid")) return 1;
  return source < 3 ? source : outside_of_windows;
}

unsigned window_after(std::string_view mnemonic, std::uint32_t encoding, unsigned window) {
  return mnemonic == "s_set_vgpr_msb" ? encoding & 0xff : window;
}

}  // namespace zellige::sim
