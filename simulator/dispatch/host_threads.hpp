// The host threads that execute workgroups.
#pragma once

#include <functional>

namespace zellige::sim {

/// How many host threads launches use: ZELLIGE_SIM_THREADS, else one a core.
int host_threads();

/// Runs task(0) on the calling thread and task(1) ... task(count - 1) on others, and returns when all have ended. The
/// threads are kept for the next call. One call at a time. An exception of a task ends the process: tasks catch their
/// own.
void run_on_host_threads(int count, const std::function<void(int)>& task);

}  // namespace zellige::sim
