// MIOpenDriver command lines as logs and lists print them, and malformed ones.
#include "driver_line.hpp"

#include <gtest/gtest.h>

#include "failure.hpp"

namespace zellige::profiler {
namespace {

constexpr const char* resnet_layer =
    "MIOpenDriver convbfp16 -n 32 -c 64 -H 56 -W 28 -k 128 -y 3 -x 1 -p 1 -q 0 -u 2 -v 1 -l 1 -j 2 -m conv -g 1 -F 1 "
    "-t 1 "
    "--in_layout NHWC --fil_layout NHWC --out_layout NHWC";

std::string refusal(const std::string& line) {
  try {
    parse_driver_line(line);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), Exit::bad_arguments);
    return failure.what();
  }
  return {};
}

TEST(DriverLine, ReadsEachFlag) {
  const DriverLine line = parse_driver_line(resnet_layer);
  EXPECT_EQ(line.type, "bf16");
  EXPECT_EQ(line.shape.n, 32);
  EXPECT_EQ(line.shape.c, 64);
  EXPECT_EQ(line.shape.k, 128);
  EXPECT_EQ(line.shape.groups, 1);
  EXPECT_EQ(line.shape.spatial, 2);
  EXPECT_EQ(line.shape.axis[0],
            (ConvAxis{.size = 56, .filter = 3, .stride = 2, .dilation = 1, .pad_before = 1, .pad_after = 1}));
  EXPECT_EQ(line.shape.axis[1],
            (ConvAxis{.size = 28, .filter = 1, .stride = 1, .dilation = 2, .pad_before = 0, .pad_after = 0}));
  EXPECT_EQ(line.directions, std::vector{ConvDirection::forward});
  EXPECT_TRUE(line.channels_last());
}

TEST(DriverLine, PassesOverWhatPrecedesTheOperation) {
  const std::string tail = "convfp16 -n 1 -c 8 -H 9 -W 9 -k 8 -F 1";
  for (const char* prefix :
       {"", "MIOpenDriver ", "./bin/MIOpenDriver ", "/opt/rocm/bin/MIOpenDriver ",
        "MIOpen(HIP): Command [LogCmdConvolution] ./bin/MIOpenDriver ", "  \t MIOpenDriver\t"}) {
    const DriverLine line = parse_driver_line(prefix + tail);
    EXPECT_EQ(line.text, tail) << prefix;
    EXPECT_EQ(line.type, "f16") << prefix;
  }
}

TEST(DriverLine, LongNamesAndEqualsSigns) {
  const DriverLine a =
      parse_driver_line("conv -n 2 -c 6 -H 10 -W 11 -k 4 -y 5 -x 3 -p 2 -q 1 -u 1 -v 2 -l 1 -j 1 -g 2 -F 4");
  const DriverLine b = parse_driver_line(
      "conv --batchsize 2 --in_channels=6 --in_h 10 --in_w 11 --out_channels 4 --fil_h 5 --fil_w=3 --pad_h 2 --pad_w 1 "
      "--conv_stride_h 1 --conv_stride_w 2 --dilation_h 1 --dilation_w 1 --group_count 2 --forw 4");
  EXPECT_EQ(a.shape, b.shape);
  EXPECT_EQ(a.directions, b.directions);
  EXPECT_EQ(a.type, "f32");
  EXPECT_TRUE(parse_driver_line("convfp16 -n 8 -in_layout=NHWC").channels_last());
}

TEST(DriverLine, ThreeDimensions) {
  const DriverLine line = parse_driver_line(
      "MIOpenDriver convfp16 -n 1 -c 16 --in_d 5 -H 104 -W 60 -k 24 --fil_d 3 -y 1 -x 2 --pad_d 1 -p 0 -q 4 "
      "--conv_stride_d 2 -u 1 "
      "-v 3 --dilation_d 2 -l 1 -j 1 --spatial_dim 3 --in_layout NDHWC --fil_layout NDHWC --out_layout NDHWC -m conv "
      "-g 1 -F 1 -t 1");
  ASSERT_EQ(line.shape.spatial, 3);
  EXPECT_EQ(line.shape.axis[0],
            (ConvAxis{.size = 5, .filter = 3, .stride = 2, .dilation = 2, .pad_before = 1, .pad_after = 1}));
  EXPECT_EQ(line.shape.axis[1],
            (ConvAxis{.size = 104, .filter = 1, .stride = 1, .dilation = 1, .pad_before = 0, .pad_after = 0}));
  EXPECT_EQ(line.shape.axis[2],
            (ConvAxis{.size = 60, .filter = 2, .stride = 3, .dilation = 1, .pad_before = 4, .pad_after = 4}));
  EXPECT_TRUE(line.channels_last());
  const DriverLine letters = parse_driver_line("convfp16 -_ 3 -! 5 -@ 2 -# 2 -$ 1 -^ 2 -H 4 -W 4 -y 1 -x 1");
  EXPECT_EQ(letters.shape.axis[0],
            (ConvAxis{.size = 5, .filter = 2, .stride = 2, .dilation = 2, .pad_before = 1, .pad_after = 1}));
}

