// Errors: the thread's last one, names and texts, and the runtime's own reports.
#include <algorithm>
#include <cstdio>
#include <mutex>

#include "simulator/hip/runtime.hpp"

namespace zellige::sim {
namespace {

struct ErrorText {
  hipError_t code;
  const char* name;
  const char* text;
};

#define ZELLIGE_ERROR(code, text) \
  { code, #code, text }
constexpr ErrorText errors[] = {
    ZELLIGE_ERROR(hipSuccess, "no error"),
    ZELLIGE_ERROR(hipErrorInvalidValue, "invalid argument"),
    ZELLIGE_ERROR(hipErrorOutOfMemory, "out of memory"),
    ZELLIGE_ERROR(hipErrorNotInitialized, "initialization error"),
    ZELLIGE_ERROR(hipErrorDeinitialized, "driver shutting down"),
    ZELLIGE_ERROR(hipErrorProfilerDisabled, "profiler disabled while using external profiling tool"),
    ZELLIGE_ERROR(hipErrorProfilerNotInitialized, "profiler is not initialized"),
    ZELLIGE_ERROR(hipErrorProfilerAlreadyStarted, "profiler already started"),
    ZELLIGE_ERROR(hipErrorProfilerAlreadyStopped, "profiler already stopped"),
    ZELLIGE_ERROR(hipErrorInvalidConfiguration, "invalid configuration argument"),
    ZELLIGE_ERROR(hipErrorInvalidPitchValue, "invalid pitch argument"),
    ZELLIGE_ERROR(hipErrorInvalidSymbol, "invalid device symbol"),
    ZELLIGE_ERROR(hipErrorInvalidDevicePointer, "invalid device pointer"),
    ZELLIGE_ERROR(hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    ZELLIGE_ERROR(hipErrorInsufficientDriver, "driver version is insufficient for runtime version"),
    ZELLIGE_ERROR(hipErrorMissingConfiguration, "__global__ function call is not configured"),
    ZELLIGE_ERROR(hipErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
    ZELLIGE_ERROR(hipErrorInvalidDeviceFunction, "invalid device function"),
    ZELLIGE_ERROR(hipErrorNoDevice, "no ROCm-capable device is detected"),
    ZELLIGE_ERROR(hipErrorInvalidDevice, "invalid device ordinal"),
    ZELLIGE_ERROR(hipErrorInvalidImage, "device kernel image is invalid"),
    ZELLIGE_ERROR(hipErrorInvalidContext, "invalid device context"),
    ZELLIGE_ERROR(hipErrorContextAlreadyCurrent, "context is already current context"),
    ZELLIGE_ERROR(hipErrorMapFailed, "mapping of buffer object failed"),
    ZELLIGE_ERROR(hipErrorUnmapFailed, "unmapping of buffer object failed"),
    ZELLIGE_ERROR(hipErrorArrayIsMapped, "array is mapped"),
    ZELLIGE_ERROR(hipErrorAlreadyMapped, "resource already mapped"),
    ZELLIGE_ERROR(hipErrorNoBinaryForGpu, "no kernel image is available for execution on the device"),
    ZELLIGE_ERROR(hipErrorAlreadyAcquired, "resource already acquired"),
    ZELLIGE_ERROR(hipErrorNotMapped, "resource not mapped"),
    ZELLIGE_ERROR(hipErrorNotMappedAsArray, "resource not mapped as array"),
    ZELLIGE_ERROR(hipErrorNotMappedAsPointer, "resource not mapped as pointer"),
    ZELLIGE_ERROR(hipErrorECCNotCorrectable, "uncorrectable ECC error encountered"),
    ZELLIGE_ERROR(hipErrorUnsupportedLimit, "limit is not supported on this architecture"),
    ZELLIGE_ERROR(hipErrorContextAlreadyInUse, "exclusive-thread device already in use by a different thread"),
    ZELLIGE_ERROR(hipErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
    ZELLIGE_ERROR(hipErrorInvalidKernelFile, "invalid kernel file"),
    ZELLIGE_ERROR(hipErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context"),
    ZELLIGE_ERROR(hipErrorInvalidSource, "device kernel image is invalid"),
    ZELLIGE_ERROR(hipErrorFileNotFound, "file not found"),
    ZELLIGE_ERROR(hipErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
    ZELLIGE_ERROR(hipErrorSharedObjectInitFailed, "shared object initialization failed"),
    ZELLIGE_ERROR(hipErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    ZELLIGE_ERROR(hipErrorInvalidHandle, "invalid resource handle"),
    ZELLIGE_ERROR(hipErrorIllegalState, "the operation cannot be performed in the present state"),
    ZELLIGE_ERROR(hipErrorNotFound, "named symbol not found"),
    ZELLIGE_ERROR(hipErrorNotReady, "device not ready"),
    ZELLIGE_ERROR(hipErrorIllegalAddress, "an illegal memory access was encountered"),
    ZELLIGE_ERROR(hipErrorLaunchOutOfResources, "too many resources requested for launch"),
    ZELLIGE_ERROR(hipErrorLaunchTimeOut, "the launch timed out and was terminated"),
    ZELLIGE_ERROR(hipErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    ZELLIGE_ERROR(hipErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    ZELLIGE_ERROR(hipErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    ZELLIGE_ERROR(hipErrorContextIsDestroyed, "context is destroyed"),
    ZELLIGE_ERROR(hipErrorAssert, "device-side assert triggered"),
    ZELLIGE_ERROR(hipErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    ZELLIGE_ERROR(hipErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    ZELLIGE_ERROR(hipErrorLaunchFailure, "unspecified launch failure"),
    ZELLIGE_ERROR(hipErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    ZELLIGE_ERROR(hipErrorNotSupported, "operation not supported"),
    ZELLIGE_ERROR(hipErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    ZELLIGE_ERROR(hipErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    ZELLIGE_ERROR(hipErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences"),
    ZELLIGE_ERROR(hipErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
    ZELLIGE_ERROR(hipErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    ZELLIGE_ERROR(hipErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    ZELLIGE_ERROR(hipErrorStreamCaptureImplicit,
                  "operation would make the legacy stream depend on a capturing blocking stream"),
    ZELLIGE_ERROR(hipErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
    ZELLIGE_ERROR(hipErrorStreamCaptureWrongThread,
                  "attempt to terminate a thread-local capture sequence from another thread"),
    ZELLIGE_ERROR(hipErrorGraphExecUpdateFailure,
                  "the graph update was not performed because it included changes which violated constraints"),
    ZELLIGE_ERROR(hipErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    ZELLIGE_ERROR(hipErrorInvalidTexture, "invalid texture"),
    ZELLIGE_ERROR(hipErrorUnknown, "unknown error"),
    ZELLIGE_ERROR(hipErrorRuntimeMemory, "runtime memory call returned error"),
    ZELLIGE_ERROR(hipErrorRuntimeOther, "runtime call other than memory returned error"),
    ZELLIGE_ERROR(hipErrorTbd, "to be determined or implemented"),
};
#undef ZELLIGE_ERROR

const ErrorText* find(hipError_t code) {
  const auto it = std::ranges::find(errors, code, &ErrorText::code);
  return it == std::end(errors) ? nullptr : it;
}

struct Reports {
  std::mutex lock;
  std::string last;
};
Reports& reports() {
  static Reports* instance = new Reports;
  return *instance;
}

}  // namespace

hipError_t& last_error() {
  static thread_local hipError_t error = hipSuccess;
  return error;
}

void report(const std::string& why) {
  const std::lock_guard guard(reports().lock);
  reports().last = why;
  std::fprintf(stderr, "zellige-sim: %s\n", why.c_str());
}

std::string last_report() {
  const std::lock_guard guard(reports().lock);
  return reports().last;
}

namespace {

/// Reads and clears: the thread's error, and what work on its device left pending.
hipError_t take_error() {
  hipError_t error = std::exchange(last_error(), hipSuccess);
  Runtime& runtime = Runtime::instance();
  const std::lock_guard guard(runtime.lock);
  for (ihipStream_t* stream : runtime.streams) {
    if (stream->pending == hipSuccess) continue;
    const hipError_t pending = std::exchange(stream->pending, hipSuccess);
    if (error == hipSuccess) error = pending;
  }
  return error;
}

}  // namespace
}  // namespace zellige::sim

using namespace zellige::sim;

hipError_t hipGetLastError() { return take_error(); }
hipError_t hipExtGetLastError() { return take_error(); }
hipError_t hipPeekAtLastError() { return last_error(); }

const char* hipGetErrorName(hipError_t error) {
  const ErrorText* entry = find(error);
  return entry ? entry->name : "hipErrorUnknown";
}

const char* hipGetErrorString(hipError_t error) {
  const ErrorText* entry = find(error);
  return entry ? entry->text : "unknown error";
}

hipError_t hipDrvGetErrorName(hipError_t error, const char** text) {
  if (!text || !find(error)) return hipErrorInvalidValue;
  *text = hipGetErrorName(error);
  return hipSuccess;
}

hipError_t hipDrvGetErrorString(hipError_t error, const char** text) {
  if (!text || !find(error)) return hipErrorInvalidValue;
  *text = hipGetErrorString(error);
  return hipSuccess;
}
