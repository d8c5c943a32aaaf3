// Barriers whose arrival and wait are two instructions (gfx12 and later), of a workgroup and of a cluster.
//
// Law: a barrier completes when every member has signalled since it last completed: a workgroup's members are its waves
// that have not ended, a cluster's are its workgroups with such a wave. Each wave then may pass one wait. What holds a
// barrier up by having ended is found when no wave can go on. Outside of clusters a workgroup is a cluster of its own.
#pragma once

#include <cstdint>

#include "simulator/execute/workgroup.hpp"

namespace zellige::sim {

/// The numbers that instructions name them by.
inline constexpr int barrier_of_workgroup = -1, barrier_of_cluster = -3;

/// The wave's signal; whether it is the first since the barrier last completed. A workgroup signals its cluster's
/// barrier once: `twice` is set where it did already.
bool signal_barrier(Wave& wave, int barrier, bool& twice);

/// Whether the barrier has completed since the wave last passed it; passes it then.
bool pass_barrier(Wave& wave, int barrier);

/// Completes the workgroup's barrier if all waves that are left have signalled, and lets waves at s_barrier go on.
/// Whether some wave can go on now.
bool release_workgroup_barriers(Workgroup& group);

/// The same for the cluster's barrier.
bool release_cluster_barrier(Cluster& cluster);

}  // namespace zellige::sim
