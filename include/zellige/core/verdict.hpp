// Why something is refused: a code for programs, and a sentence with the numbers in it for people.
//
// One check serves the compiler (ZELLIGE_REQUIRE), the instance tables, the selection and the tests, so that a refusal
// reads the same wherever it appears.
#pragma once

#include <string_view>

#include "zellige/core/shape.hpp"

namespace zellige {

/// A sentence in a constexpr buffer. Text beyond the capacity is cut, never an error.
struct Text {
  static constexpr int capacity = 240;
  char characters[capacity] = {};
  int length = 0;

  ZELLIGE_HD constexpr void append(char c) {
    if (length < capacity - 1) characters[length++] = c;
  }

  ZELLIGE_HD friend constexpr Text operator<<(Text text, const char* more) {
    for (; *more != '\0'; ++more) text.append(*more);
    return text;
  }
  ZELLIGE_HD friend constexpr Text operator<<(Text text, std::int64_t number) {
    char digits[20] = {};
    int count = 0;
    std::uint64_t rest = number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
    if (number < 0) text.append('-');
    do digits[count++] = static_cast<char>('0' + rest % 10);
    while (rest /= 10);
    while (count > 0) text.append(digits[--count]);
    return text;
  }
  ZELLIGE_HD friend constexpr Text operator<<(Text text, int number) { return text << std::int64_t{number}; }
  ZELLIGE_HD friend constexpr Text operator<<(Text text, const Text& more) {
    for (int i = 0; i < more.length; ++i) text.append(more.characters[i]);
    return text;
  }
  /// "128x128x32"
  ZELLIGE_HD friend constexpr Text operator<<(Text text, const Mnk& shape) {
    return text << shape.m << "x" << shape.n << "x" << shape.k;
  }

  // What a computed static_assert message asks of its type.
  ZELLIGE_HD constexpr std::size_t size() const { return static_cast<std::size_t>(length); }
  ZELLIGE_HD constexpr const char* data() const { return characters; }
  constexpr std::string_view view() const { return {characters, size()}; }
};

/// Stable codes of refusals: values are never renumbered, JSON and the C API carry the names.
enum class Reason : int {
  none = 0,
  // configs
  no_such_atom = 1,
  block_not_whole_atoms = 2,
  too_many_threads = 3,
  lds_too_small = 4,
  vector_width = 5,
  copy_not_whole = 6,
  lds_layout = 7,
  too_many_registers = 8,
  unsupported_type = 9,
  spatial_rank = 10,
  epilogue_shape = 11,
  config_value = 12,
  pipeline_unsupported = 13,
  staging_unsupported = 14,
  transpose_unsupported = 15,
  scheduling_unsupported = 16,
  cluster_unsupported = 17,
  // problems
  bad_extent = 20,
  bad_groups = 21,
  bad_filter = 22,
  output_empty = 23,
  overflow = 24,
  // an instance for a problem
  type_mismatch = 40,
  layout_mismatch = 41,
  channels_not_divisible = 42,
  reduction_not_divisible = 43,
  tensor_too_large = 44,
  grid_too_large = 45,
  direction_mismatch = 46,
  split_k_unsupported = 47,
  epilogue_unsupported = 48,
  // a run
  null_pointer = 60,
  misaligned_pointer = 61,
  workspace_too_small = 62,
  wrong_device = 63,
  no_kernel_code = 64,
  surplus_pointer = 65,
};

/// The code's name as JSON carries it: "channels_not_divisible".
constexpr std::string_view reason_name(Reason reason) {
  switch (reason) {
    case Reason::none: return "none";
    case Reason::no_such_atom: return "no_such_atom";
    case Reason::block_not_whole_atoms: return "block_not_whole_atoms";
    case Reason::too_many_threads: return "too_many_threads";
    case Reason::lds_too_small: return "lds_too_small";
    case Reason::vector_width: return "vector_width";
    case Reason::copy_not_whole: return "copy_not_whole";
    case Reason::lds_layout: return "lds_layout";
    case Reason::too_many_registers: return "too_many_registers";
    case Reason::unsupported_type: return "unsupported_type";
    case Reason::spatial_rank: return "spatial_rank";
    case Reason::epilogue_shape: return "epilogue_shape";
    case Reason::config_value: return "config_value";
    case Reason::pipeline_unsupported: return "pipeline_unsupported";
    case Reason::staging_unsupported: return "staging_unsupported";
    case Reason::transpose_unsupported: return "transpose_unsupported";
    case Reason::scheduling_unsupported: return "scheduling_unsupported";
    case Reason::cluster_unsupported: return "cluster_unsupported";
    case Reason::bad_extent: return "bad_extent";
    case Reason::bad_groups: return "bad_groups";
    case Reason::bad_filter: return "bad_filter";
    case Reason::output_empty: return "output_empty";
    case Reason::overflow: return "overflow";
    case Reason::type_mismatch: return "type_mismatch";
    case Reason::layout_mismatch: return "layout_mismatch";
    case Reason::channels_not_divisible: return "channels_not_divisible";
    case Reason::reduction_not_divisible: return "reduction_not_divisible";
    case Reason::tensor_too_large: return "tensor_too_large";
    case Reason::grid_too_large: return "grid_too_large";
    case Reason::direction_mismatch: return "direction_mismatch";
    case Reason::split_k_unsupported: return "split_k_unsupported";
    case Reason::epilogue_unsupported: return "epilogue_unsupported";
    case Reason::null_pointer: return "null_pointer";
    case Reason::misaligned_pointer: return "misaligned_pointer";
    case Reason::workspace_too_small: return "workspace_too_small";
    case Reason::wrong_device: return "wrong_device";
    case Reason::no_kernel_code: return "no_kernel_code";
    case Reason::surplus_pointer: return "surplus_pointer";
  }
  return "unknown";
}

/// The answer of every check: yes, or no with the reason.
struct Verdict {
  bool ok = true;
  Reason code = Reason::none;
  Text why{};
};

ZELLIGE_HD constexpr Verdict refuse(Reason code, Text why) { return {false, code, why}; }

/// Names the Reason of a refused config under compilers that take only literals in a static_assert.
template <Reason reason>
struct config_refused_because {
  static_assert(reason == Reason::none, "this config is refused: the Reason is named in this template's argument");
  static constexpr bool accepted = reason == Reason::none;
};

}  // namespace zellige

// Stops the compilation when a verdict refuses: with its sentence under clang, with its Reason's name under nvcc and
// g++.
#if defined(__clang__)
#define ZELLIGE_REQUIRE(...)                                                                            \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wc++26-extensions\"")           \
  static_assert((__VA_ARGS__).ok, (__VA_ARGS__).why) _Pragma("clang diagnostic pop")
#else
#define ZELLIGE_REQUIRE(...) static_assert(::zellige::config_refused_because<(__VA_ARGS__).code>::accepted)
#endif
