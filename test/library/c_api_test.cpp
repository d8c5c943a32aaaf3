// The C interface: answers like the C++ one's, versions of its structs, and arguments that mean nothing.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "targets.hpp"
#include "zellige.h"
#include "zellige/select.hpp"

namespace zellige {
namespace {

zellige_verdict fresh_verdict() {
  zellige_verdict v{};
  v.struct_size = sizeof v;
  return v;
}

zellige_gemm_shape gemm_shape(std::int64_t m, std::int64_t n, std::int64_t k) {
  zellige_gemm_shape s{};
  s.struct_size = sizeof s;
  s.order_b = ZELLIGE_ORDER_COLUMN;
  s.m = m, s.n = n, s.k = k;
  return s;
}

/// A square image with a square filter, f16.
zellige_conv_shape conv_shape(std::int64_t n, std::int64_t c, std::int64_t size, std::int64_t k, std::int64_t filter) {
  zellige_conv_shape s{};
  s.struct_size = sizeof s;
  s.spatial = 2;
  s.n = n, s.c = c, s.k = k, s.groups = 1;
  for (int i = 0; i < 2; ++i) {
    s.size[i] = size, s.filter[i] = filter, s.stride[i] = s.dilation[i] = 1;
    s.pad_before[i] = s.pad_after[i] = filter / 2;
  }
  return s;
}

/// A problem's handle, released by scope.
struct OwnedProblem {
  explicit OwnedProblem(const zellige_gemm_shape& s) { status = zellige_gemm_create(&s, &handle, &verdict); }
  explicit OwnedProblem(const zellige_conv_shape& s) { status = zellige_conv_create(&s, &handle, &verdict); }
  OwnedProblem(const OwnedProblem&) = delete;
  ~OwnedProblem() { zellige_problem_destroy(handle); }

