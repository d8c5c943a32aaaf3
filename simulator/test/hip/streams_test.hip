// Streams, events and the simulated clock.
#include "support.hpp"
#include "zellige_sim.h"

using zellige::test::DeviceVector;

namespace {

__global__ void add(int* values, int amount) { values[blockIdx.x * blockDim.x + threadIdx.x] += amount; }

/// `rounds` dependent multiplications a lane: time that grows with `rounds`.
__global__ void spin(float* values, int rounds) {
  float value = values[threadIdx.x];
  for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f;
  values[threadIdx.x] = value;
}

void note(void* data) { *static_cast<int*>(data) += 1; }
void note_status(hipStream_t, hipError_t status, void* data) { *static_cast<int*>(data) += status == hipSuccess; }

float time_of_spin(float* data, int rounds) {
  hipEvent_t start, stop;
  EXPECT_EQ(hipSuccess, hipEventCreate(&start));
  EXPECT_EQ(hipSuccess, hipEventCreate(&stop));
  EXPECT_EQ(hipSuccess, hipEventRecord(start, nullptr));
  spin<<<1, 64>>>(data, rounds);
  EXPECT_EQ(hipSuccess, hipEventRecord(stop, nullptr));
  EXPECT_EQ(hipSuccess, hipEventSynchronize(stop));
  float milliseconds = 0;
  EXPECT_EQ(hipSuccess, hipEventElapsedTime(&milliseconds, start, stop));
  EXPECT_EQ(hipSuccess, hipEventDestroy(start));
  EXPECT_EQ(hipSuccess, hipEventDestroy(stop));
  return milliseconds;
}

}  // namespace

TEST(Streams, WorkRunsInOrderWithCallbacks) {
  hipStream_t stream;
  HIP_OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  DeviceVector<int> data(256);
  int calls = 0;
  HIP_OK(hipMemsetAsync(data.data(), 0, 1024, stream));
  add<<<4, 64, 0, stream>>>(data.data(), 5);
  HIP_OK(hipLaunchHostFunc(stream, note, &calls));
  HIP_OK(hipStreamAddCallback(stream, note_status, &calls, 0));
  add<<<4, 64, 0, stream>>>(data.data(), 6);
  HIP_OK(hipStreamSynchronize(stream));
  HIP_OK(hipStreamQuery(stream));
  EXPECT_EQ(2, calls);
  EXPECT_EQ(std::vector<int>(256, 11), data.read());
  unsigned flags = 0;
  HIP_OK(hipStreamGetFlags(stream, &flags));
  EXPECT_EQ(unsigned{hipStreamNonBlocking}, flags);
  HIP_OK(hipStreamDestroy(stream));
  EXPECT_EQ(hipErrorContextIsDestroyed, hipStreamSynchronize(stream));
  (void)hipGetLastError();
}

TEST(Streams, PrioritiesAndSpecialStreams) {
  int least = 0, greatest = 0, priority = 7;
  HIP_OK(hipDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT_LE(greatest, least);
  hipStream_t stream;
  HIP_OK(hipStreamCreateWithPriority(&stream, hipStreamDefault, greatest));
  HIP_OK(hipStreamGetPriority(stream, &priority));
  EXPECT_EQ(greatest, priority);
  HIP_OK(hipStreamDestroy(stream));
  DeviceVector<int> data(64);
  HIP_OK(hipMemset(data.data(), 0, 256));
  add<<<1, 64, 0, hipStreamPerThread>>>(data.data(), 1);
  add<<<1, 64, 0, hipStreamLegacy>>>(data.data(), 1);
  HIP_OK(hipStreamSynchronize(hipStreamPerThread));
  EXPECT_EQ(std::vector<int>(64, 2), data.read());
}

TEST(Events, ElapsedTimeIsPredictedAndGrowsWithWork) {
  std::vector<float> ones(64, 1.0f);
  DeviceVector<float> data(ones);
  const float small = time_of_spin(data.data(), 1000), large = time_of_spin(data.data(), 100000);
  EXPECT_GT(small, 0);
  EXPECT_GT(large, 20 * small);
  EXPECT_EQ(small, time_of_spin(data.data(), 1000));  // a prediction, not a measurement

  ZelligeSimLaunch launch{};
  launch.struct_size = sizeof launch;
  ASSERT_EQ(0, zelligeSimLastLaunch(&launch));
  EXPECT_NE(nullptr, strstr(launch.kernel, "spin"));
  EXPECT_NEAR(small, launch.seconds * 1e3, 1e-6);
  EXPECT_EQ(1u, launch.workgroups);
  EXPECT_EQ(64u / static_cast<unsigned>(zellige::test::wave_lanes()), launch.waves);
  EXPECT_GE(launch.instructions[0], 1000u);
  EXPECT_EQ(256u, launch.load_bytes);
  EXPECT_EQ(256u, launch.store_bytes);
  EXPECT_STREQ("valu", zelligeSimOpClassName(0));
  EXPECT_STREQ("", zelligeSimOpClassName(99));
}

TEST(Events, UseBeforeRecordingAndWithoutTiming) {
  hipEvent_t never, untimed, timed;
  HIP_OK(hipEventCreate(&never));
  HIP_OK(hipEventCreateWithFlags(&untimed, hipEventDisableTiming));
  HIP_OK(hipEventCreate(&timed));
  HIP_OK(hipEventRecord(untimed, nullptr));
  HIP_OK(hipEventRecord(timed, nullptr));
  float milliseconds = -1;
  EXPECT_EQ(hipErrorInvalidHandle, hipEventElapsedTime(&milliseconds, never, timed));
  EXPECT_EQ(hipErrorInvalidHandle, hipEventElapsedTime(&milliseconds, timed, untimed));
  HIP_OK(hipEventQuery(never));
  HIP_OK(hipStreamWaitEvent(nullptr, timed, 0));
  HIP_OK(hipEventElapsedTime(&milliseconds, timed, timed));
  EXPECT_EQ(0, milliseconds);
  for (hipEvent_t event : {never, untimed, timed}) HIP_OK(hipEventDestroy(event));
  EXPECT_EQ(hipErrorInvalidHandle, hipEventDestroy(timed));
  (void)hipGetLastError();
}

TEST(Events, SamplingScalesCountsAndTime) {
  DeviceVector<int> data(64 * 1000);
  HIP_OK(hipMemset(data.data(), 0, 4 * 64 * 1000));
  ZelligeSimLaunch whole{}, sampled{};
  whole.struct_size = sampled.struct_size = sizeof whole;
  add<<<1000, 64>>>(data.data(), 1);
  ASSERT_EQ(0, zelligeSimLastLaunch(&whole));
  zelligeSimSetSampling(10);
  add<<<1000, 64>>>(data.data(), 1);
  zelligeSimSetSampling(0);
  ASSERT_EQ(0, zelligeSimLastLaunch(&sampled));
  EXPECT_EQ(1000u, whole.executed);
  EXPECT_EQ(10u, sampled.executed);
  EXPECT_EQ(1000u, sampled.workgroups);
  EXPECT_EQ(whole.waves, sampled.waves);
  EXPECT_EQ(whole.load_bytes, sampled.load_bytes);
  EXPECT_DOUBLE_EQ(whole.seconds, sampled.seconds);
  const std::vector<int> values = data.read();
  EXPECT_EQ(10 * 64, std::count(values.begin(), values.end(), 2));
}
