// What every file of the HIP runtime includes: HIP's own declarations, exported, and how an entry point reports errors.
//
// Law: an entry point's body runs inside api(), which turns a Failure into its code, keeps the thread's last error, and
// lets no exception out of the library.
#pragma once

#pragma GCC visibility push(default)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#include <hip/hip_runtime_api.h>
#pragma clang diagnostic pop
#pragma GCC visibility pop

#include <new>
#include <string>
#include <utility>

namespace zellige::sim {

/// A HIP error on its way out. `why` is a sentence for the log, or empty where the code says everything.
struct Failure {
  hipError_t code = hipErrorUnknown;
  std::string why;
};

/// Throws a Failure with `code` unless `condition` holds.
inline void require(bool condition, hipError_t code) {
  if (!condition) throw Failure{code, {}};
}
inline void require(bool condition, hipError_t code, std::string why) {
  if (!condition) throw Failure{code, std::move(why)};
}

/// The thread's last error, as hipGetLastError() reports it.
hipError_t& last_error();

/// Keeps `why` as the text of the last fault and prints it once: "zellige-sim: why".
void report(const std::string& why);

/// The text of the last report.
std::string last_report();

template <class Body>
hipError_t api(Body&& body) {
  try {
    body();
    return hipSuccess;
  } catch (const Failure& failure) {
    if (!failure.why.empty()) report(failure.why);
    return last_error() = failure.code;
  } catch (const std::bad_alloc&) {
    return last_error() = hipErrorOutOfMemory;
  } catch (const std::exception& error) {
    report(error.what());
    return last_error() = hipErrorUnknown;
  }
}

}  // namespace zellige::sim
