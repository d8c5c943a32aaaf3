// The C interface (zellige.h) over the C++ one: it translates values, owns the handles, and lets no exception out.
#include "zellige.h"

#include "c_api_values.hpp"

// Of the caller's view: a Problem is made once and only read from then on.
struct zellige_problem {
  zellige::Problem problem;
};
struct zellige_ranking {
  zellige::Ranking ranking;
};
struct zellige_plan {
  zellige::Plan plan;
};

namespace zellige {
namespace {

using namespace c_api;

const Operation* operation_of(const zellige_instance* instance) { return reinterpret_cast<const Operation*>(instance); }
const zellige_instance* instance_of(const Operation* operation) {
  return reinterpret_cast<const zellige_instance*>(operation);
}

/// The library of a target, or why there is none.
std::optional<Answer> open_library(int32_t arch, const TargetLibrary*& found) {
  Arch target{};
  if (auto bad = read_enum(arch, last_arch, "arch", target)) return bad;
  found = &target_library(target);
  if (!found->error.empty()) return answer(ZELLIGE_REFUSED, found->error, Reason::no_kernel_code);
  return {};
}

/// A problem on its way to a handle: made by `read`, kept where it means something.
template <class Shape, class Value>
zellige_status create_problem(std::optional<Answer> (*read)(const Shape*, Value&), const Shape* shape,
                              zellige_problem** out, zellige_verdict* verdict) {
  return guarded(verdict, [&]() -> Answer {
    if (out == nullptr) return null_argument("problem");
    *out = nullptr;
    Value value;
    if (auto bad = read(shape, value)) return *bad;
    if (const Verdict v = validate(value); !v.ok) return answer_of(v);
    *out = new zellige_problem{value};
    return {};
  });
}

zellige_problem_info describe(const GemmProblem& p) {
  return {.struct_size = 0,
          .family = ZELLIGE_FAMILY_GEMM,
          .bytes_a = bytes_a(p).value,
          .bytes_b = bytes_b(p).value,
          .bytes_c = bytes_c(p).value,
          .outputs = {},
          .flops = flops(p)};
}

zellige_problem_info describe(const ConvProblem& p) {
  zellige_problem_info info{.struct_size = 0,
                            .family = ZELLIGE_FAMILY_CONV_FWD,
                            .bytes_a = input_bytes(p).value,
                            .bytes_b = weight_bytes(p).value,
                            .bytes_c = output_bytes(p).value,
                            .outputs = {},
                            .flops = flops(p)};
  for (int i = 0; i < p.spatial; ++i) info.outputs[i] = p.axis[i].outputs();
  return info;
}

Answer keep(Planned planned, zellige_plan** out) {
  if (!planned.verdict.ok) return answer_of(planned.verdict);
  *out = new zellige_plan{std::move(planned.plan)};
  return {};
}

const Candidate* candidate_at(const zellige_ranking* ranking, std::size_t index) {
  return ranking != nullptr && index < ranking->ranking.candidates.size() ? &ranking->ranking.candidates[index]
                                                                          : nullptr;
}

}  // namespace
}  // namespace zellige

using namespace zellige;
using namespace zellige::c_api;

int32_t zellige_version(void) {
  return ZELLIGE_VERSION_MAJOR * 10000 + ZELLIGE_VERSION_MINOR * 100 + ZELLIGE_VERSION_PATCH;
}

// The names are literals of the library, and so end with a zero.
const char* zellige_reason_name(int32_t reason) { return reason_name(static_cast<Reason>(reason)).data(); }

const char* zellige_arch_name(int32_t arch) {
  return arch > 0 && arch <= static_cast<int>(last_arch) ? arch_traits(static_cast<Arch>(arch)).name : "unknown";
}

const char* zellige_family_name(int32_t family) {
  return family == ZELLIGE_FAMILY_GEMM || family == ZELLIGE_FAMILY_CONV_FWD
             ? family_name(static_cast<Family>(family)).data()
             : "unknown";
}

const char* zellige_type_name(int32_t type) { return name_of(static_cast<DataType>(type)); }

zellige_status zellige_current_arch(int32_t* arch, zellige_verdict* verdict) {
  return guarded(verdict, [&]() -> Answer {
    if (arch == nullptr) return null_argument("arch");
    *arch = static_cast<int32_t>(current_device().arch);
    return {};
  });
}

