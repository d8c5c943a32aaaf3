// The built program: what it runs, what it says of bad input, and its exit status each time.
#include "program.hpp"

#include <signal.h>
#include <sys/stat.h>

#include <algorithm>

namespace zellige::profiler {
namespace {

using Words = std::vector<std::string>;
using nlohmann::json;

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const Words small_gemm = {"gemm", "--m", "64", "--n", "64", "--k", "64", "--dtype", "f16"};
const Words small_conv = {"conv_fwd", "--c", "32",    "--in", "7x7",     "--k", "32",
                          "--filter", "3x3", "--pad", "1",    "--dtype", "bf16"};

void expect_error(const Finished& finished, int status, const std::string& part) {
  EXPECT_EQ(finished.status, status) << finished.err;
  EXPECT_NE(finished.err.find(part), std::string::npos) << "'" << part << "' is not in: " << finished.err;
  EXPECT_TRUE(finished.err.starts_with("zellige-profiler: error: ")) << finished.err;
  EXPECT_EQ(finished.out, "");
}

TEST_F(Program, HelpAndVersion) {
  const Finished help = run({"--help"});
  EXPECT_EQ(help.status, 0);
  for (const char* flag : {"--n",
                           "--c",
                           "--in",
                           "--k",
                           "--filter",
                           "--stride",
                           "--pad",
                           "--dilation",
                           "--groups",
                           "--dtype",
                           "--dtype-weight",
                           "--dtype-out",
                           "--m",
                           "--layout",
                           "--driver",
                           "--device",
                           "--instances",
                           "--split-k",
                           "--split-k-degrees",
                           "--epilogue",
                           "--verify",
                           "--iterations",
                           "--warmup",
                           "--shard",
                           "--deterministic",
                           "--seed",
                           "--json",
                           "--csv",
                           "--html",
                           "--top",
                           "--inputs"}) {
    EXPECT_NE(help.out.find(flag), std::string::npos) << flag;
  }
  const Finished version = run({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_TRUE(version.out.starts_with("zellige-profiler ")) << version.out;
}

TEST_F(Program, BadCommandLines) {
  expect_error(run({}), 2, "OP");
  expect_error(run({"bananas"}), 2, "'bananas' is no operation");
  expect_error(run(small_gemm + Words{"--bananas"}), 2, "--bananas");
  expect_error(run({"gemm", "--m", "0", "--n", "1", "--k", "1"}), 2, "--m must be from 1 to 2147483647, but is 0");
  expect_error(run({"gemm", "--m", "-4", "--n", "1", "--k", "1"}), 2, "but is -4");
  expect_error(run({"gemm", "--m", "99999999999999999999", "--n", "1", "--k", "1"}), 2, "but is 99999999999999999999");
  expect_error(run({"gemm", "--m", "3"}), 2, "gemm needs --n");
  expect_error(run({"conv_fwd", "--c", "8", "--k", "8", "--in", "2147483647x2147483647x2147483647"}), 2,
               "pass 2^63");
  expect_error(run({"conv_fwd", "--c", "8", "--k", "8", "--in", "2x2", "--filter", "5x5"}), 2, "so there is no output");
  expect_error(run(small_conv + Words{"--groups", "5"}), 2, "groups = 5");
  expect_error(run(small_conv + Words{"--instances", "["}), 2, "is no regular expression");
  expect_error(run(small_conv + Words{"--device", "gpu"}), 2, "--device takes");
  expect_error(run(small_conv + Words{"--device", "sim:gfx000"}), 2, "known are gfx90a");
  expect_error(run({"conv_fwd", "--driver", "convbfp16 -F 2"}), 2, "asks for conv_bwd_data");
  expect_error(run({"conv_fwd", "--driver", "bananas"}), 2, "is no convolution of MIOpenDriver");
  expect_error(run({"db", "show"}), 2, "no tuning database");
  expect_error(run({"list", "--html", "x"}), 2, "list takes --device, --instances and --json, not --html");
}

TEST_F(Program, BadFiles) {
  expect_error(run({"replay", path("absent")}), 2, "No such file");
  expect_error(run({"replay", folder_.string()}), 2, "is a directory");
  expect_error(run({"replay", std::string(ZELLIGE_PROFILER)}), 2, "is no text file");
  expect_error(run({"replay", with("empty", "\n# nothing\n")}), 2, "holds no driver line");
  for (const char* flag : {"--json", "--csv", "--html"}) {
    expect_error(run(small_gemm + Words{flag, folder_.string()}), 2, "is a directory");
    expect_error(run(small_gemm + Words{flag, path("absent/file")}), 2, "cannot be written");
  }
}

TEST_F(Program, DevicesThatThisBuildLacks) {
  if (on_cuda) {
    for (const char* other : {"hip:0", "sim:gfx942"}) {
      expect_error(run(small_gemm + Words{"--device", other}), 4, "this build runs on CUDA devices alone");
      expect_error(run({"list", "--device", other}), 4, "this build runs on CUDA devices alone");
    }
    expect_error(run(small_gemm + Words{"--device", "cuda:99"}), 4, "there is no device cuda:99");
    return;
  }
  expect_error(run(small_gemm + Words{"--device", "cuda:0"}), 4, "cuda");
  if (std::string(ZELLIGE_RUNTIME) == "simulator") {
    expect_error(run(small_gemm + Words{"--device", "hip:0"}), 4, "the simulator is this program's GPU runtime");
  }
}

TEST_F(Program, NothingSupportsTheProblem) {
  const Finished epilogue = simulate(small_gemm + Words{"--epilogue", "scale_bias_residual_relu"});
  EXPECT_EQ(epilogue.status, 0) << epilogue.err << epilogue.out;

  const Finished type = simulate({"gemm", "--m", "64", "--n", "64", "--k", "64", "--dtype", "f8e5m2", "--json", "-"});
  EXPECT_EQ(type.status, 3);
  const json report = json::parse(type.out);
  EXPECT_TRUE(report.at("best").is_null());
  ASSERT_FALSE(report.at("instances").empty());
  for (const json& row : report.at("instances")) {
    EXPECT_EQ(row.at("status"), "unsupported");
    EXPECT_EQ(row.at("reason"), "type_mismatch");
    EXPECT_FALSE(row.at("why").get<std::string>().empty());
  }

  const Finished direction = simulate({"conv_bwd_data", "--c", "8", "--in", "7x7", "--k", "8"});
  EXPECT_EQ(direction.status, 3);
  EXPECT_NE(direction.out.find("no conv_bwd_data instances"), std::string::npos) << direction.out;

  const Finished regex = simulate(small_gemm + Words{"--instances", "^bananas$"});
  EXPECT_EQ(regex.status, 3);
  EXPECT_NE(regex.out.find("matches '^bananas$'"), std::string::npos) << regex.out;
}

TEST_F(Program, RanksVerifiedInstances) {
  const Finished run =
      simulate(small_conv + Words{"--json", path("r.json"), "--csv", path("r.csv"), "--html", path("r.html")});
  ASSERT_EQ(run.status, 0) << run.err << run.out;
  EXPECT_NE(run.out.find("best: conv_fwd_" + target + "_bf16_"), std::string::npos) << run.out;
  const json report = json::parse(content(path("r.json")));
  EXPECT_EQ(report.at("device").at("kind"), on_cuda ? "cuda" : "simulator");
  EXPECT_EQ(report.at("device").at("arch"), target);
  const json& best = report.at("best");
  EXPECT_EQ(best.at("verified"), true);
  EXPECT_EQ(best.at("predicted"), !on_cuda);
  EXPECT_EQ(best.at("max_abs_err"), 0.0);  // integers: exact
  EXPECT_GT(best.at("time_ms"), 0.0);
  if (on_cuda)
    EXPECT_TRUE(best.at("counts").is_null());
  else
    EXPECT_GT(best.at("counts").at("waves"), 0);
  std::size_t ran = 0;
  for (const json& row : report.at("instances")) {
    EXPECT_TRUE(row.at("status") == "ok" || row.at("status") == "unsupported" || row.at("status") == "skipped")
        << row.dump();
    if (row.at("status") != "ok") continue;
    ++ran;
    EXPECT_EQ(row.at("verified"), true);
    EXPECT_LE(best.at("time_ms"), row.at("time_ms"));
  }
  EXPECT_GE(ran, 2u);
  const std::string csv = content(path("r.csv"));
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), report.at("instances").size() + 1);
  EXPECT_NE(content(path("r.html")).find(best.at("name").get<std::string>()), std::string::npos);
}

TEST_F(Program, RandomInputsStayWithinTheDerivedBound) {
  const Finished run = simulate(small_gemm + Words{"--inputs", "random", "--seed", "7", "--json", "-"});
  ASSERT_EQ(run.status, 0) << run.err;
  const json best = json::parse(run.out).at("best");
  EXPECT_EQ(best.at("verified"), true);
  EXPECT_GT(best.at("max_abs_err"), 0.0);
}

TEST_F(Program, TopAndShardsPartitionTheInstances) {
  const Finished top = simulate(small_gemm + Words{"--top", "2", "--json", "-"});
  ASSERT_EQ(top.status, 0) << top.err;
  std::size_t ok = 0;
  std::vector<std::string> all, shards;
  const json report = json::parse(top.out);
  for (const json& row : report.at("instances")) {
    ok += row.at("status") == "ok" ? 1 : 0;
    all.push_back(row.at("name"));
  }
  EXPECT_EQ(ok, 2u);
  for (const char* shard : {"0/3", "1/3", "2/3"}) {
    const Finished part =
        simulate({"explain", "gemm", "--m", "64", "--n", "64", "--k", "64", "--shard", shard, "--json", "-"});
    const json share = json::parse(part.out);
    for (const json& row : share.at("instances")) shards.push_back(row.at("name"));
  }
  std::sort(all.begin(), all.end());
  std::sort(shards.begin(), shards.end());
  EXPECT_EQ(shards, all);
}

TEST_F(Program, ExplainRunsNothing) {
  const Finished explained = simulate(Words{"explain"} + small_conv + Words{"--json", "-"});
  ASSERT_EQ(explained.status, 0) << explained.err;
  const json report = json::parse(explained.out);
  for (const json& row : report.at("instances")) {
    for (const char* key : {"time_ms", "tflops", "gbps", "verified", "max_abs_err", "counts"})
      EXPECT_TRUE(row.at(key).is_null()) << key;
    if (row.at("status") == "ok") {
      EXPECT_GT(row.at("modelled_ms"), 0.0);
      EXPECT_GE(row.at("plan").at(0).at("workgroups"), 1);
      EXPECT_EQ(row.at("split_k"), 1);
    } else {
      EXPECT_FALSE(row.at("why").get<std::string>().empty());
    }
  }
  EXPECT_FALSE(report.at("best").is_null());
  const Finished nothing = simulate({"explain", "gemm", "--m", "8", "--n", "8", "--k", "8", "--dtype", "i32"});
  EXPECT_EQ(nothing.status, 3);
  EXPECT_NE(nothing.out.find("nothing applies"), std::string::npos);
}

TEST_F(Program, SplitDegreesThatNothingHasAreRefusedWithTheReason) {
  const Finished pinned = simulate(small_gemm + Words{"--split-k", "4", "--instances", "shuffle$", "--json", "-"});
  EXPECT_EQ(pinned.status, 3) << pinned.err;
  const json refused = json::parse(pinned.out);
  std::size_t for_its_degree = 0;
  for (const json& row : refused.at("instances")) {
    if (row.at("reason") != "split_k_unsupported") continue;
    ++for_its_degree;
    EXPECT_EQ(row.at("split_k"), 4);
  }
  EXPECT_GE(for_its_degree, 1u);
  const Finished sweep = simulate(small_gemm + Words{"--split-k", "0", "--split-k-degrees", "2,4", "--json", "-"});
  EXPECT_EQ(sweep.status, 0) << sweep.err;
  EXPECT_EQ(json::parse(sweep.out).at("best").at("split_k"), 1);
}

TEST_F(Program, TimingOnlyIsNotVerified) {
  const Finished run = simulate(small_gemm + Words{"--no-verify", "--json", "-"});
  ASSERT_EQ(run.status, 0) << run.err;
  const json best = json::parse(run.out).at("best");
  EXPECT_TRUE(best.at("verified").is_null());
  EXPECT_TRUE(best.at("max_abs_err").is_null());
  EXPECT_GT(best.at("time_ms"), 0.0);
}

TEST_F(Program, DriverLinesOfAnotherLayoutRunWithANotice) {
  const Finished run = simulate({"conv_fwd", "--driver",
                                 "MIOpenDriver convfp16 -n 2 -c 16 -H 7 -W 7 -k 16 -y 3 -x 3 -p 1 -q 1 -F 1 -t 1",
                                 "--n", "1", "--top", "1", "--json", "-"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.err.find("the driver line states NCHW; it runs channels-last (NHWC)"), std::string::npos) << run.err;
  const json problem = json::parse(run.out).at("problem");
  EXPECT_EQ(problem.at("layout_assumed"), true);
  EXPECT_EQ(problem.at("n"), 1);
  EXPECT_EQ(problem.at("driver"), "convfp16 -n 2 -c 16 -H 7 -W 7 -k 16 -y 3 -x 3 -p 1 -q 1 -F 1 -t 1");
}

TEST_F(Program, ReplayLosesNoLine) {
  const std::string tail =
      " -c 16 -H 7 -W 7 -k 16 -y 3 -x 3 -p 1 -q 1 -u 1 -v 1 -l 1 -j 1 -m conv -g 1 -t 1 --in_layout NHWC -F ";
  const std::string list = with(
      "list.txt", "# two layers, one that is none, and one direction without instances\nMIOpenDriver convbfp16 -n 2" +
                      tail + "1\n\nthis is nonsense\nconvfp16 -n 1" + tail + "1\nconvfp16 -n 1" + tail + "2\n");
  const Finished run = simulate({"replay", list, "--n", "1", "--top", "2", "--json", path("out.jsonl")});
  EXPECT_EQ(run.status, 2) << run.err;
  EXPECT_NE(run.err.find(list + ":4: 'this' is no convolution"), std::string::npos) << run.err;
  const std::vector<json> lines = lines_of(content(path("out.jsonl")));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].at("best").at("verified"), true);
  EXPECT_EQ(lines[0].at("problem").at("n"), 1);
  EXPECT_EQ(lines[1].at("problem").at("line"), 4);
  EXPECT_TRUE(lines[1].at("best").is_null());
  EXPECT_EQ(lines[2].at("best").at("verified"), true);
  EXPECT_EQ(lines[3].at("problem").at("op"), "conv_bwd_data");
  EXPECT_TRUE(lines[3].at("best").is_null());

