// Thread numbers, barriers, scheduling fences and wave-uniform values, with names, once.
//
// On NVIDIA the fence is empty and the barrier is CUDA's; in host passes all are empty.
#pragma once

#include "zellige/core/arch.hpp"

namespace zellige {

/// Number of this thread in its workgroup.
ZELLIGE_DEVICE std::uint32_t thread_index() {
#if !ZELLIGE_DEVICE_PASS
  return 0;
#elif defined(__HIP__)
  return __builtin_amdgcn_workitem_id_x();
#else
  return threadIdx.x;
#endif
}

/// Number of this workgroup in the grid.
ZELLIGE_DEVICE std::uint32_t workgroup_index() {
#if !ZELLIGE_DEVICE_PASS
  return 0;
#elif defined(__HIP__)
  return __builtin_amdgcn_workgroup_id_x();
#else
  return blockIdx.x;
#endif
}

/// The same along the grid's z axis, which only clusters use.
ZELLIGE_DEVICE std::uint32_t workgroup_index_z() {
#if !ZELLIGE_DEVICE_PASS
  return 0;
#elif defined(__HIP__)
  return __builtin_amdgcn_workgroup_id_z();
#else
  return blockIdx.z;
#endif
}

/// A value that is the same in all lanes, told to the compiler: it moves to a scalar register.
ZELLIGE_DEVICE std::uint32_t uniform(std::uint32_t value) {
#if ZELLIGE_DEVICE_PASS && defined(__HIP__)
  return static_cast<std::uint32_t>(__builtin_amdgcn_readfirstlane(static_cast<int>(value)));
#elif ZELLIGE_DEVICE_PASS
  return __shfl_sync(0xffffffffu, value, 0);
#else
  return value;
#endif
}

/// All waves of the workgroup arrive; their LDS accesses before it are visible after it.
///
/// Global memory is left out on purpose: an ordinary barrier would also wait for the loads that prefetch the next tile.
ZELLIGE_DEVICE void barrier_lds() {
#if ZELLIGE_DEVICE_PASS && defined(__HIP__)
  // Without this, LLVM 22's machine sinking moves loads that were issued before the barrier past it, since neither
  // barrier nor fence counts as a store there: a prefetch would start only after the work that it should overlap.
  asm volatile("" ::: "memory");
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
#elif ZELLIGE_DEVICE_PASS
  __syncthreads();
#endif
}

/// The wave's direct copies to LDS (lds_copy.hpp) have arrived.
ZELLIGE_DEVICE void wait_copies_to_lds() {
#if ZELLIGE_DEVICE_PASS && defined(__HIP__)
  if constexpr (arch_traits(this_arch()).async_lds_loads)
    asm volatile("s_wait_asynccnt 0x0" ::: "memory");
  else if constexpr (arch_traits(this_arch()).direct_to_lds_widths != 0)
    asm volatile("s_waitcnt vmcnt(0)" ::: "memory");
#endif
}

/// Waves of a higher priority (0 to 3) issue first where several of a SIMD could.
template <int priority>
ZELLIGE_DEVICE void set_priority() {
#if ZELLIGE_DEVICE_PASS && defined(__HIP__)
  __builtin_amdgcn_s_setprio(priority);
#endif
}

/// Classes of instructions that the scheduler puts in groups (the values are LLVM's).
enum class InstructionClass : int { matrix = 0x8, load = 0x20, lds_read = 0x100, lds_write = 0x200 };

/// In this basic block, the next `count` instructions of that class follow those of the groups that were asked for
/// before.
template <InstructionClass kind, int count>
ZELLIGE_DEVICE void schedule_group() {
#if ZELLIGE_DEVICE_PASS && defined(__HIP__)
  __builtin_amdgcn_sched_group_barrier(static_cast<int>(kind), count, 0);
#endif
}

/// `value`, computed here. To LLVM 22 fused multiply-adds and gfx11's matrix instructions are arithmetic like any other,
/// which sinks below barriers and fences to where its results are used, while the operands wait in registers.
template <class T>
ZELLIGE_DEVICE T made_here(T value) {
#if ZELLIGE_DEVICE_PASS && defined(__HIP__)
  asm volatile("" : "+v"(value));
#endif
  return value;
}

/// All waves of all workgroups of the cluster arrive; their stores to global memory before it are visible after it. A
/// workgroup that ends without it would let the others wait for ever.
template <Arch arch>
ZELLIGE_DEVICE void barrier_cluster() {
  static_assert(arch_traits(arch).clusters);
#if ZELLIGE_DEVICE_PASS && defined(__HIP__)
  asm volatile("" ::: "memory");
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "cluster");
  __builtin_amdgcn_s_cluster_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "cluster");
  asm volatile("" ::: "memory");
#elif ZELLIGE_DEVICE_PASS
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

/// Nothing is moved across by the scheduler.
ZELLIGE_DEVICE void schedule_fence() {
#if ZELLIGE_DEVICE_PASS && defined(__HIP__)
  __builtin_amdgcn_sched_barrier(0);
#endif
}

/// A schedule_fence(), and the same value: what is computed from it is computed again behind the fence, instead of kept
/// in registers from before.
ZELLIGE_DEVICE std::uint32_t fenced(std::uint32_t value) {
  schedule_fence();
  return made_here(value);
}

}  // namespace zellige