zellige_status zellige_instance_count(int32_t arch, size_t* count, zellige_verdict* verdict) {
  return guarded(verdict, [&]() -> Answer {
    if (count == nullptr) return null_argument("count");
    *count = 0;
    const TargetLibrary* library = nullptr;
    if (auto bad = open_library(arch, library)) return *bad;
    *count = library->operations.size();
    return {};
  });
}

zellige_status zellige_instance_at(int32_t arch, size_t index, const zellige_instance** instance,
                                   zellige_verdict* verdict) {
  return guarded(verdict, [&]() -> Answer {
    if (instance == nullptr) return null_argument("instance");
    *instance = nullptr;
    const TargetLibrary* library = nullptr;
    if (auto bad = open_library(arch, library)) return *bad;
    const std::size_t count = library->operations.size();
    if (index >= count) {
      return bad_argument(Text{} << "index is " << static_cast<std::int64_t>(index) << ", but there are "
                                 << static_cast<std::int64_t>(count) << " instances");
    }
    *instance = instance_of(&library->operations[index]);
    return {};
  });
}

zellige_status zellige_instance_by_name(const char* name, const zellige_instance** instance, zellige_verdict* verdict) {
  return guarded(verdict, [&]() -> Answer {
    if (name == nullptr) return null_argument("name");
    if (instance == nullptr) return null_argument("instance");
    *instance = instance_of(find_operation(name));
    if (*instance == nullptr) return bad_argument(Text{} << "there is no instance called '" << name << "'");
    return {};
  });
}

const char* zellige_instance_name(const zellige_instance* instance) {
  return instance != nullptr ? operation_of(instance)->name.c_str() : "";
}

int32_t zellige_instance_arch(const zellige_instance* instance) {
  return instance != nullptr ? static_cast<int32_t>(operation_of(instance)->arch) : ZELLIGE_ARCH_NONE;
}

int32_t zellige_instance_family(const zellige_instance* instance) {
  return instance != nullptr ? static_cast<int32_t>(operation_of(instance)->family) : -1;
}

zellige_status zellige_gemm_create(const zellige_gemm_shape* shape, zellige_problem** problem,
                                   zellige_verdict* verdict) {
  return create_problem(&read_gemm, shape, problem, verdict);
}

zellige_status zellige_conv_create(const zellige_conv_shape* shape, zellige_problem** problem,
                                   zellige_verdict* verdict) {
  return create_problem(&read_conv, shape, problem, verdict);
}

void zellige_problem_destroy(zellige_problem* problem) { delete problem; }

zellige_status zellige_problem_describe(const zellige_problem* problem, zellige_problem_info* info,
                                        zellige_verdict* verdict) {
  return guarded(verdict, [&]() -> Answer {
    if (problem == nullptr) return null_argument("problem");
    return write_struct(std::visit([](const auto& p) { return describe(p); }, problem->problem), info, sizeof *info,
                        "info");
  });
}

zellige_status zellige_supports(const zellige_instance* instance, const zellige_problem* problem,
                                const zellige_options* options, zellige_verdict* verdict) {
  return guarded(verdict, [&]() -> Answer {
    if (instance == nullptr) return null_argument("instance");
    if (problem == nullptr) return null_argument("problem");
    PlanOptions o;
    if (auto bad = read_options(options, o)) return *bad;
    return answer_of(operation_of(instance)->supports(problem->problem, o));
  });
}

zellige_status zellige_ranking_create(const zellige_problem* problem, int32_t arch, const zellige_options* options,
                                      zellige_ranking** ranking, zellige_verdict* verdict) {
  return guarded(verdict, [&]() -> Answer {
    if (ranking == nullptr) return null_argument("ranking");
    *ranking = nullptr;
    if (problem == nullptr) return null_argument("problem");
    PlanOptions o;
    if (auto bad = read_options(options, o)) return *bad;
    const TargetLibrary* library = nullptr;
    if (auto bad = open_library(arch, library)) return *bad;
    *ranking = new zellige_ranking{rank(problem->problem, library->arch, o)};
    return {};
  });
}

void zellige_ranking_destroy(zellige_ranking* ranking) { delete ranking; }

size_t zellige_ranking_size(const zellige_ranking* ranking) {
  return ranking != nullptr ? ranking->ranking.candidates.size() : 0;
}

size_t zellige_ranking_applicable(const zellige_ranking* ranking) {
  return ranking != nullptr ? ranking->ranking.applicable : 0;
}

