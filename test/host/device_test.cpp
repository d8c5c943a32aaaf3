// Devices and failures of the runtime: what a program without kernels sees.
#include "zellige/host/device.hpp"

#include <gtest/gtest.h>

namespace zellige {
namespace {

TEST(RuntimeError, NamesTheCallTheErrorAndTheSubject) {
  const RuntimeError error("hipMalloc", hipErrorInvalidValue, "the weight");
  EXPECT_EQ(error.error(), hipErrorInvalidValue);
  const std::string text = error.what();
  const std::string name = hipGetErrorName(hipErrorInvalidValue);  // CUDA's own in a build for CUDA
  EXPECT_NE(name.find("ErrorInvalidValue"), std::string::npos) << name;
  EXPECT_TRUE(text.starts_with("hipMalloc failed: " + name + " (")) << text;
  EXPECT_TRUE(text.ends_with("), the weight")) << text;
}

TEST(RuntimeError, OnlyFailuresThrow) {
  EXPECT_NO_THROW(require_success(hipSuccess, "hipMalloc"));
  EXPECT_THROW(require_success(hipErrorInvalidValue, "hipMalloc"), RuntimeError);
}

TEST(Device, IsOfTheTargetThatItsNameSays) {
  const Device device = device_of(0);
  EXPECT_EQ(device.index, 0);
  EXPECT_EQ(device.arch, parse_arch(device.arch_name));
  EXPECT_EQ(device.arch_name.find(':'), std::string::npos) << device.arch_name;
  EXPECT_FALSE(device.name.empty());
  EXPECT_GT(device.compute_units, 0);
}

TEST(Device, TheCurrentOneIsAskedOnce) {
  const Device& first = current_device();
  EXPECT_EQ(&first, &current_device());
  EXPECT_EQ(first.arch_name, device_of(first.index).arch_name);
}

TEST(Device, OneThatDoesNotExistIsAnErrorWithItsNumber) {
  try {
    device_of(4096);
    FAIL() << "device 4096 exists";
  } catch (const RuntimeError& error) {
    EXPECT_NE(std::string(error.what()).find("device 4096"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace zellige