  // What nothing supports counts only when nothing ran.
  EXPECT_EQ(
      simulate({"replay", with("some.txt", "convfp16 -n 1" + tail + "1\nconvfp16 -n 1" + tail + "2\n"), "--top", "1"})
          .status,
      0);
  EXPECT_EQ(simulate({"replay", with("none.txt", "convfp16 -n 1" + tail + "2\nconvfp16 -n 1" + tail + "4\n")}).status,
            3);
}

TEST_F(Program, ListNamesEveryInstance) {
  const Finished text = run({"list", "gemm", "--device", device});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_NE(text.out.find("gemm_" + target + "_"), std::string::npos);
  EXPECT_EQ(text.out.find("conv_fwd_"), std::string::npos);
  const Finished listed = run({"list", "--device", device, "--json", "-"});
  const json list = json::parse(listed.out);
  ASSERT_FALSE(list.at("instances").empty());
  for (const json& instance : list.at("instances")) {
    EXPECT_EQ(instance.at("arch"), target);
    EXPECT_TRUE(instance.at("config").at("block").is_array());
    EXPECT_TRUE(
        instance.at("name").get<std::string>().starts_with(instance.at("family").get<std::string>() + "_" + target + "_"));
  }
}

TEST_F(Program, PipesAreListsToo) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const pid_t writer = fork();
  if (writer == 0) {
    std::ofstream(pipe) << "convfp16 -n 1 -c 8 -k 8 -H 8 -W 8 -F 1\n";
    _exit(0);
  }
  EXPECT_EQ(simulate({"explain", "replay", pipe}).status, 0);
  waitpid(writer, nullptr, 0);
}