TEST(DriverLine, TypesOfTheOperation) {
  EXPECT_EQ(parse_driver_line("conv -n 1").type, "f32");
  EXPECT_EQ(parse_driver_line("convfp16 -n 1").type, "f16");
  EXPECT_EQ(parse_driver_line("convbfp16 -n 1").type, "bf16");
  const Problem i8 = problem_of(parse_driver_line("convint8 -n 1"), ConvDirection::forward, Arch::gfx942);
  EXPECT_EQ(std::get<ConvProblem>(i8.shape).input, DataType::i8);
  EXPECT_EQ(std::get<ConvProblem>(i8.shape).output, DataType::i32);
  const auto fp8_on = [](Arch arch) {
    return std::get<ConvProblem>(problem_of(parse_driver_line("convfp8 -n 1"), ConvDirection::forward, arch).shape)
        .input;
  };
  EXPECT_EQ(fp8_on(Arch::gfx942), DataType::f8e4m3fnuz);
  const Problem bf8 = problem_of(parse_driver_line("convbfp8 -n 100 -I NHWC"), ConvDirection::forward, Arch::gfx942);
  EXPECT_EQ(std::get<ConvProblem>(bf8.shape).weight, DataType::f8e5m2fnuz);
  EXPECT_EQ(std::get<ConvProblem>(bf8.shape).output, DataType::f32);
  ASSERT_EQ(bf8.notices.size(), 1u);
  EXPECT_EQ(bf8.notices[0], "MIOpenDriver's output of this line is f8e5m2fnuz; it runs with an output of f32");
  EXPECT_EQ(fp8_on(Arch::gfx950), DataType::f8e4m3);
}

TEST(DriverLine, DirectionsOfTheMask) {
  using enum ConvDirection;
  const auto directions = [](const char* mask) { return parse_driver_line(std::string("conv -F ") + mask).directions; };
  EXPECT_EQ(directions("0"), (std::vector{forward, backward_data, backward_weight}));
  EXPECT_EQ(parse_driver_line("conv").directions, (std::vector{forward, backward_data, backward_weight}));
  EXPECT_EQ(directions("1"), (std::vector{forward}));
  EXPECT_EQ(directions("2"), (std::vector{backward_data}));
  EXPECT_EQ(directions("4"), (std::vector{backward_weight}));
  EXPECT_EQ(directions("5"), (std::vector{forward, backward_weight}));
  EXPECT_EQ(directions("7"), (std::vector{forward, backward_data, backward_weight}));
  EXPECT_NE(refusal("conv -F 8"), "");
  EXPECT_NE(refusal("conv -F -1"), "");
}

TEST(DriverLine, OtherLayoutsRunChannelsLastWithANotice) {
  const DriverLine line = parse_driver_line("convfp16 -n 1 -c 8 -H 9 -W 9 -k 8 -y 1 -x 1 -F 1");
  EXPECT_FALSE(line.channels_last());
  const Problem problem = problem_of(line, ConvDirection::forward, Arch::gfx942);
  EXPECT_TRUE(problem.layout_assumed);
  EXPECT_EQ(problem.driver_layout, "NCHW");
  ASSERT_EQ(problem.notices.size(), 1u);
  EXPECT_EQ(problem.notices[0], "the driver line states NCHW; it runs channels-last (NHWC)");

  const Problem last = problem_of(parse_driver_line(resnet_layer), ConvDirection::forward, Arch::gfx942);
  EXPECT_FALSE(last.layout_assumed);
  EXPECT_TRUE(last.notices.empty());

  EXPECT_EQ(parse_driver_line("conv --in_layout NHWC --fil_layout NCHW --out_layout NHWC").layout, "NHWC/NCHW/NHWC");
  EXPECT_TRUE(parse_driver_line("conv --in_layout nhwc").channels_last());
}

