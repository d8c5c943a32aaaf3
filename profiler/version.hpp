// The version that the build gives the program.
#pragma once

namespace zellige::profiler {

inline constexpr const char* version = ZELLIGE_VERSION;

}  // namespace zellige::profiler
