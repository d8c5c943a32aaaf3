// Kernel arguments; arguments.hpp says what they are. The hidden ones are those of code object version 5.
#include "simulator/dispatch/arguments.hpp"

#include <algorithm>
#include <cstring>

#include "simulator/dispatch/kernel_start.hpp"

namespace zellige::sim {
namespace {

std::uint64_t hidden_value(const LaunchRequest& request, const HiddenServices& services, ArgumentKind kind) {
  const auto axis_of = [&](ArgumentKind first) { return static_cast<int>(kind) - static_cast<int>(first); };
  using enum ArgumentKind;
  switch (kind) {
    case hidden_block_count_x:
    case hidden_block_count_y:
    case hidden_block_count_z: {
      const int axis = axis_of(hidden_block_count_x);
      return request.grid[axis] / request.block[axis];  // whole blocks; the remainder is apart
    }
    case hidden_group_size_x:
    case hidden_group_size_y:
    case hidden_group_size_z:
      return request.block[axis_of(hidden_group_size_x)];
    case hidden_remainder_x:
    case hidden_remainder_y:
    case hidden_remainder_z: {
      const int axis = axis_of(hidden_remainder_x);
      return request.grid[axis] % request.block[axis];
    }
    case hidden_grid_dims:
      return request.grid[2] > 1 ? 3 : request.grid[1] > 1 ? 2 : 1;
    case hidden_hostcall_buffer:
      return services.hostcall;
    case hidden_multigrid_sync_arg:
      return services.grid_sync;
    case hidden_dynamic_lds_size:
      return request.dynamic_lds;
    case hidden_private_base:
      return private_aperture_high;
    case hidden_shared_base:
      return shared_aperture_high;
    case hidden_queue_ptr:
      return services.queue;
    default:
      return 0;  // global offsets, and services that do not exist here
  }
}

}  // namespace

void fill_arguments(const LaunchRequest& request, const HiddenServices& services, std::span<std::uint8_t> segment) {
  std::ranges::fill(segment, std::uint8_t{0});
  const std::size_t given = std::min(request.arguments.size(), segment.size());
  if (given) std::memcpy(segment.data(), request.arguments.data(), given);
  for (const KernelArgument& argument : request.kernel->arguments) {
    if (!is_hidden(argument.kind) || argument.size > 8) continue;
    const std::uint64_t value = hidden_value(request, services, argument.kind);
    if (argument.offset + argument.size <= segment.size())
      std::memcpy(segment.data() + argument.offset, &value, argument.size);
  }
}

bool asks_for(const KernelInfo& kernel, ArgumentKind kind) {
  return std::ranges::any_of(kernel.arguments, [&](const KernelArgument& argument) { return argument.kind == kind; });
}

}  // namespace zellige::sim