TEST(DriverLine, AnotherBatchIsSaid) {
  const Problem problem = problem_of(parse_driver_line(resnet_layer), ConvDirection::forward, Arch::gfx942, 1);
  EXPECT_EQ(std::get<ConvProblem>(problem.shape).n, 1);
  ASSERT_EQ(problem.notices.size(), 1u);
  EXPECT_EQ(problem.notices[0], "the driver line states n = 32; it runs with n = 1");
}

TEST(DriverLine, AbsentFlagsHaveTheDriversDefaults) {
  const ConvProblem shape = parse_driver_line("conv").shape;
  EXPECT_EQ(shape.n, 100);
  EXPECT_EQ(shape.c, 3);
  EXPECT_EQ(shape.k, 32);
  EXPECT_EQ(shape.axis[0], (ConvAxis{.size = 32, .filter = 3}));
}

TEST(DriverLine, RefusesWhatItCannotDo) {
  EXPECT_EQ(refusal("convfp16 -n"), "the flag -n has no value");
  EXPECT_EQ(refusal("convfp16 -n -F 1"), "the flag -n needs a value, but -F follows");
  EXPECT_EQ(refusal("convfp16 -n --forw 1"), "the flag -n needs a value, but --forw follows");
  EXPECT_EQ(refusal("convfp16 --bananas 3"), "MIOpenDriver has no flag '--bananas'");
  EXPECT_EQ(refusal("convfp16 -Q 3"), "MIOpenDriver has no flag '-Q'");
  EXPECT_EQ(refusal("convfp16 32"), "MIOpenDriver has no flag '32'");
  EXPECT_EQ(refusal("convfp16 -n 0"), "-n (--batchsize) must be from 1 to 2147483647, but is 0");
  EXPECT_EQ(refusal("convfp16 -p -1"), "-p (--pad_h) must be from 0 to 2147483647, but is -1");
  EXPECT_EQ(refusal("convfp16 -c 8 -c 16"), "the flag -c is given twice, as 8 and 16");
  EXPECT_EQ(refusal("convfp16 -b 1"), "-b 1 is not supported: only its default 0 is");
  EXPECT_NE(refusal("convfp16 -n 99999999999999999999"), "");
  EXPECT_NE(refusal("convfp16 -H 3.5"), "");
  EXPECT_NE(refusal("convfp16 -m trans"), "");
  EXPECT_NE(refusal("convfp16 -m depthwise"), "");
  EXPECT_NE(refusal("convfp16 -z same"), "");
  EXPECT_NE(refusal("convfp16 --spatial_dim 1"), "");
  EXPECT_NE(refusal("convfp16 --spatial_dim 4"), "");
  EXPECT_NE(refusal("convfp16 --in_layout NCHWc4"), "");
  EXPECT_NE(refusal("convfp16 --in_layout NDHWC"), "");
  EXPECT_NE(refusal("pool -n 1"), "");
  EXPECT_NE(refusal("gemm -m 3"), "");
  EXPECT_NE(refusal("MIOpenDriver"), "");
  EXPECT_NE(refusal(""), "");
  EXPECT_NE(refusal("\x01\xff\xfe"), "");
}

TEST(DriverLine, ProblemsWithoutMeaningAreRefused) {
  const auto why = [](const char* line) -> std::string {
    try {
      problem_of(parse_driver_line(line), ConvDirection::forward, Arch::gfx942);
    } catch (const Failure& failure) {
      return failure.what();
    }
    return {};
  };
  EXPECT_EQ(why("conv -c 8 -k 8 -g 3"), "groups = 3 must be at least 1 and divide c = 8 and k = 8");
  EXPECT_EQ(why("conv -H 2 -y 5"),
            "axis 0: the filter spans 5 pixels but the padded image has 2, so there is no output");
  EXPECT_NE(why("conv -n 2147483647 -c 2147483647 -H 2147483647 -W 2147483647"), "");
  EXPECT_EQ(why("conv -n 64 -c 96 -H 512 -W 512 -k 64 -y 1 -x 1"),
            "");  // over 4 GB is an instance's question, not the problem's
}

}  // namespace
}  // namespace zellige::profiler