const zellige_instance* zellige_ranking_instance(const zellige_ranking* ranking, size_t index) {
  const Candidate* candidate = candidate_at(ranking, index);
  return candidate != nullptr ? instance_of(candidate->operation) : nullptr;
}

double zellige_ranking_modelled_us(const zellige_ranking* ranking, size_t index) {
  const Candidate* candidate = candidate_at(ranking, index);
  return candidate != nullptr ? candidate->estimate.time_us : 0;
}

zellige_status zellige_ranking_verdict(const zellige_ranking* ranking, size_t index, zellige_verdict* verdict) {
  return guarded(verdict, [&]() -> Answer {
    if (ranking == nullptr) return null_argument("ranking");
    const Candidate* candidate = candidate_at(ranking, index);
    if (candidate != nullptr) return answer_of(candidate->verdict.ok ? candidate->taken : candidate->verdict);
    return bad_argument(Text{} << "index is " << static_cast<std::int64_t>(index) << ", but the ranking has "
                               << static_cast<std::int64_t>(zellige_ranking_size(ranking)) << " instances");
  });
}

zellige_status zellige_plan_create(const zellige_instance* instance, const zellige_problem* problem,
                                   const zellige_options* options, zellige_plan** plan, zellige_verdict* verdict) {
  return guarded(verdict, [&]() -> Answer {
    if (plan == nullptr) return null_argument("plan");
    *plan = nullptr;
    if (instance == nullptr) return null_argument("instance");
    if (problem == nullptr) return null_argument("problem");
    PlanOptions o;
    if (auto bad = read_options(options, o)) return *bad;
    return keep(operation_of(instance)->plan(problem->problem, o), plan);
  });
}

zellige_status zellige_plan_select(const zellige_problem* problem, int32_t arch, const zellige_options* options,
                                   zellige_plan** plan, zellige_verdict* verdict) {
  return guarded(verdict, [&]() -> Answer {
    if (plan == nullptr) return null_argument("plan");
    *plan = nullptr;
    if (problem == nullptr) return null_argument("problem");
    PlanOptions o;
    if (auto bad = read_options(options, o)) return *bad;
    const TargetLibrary* library = nullptr;
    if (auto bad = open_library(arch, library)) return *bad;
    return keep(select(problem->problem, library->arch, o), plan);
  });
}

void zellige_plan_destroy(zellige_plan* plan) { delete plan; }

zellige_status zellige_plan_describe(const zellige_plan* plan, zellige_plan_info* info, zellige_verdict* verdict) {
  return guarded(verdict, [&]() -> Answer {
    if (plan == nullptr) return null_argument("plan");
    const Plan& p = plan->plan;
    return write_struct({.struct_size = 0,
                         .arch = static_cast<int32_t>(p.arch),
                         .split_k = p.split_k,
                         .dispatches = static_cast<int32_t>(p.dispatches.size()),
                         .deterministic = p.deterministic ? 1 : 0,
                         .align_a = p.align_a,
                         .align_b = p.align_b,
                         .align_c = p.align_c,
                         .align_vectors = p.align_vectors,
                         .align_workspace = p.align_workspace,
                         .workspace_bytes = p.workspace_bytes},
                        info, sizeof *info, "info");
  });
}

const char* zellige_plan_instance_name(const zellige_plan* plan) {
  return plan != nullptr ? plan->plan.instance.c_str() : "";
}

int64_t zellige_plan_workspace_bytes(const zellige_plan* plan) {
  return plan != nullptr ? plan->plan.workspace_bytes : 0;
}

zellige_status zellige_plan_run(const zellige_plan* plan, void* stream, const zellige_tensors* tensors, void* workspace,
                                int64_t workspace_bytes, zellige_verdict* verdict) {
  return guarded(verdict, [&]() -> Answer {
    if (plan == nullptr) return null_argument("plan");
    zellige_tensors t{};
    if (auto bad = read_struct(tensors, sizeof t, "tensors", t)) return *bad;
    if (t.reserved != 0) return bad_argument(Text{} << "tensors: reserved must be 0");
    return answer_of(
        plan->plan.run(static_cast<hipStream_t>(stream),
                       {.a = t.a, .b = t.b, .c = t.c, .bias = t.bias, .scale = t.scale, .residual = t.residual},
                       workspace, workspace_bytes));
  });
}
