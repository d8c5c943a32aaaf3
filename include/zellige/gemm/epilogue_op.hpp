// What happens to a sum before it is stored: scale, bias, residual and activation, in any combination.
//
// y[m, k] = activation(acc[m, k] * scale[k] + bias[k] + residual[m, k]), in the accumulator's type, rounded once to the
// output's. It is a run-time value, so that every instance has every epilogue. Scale and bias are vectors with an
// element for each channel of the output, f32 (f64 where the accumulator is f64); the residual has the output's type
// and layout. Where the reduction is split, whoever adds the slices up applies it: partial sums must stay as they are.
#pragma once

#include <limits>

#include "zellige/core/types.hpp"
#include "zellige/core/verdict.hpp"

namespace zellige {

enum class Activation : int {
  none = 0,
  relu = 1,   ///< max(x, 0); NaN stays NaN
  clamp = 2,  ///< x between low and high; NaN stays NaN
};

struct Epilogue {
  bool scale = false, bias = false, residual = false;
  Activation activation = Activation::none;
  float low = 0, high = 0;  ///< of Activation::clamp

  /// Whether sums are stored as they are.
  constexpr bool is_identity() const { return !scale && !bias && !residual && activation == Activation::none; }
  bool operator==(const Epilogue&) const = default;
};

/// An epilogue as kernels read it. ReLU is a limit, too.
struct EpilogueArgs {
  static constexpr std::uint32_t with_scale = 1, with_bias = 2, with_residual = 4, with_limits = 8;
  std::uint32_t flags = 0;  ///< 0: sums are stored as they are
  float low = 0, high = 0;
};

constexpr EpilogueArgs pack_epilogue(const Epilogue& e) {
  EpilogueArgs args;
  args.flags = (e.scale ? EpilogueArgs::with_scale : 0) | (e.bias ? EpilogueArgs::with_bias : 0) |
               (e.residual ? EpilogueArgs::with_residual : 0) |
               (e.activation != Activation::none ? EpilogueArgs::with_limits : 0);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  args.low = e.activation == Activation::clamp ? e.low : e.activation == Activation::relu ? 0 : -infinity;
  args.high = e.activation == Activation::clamp ? e.high : infinity;
  return args;
}

/// Whether the epilogue means something, and kernels that sum in `accumulator` have it.
constexpr Verdict check_epilogue(const Epilogue& e, DataType accumulator) {
  const int activation = static_cast<int>(e.activation);
  if (activation < 0 || activation > static_cast<int>(Activation::clamp)) {
    return refuse(Reason::epilogue_unsupported, Text{} << "activation = " << activation << " must be from 0 to "
                                                       << static_cast<int>(Activation::clamp));
  }
  if (e.activation == Activation::clamp && !(e.low <= e.high)) {
    return refuse(Reason::epilogue_unsupported, Text{} << "the epilogue clamps to a range whose low end is not at or "
                                                          "below its high end");
  }
  if (!e.is_identity() && accumulator != DataType::f32 && accumulator != DataType::f64) {
    return refuse(Reason::epilogue_unsupported,
                  Text{} << "epilogues compute in f32 or f64, but the sums are " << name_of(accumulator));
  }
  return {};
}

}  // namespace zellige
