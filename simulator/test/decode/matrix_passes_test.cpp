// Passes of decoded matrix instructions against the peak rates that the makers publish.
#include <gtest/gtest.h>

#include <string>

#include "simulator/decode/program.hpp"
#include "simulator/test/execute/assembly_machine.hpp"

namespace zellige::sim::test {
namespace {

/// `simds` of the device at `clock` GHz, from data sheets: MI250X (both dies), MI300X, MI355X, RX 7900 XTX, RX 9070 XT.
struct Device {
  const char* target;
  int simds;
  double clock;
};
constexpr Device mi250x{"gfx90a", 220 * 4, 1.7}, mi300x{"gfx942", 304 * 4, 2.1}, mi355x{"gfx950", 256 * 4, 2.4},
    rx7900xtx{"gfx1100", 96 * 2, 2.5}, rx9070xt{"gfx1201", 64 * 2, 2.97};

struct Peak {
  Device device;
  const char* text;
  int multiply_adds;
  double tera_flops;  ///< of dense inputs
};
constexpr Peak peaks[] = {
    {mi250x, "v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]", 32 * 32 * 8, 383},
    {mi250x, "v_mfma_f32_16x16x16f16 a[0:3], v[0:1], v[2:3], a[0:3]", 16 * 16 * 16, 383},
    {mi250x, "v_mfma_f32_32x32x2f32 a[0:15], v0, v1, a[0:15]", 32 * 32 * 2, 95.7},
    {mi250x, "v_mfma_f64_16x16x4f64 a[0:7], v[0:1], v[2:3], a[0:7]", 16 * 16 * 4, 95.7},
    {mi300x, "v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]", 32 * 32 * 8, 1307.4},
    {mi300x, "v_mfma_f32_16x16x16_f16 a[0:3], v[0:1], v[2:3], a[0:3]", 16 * 16 * 16, 1307.4},
    {mi300x, "v_mfma_f32_16x16x32_fp8_fp8 a[0:3], v[0:1], v[2:3], a[0:3]", 16 * 16 * 32, 2614.9},
    {mi300x, "v_mfma_f32_16x16x8_xf32 a[0:3], v[0:1], v[2:3], a[0:3]", 16 * 16 * 8, 653.7},
    {mi300x, "v_mfma_f32_32x32x2_f32 a[0:15], v0, v1, a[0:15]", 32 * 32 * 2, 163.4},
    {mi300x, "v_mfma_f64_16x16x4_f64 a[0:7], v[0:1], v[2:3], a[0:7]", 16 * 16 * 4, 163.4},
    {mi355x, "v_mfma_f32_16x16x32_f16 a[0:3], v[0:3], v[4:7], a[0:3]", 16 * 16 * 32, 2516.6},
    {mi355x, "v_mfma_f32_32x32x16_f16 a[0:15], v[0:3], v[4:7], a[0:15]", 32 * 32 * 16, 2516.6},
    {mi355x, "v_mfma_f32_16x16x128_f8f6f4 a[0:3], v[0:7], v[8:15], a[0:3]", 16 * 16 * 128, 5033.2},
    {mi355x, "v_mfma_f32_16x16x128_f8f6f4 a[0:3], v[0:3], v[4:7], a[0:3] cbsz:4 blgp:4", 16 * 16 * 128, 10066.3},
    {mi355x, "v_mfma_f32_32x32x2_f32 a[0:15], v0, v1, a[0:15]", 32 * 32 * 2, 157.3},
    {mi355x, "v_mfma_f64_16x16x4_f64 a[0:7], v[0:1], v[2:3], a[0:7]", 16 * 16 * 4, 78.6},
    {rx7900xtx, "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]", 16 * 16 * 16, 122.8},
    {rx9070xt, "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]", 16 * 16 * 16, 195},
    {rx9070xt, "v_wmma_f32_16x16x16_fp8_fp8 v[0:7], v[8:9], v[10:11], v[0:7]", 16 * 16 * 16, 389},
};

TEST(MatrixPasses, GiveThePublishedPeaks) {
  for (const Peak& peak : peaks) {
    const std::string target = peak.device.target;
    const int lanes = target.starts_with("gfx9") ? 64 : 32;
    const auto code = assemble(target, std::string(peak.text) + "\ns_endpgm\n", lanes);
    constexpr std::uint64_t base = 0x10000;
    const auto program = decode(target, lanes, code.data(), base, code.size(), base, "test");
    const int passes = program->instructions.front().passes;
    ASSERT_GT(passes, 0) << target << " " << peak.text;
    EXPECT_NEAR(peak.device.simds * 2.0 * peak.multiply_adds / (4 * passes) * peak.device.clock / 1000, peak.tera_flops,
                0.004 * peak.tera_flops)
        << target << " " << peak.text << ": " << passes << " passes";
  }
}

}  // namespace
}  // namespace zellige::sim::test
