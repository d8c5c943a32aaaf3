// What functions that are not implemented do, and the few of HIP's functions that return no error code.
#include <cstring>

#include "simulator/hip/runtime.hpp"

namespace zellige::sim {

/// Says once per function that it is not supported. The generated stubs call it; their result is HIP's error code.
int unsupported(const char* function) {
  static std::set<std::string>* said = new std::set<std::string>;
  static std::mutex* lock = new std::mutex;
  {
    const std::lock_guard guard(*lock);
    if (said->insert(function).second)
      report(std::string(function) + " is not supported by the simulator (hipErrorNotSupported)");
  }
  return last_error() = hipErrorNotSupported;
}

}  // namespace zellige::sim

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

const char* hipApiName(uint32_t) { return "unknown"; }
