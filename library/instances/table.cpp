// The one function that an instance library exports: it joins the shards.
#include <vector>

#include "instances/instance_table.hpp"
#include "instances/shard.hpp"

namespace zellige::library {
namespace {

template <class Kernel, class... Shards>
std::vector<Kernel> joined(Shards... shards) {
  std::vector<Kernel> all;
  (all.insert(all.end(), shards.begin(), shards.end()), ...);
  return all;
}

const InstanceTable& table() {
  static const auto gemm = []<int... shard>(std::integer_sequence<int, shard...>) {
    return joined<GemmKernel>(gemm_shard<shard>()...);
  }
  (std::make_integer_sequence<int, ZELLIGE_GEMM_SHARDS>());
  static const auto conv = []<int... shard>(std::integer_sequence<int, shard...>) {
    return joined<ConvKernel>(conv_shard<shard>()...);
  }
  (std::make_integer_sequence<int, ZELLIGE_CONV_SHARDS>());
  static const InstanceTable all{.arch = instance_arch,
                                 .gemm_count = static_cast<std::uint32_t>(gemm.size()),
                                 .conv_count = static_cast<std::uint32_t>(conv.size()),
                                 .gemm = gemm.data(),
                                 .conv = conv.data()};
  return all;
}

}  // namespace
}  // namespace zellige::library

// The function's name holds the target, so that two instance libraries in one process keep apart.
#define ZELLIGE_JOIN_(a, b) a##b
#define ZELLIGE_JOIN(a, b) ZELLIGE_JOIN_(a, b)
extern "C" [[gnu::visibility("default")]] const zellige::library::InstanceTable* ZELLIGE_JOIN(zellige_instances_,
                                                                                              ZELLIGE_INSTANCE_ARCH)() {
  return &zellige::library::table();
}
