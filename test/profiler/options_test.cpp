// The command line: each flag, and each way to get it wrong.
#include "options.hpp"

#include <gtest/gtest.h>

#include "failure.hpp"

namespace zellige::profiler {
namespace {

Options parse(std::vector<const char*> words) {
  words.insert(words.begin(), "zellige-profiler");
  std::optional<Options> options = parse_options(static_cast<int>(words.size()), words.data());
  if (!options) throw std::runtime_error("only help was asked for");
  return *options;
}

std::string refusal(const std::vector<const char*>& words) {
  try {
    parse(words);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), Exit::bad_arguments);
    return failure.what();
  }
  return {};
}

/// A good convolution with more flags after it.
std::vector<const char*> conv(std::vector<const char*> more = {}) {
  std::vector<const char*> words = {"conv_fwd", "--c", "64", "--in", "56x56", "--k", "32"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<const char*> gemm(std::vector<const char*> more = {}) {
  std::vector<const char*> words = {"gemm", "--m", "128", "--n", "64", "--k", "32"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

ConvProblem conv_of(const std::vector<const char*>& words) {
  const Options o = parse(words);
  return std::get<ConvProblem>(build_problem(o.op, o.flags, Arch::gfx942).shape);
}

GemmProblem gemm_of(const std::vector<const char*>& words) {
  const Options o = parse(words);
  return std::get<GemmProblem>(build_problem(o.op, o.flags, Arch::gfx942).shape);
}

TEST(Options, Defaults) {
  const Options o = parse(conv());
  EXPECT_EQ(o.command, Command::run);
  EXPECT_EQ(o.op, Operator::conv_fwd);
  EXPECT_FALSE(o.explain);
  EXPECT_FALSE(o.device);
  EXPECT_EQ(o.split_k, -1);
  EXPECT_EQ(o.epilogue, "none");
  EXPECT_TRUE(o.verify);
  EXPECT_FALSE(o.iterations);
  EXPECT_FALSE(o.warmup);
  EXPECT_EQ(o.shard.index, 0);
  EXPECT_EQ(o.shard.count, 1);
  EXPECT_FALSE(o.deterministic);
  EXPECT_EQ(o.seed, 1u);
  EXPECT_EQ(o.top, 0);
  EXPECT_EQ(o.json + o.csv + o.html + o.instances, "");
  const ConvProblem p = conv_of(conv());
  EXPECT_EQ(p.n, 1);
  EXPECT_EQ(p.groups, 1);
  EXPECT_EQ(p.input, DataType::f16);
  EXPECT_EQ(p.axis[0], (ConvAxis{.size = 56}));
}

TEST(Options, FoldingAndLimits) {
  EXPECT_TRUE(parse(conv()).fold);
  EXPECT_TRUE(parse(conv({"--fold"})).fold);
  EXPECT_FALSE(parse(conv({"--no-fold"})).fold);
  EXPECT_EQ(parse(conv()).limit_bytes, 0);
  EXPECT_EQ(parse(conv({"--limit-bytes", "2147483647"})).limit_bytes, 2147483647);
  EXPECT_EQ(refusal(conv({"--limit-bytes", "0"})), "--limit-bytes must be from 1 to 2147483647, but is 0");
  EXPECT_EQ(refusal(conv({"--limit-bytes", "2147483648"})),
            "--limit-bytes must be from 1 to 2147483647, but is 2147483648");
  EXPECT_EQ(refusal({"list", "--no-fold"}), "list takes --device, --instances and --json, not --no-fold");
  EXPECT_EQ(refusal({"list", "--limit-bytes", "5"}), "list takes --device, --instances and --json, not --limit-bytes");
}

TEST(Options, lesson33_negative_padding_is_refused) {
  for (const char* pad : {"-1", "-2", "1x-2", "0x0:0x-1"})
    EXPECT_NE(refusal(conv({"--filter", "3", "--pad", pad})).find("--pad"), std::string::npos) << pad;
}

TEST(Options, ConvolutionFlags) {
  const ConvProblem p =
      conv_of({"conv_fwd", "--n",      "32",  "--c",      "64",   "--in",        "56x28",   "--k",
               "16",       "--filter", "3x5", "--stride", "2x1",  "--pad",       "3x2:1x0", "--dilation",
               "1x2",      "--groups", "4",   "--dtype",  "bf16", "--dtype-out", "f32"});
  EXPECT_EQ(p.n, 32);
  EXPECT_EQ(p.c, 64);
  EXPECT_EQ(p.k, 16);
  EXPECT_EQ(p.groups, 4);
  EXPECT_EQ(p.spatial, 2);
  EXPECT_EQ(p.input, DataType::bf16);
  EXPECT_EQ(p.weight, DataType::bf16);
  EXPECT_EQ(p.output, DataType::f32);
  EXPECT_EQ(p.axis[0],
            (ConvAxis{.size = 56, .filter = 3, .stride = 2, .dilation = 1, .pad_before = 3, .pad_after = 1}));
  EXPECT_EQ(p.axis[1],
            (ConvAxis{.size = 28, .filter = 5, .stride = 1, .dilation = 2, .pad_before = 2, .pad_after = 0}));
  EXPECT_EQ(conv_of({"conv_fwd", "--c", "4", "--in", "9", "--k", "4"}).spatial, 1);
  EXPECT_EQ(conv_of({"conv_fwd", "--c", "4", "--in", "9x8x7", "--k", "4", "--filter", "3", "--pad", "1"}).spatial, 3);
  EXPECT_EQ(conv_of(conv({"--dtype", "f16", "--dtype-weight", "bf16"})).weight, DataType::bf16);
}

TEST(Options, ProductFlags) {
  const GemmProblem p =
      gemm_of({"gemm", "--m", "7", "--n", "6", "--k", "5", "--layout", "cr", "--dtype", "bf16", "--dtype-out", "f32"});
  EXPECT_EQ(p.m, 7);
  EXPECT_EQ(p.n, 6);
  EXPECT_EQ(p.k, 5);
  EXPECT_EQ(p.order_a, MatrixOrder::column);
  EXPECT_EQ(p.order_b, MatrixOrder::row);
  EXPECT_EQ(p.output, DataType::f32);
  EXPECT_EQ(gemm_of(gemm()).order_a, MatrixOrder::row);
  EXPECT_EQ(gemm_of(gemm()).order_b, MatrixOrder::column);
}

TEST(Options, EveryTypeOfTheContract) {
  for (const char* name : {"f16", "bf16", "f32", "tf32", "f64", "i8", "f8e4m3", "f8e5m2", "f8e4m3fnuz", "f8e5m2fnuz"}) {
    EXPECT_STREQ(name_of(gemm_of(gemm({"--dtype", name})).input), name);
  }
  EXPECT_EQ(gemm_of(gemm({"--dtype", "fp8"})).input, DataType::f8e4m3fnuz);
  EXPECT_EQ(gemm_of(gemm({"--dtype", "bf8"})).input, DataType::f8e5m2fnuz);
  EXPECT_EQ(gemm_of(gemm({"--dtype", "i8"})).output, DataType::i32);
  EXPECT_EQ(gemm_of(gemm({"--dtype", "tf32"})).output, DataType::f32);
  EXPECT_EQ(gemm_of(gemm({"--dtype", "f64"})).output, DataType::f64);
  EXPECT_EQ(gemm_of(gemm({"--dtype", "bf8"})).output, DataType::f32);
  EXPECT_EQ(gemm_of(gemm({"--dtype", "fp8", "--dtype-out", "bf16"})).output, DataType::bf16);
}

TEST(Options, WhatAndHow) {
  const Options o =
      parse(conv({"--device", "sim:gfx950",      "--instances",  "b128.*", "--split-k", "0",     "--split-k-degrees",
                  "2,4,15",   "--no-verify",     "--iterations", "7",      "--warmup",  "0",     "--shard",
                  "1/4",      "--deterministic", "--seed",       "42",     "--top",     "3",     "--inputs",
                  "random",   "--epilogue",      "bias_relu",    "--json", "-",         "--csv", "a.csv",
                  "--html",   "b.html"}));
  ASSERT_TRUE(o.device);
  EXPECT_EQ(o.device->kind, DeviceKind::simulator);
  EXPECT_EQ(o.device->arch, Arch::gfx950);
  EXPECT_EQ(o.instances, "b128.*");
  EXPECT_EQ(o.split_k, 0);
  EXPECT_EQ(o.split_k_degrees, (std::vector{2, 4, 15}));
  EXPECT_FALSE(o.verify);
  EXPECT_EQ(o.iterations, 7);
  EXPECT_EQ(o.warmup, 0);
  EXPECT_EQ(o.shard.index, 1);
  EXPECT_EQ(o.shard.count, 4);
  EXPECT_TRUE(o.deterministic);
  EXPECT_EQ(o.seed, 42u);
  EXPECT_EQ(o.top, 3);
  EXPECT_TRUE(o.random_inputs);
  EXPECT_EQ(o.epilogue, "bias_relu");
  EXPECT_EQ(o.epilogue_parts, (Epilogue{.bias = true, .activation = Activation::relu}));
  EXPECT_EQ(parse(conv({"--epilogue", "scale_residual_clamp:-0.5:6"})).epilogue_parts,
            (Epilogue{.scale = true, .residual = true, .activation = Activation::clamp, .low = -0.5f, .high = 6}));
  EXPECT_EQ(o.json, "-");
  EXPECT_EQ(o.csv, "a.csv");
  EXPECT_EQ(o.html, "b.html");
  EXPECT_EQ(parse(conv({"--split-k", "-1"})).split_k, -1);
  EXPECT_EQ(parse(conv({"--split-k", "16"})).split_k, 16);
  EXPECT_TRUE(parse(conv({"--verify"})).verify);
}

TEST(Options, Devices) {
  EXPECT_EQ(parse_device("sim:gfx90a").arch, Arch::gfx90a);
  EXPECT_EQ(parse_device("hip:3").kind, DeviceKind::hip);
  EXPECT_EQ(parse_device("hip:3").index, 3);
  EXPECT_EQ(parse_device("cuda:0").kind, DeviceKind::cuda);
  for (const char* text :
       {"", "sim", "sim:", "sim:gfx1", "sim:sm_90", "hip", "hip:", "hip:-1", "hip:x", "cuda:1:2", "rocm:0", ":"}) {
    EXPECT_NE(refusal(conv({"--device", text})), "") << text;
  }
}

TEST(Options, OtherCommands) {
  const Options replay = parse({"replay", "layers.txt", "--n", "1", "--top", "4"});
  EXPECT_EQ(replay.command, Command::replay);
  EXPECT_EQ(replay.file, "layers.txt");
  EXPECT_EQ(replay.batch, 1);
  EXPECT_EQ(replay.top, 4);
  EXPECT_EQ(parse({"list"}).command, Command::list);
  EXPECT_FALSE(parse({"list"}).listed);
  EXPECT_EQ(parse({"list", "gemm"}).listed, Operator::gemm);
  const Options explained = parse({"explain", "gemm", "--m", "1", "--n", "1", "--k", "1"});
  EXPECT_TRUE(explained.explain);
  EXPECT_EQ(explained.op, Operator::gemm);
  EXPECT_TRUE(parse({"explain", "replay", "layers.txt"}).explain);
  EXPECT_EQ(parse({"conv_bwd_data", "--c", "8", "--in", "9", "--k", "8"}).op, Operator::conv_bwd_data);
}

TEST(Options, DriverLines) {
  const Options o =
      parse({"conv_fwd", "--driver", "convbfp16 -n 32 -c 64 -H 56 -W 56 -k 64 -y 3 -x 3 -p 1 -q 1", "--n", "2"});
  const Problem problem = build_problem(o.op, o.flags, Arch::gfx942);
  EXPECT_EQ(std::get<ConvProblem>(problem.shape).n, 2);
  EXPECT_EQ(problem.driver, "convbfp16 -n 32 -c 64 -H 56 -W 56 -k 64 -y 3 -x 3 -p 1 -q 1");
  EXPECT_EQ(refusal({"conv_fwd", "--driver", "convbfp16 -F 2"}),
            "the operation is conv_fwd, but the driver line's -F asks for conv_bwd_data");
  EXPECT_EQ(refusal({"conv_fwd", "--driver", "convbfp16 -F 6"}),
            "the operation is conv_fwd, but the driver line's -F asks for conv_bwd_data, conv_bwd_weight");
  EXPECT_EQ(refusal({"conv_bwd_data", "--driver", "convbfp16 -F 1"}),
            "the operation is conv_bwd_data, but the driver line's -F asks for conv_fwd");
  EXPECT_EQ(refusal({"conv_fwd", "--driver", "convbfp16 -F 0"}), "");
  EXPECT_NE(refusal({"conv_fwd", "--driver", "convbfp16", "--c", "3"}), "");
  EXPECT_NE(refusal({"conv_fwd", "--driver", "convbfp16", "--dtype", "f16"}), "");
  EXPECT_NE(refusal({"gemm", "--driver", "convbfp16"}), "");
}

TEST(Options, RefusesBadWords) {
  EXPECT_NE(refusal({}), "");
  EXPECT_NE(refusal({"gem"}), "");
  EXPECT_NE(refusal({"gemm"}), "");
  EXPECT_NE(refusal({"conv_fwd"}), "");
  EXPECT_NE(refusal({"replay"}), "");
  EXPECT_NE(refusal({"replay", "a", "b"}), "");
  EXPECT_NE(refusal({"replay", "a", "--c", "3"}), "");
  EXPECT_NE(refusal({"explain"}), "");
  EXPECT_NE(refusal({"explain", "list"}), "");
  EXPECT_NE(refusal({"list", "pool"}), "");
  EXPECT_NE(refusal({"list", "--n", "3"}), "");
  EXPECT_EQ(refusal({"list", "--shard", "0/2"}), "list takes --device, --instances and --json, not --shard");
  for (const char* flag : {"--top=1", "--split-k=0", "--epilogue=none", "--no-verify", "--deterministic", "--seed=1",
                           "--inputs=random", "--iterations=1", "--warmup=0", "--csv=a", "--html=a"}) {
    EXPECT_NE(refusal({"list", flag}), "") << flag;
  }
  EXPECT_EQ(refusal({"replay", ""}), "replay needs the path of a list, but it is empty");
  EXPECT_NE(refusal({"--bananas"}), "");
  EXPECT_NE(refusal(gemm({"more"})), "");
  EXPECT_NE(refusal(gemm({"--bananas", "3"})), "");
  EXPECT_NE(refusal(gemm({"--iterations"})), "");
  EXPECT_EQ(refusal({"gemm", "--m", "1", "--n", "--k", "1"}), "--n needs a value, but --k follows");
  EXPECT_EQ(refusal({"gemm", "--m", "1", "--n=", "--k", "1"}), "--n needs a value, but --k follows");
  EXPECT_EQ(refusal({"db", "show"}), "this version has no tuning database: db is a word of a later one");
}

TEST(Options, EveryFlagHasItsOwnFile) {
  EXPECT_EQ(refusal(gemm({"--json", "absent", "--csv", "absent"})), "absent is both --json and --csv: name two files");
  EXPECT_EQ(refusal(gemm({"--json", "absent", "--html", "./absent"})),
            "./absent is both --json and --html: name two files");
  EXPECT_EQ(refusal({"replay", "absent", "--json", "absent"}),
            "absent is both the list to replay and --json: name two files");
  EXPECT_EQ(refusal(gemm({"--json", "/dev/null", "--csv", "/dev/null"})), "");
}

TEST(Options, RefusesBadNumbers) {
  EXPECT_EQ(refusal({"gemm", "--m", "0", "--n", "1", "--k", "1"}), "--m must be from 1 to 2147483647, but is 0");
  EXPECT_EQ(refusal({"gemm", "--m", "1", "--n", "-5", "--k", "1"}), "--n must be from 1 to 2147483647, but is -5");
  EXPECT_EQ(refusal({"gemm", "--m", "1", "--n", "1", "--k", "2147483648"}),
            "--k must be from 1 to 2147483647, but is 2147483648");
  EXPECT_EQ(refusal(conv({"--groups", "5"})), "groups = 5 must be at least 1 and divide c = 64 and k = 32");
  EXPECT_NE(refusal(conv({"--stride", "0"})), "");
  EXPECT_NE(refusal(conv({"--pad", "-1"})), "");
  EXPECT_NE(refusal(conv({"--dilation", "0x1"})), "");
  EXPECT_NE(refusal(conv({"--filter", "57x57"})), "");
  EXPECT_NE(refusal(conv({"--n", "2147483647", "--pad", "2147483647"})), "");
  EXPECT_NE(refusal(conv({"--iterations", "0"})), "");
  EXPECT_NE(refusal(conv({"--warmup", "-1"})), "");
  EXPECT_NE(refusal(conv({"--top", "0"})), "");
  EXPECT_NE(refusal(conv({"--seed", "-1"})), "");
  EXPECT_NE(refusal(conv({"--split-k", "-2"})), "");
  EXPECT_NE(refusal(conv({"--split-k", "two"})), "");
  EXPECT_NE(refusal(conv({"--split-k", "0", "--split-k-degrees", "2,,4"})), "");
  EXPECT_NE(refusal(conv({"--split-k", "0", "--split-k-degrees", "0"})), "");
  EXPECT_NE(refusal(conv({"--split-k-degrees", "2"})), "");
  EXPECT_NE(refusal(conv({"--shard", "4/4"})), "");
  EXPECT_NE(refusal(conv({"--shard", "-1/4"})), "");
  EXPECT_NE(refusal(conv({"--shard", "1"})), "");
  EXPECT_NE(refusal(conv({"--shard", "1/0"})), "");
}

TEST(Options, RefusesBadTexts) {
  EXPECT_NE(refusal(conv({"--instances", "("})), "");
  EXPECT_NE(refusal(conv({"--instances", ""})), "");
  for (const char* nonsense : {"banana", "", "bias_banana", "relu_bias", "bias_bias", "relu_clamp:0:1", "clamp",
                               "clamp:1", "clamp:2:1", "clamp:a:1", "clamp:0:nan", "none_bias"}) {
    EXPECT_NE(refusal(conv({"--epilogue", nonsense})), "") << nonsense;
  }
  EXPECT_NE(refusal(conv({"--inputs", "banana"})), "");
  EXPECT_NE(refusal(conv({"--dtype", "f17"})), "");
  EXPECT_NE(refusal(conv({"--dtype", ""})), "");
  EXPECT_NE(refusal(conv({"--json", ""})), "");
  EXPECT_NE(refusal(conv({"--csv", "-"})), "");
  EXPECT_NE(refusal(conv({"--html", "-"})), "");
  EXPECT_NE(refusal(gemm({"--layout", "rx"})), "");
  EXPECT_NE(refusal(gemm({"--layout", "r"})), "");
  EXPECT_NE(refusal(gemm({"--layout", "rcc"})), "");
  EXPECT_NE(refusal(gemm({"--c", "3"})), "");
  EXPECT_NE(refusal(gemm({"--dtype-weight", "bf16"})), "");
  EXPECT_NE(refusal(conv({"--m", "3"})), "");
  EXPECT_NE(refusal(conv({"--layout", "rr"})), "");
}

}  // namespace
}  // namespace zellige::profiler
