// Ranking, floors, exit statuses, and the texts that are written of a report.
#include "report.hpp"

#include <gtest/gtest.h>

#include "report_csv.hpp"
#include "report_html.hpp"
#include "report_table.hpp"
#include "sample_report.hpp"

namespace zellige::profiler {
namespace {

std::vector<std::string> names(const Report& report) {
  std::vector<std::string> all;
  for (const InstanceRow& row : report.rows) all.push_back(row.name);
  return all;
}

TEST(Report, AWrongInstanceIsNeverBest) {
  const Report report = sample_report();
  EXPECT_EQ(names(report), (std::vector<std::string>{"best_one", "slow", "wrong_but_fastest", "unsupported_one"}));
  ASSERT_NE(report.best(), nullptr);
  EXPECT_EQ(report.best()->name, "best_one");
  EXPECT_EQ(report.exit_status(), Exit::wrong_result);
}

TEST(Report, ExitStatuses) {
  Report report = sample_report();
  const auto with = [&](std::vector<InstanceRow> rows) {
    report.rows = std::move(rows);
    return report.exit_status();
  };
  const InstanceRow ok = sample_row("a", Status::ok, 0.1), wrong = sample_row("b", Status::wrong, 0.1),
                    error = sample_row("c", Status::error, {}), unsupported = sample_row("d", Status::unsupported, {}),
                    skipped = sample_row("e", Status::skipped, {});
  EXPECT_EQ(with({}), Exit::unsupported);
  EXPECT_EQ(with({unsupported}), Exit::unsupported);
  EXPECT_EQ(with({unsupported, skipped}), Exit::unsupported);
  EXPECT_EQ(with({unsupported, ok, skipped}), Exit::ok);
  EXPECT_EQ(with({wrong}), Exit::wrong_result);
  EXPECT_EQ(with({ok, wrong}), Exit::wrong_result);
  EXPECT_EQ(with({ok, wrong, error}), Exit::device_error);
}

TEST(Report, TheWorseOfTwoEnds) {
  EXPECT_EQ(worse(Exit::ok, Exit::unsupported), Exit::unsupported);
  EXPECT_EQ(worse(Exit::bad_arguments, Exit::unsupported), Exit::bad_arguments);
  EXPECT_EQ(worse(Exit::bad_arguments, Exit::wrong_result), Exit::wrong_result);
  EXPECT_EQ(worse(Exit::wrong_result, Exit::device_error), Exit::device_error);
  EXPECT_EQ(worse(Exit::ok, Exit::ok), Exit::ok);
}

TEST(Report, FloorIsTheLargerOfFlopsAndBytes) {
  const Report report = sample_report();
  const double flops = 2.0 * 58 * 28 * 32 * 9 * 64, bytes = 2.0 * (56 * 28 * 64 + 32 * 9 * 64 + 58 * 28 * 32);
  EXPECT_DOUBLE_EQ(report.problem.flops(), flops);
  EXPECT_DOUBLE_EQ(report.problem.bytes(), bytes);
  ASSERT_TRUE(report.floor_ms());
  EXPECT_DOUBLE_EQ(*report.floor_ms(), std::max(flops / 1307.4e9, bytes / 5300e6));
  EXPECT_DOUBLE_EQ(*report.tflops(*report.best()), flops / 0.1e9);
  EXPECT_DOUBLE_EQ(*report.gbps(*report.best()), bytes / 0.1e6);
  EXPECT_FALSE(report.tflops(report.rows.back()));
}

TEST(Problem, DescribesItself) {
  EXPECT_EQ(sample_report().problem.describe(),
            "conv_fwd bf16 n=1 c=64 in=56x28 k=32 filter=3x3 stride=1x1 pad=3x2:1x0 dilation=1x1 groups=1");
  const Problem gemm{.op = Operator::gemm, .shape = GemmProblem{.m = 3, .n = 4, .k = 5, .output = DataType::f32}};
  EXPECT_EQ(gemm.describe(), "gemm f16->f32 m=3 n=4 k=5 layout=rc");
  const Problem mixed{
      .op = Operator::conv_fwd,
      .shape = ConvProblem{.input = DataType::f8e4m3, .weight = DataType::f8e5m2, .output = DataType::f32}};
  EXPECT_TRUE(mixed.describe().starts_with("conv_fwd f8e4m3*f8e5m2->f32 n=1 ")) << mixed.describe();
}

TEST(Csv, QuotesByTheRules) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"no\""), "\"say \"\"no\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_field(""), "");
}

/// The fields of one record, and what follows it: a reader by the rules of RFC 4180.
std::vector<std::string> read_record(std::string_view& text) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  while (!text.empty()) {
    const char c = text[0];
    text.remove_prefix(1);
    if (quoted && c == '"' && text.starts_with('"')) {
      fields.back() += '"';
      text.remove_prefix(1);
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      fields.emplace_back();
    } else if (!quoted && c == '\r') {
      text.remove_prefix(1);
      break;
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

TEST(Csv, EveryRecordHasEveryColumn) {
  const Report report = sample_report();
  const std::string text = csv_header() + to_csv(report);
  std::string_view rest = text;
  const std::vector<std::string> header = read_record(rest);
  for (const InstanceRow& row : report.rows) {
    const std::vector<std::string> record = read_record(rest);
    ASSERT_EQ(record.size(), header.size());
    const auto at = [&](const char* column) {
      return record[static_cast<std::size_t>(std::find(header.begin(), header.end(), column) - header.begin())];
    };
    EXPECT_EQ(at("name"), row.name);
    EXPECT_EQ(at("status"), name_of(row.status));
    EXPECT_EQ(at("why"), row.why);
    EXPECT_EQ(at("driver"), report.problem.driver);
    EXPECT_EQ(at("time_ms").empty(), !row.time_ms.has_value());
  }
  EXPECT_TRUE(rest.empty());
}

TEST(Html, IsCompleteInItself) {
  const std::string page = to_html({sample_report(), sample_report()});
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_NE(page.find("best_one"), std::string::npos);
  EXPECT_NE(page.find("&lt;broken&gt;"), std::string::npos);
  EXPECT_EQ(page.find("<broken>"), std::string::npos);
  for (const char* fetch : {"http:", "https:", "<script", "<link", "src="})
    EXPECT_EQ(page.find(fetch), std::string::npos) << fetch;
}

TEST(Table, SaysPredictedAndWhy) {
  const std::string table = to_table(sample_report());
  EXPECT_NE(table.find("times are predicted from the counts of the executed code, not measured"), std::string::npos);
  EXPECT_NE(table.find("0.1 ms predicted"), std::string::npos);
  EXPECT_NE(table.find("best: best_one"), std::string::npos);
  EXPECT_NE(table.find("wrong: wrong_but_fastest"), std::string::npos);
  EXPECT_NE(table.find("1 unsupported"), std::string::npos);
  EXPECT_NE(table.find("notice: a notice"), std::string::npos);
}

TEST(Table, HumanBytes) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(999), "999 B");
  EXPECT_EQ(human_bytes(1000), "1.0 kB");
  EXPECT_EQ(human_bytes(2.5e9), "2.5 GB");
  EXPECT_EQ(human_bytes(1e21), "1000.0 EB");
}

}  // namespace
}  // namespace zellige::profiler
