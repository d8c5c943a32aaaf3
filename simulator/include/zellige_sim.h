/* What the simulator knows beyond HIP: the counts and the predicted time of a launch, and the text of a fault.
 *
 * A program finds these entries with dlsym(RTLD_DEFAULT, "zelligeSimLastLaunch"), so that it also runs on a real
 * runtime, which lacks them. Every struct begins with struct_size, which the caller sets to sizeof the struct that it
 * was compiled with; fields beyond it are not written, so that older programs work with newer simulators. All numbers
 * of time are predictions from counts and rates, never measurements. */
#ifndef ZELLIGE_SIM_H
#define ZELLIGE_SIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ZELLIGE_SIM_OP_CLASSES 14
#define ZELLIGE_SIM_BOUNDS 7     /* of bound_seconds; zelligeSimBoundName knows one more, "l1" (l1_bound_seconds) */

typedef struct ZelligeSimLaunch {
  size_t struct_size;
  uint64_t sequence;  /* launches of this process so far, this one included; 0: none yet */
  const char* kernel; /* demangled; valid until the thread's next call */
  const char* bound;  /* name of the largest bound */
  double seconds;     /* predicted: overhead_seconds plus the largest of bound_seconds */
  double overhead_seconds;
  double bound_seconds[ZELLIGE_SIM_BOUNDS]; /* zelligeSimBoundName(i) names them */
  uint64_t workgroups;                      /* of the grid */
  uint64_t executed; /* of them that ran; fewer when sampled, and the counts below are scaled then */
  uint64_t waves;
  uint64_t instructions[ZELLIGE_SIM_OP_CLASSES]; /* wave instructions; zelligeSimOpClassName(i) names the classes */
  uint64_t matrix_passes;                        /* 4-clock passes on matrix cores */
  uint64_t lds_bytes, load_bytes, store_bytes;   /* that active lanes moved */
  uint64_t observed_workgroups;                  /* of which the next four were counted, unscaled */
  uint64_t lds_access_cycles, lds_conflict_cycles, load_lines, store_lines;
  uint64_t footprint_bytes; /* of the allocations that the arguments point into */
  int32_t waves_per_workgroup, workgroups_per_cu, waves_per_simd;
  const char* occupancy_limit; /* "waves", "vgprs", "sgprs", "lds" or "workgroups" */
  int32_t vgprs, agprs, sgprs, vgpr_spills, sgpr_spills;
  uint32_t lds_allocated_bytes, scratch_bytes; /* of a workgroup; of a work-item */
  double l1_bound_seconds;
  /* Of the whole grid, estimated from the observed workgroups (docs/simulator.md says how). Requests and hits are lines
   * of line_bytes; fills are what the L2s fetch, writes what leaves them, memory what the memory moves both ways. */
  uint32_t line_bytes;
  double l1_load_requests, l1_load_hits, l2_load_requests, l2_store_requests;
  double l2_fill_bytes, l2_write_bytes, memory_bytes;
  double load_coalescing, store_coalescing; /* bytes that lanes asked for over bytes of the lines; over 1: shared */
  /* Sums over the observed workgroups, unscaled: clocks that each took alone, waits that were held up, and clocks that
   * waves spent in waits, for results of instructions, and at barriers. */
  uint64_t alone_clocks, stalled_waits, wait_clocks, dependency_clocks, barrier_clocks;
  uint64_t scalar_bytes; /* that scalar loads and stores of the observed workgroups moved */
} ZelligeSimLaunch;

/* Version of the simulator, "0.1.0". */
const char* zelligeSimVersion(void);

/* Fills `launch` with what the last launch that this process completed did; 0 on success, 1 when there was none or
 * struct_size is too small to hold the sequence. */
int zelligeSimLastLaunch(ZelligeSimLaunch* launch);

/* The text of this process's last fault or refused launch, "" when there was none. Valid until the thread's next call.
 */
const char* zelligeSimLastFault(void);

const char* zelligeSimOpClassName(int op_class); /* "" when out of range */
const char* zelligeSimBoundName(int bound);      /* "" when out of range */

/* Timing only: execute `workgroups` workgroups, in spread pairs of neighbours, of every later launch that has more, and scale the counts.
 * The results of such launches are incomplete. 0 ends it. ZELLIGE_SIM_SAMPLE=N sets it at the start. */
void zelligeSimSetSampling(uint64_t workgroups);

#ifdef __cplusplus
}
#endif

#endif
