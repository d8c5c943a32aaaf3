// The configs of a target, from the tables of this build: smoke rows alone, or all.
#pragma once

#include "tables/conv_full.hpp"
#include "tables/conv_smoke.hpp"
#include "tables/gemm_full.hpp"
#include "tables/gemm_smoke.hpp"

namespace zellige::library {

enum class Selection : int { smoke, full };

constexpr ConfigList<GemmConfig> gemm_configs(Arch arch, Selection selection) {
  ConfigList<GemmConfig> list;
  append(list, arch, gemm_smoke);
  if (selection == Selection::full) append(list, arch, gemm_full);
  return list;
}

constexpr ConfigList<ConvConfig> conv_configs(Arch arch, Selection selection) {
  ConfigList<ConvConfig> list;
  append(list, arch, conv_smoke);
  if (selection == Selection::full) append(list, arch, conv_full);
  return list;
}

}  // namespace zellige::library
