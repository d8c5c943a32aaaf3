// The configs of a target, from the tables of its kind of matrix instruction: smoke rows alone, or all.
#pragma once

#include "tables/conv_gfx1250.hpp"
#include "tables/conv_mfma.hpp"
#include "tables/conv_rdna.hpp"
#include "tables/conv_sm90.hpp"
#include "tables/gemm_gfx1250.hpp"
#include "tables/gemm_mfma.hpp"
#include "tables/gemm_rdna.hpp"
#include "tables/gemm_sm90.hpp"
#include "tables/split_gfx1250.hpp"
#include "tables/split_mfma.hpp"
#include "tables/split_rdna.hpp"
#include "tables/types_gfx1250.hpp"
#include "tables/types_mfma.hpp"
#include "tables/types_rdna.hpp"

namespace zellige::library {

enum class Selection : int { smoke, full };

constexpr ConfigList<GemmConfig> gemm_configs(Arch arch, Selection selection) {
  ConfigList<GemmConfig> list;
  const auto take = [&](const auto& smoke, const auto& full) {
    append(list, arch, smoke);
    if (selection == Selection::full) append(list, arch, full);
  };
  switch (arch_traits(arch).matrix) {
    case MatrixPath::mfma:
      take(mfma::gemm_smoke, mfma::gemm_full);
      take(mfma::gemm_types_smoke, mfma::gemm_types_full);
      take(mfma::gemm_split_smoke, mfma::gemm_split_full);
      break;
    case MatrixPath::wmma_gfx11:
    case MatrixPath::wmma_gfx12:
      take(rdna::gemm_smoke, rdna::gemm_full);
      take(rdna::gemm_types_smoke, rdna::gemm_types_full);
      take(rdna::gemm_split_smoke, rdna::gemm_split_full);
      break;
    case MatrixPath::wmma_gfx1250:
      take(gfx1250::gemm_smoke, gfx1250::gemm_full);
      take(gfx1250::gemm_types_smoke, gfx1250::gemm_types_full);
      take(gfx1250::gemm_split_smoke, gfx1250::gemm_split_full);
      break;
    case MatrixPath::mma_sync: take(sm90::gemm_smoke, sm90::gemm_full); break;
    case MatrixPath::none: break;
  }
  return list;
}

constexpr ConfigList<ConvConfig> conv_configs(Arch arch, Selection selection) {
  ConfigList<ConvConfig> list;
  const auto take = [&](const auto& smoke, const auto& full) {
    append(list, arch, smoke);
    if (selection == Selection::full) append(list, arch, full);
  };
  switch (arch_traits(arch).matrix) {
    case MatrixPath::mfma:
      take(mfma::conv_smoke, mfma::conv_full);
      take(mfma::conv_types_smoke, mfma::conv_types_full);
      take(mfma::conv_split_smoke, mfma::conv_split_full);
      break;
    case MatrixPath::wmma_gfx11:
    case MatrixPath::wmma_gfx12:
      take(rdna::conv_smoke, rdna::conv_full);
      take(rdna::conv_types_smoke, rdna::conv_types_full);
      take(rdna::conv_split_smoke, rdna::conv_split_full);
      break;
    case MatrixPath::wmma_gfx1250:
      take(gfx1250::conv_smoke, gfx1250::conv_full);
      take(gfx1250::conv_types_smoke, gfx1250::conv_types_full);
      take(gfx1250::conv_split_smoke, gfx1250::conv_split_full);
      break;
    case MatrixPath::mma_sync: take(sm90::conv_smoke, sm90::conv_full); break;
    case MatrixPath::none: break;
  }
  return list;
}

}  // namespace zellige::library
