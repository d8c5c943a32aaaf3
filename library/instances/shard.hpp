// A shard: every n-th config of a target's list, compiled. The build makes one translation unit of each (shard.cpp.in).
//
// ZELLIGE_INSTANCE_ARCH is the target; ZELLIGE_GEMM_SHARDS and ZELLIGE_CONV_SHARDS count the units of each family;
// ZELLIGE_INSTANCES_FULL is 1 where the full tables are built.
#pragma once

#include <span>
#include <utility>

#include "tables/tables.hpp"
#include "zellige/host/conv.hpp"
#include "zellige/host/gemm.hpp"

namespace zellige::library {

inline constexpr Arch instance_arch = Arch::ZELLIGE_INSTANCE_ARCH;
inline constexpr Selection selection = ZELLIGE_INSTANCES_FULL != 0 ? Selection::full : Selection::smoke;
inline constexpr int most_rows = 16;  // of a shard: more would make its unit the one that a build waits for

/// Configs number shard, shard + shards, ... of `count`.
constexpr int shard_size(int count, int shard, int shards) {
  return shard < count ? (count - shard - 1) / shards + 1 : 0;
}

template <int shard>
std::span<const GemmKernel> gemm_shard();
template <int shard>
std::span<const ConvKernel> conv_shard();

#if defined(__HIP__) || defined(__CUDACC__)
template <int shard>
std::span<const GemmKernel> gemm_shard() {
  static constexpr ConfigList<GemmConfig> list = gemm_configs(instance_arch, selection);
  constexpr int size = shard_size(list.count, shard, ZELLIGE_GEMM_SHARDS);
  static_assert(size <= most_rows,
                "a shard takes up to 16 configs: change ZELLIGE_GEMM_SHARDS in library/CMakeLists.txt");
  if constexpr (size == 0)
    return {};
  else
    return []<std::size_t... i>(std::index_sequence<i...>) {
      static const GemmKernel kernels[] = {
          gemm_kernel<instance_arch, list.config[shard + static_cast<int>(i) * ZELLIGE_GEMM_SHARDS]>()...};
      return std::span<const GemmKernel>(kernels);
    }
  (std::make_index_sequence<size>());
}

template <int shard>
std::span<const ConvKernel> conv_shard() {
  static constexpr ConfigList<ConvConfig> list = conv_configs(instance_arch, selection);
  constexpr int size = shard_size(list.count, shard, ZELLIGE_CONV_SHARDS);
  static_assert(size <= most_rows,
                "a shard takes up to 16 configs: change ZELLIGE_CONV_SHARDS in library/CMakeLists.txt");
  if constexpr (size == 0)
    return {};
  else
    return []<std::size_t... i>(std::index_sequence<i...>) {
      static const ConvKernel kernels[] = {
          conv_fwd_kernel<instance_arch, list.config[shard + static_cast<int>(i) * ZELLIGE_CONV_SHARDS]>()...};
      return std::span<const ConvKernel>(kernels);
    }
  (std::make_index_sequence<size>());
}
#endif

}  // namespace zellige::library