TEST_F(Program, JsonIsPureUnderEveryNameOfTheStandardOutput) {
  const Finished named = simulate({"explain", "gemm", "--m", "64", "--n", "64", "--k", "64", "--json", "/dev/stdout"});
  EXPECT_EQ(named.status, 0) << named.err;
  EXPECT_TRUE(json::accept(named.out)) << named.out;
  expect_error(run(small_gemm + Words{"--csv", "/dev/stdout"}), 2, "--csv cannot go to standard output");
}

TEST_F(Program, ClosedStreamsMixNothingIntoFiles) {
  const std::string list = with("list.txt", "conv -n 1 -c 8 -k 8 -H 8 -W 8 -F 1\nbad line\nconv -n 1 -F 1\n");
  const std::vector<std::string> words = {"explain", "replay",           list,          "--json", path("out.jsonl"),
                                          "--device", device};
  for (void (*streams)() : {+[] { close(STDERR_FILENO); }, +[] { close(STDOUT_FILENO); }, +[] {
                              for (int stream : {0, 1, 2}) close(stream);
                            }}) {
    EXPECT_EQ(run(words, streams).status, 2);
    EXPECT_EQ(lines_of(content(path("out.jsonl"))).size(), 3u);
  }
}

TEST_F(Program, AFullStandardOutputIsAnError) {
  const auto full = [] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); };
  for (const Words& words : {Words{"list"}, Words{"--help"}, Words{"explain"} + small_gemm}) {
    const Finished finished = run(words, full);
    EXPECT_EQ(finished.status, 2) << words[0];
    EXPECT_NE(finished.err.find("the standard output cannot be written"), std::string::npos) << finished.err;
  }
}

