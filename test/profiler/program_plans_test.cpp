// The built program on problems that are folded or take several dispatches: what it says of them, and that it is right.
#include <algorithm>

#include "program.hpp"

namespace zellige::profiler {
namespace {

using Words = std::vector<std::string>;
using nlohmann::json;

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const Words patches = {"conv_fwd", "--c",   "3",        "--in", "224x224", "--k", "768",
                       "--filter", "16x16", "--stride", "16",   "--dtype", "bf16"};
const Words small_conv = {"conv_fwd", "--n",      "5",   "--c",   "32", "--in",    "9x9", "--k",
                          "32",       "--filter", "3x3", "--pad", "1",  "--dtype", "bf16"};

// Of whole reductions: splitting them helps unfolded patches, too. gfx90a, whose launch is the smallest part of the
// time.
TEST_F(Program, FoldedPatchEmbeddingsArePredictedAtLeastThreeTimesFaster) {
  if (on_cuda) GTEST_SKIP() << "predicted times are the simulator's";
  const Words whole = patches + Words{"--split-k", "1", "--device", "sim:gfx90a", "--json", "-"};
  const Finished folded = run(whole), plain = run(whole + Words{"--no-fold"});
  ASSERT_EQ(folded.status, 0) << folded.err;
  ASSERT_EQ(plain.status, 0) << plain.err;
  const json with = json::parse(folded.out), without = json::parse(plain.out);
  EXPECT_EQ(with.at("best").at("fold"), 16);
  EXPECT_EQ(without.at("best").at("fold"), 1);
  EXPECT_EQ(with.at("best").at("verified"), true);
  EXPECT_EQ(without.at("best").at("verified"), true);
  EXPECT_EQ(with.at("problem").at("flops"), without.at("problem").at("flops"));
  const double fast = with.at("best").at("time_ms"), slow = without.at("best").at("time_ms");
  EXPECT_GE(slow, 3 * fast);
  std::printf("patch embedding: %.4g ms folded, %.4g ms not: %.1f times\n", fast, slow, slow / fast);
}

TEST_F(Program, FoldingIsSaid) {
  const Words small = {"conv_fwd", "--c", "3", "--in", "32x32", "--k", "64", "--filter", "4x4", "--stride", "4"};
  const Finished ran = simulate(small + Words{"--top", "1"}), explained = simulate(Words{"explain"} + small);
  EXPECT_NE(ran.out.find("folded by 4, verified"), std::string::npos) << ran.out;
  EXPECT_NE(explained.out.find(", folded by 4, split"), std::string::npos) << explained.out;
  EXPECT_EQ(simulate(small + Words{"--top", "1", "--no-fold"}).out.find("folded"), std::string::npos);
  // Of groups: refused as they are, since no instance of vectors may fold them.
  const Finished groups = simulate(Words{"explain", "conv_fwd", "--c", "6", "--groups", "2", "--in", "32x32", "--k",
                                         "64", "--filter", "4x4", "--stride", "4", "--json", "-"});
  const json report = json::parse(groups.out);
  for (const json& row : report.at("instances"))
    if (row.at("status") == "ok") {
      EXPECT_EQ(row.at("fold"), 1) << row.dump();
    }
}

TEST_F(Program, SmallLimitsRunInChunksAndVerify) {
  for (const char* limit : {"20000", "19000"}) {  // of images, which have 5184 bytes
    const Finished run = simulate(small_conv + Words{"--limit-bytes", limit, "--json", "-"});
    ASSERT_EQ(run.status, 0) << run.err << run.out;
    const json report = json::parse(run.out);
    EXPECT_EQ(report.at("options").at("limit_bytes"), std::stoi(limit));
    std::size_t ran = 0;
    for (const json& row : report.at("instances")) {
      if (row.at("status") != "ok") continue;
      ++ran;
      EXPECT_EQ(row.at("verified"), true);
      EXPECT_EQ(row.at("chunks"), 2);
      EXPECT_EQ(row.at("plan").at(1).at("offset_a"), 3 * 5184);
      EXPECT_EQ(row.at("plan").at(1).at("offset_c"), 3 * 5184);
    }
    EXPECT_GE(ran, 2u);
  }
}

TEST_F(Program, ImagesOverTheLimitRunInRows) {
  // One image has 64 rows of 2304 bytes, the weight 18432.
  const Finished run = simulate({"conv_fwd", "--n",           "2",     "--c",      "32", "--in",   "64x36",   "--k",
                                 "32",       "--filter",      "3x3",   "--stride", "2",  "--pad",  "1x1:0x2", "--dtype",
                                 "bf16",     "--limit-bytes", "20000", "--top",    "2",  "--json", "-"});
  ASSERT_EQ(run.status, 0) << run.err << run.out;
  const json best = json::parse(run.out).at("best");
  EXPECT_EQ(best.at("verified"), true);
  EXPECT_EQ(best.at("chunks"), 2 * 11);  // 8 input rows hold 3 output rows
}

TEST_F(Program, LimitsThatNothingFitsAreRefusedWithTheNumbers) {
  const Finished weight = simulate(small_conv + Words{"--limit-bytes", "18431"});
  EXPECT_EQ(weight.status, 3);
  EXPECT_NE(weight.out.find("the weight has 18432 bytes, over the 18431 that one dispatch can address"),
            std::string::npos)
      << weight.out;
  const Finished row = simulate({"conv_fwd", "--c", "8", "--in", "9x2000", "--k", "8", "--filter", "3x3", "--pad", "1",
                                 "--limit-bytes", "95999", "--json", "-"});
  EXPECT_EQ(row.status, 3);
  const json refused = json::parse(row.out);
  std::size_t too_large = 0;
  for (const json& instance : refused.at("instances")) too_large += instance.at("reason") == "tensor_too_large" ? 1 : 0;
  EXPECT_GE(too_large, 1u);
  for (const char* bad : {"0", "-1", "2147483648", "many", ""}) {
    const Finished finished = simulate(small_conv + Words{"--limit-bytes", bad});
    EXPECT_EQ(finished.status, 2) << bad;
    EXPECT_NE(finished.err.find("--limit-bytes"), std::string::npos) << finished.err;
  }
}

TEST_F(Program, ABatchOver4GiBIsExplainedAsFourChunks) {
  const std::string type = on_cuda ? "tf32" : "f32";  // of 4 bytes, which the target multiplies
  const Finished explained = simulate({"explain", "conv_fwd", "--n", "64", "--c", "96", "--in", "512x512", "--k", "64",
                                       "--dtype", type, "--json", "-"});
  ASSERT_EQ(explained.status, 0) << explained.err;
  const json report = json::parse(explained.out);
  EXPECT_EQ(report.at("problem").at("bytes"), 64.0 * 512 * 512 * 4 * (96 + 64) + 96 * 64 * 4);
  std::size_t planned = 0;
  for (const json& row : report.at("instances")) {
    if (row.at("status") != "ok") continue;
    ++planned;
    ASSERT_EQ(row.at("chunks"), 4) << row.at("name");
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(row.at("plan").at(i).at("offset_a"), i * 1610612736);
      EXPECT_EQ(row.at("plan").at(i).at("offset_c"), i * 1073741824);
    }
  }
  EXPECT_GE(planned, 2u);
  const Finished text =
      simulate({"explain", "conv_fwd", "--n", "64", "--c", "96", "--in", "512x512", "--k", "64", "--dtype", type});
  EXPECT_NE(text.out.find("in 4 chunks"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("dispatches 1 to 4, each: "), std::string::npos) << text.out;
}

TEST_F(Program, ReplayReadsTheStandardInputAndAddsTheTimesUp) {
  const std::string list =
      with("list.txt", "convfp16 -n 1 -c 8 -H 8 -W 8 -k 8 -F 1\nconvfp16 -n 1 -c 8 -H 4 -W 4 -k 8 -F 1\n");
  static std::string input;
  input = list;
  const auto from_list = [] { dup2(open(input.c_str(), O_RDONLY), STDIN_FILENO); };
  const Words words = {"replay", "-", "--top", "1", "--device", device};
  const Finished text = run(words + Words{"--json", path("both.jsonl")}, from_list);
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_NE(text.out.find("-: 2 problems, 2 with a best instance, 0 that failed; 0 bad lines"), std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("best instances together: "), std::string::npos) << text.out;
  const Finished lines = run(words + Words{"--json", "-"}, from_list);
  EXPECT_EQ(lines.status, 0) << lines.err;
  EXPECT_EQ(lines_of(lines.out).size(), 2u);
  const std::vector<json> reports = lines_of(content(path("both.jsonl")));  // of the run of the text: times differ
  ASSERT_EQ(reports.size(), 2u);
  const double sum =
      reports[0].at("best").at("time_ms").get<double>() + reports[1].at("best").at("time_ms").get<double>();
  char expected[64];
  std::snprintf(expected, sizeof expected, "best instances together: %.4g ms %s", sum,
                on_cuda ? "measured" : "predicted");
  EXPECT_NE(text.out.find(expected), std::string::npos) << expected << " is not in " << text.out;
}

}  // namespace
}  // namespace zellige::profiler
