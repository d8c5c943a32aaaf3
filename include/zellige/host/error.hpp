// The one exception of the library: a call of the GPU runtime that failed.
#pragma once

#include <stdexcept>
#include <string>

#include "zellige/host/runtime.hpp"

namespace zellige {

/// Names the call, its error and what it was for:
/// "hipLaunchKernel failed: hipErrorInvalidValue (invalid argument), gemm_gfx942_f16_b128x128x32_w2x2_a32x32x8".
class RuntimeError : public std::runtime_error {
 public:
  RuntimeError(const char* call, hipError_t error, const std::string& subject)
      : std::runtime_error(std::string(call) + " failed: " + hipGetErrorName(error) + " (" + hipGetErrorString(error) +
                           ")" + (subject.empty() ? "" : ", " + subject)),
        error_(error) {}

  hipError_t error() const { return error_; }

 private:
  hipError_t error_;
};

/// Throws a RuntimeError unless `error` is success. `subject` says what the call was for. It alone reports the failure:
/// the runtime's own record is cleared, so that the next to ask for the last error does not take it for theirs.
inline void require_success(hipError_t error, const char* call, const std::string& subject = {}) {
  if (error == hipSuccess) return;
  static_cast<void>(hipGetLastError());
  throw RuntimeError(call, error, subject);
}

}  // namespace zellige
