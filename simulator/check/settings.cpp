// The setting of checks; settings.hpp states what it holds.
#include "simulator/check/settings.hpp"

#include <cstdio>
#include <cstdlib>

namespace zellige::sim {
namespace {

struct Name {
  std::string_view text;
  unsigned bits;
};
constexpr Name names[] = {{"uninit", check_uninit},
                          {"race", check_race},
                          {"wait", check_wait},
                          {"all", check_uninit | check_race | check_wait}};

}  // namespace

unsigned parse_checks(std::string_view list, std::string& unknown) {
  unsigned checks = 0;
  while (!list.empty()) {
    const auto comma = list.find(',');
    const std::string_view word = list.substr(0, comma);
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
    if (word.empty()) continue;
    bool known = false;
    for (const Name& name : names)
      if (name.text == word) checks |= name.bits, known = true;
    if (!known) unknown += (unknown.empty() ? "" : ",") + std::string(word);
  }
  return checks;
}

unsigned enabled_checks() {
  static const unsigned checks = [] {
    const char* text = std::getenv("ZELLIGE_SIM_CHECK");
    std::string unknown;
    const unsigned bits = text ? parse_checks(text, unknown) : 0;
    if (!unknown.empty())
      std::fprintf(stderr, "zellige-sim: ZELLIGE_SIM_CHECK: '%s' is no check; there are uninit, race, wait and all\n",
                   unknown.c_str());
    return bits;
  }();
  return checks;
}

}  // namespace zellige::sim
