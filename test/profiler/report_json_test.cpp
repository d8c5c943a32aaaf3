// The shape of the JSON, schema 1: every key that its readers may rely on, and its type.
#include "report_json.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "sample_report.hpp"

namespace zellige::profiler {
namespace {

using Json = nlohmann::json;

Json json_of(const Report& report) { return Json::parse(dump(to_json(report, Options{}))); }

TEST(ReportJson, Shape) {
  const Json json = json_of(sample_report());
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_TRUE(json.at("zellige").is_string());
  EXPECT_EQ(json.at("device"), (Json{{"name", "MI300X"}, {"arch", "gfx942"}, {"kind", "simulator"}}));
  EXPECT_EQ(json.at("options").at("seed"), 1);
  EXPECT_EQ(json.at("options").at("split_k"), -1);
  EXPECT_TRUE(json.at("options").at("iterations").is_null());

  const Json& problem = json.at("problem");
  EXPECT_EQ(problem.at("op"), "conv_fwd");
  EXPECT_EQ(problem.at("in"), (Json{56, 28}));
  EXPECT_EQ(problem.at("pad_before"), (Json{3, 2}));
  EXPECT_EQ(problem.at("pad_after"), (Json{1, 0}));
  EXPECT_EQ(problem.at("out"), (Json{58, 28}));
  EXPECT_EQ(problem.at("layout"), "NHWC");
  EXPECT_EQ(problem.at("driver"), "convbfp16 -n 1, \"x\"");
  EXPECT_EQ(problem.at("driver_layout"), "NCHW");
  EXPECT_EQ(problem.at("layout_assumed"), true);
  EXPECT_TRUE(problem.at("flops").is_number());
  EXPECT_TRUE(problem.at("bytes").is_number());

  ASSERT_EQ(json.at("instances").size(), 4u);
  EXPECT_EQ(json.at("best"), json.at("instances").at(0));
}

TEST(ReportJson, EveryInstanceHasEveryKey) {
  const Json json = json_of(sample_report());
  for (const Json& row : json.at("instances")) {
    for (const char* key :
         {"name",   "arch",   "status",     "supported",       "reason",      "why",           "split_k",
          "fold",   "chunks", "dispatches", "workspace_bytes", "time_ms",     "predicted",     "bound",
          "tflops", "gbps",   "verified",   "max_abs_err",     "max_rel_err", "deterministic", "counts"}) {
      EXPECT_TRUE(row.contains(key)) << key;
    }
  }
  const Json& ok = json.at("instances").at(0);
  EXPECT_EQ(ok.at("status"), "ok");
  EXPECT_EQ(ok.at("supported"), true);
  EXPECT_EQ(ok.at("reason"), "none");
  EXPECT_TRUE(ok.at("why").is_null());
  EXPECT_EQ(ok.at("dispatches"), 1);
  EXPECT_EQ(ok.at("time_ms"), 0.1);
  EXPECT_EQ(ok.at("predicted"), true);
  EXPECT_EQ(ok.at("verified"), true);
  EXPECT_EQ(ok.at("counts").at("waves"), 196);
  EXPECT_EQ(ok.at("plan").at(0).at("workgroups"), 49);

  const Json& wrong = json.at("instances").at(2);
  EXPECT_EQ(wrong.at("status"), "wrong");
  EXPECT_EQ(wrong.at("supported"), true);
  EXPECT_EQ(wrong.at("verified"), false);
  EXPECT_EQ(wrong.at("max_abs_err"), 1.5);

  const Json& unsupported = json.at("instances").at(3);
  EXPECT_EQ(unsupported.at("status"), "unsupported");
  EXPECT_EQ(unsupported.at("supported"), false);
  EXPECT_EQ(unsupported.at("reason"), "channels_not_divisible");
  for (const char* key : {"split_k", "dispatches", "workspace_bytes", "time_ms", "bound", "tflops", "gbps", "verified",
                          "max_abs_err", "max_rel_err", "deterministic", "counts"}) {
    EXPECT_TRUE(unsupported.at(key).is_null()) << key;
  }
}

TEST(ReportJson, NothingBestIsNull) {
  Report report = sample_report();
  report.rows = {sample_row("a", Status::wrong, 0.1)};
  EXPECT_TRUE(json_of(report).at("best").is_null());
  report.rows.clear();
  EXPECT_TRUE(json_of(report).at("best").is_null());
  EXPECT_TRUE(json_of(report).at("instances").empty());
}

TEST(ReportJson, NumbersThatJsonLacksAreNull) {
  Report report = sample_report();
  report.rows[0].max_abs_err = std::numeric_limits<double>::infinity();
  report.rows[0].max_rel_err = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(json_of(report).at("instances").at(0).at("max_abs_err").is_null());
  EXPECT_TRUE(json_of(report).at("instances").at(0).at("max_rel_err").is_null());
}

TEST(ReportJson, AnyBytesGiveValidUtf8OnOneLine) {
  Report report = sample_report();
  report.problem.driver = "conv \xff\xfe\n\t\"";
  const std::string text = dump(to_json(report, Options{}));
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_TRUE(Json::accept(text)) << text;
}

TEST(ReportJson, ALineThatIsNoProblem) {
  const Json json = Json::parse(
      dump(failed_line_json("nonsense", 7, Failure(Exit::bad_arguments, "why"), sample_report().device, Options{})));
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("error"), "why");
  EXPECT_EQ(json.at("problem").at("driver"), "nonsense");
  EXPECT_EQ(json.at("problem").at("line"), 7);
  EXPECT_TRUE(json.at("instances").empty());
  EXPECT_TRUE(json.at("best").is_null());
}

}  // namespace
}  // namespace zellige::profiler
