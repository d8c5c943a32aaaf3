// Operations: the family-independent face of a kernel.
#include "zellige/library.hpp"

namespace zellige {

namespace {

Verdict other_family(Family family) {
  return refuse(Reason::direction_mismatch, Text{} << "the instance computes " << family_name(family).data()
                                                   << ", the problem is of another family");
}

}  // namespace

Verdict Operation::supports(const Problem& problem, const PlanOptions& options) const {
  if (const auto* gemm = std::get_if<GemmKernel>(&kernel)) {
    const auto* p = std::get_if<GemmProblem>(&problem);
    return p != nullptr ? zellige::supports(gemm->config, arch, *p, options) : other_family(family);
  }
  const auto* p = std::get_if<ConvProblem>(&problem);
  return p != nullptr ? zellige::supports(std::get<ConvKernel>(kernel).config, arch, *p, options)
                      : other_family(family);
}

Planned Operation::plan(const Problem& problem, const PlanOptions& options) const {
  if (const auto* gemm = std::get_if<GemmKernel>(&kernel)) {
    const auto* p = std::get_if<GemmProblem>(&problem);
    return p != nullptr ? plan_gemm(*gemm, *p, options) : Planned{other_family(family), {}};
  }
  const auto* p = std::get_if<ConvProblem>(&problem);
  return p != nullptr ? plan_conv(std::get<ConvKernel>(kernel), *p, options) : Planned{other_family(family), {}};
}

SplitChoice Operation::split_choice(const Problem& problem, const PlanOptions& options) const {
  const SplitExtents extents =
      std::visit([&](const auto& p) { return split_extents(tiling(), p, options); }, problem);
  const DataType input = std::visit([](const auto& k) { return k.config.input; }, kernel);
  const DataType accumulator = accumulator_of(input);
  return auto_split_k(tiling(), arch, accumulator, extents, options.compute_units);
}

std::vector<NamedValue> Operation::config_values() const {
  return std::visit([](const auto& k) { return values_of(k.config); }, kernel);
}

const void* Operation::entry() const {
  return std::visit([](const auto& k) { return k.entry; }, kernel);
}

const Tiling& Operation::tiling() const {
  return std::visit([](const auto& k) -> const Tiling& { return k.config.tiling; }, kernel);
}

Mma Operation::mma() const {
  return std::visit(
      [this](const auto& k) {
        const InputTypes types{k.config.input, weight_of(k.config.input, k.config.weight)};
        return find_mma(arch, types, k.config.tiling.atom);
      },
      kernel);
}

}  // namespace zellige
