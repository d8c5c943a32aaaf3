// The tensors of one problem on the device, and what the result must be.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "device_buffer.hpp"
#include "problem.hpp"
#include "zellige/host/plan.hpp"
#include "zellige/reference/compare.hpp"
#include "zellige/reference/data.hpp"
#include "zellige/reference/epilogue.hpp"
#include "zellige/reference/reference.hpp"

namespace zellige::profiler {

/// What a check of one result found.
struct CheckedResult {
  bool right = false;
  std::string text;  ///< a sentence with the numbers
  double max_abs_error = 0, max_rel_error = 0;
};

class Workload {
 public:
  /// Allocates the tensors once, fills operands and what the epilogue reads from `seed`, and with `verify` computes the
  /// reference in double.
  /// Needs can_hold(). Throws RuntimeError.
  Workload(const Problem& problem, std::uint64_t seed, reference::Fill fill, bool verify, std::int64_t guard,
           const Epilogue& epilogue = {});

  /// Whether this machine holds all that a run needs; else why not.
  static Verdict can_hold(const Problem& problem, bool verify, const Epilogue& epilogue = {});

  Tensors tensors() const { return {a_.data(), b_.data(), c_.data(), bias_.data(), scale_.data(), residual_.data()}; }
  /// NaN in every element of the output, so that an element that is never written shows.
  void poison_output();
  /// Compares the output on the device with the reference. `products`: how the instance multiplies.
  CheckedResult check(reference::Products products = {});
  bool output_guards_intact() const { return c_.guards_intact(); }

 private:
  DataType output_type_;
  reference::Match match_;
  std::vector<std::byte> poison_, output_;
  reference::Result reference_;
  DeviceBuffer a_, b_, c_, bias_, scale_, residual_;  // the last three empty where the epilogue lacks them
};

}  // namespace zellige::profiler