  zellige_problem* handle = nullptr;
  zellige_verdict verdict = fresh_verdict();
  zellige_status status = ZELLIGE_OK;
};

std::int32_t first_target() { return static_cast<std::int32_t>(built_targets().front()); }

TEST(CApi, NamesAndVersion) {
  EXPECT_GE(zellige_version(), 100);
  EXPECT_STREQ(zellige_arch_name(ZELLIGE_ARCH_GFX942), "gfx942");
  EXPECT_STREQ(zellige_arch_name(ZELLIGE_ARCH_NONE), "unknown");
  EXPECT_STREQ(zellige_arch_name(99), "unknown");
  EXPECT_STREQ(zellige_family_name(ZELLIGE_FAMILY_CONV_FWD), "conv_fwd");
  EXPECT_STREQ(zellige_family_name(-1), "unknown");
  EXPECT_STREQ(zellige_type_name(ZELLIGE_TYPE_BF16), "bf16");
  EXPECT_STREQ(zellige_type_name(77), "unknown");
  EXPECT_STREQ(zellige_reason_name(static_cast<int>(Reason::channels_not_divisible)), "channels_not_divisible");
  EXPECT_STREQ(zellige_reason_name(-5), "unknown");
  for (DataType type : all_data_types) EXPECT_STREQ(zellige_type_name(static_cast<int>(type)), name_of(type));
  for (Arch arch : all_arches) EXPECT_STREQ(zellige_arch_name(static_cast<int>(arch)), arch_traits(arch).name);
}

TEST(CApi, ListsTheInstancesOfATarget) {
  std::size_t count = 0;
  ASSERT_EQ(zellige_instance_count(first_target(), &count, nullptr), ZELLIGE_OK);
  const auto all = operations(built_targets().front());
  ASSERT_EQ(count, all.size());
  for (std::size_t i = 0; i < count; ++i) {
    const zellige_instance *instance = nullptr, *named = nullptr;
    ASSERT_EQ(zellige_instance_at(first_target(), i, &instance, nullptr), ZELLIGE_OK);
    EXPECT_EQ(zellige_instance_name(instance), all[i].name);
    EXPECT_EQ(zellige_instance_arch(instance), first_target());
    EXPECT_EQ(zellige_instance_family(instance), static_cast<int>(all[i].family));
    EXPECT_EQ(zellige_instance_by_name(all[i].name.c_str(), &named, nullptr), ZELLIGE_OK);
    EXPECT_EQ(named, instance);
  }
  const zellige_instance* none = nullptr;
  zellige_verdict v = fresh_verdict();
  EXPECT_EQ(zellige_instance_at(first_target(), count, &none, &v), ZELLIGE_BAD_ARGUMENT);
  EXPECT_NE(std::string(v.text).find("but there are " + std::to_string(count)), std::string::npos) << v.text;
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(zellige_instance_by_name("gemm_gfx942_nothing", &none, &v), ZELLIGE_BAD_ARGUMENT);
  EXPECT_STREQ(v.text, "there is no instance called 'gemm_gfx942_nothing'");
}

TEST(CApi, AMissingTargetIsRefusedInWords) {
  std::size_t count = 9;
  zellige_verdict v = fresh_verdict();
  EXPECT_EQ(zellige_instance_count(ZELLIGE_ARCH_NONE, &count, &v), ZELLIGE_REFUSED);
  EXPECT_EQ(v.status, ZELLIGE_REFUSED);
  EXPECT_STREQ(zellige_reason_name(v.reason), "no_kernel_code");
  EXPECT_NE(std::string(v.text).find("unknown target"), std::string::npos) << v.text;
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(zellige_instance_count(42, &count, &v), ZELLIGE_BAD_ARGUMENT);
  EXPECT_STREQ(v.text, "arch is 42, but must be 0 to 8");
}

TEST(CApi, DescribesProblems) {
  zellige_conv_shape s = conv_shape(2, 16, 10, 24, 3);
  s.stride[1] = 2, s.output = ZELLIGE_TYPE_F32;
  const OwnedProblem conv(s), gemm(gemm_shape(3, 4, 5));
  zellige_problem_info info{};
  info.struct_size = sizeof info;
  ASSERT_EQ(zellige_problem_describe(conv.handle, &info, nullptr), ZELLIGE_OK);
  EXPECT_EQ(info.family, ZELLIGE_FAMILY_CONV_FWD);
  EXPECT_EQ(info.bytes_a, 2 * 100 * 16 * 2);
  EXPECT_EQ(info.bytes_b, 24 * 9 * 16 * 2);
  EXPECT_EQ(info.bytes_c, 2 * 50 * 24 * 4);
  EXPECT_EQ(info.outputs[0], 10);
  EXPECT_EQ(info.outputs[1], 5);
  EXPECT_EQ(info.outputs[2], 0);
  EXPECT_EQ(info.flops, 2.0 * 2 * 50 * 24 * 9 * 16);
  EXPECT_EQ(info.struct_size, sizeof info);
  ASSERT_EQ(zellige_problem_describe(gemm.handle, &info, nullptr), ZELLIGE_OK);
  EXPECT_EQ(info.family, ZELLIGE_FAMILY_GEMM);
  EXPECT_EQ(info.flops, 120);
}

TEST(CApi, ProblemsWithoutMeaningAreRefused) {
  const auto reason_of = [](const auto& shape) {
    const OwnedProblem problem(shape);
    EXPECT_EQ(problem.handle == nullptr, problem.status != ZELLIGE_OK);
    EXPECT_EQ(problem.status, problem.verdict.status);
    return std::string(zellige_reason_name(problem.verdict.reason));
  };
  EXPECT_EQ(reason_of(gemm_shape(1, 1, 1)), "none");
  EXPECT_EQ(reason_of(gemm_shape(0, 1, 1)), "bad_extent");
  EXPECT_EQ(reason_of(gemm_shape(INT64_MAX, 1, 1)), "overflow");
  zellige_conv_shape s = conv_shape(1, 6, 4, 6, 3);
  s.groups = 4;
  EXPECT_EQ(reason_of(s), "bad_groups");
  for (int spatial : {0, 4, -1, INT32_MAX}) {
    s.spatial = spatial;
    EXPECT_EQ(reason_of(s), "spatial_rank");
  }
  s = conv_shape(1, 6, 4, 6, 3);
  s.stride[0] = 0;
  EXPECT_EQ(reason_of(s), "bad_filter");
}

TEST(CApi, lesson13_values_outside_of_an_enumeration_are_named) {
  const auto text_of = [](const auto& shape) {
    const OwnedProblem problem(shape);
    EXPECT_EQ(problem.status, ZELLIGE_BAD_ARGUMENT);
    EXPECT_EQ(problem.verdict.reason, 0);
    return std::string(problem.verdict.text);
  };
  zellige_gemm_shape g = gemm_shape(1, 1, 1);
  g.input = 11;
  EXPECT_EQ(text_of(g), "input is 11, but must be 0 to 10");
  g = gemm_shape(1, 1, 1);
  g.order_a = -1;
  EXPECT_EQ(text_of(g), "order_a is -1, but must be 0 to 1");
  zellige_conv_shape c = conv_shape(1, 8, 4, 8, 1);
  c.direction = 3;
  EXPECT_EQ(text_of(c), "direction is 3, but must be 0 to 2");
}

TEST(CApi, StructsOfOtherVersions) {
  // A newer caller's struct: what it has beyond ours must be zero.
  struct Newer {
    zellige_gemm_shape known;
    std::int64_t unknown;
  } newer{gemm_shape(8, 8, 8), 0};
  newer.known.struct_size = sizeof newer;
  zellige_problem* problem = nullptr;
  zellige_verdict v = fresh_verdict();
  EXPECT_EQ(zellige_gemm_create(&newer.known, &problem, &v), ZELLIGE_OK) << v.text;
  zellige_problem_destroy(problem);
  newer.unknown = 7;
  EXPECT_EQ(zellige_gemm_create(&newer.known, &problem, &v), ZELLIGE_BAD_ARGUMENT);
  EXPECT_NE(std::string(v.text).find("is set, which is of a newer version"), std::string::npos) << v.text;
  EXPECT_EQ(problem, nullptr);
  // One that cannot hold the first version's fields.
  zellige_gemm_shape small = gemm_shape(8, 8, 8);
  small.struct_size = 8;
  EXPECT_EQ(zellige_gemm_create(&small, &problem, &v), ZELLIGE_BAD_ARGUMENT);
  EXPECT_NE(std::string(v.text).find("struct_size is 8"), std::string::npos) << v.text;
  small.struct_size = 0;
  EXPECT_EQ(zellige_gemm_create(&small, &problem, &v), ZELLIGE_BAD_ARGUMENT);
}

TEST(CApi, AVerdictIsWrittenAsFarAsItReaches) {
  zellige_verdict v = fresh_verdict();
  std::memset(v.text, 'x', sizeof v.text);
  v.struct_size = offsetof(zellige_verdict, text) + 6;
  zellige_problem* problem = nullptr;
  const zellige_gemm_shape bad = gemm_shape(0, 1, 1);
  EXPECT_EQ(zellige_gemm_create(&bad, &problem, &v), ZELLIGE_REFUSED);
  EXPECT_STREQ(v.text, "m, n ");
  EXPECT_EQ(v.text[6], 'x');
  v.struct_size = 4;
  EXPECT_EQ(zellige_gemm_create(&bad, &problem, &v), ZELLIGE_BAD_ARGUMENT) << "no room for the answer";
  EXPECT_STREQ(v.text, "m, n ");
}

TEST(CApi, NullPointersAreNamed) {
  zellige_verdict v = fresh_verdict();
  zellige_plan* plan = nullptr;
  EXPECT_EQ(zellige_plan_create(nullptr, nullptr, nullptr, &plan, &v), ZELLIGE_BAD_ARGUMENT);
  EXPECT_STREQ(v.text, "instance is a null pointer");
  EXPECT_EQ(zellige_plan_run(nullptr, nullptr, nullptr, nullptr, 0, &v), ZELLIGE_BAD_ARGUMENT);
  EXPECT_STREQ(v.text, "plan is a null pointer");
  EXPECT_EQ(zellige_gemm_create(nullptr, nullptr, nullptr), ZELLIGE_BAD_ARGUMENT);
  EXPECT_EQ(zellige_instance_by_name(nullptr, nullptr, &v), ZELLIGE_BAD_ARGUMENT);
  EXPECT_EQ(zellige_current_arch(nullptr, &v), ZELLIGE_BAD_ARGUMENT);
  EXPECT_STREQ(zellige_instance_name(nullptr), "");
  EXPECT_STREQ(zellige_plan_instance_name(nullptr), "");
  EXPECT_EQ(zellige_plan_workspace_bytes(nullptr), 0);
  EXPECT_EQ(zellige_ranking_size(nullptr), 0U);
  EXPECT_EQ(zellige_ranking_instance(nullptr, 0), nullptr);
  zellige_plan_destroy(nullptr);
  zellige_problem_destroy(nullptr);
  zellige_ranking_destroy(nullptr);
}

TEST(CApi, RanksAsTheCppInterfaceDoes) {
  const OwnedProblem problem(conv_shape(1, 64, 14, 64, 3));
  ConvProblem same{.n = 1, .c = 64, .k = 64};
  same.axis[0] = same.axis[1] = {.size = 14, .filter = 3, .pad_before = 1, .pad_after = 1};
  const Ranking expected = rank(same, built_targets().front());
  zellige_ranking* ranking = nullptr;
  ASSERT_EQ(zellige_ranking_create(problem.handle, first_target(), nullptr, &ranking, nullptr), ZELLIGE_OK);
  ASSERT_EQ(zellige_ranking_size(ranking), expected.candidates.size());
  ASSERT_EQ(zellige_ranking_applicable(ranking), expected.applicable);
  ASSERT_GT(expected.applicable, 0U);
  for (std::size_t i = 0; i < expected.candidates.size(); ++i) {
    const Candidate& e = expected.candidates[i];
    const zellige_instance* instance = zellige_ranking_instance(ranking, i);
    EXPECT_EQ(zellige_instance_name(instance), e.operation->name);
    EXPECT_EQ(zellige_ranking_modelled_us(ranking, i), e.estimate.time_us);
    zellige_verdict ranked = fresh_verdict(), asked = fresh_verdict();
    const Verdict& why = e.verdict.ok ? e.taken : e.verdict;
    EXPECT_EQ(zellige_ranking_verdict(ranking, i, &ranked), why.ok ? ZELLIGE_OK : ZELLIGE_REFUSED);
    EXPECT_EQ(ranked.text, why.why.view());
    EXPECT_EQ(ranked.reason, static_cast<int>(why.code));
    EXPECT_EQ(ranked.status == ZELLIGE_OK, i < expected.applicable);
    EXPECT_EQ(zellige_supports(instance, problem.handle, nullptr, &asked), e.verdict.ok ? ZELLIGE_OK : ZELLIGE_REFUSED);
    EXPECT_EQ(asked.text, e.verdict.why.view());
  }
  EXPECT_EQ(zellige_ranking_instance(ranking, expected.candidates.size()), nullptr);
  zellige_plan* plan = nullptr;
  ASSERT_EQ(zellige_plan_select(problem.handle, first_target(), nullptr, &plan, nullptr), ZELLIGE_OK);
  EXPECT_STREQ(zellige_plan_instance_name(plan), select(same, built_targets().front()).plan.instance.c_str());
  zellige_plan_destroy(plan);
  zellige_ranking_destroy(ranking);
}

TEST(CApi, OptionsReachThePlan) {
  const OwnedProblem problem(gemm_shape(64, 64, 64));
  zellige_options o{};
  o.struct_size = sizeof o;
  zellige_plan* plan = nullptr;
  zellige_verdict v = fresh_verdict();
  ASSERT_EQ(zellige_plan_select(problem.handle, first_target(), &o, &plan, &v), ZELLIGE_OK) << v.text;
  zellige_plan_info info{};
  info.struct_size = sizeof info;
  ASSERT_EQ(zellige_plan_describe(plan, &info, nullptr), ZELLIGE_OK);
  EXPECT_EQ(info.arch, first_target());
  EXPECT_GE(info.dispatches, 1);
  EXPECT_EQ(info.deterministic, 1);
  EXPECT_GE(info.align_a, 2);
  EXPECT_EQ(info.workspace_bytes, zellige_plan_workspace_bytes(plan));
  const zellige_instance* chosen = nullptr;
  ASSERT_EQ(zellige_instance_by_name(zellige_plan_instance_name(plan), &chosen, nullptr), ZELLIGE_OK);
  zellige_plan_destroy(plan);

  o.epilogue = 8;
  EXPECT_EQ(zellige_plan_select(problem.handle, first_target(), &o, &plan, &v), ZELLIGE_BAD_ARGUMENT);
  EXPECT_STREQ(v.text, "epilogue has the bits 8, of which the library knows 7");
  o.epilogue = 0, o.activation = 5;
  EXPECT_EQ(zellige_plan_select(problem.handle, first_target(), &o, &plan, &v), ZELLIGE_BAD_ARGUMENT);
  o.activation = ZELLIGE_ACTIVATION_CLAMP, o.low = 2, o.high = 1;
  EXPECT_EQ(zellige_plan_create(chosen, problem.handle, &o, &plan, &v), ZELLIGE_REFUSED);
  EXPECT_STREQ(zellige_reason_name(v.reason), "epilogue_unsupported") << v.text;
  o = zellige_options{};
  o.struct_size = sizeof o, o.no_fold = 2;
  EXPECT_EQ(zellige_plan_select(problem.handle, first_target(), &o, &plan, &v), ZELLIGE_BAD_ARGUMENT);
  EXPECT_STREQ(v.text, "no_fold is 2, but must be 0 or 1");
  o.no_fold = 0, o.limit_bytes = -1;
  EXPECT_EQ(zellige_plan_select(problem.handle, first_target(), &o, &plan, &v), ZELLIGE_BAD_ARGUMENT);
  o.limit_bytes = 0, o.split_k = -2;
  EXPECT_EQ(zellige_plan_select(problem.handle, first_target(), &o, &plan, &v), ZELLIGE_BAD_ARGUMENT);
  EXPECT_EQ(plan, nullptr);
}

TEST(CApi, OneProblemFromSeveralThreads) {
  const OwnedProblem problem(conv_shape(1, 64, 14, 64, 3));
  std::vector<std::string> names(8);
  std::vector<std::thread> threads;
  for (std::string& name : names) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        zellige_plan* plan = nullptr;
        if (zellige_plan_select(problem.handle, first_target(), nullptr, &plan, nullptr) != ZELLIGE_OK) return;
        name = zellige_plan_instance_name(plan);
        zellige_plan_destroy(plan);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& name : names) EXPECT_EQ(name, names.front());
  EXPECT_FALSE(names.front().empty());
}

}  // namespace
}  // namespace zellige