TEST_F(Program, SettingsOfTheSimulatorThatMeanNothingAreSaid) {
  if (std::string(ZELLIGE_RUNTIME) != "simulator") GTEST_SKIP() << "the environment is the real runtime's";
  const Words words = small_gemm + Words{"--top", "1", "--device", "sim:gfx942"};
  const Finished bad = run(words, [] {
    setenv("ZELLIGE_SIM_ORDER", "-1", 1);
    setenv("ZELLIGE_SIM_OBSERVE", "some", 1);
  });
  EXPECT_EQ(bad.status, 0);
  EXPECT_NE(bad.err.find("ZELLIGE_SIM_ORDER='-1' is not a number"), std::string::npos) << bad.err;
  EXPECT_NE(bad.err.find("ZELLIGE_SIM_OBSERVE='some' is not 'all'"), std::string::npos) << bad.err;
  const Finished good = run(words, [] { setenv("ZELLIGE_SIM_ORDER", "0x1f", 1); });
  EXPECT_EQ(good.status, 0);
  EXPECT_EQ(good.err, "");
}

TEST_F(Program, InterruptedRunsLeaveNoUnfinishedFile) {
  // A problem that takes minutes, interrupted as soon as its files are there.
  const pid_t program = fork();
  if (program == 0) {
    const std::string json_path = path("a.json"), csv_path = path("a.csv"), html_path = path("a.html");
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    execl(ZELLIGE_PROFILER, ZELLIGE_PROFILER, "gemm", "--m", "8192", "--n", "8192", "--k", "8192", "--device",
          device.c_str(), "--json", json_path.c_str(), "--csv", csv_path.c_str(), "--html", html_path.c_str(), nullptr);
    _exit(127);
  }
  const auto files = [&] {
    return std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator());
  };
  for (int i = 0; i < 600 && files() < 3; ++i) usleep(50'000);
  EXPECT_EQ(files(), 3);
  kill(program, SIGINT);
  int status = 0;
  waitpid(program, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
  EXPECT_EQ(files(), 0);
}

}  // namespace
}  // namespace zellige::profiler
