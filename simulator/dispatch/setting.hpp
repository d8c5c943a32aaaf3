// Settings of the simulator that are read from the environment while it runs.
#pragma once

#include <atomic>
#include <cstdio>

namespace zellige::sim {

/// Says, at the first launch that meets it, that a setting is none of those that exist.
inline void say_ignored(std::atomic<bool>& said, const char* name, const char* text, const char* wanted) {
  if (!said.exchange(true))
    std::fprintf(stderr, "zellige-sim: %s='%s' is not %s; it is ignored\n", name, text, wanted);
}

}  // namespace zellige::sim
