// What the C interface is made of: its answers, the law of struct_size, and the translation of its values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <optional>

#include "zellige.h"
#include "zellige/select.hpp"

namespace zellige::c_api {

static_assert(ZELLIGE_ARCH_SM_90 == static_cast<int>(Arch::sm_90) &&
              ZELLIGE_TYPE_F8E5M2FNUZ == static_cast<int>(DataType::f8e5m2fnuz) &&
              ZELLIGE_FAMILY_CONV_FWD == static_cast<int>(Family::conv_fwd) &&
              ZELLIGE_ORDER_COLUMN == static_cast<int>(MatrixOrder::column) &&
              ZELLIGE_DIRECTION_BACKWARD_WEIGHT == static_cast<int>(ConvDirection::backward_weight) &&
              ZELLIGE_ACTIVATION_CLAMP == static_cast<int>(Activation::clamp) && ZELLIGE_AXES == max_spatial);

/// What a call answers. A plain value: making one cannot fail.
struct Answer {
  zellige_status status = ZELLIGE_OK;
  Reason reason = Reason::none;
  char text[ZELLIGE_TEXT_BYTES] = {};
};

inline Answer answer(zellige_status status, std::string_view text, Reason reason = Reason::none) {
  Answer a{status, reason, {}};
  std::memcpy(a.text, text.data(), std::min(text.size(), sizeof a.text - 1));
  return a;
}

inline Answer bad_argument(const Text& text) { return answer(ZELLIGE_BAD_ARGUMENT, text.view()); }

inline Answer answer_of(const Verdict& v) { return v.ok ? Answer{} : answer(ZELLIGE_REFUSED, v.why.view(), v.code); }

inline Answer null_argument(const char* name) { return bad_argument(Text{} << name << " is a null pointer"); }

/// Runs `body` and writes its answer where the caller wants it. Nothing that it throws gets past here.
template <class Body>
zellige_status guarded(zellige_verdict* verdict, Body body) noexcept {
  constexpr std::size_t least = offsetof(zellige_verdict, text) + 1;
  if (verdict != nullptr && verdict->struct_size < least) return ZELLIGE_BAD_ARGUMENT;  // no room to say so
  Answer a;
  try {
    a = body();
  } catch (const RuntimeError& error) {
    a = answer(ZELLIGE_RUNTIME_ERROR, error.what());
  } catch (const std::bad_alloc&) {
    a = answer(ZELLIGE_OUT_OF_MEMORY, "the host's memory does not suffice");
  } catch (const std::exception& error) {
    a = answer(ZELLIGE_INTERNAL_ERROR, error.what());
  } catch (...) {
    a = answer(ZELLIGE_INTERNAL_ERROR, "an exception of an unknown type");
  }
  if (verdict != nullptr) {
    zellige_verdict out{verdict->struct_size, a.status, static_cast<int32_t>(a.reason), {}};
    std::memcpy(out.text, a.text, sizeof out.text);
    const std::size_t size = std::min<std::size_t>(verdict->struct_size, sizeof out);
    std::memcpy(verdict, &out, size);
    if (size < sizeof out) reinterpret_cast<char*>(verdict)[size - 1] = '\0';
  }
  return a.status;
}

/// Copies the caller's struct, of whatever version, over the zeros of `own`. `least` is the size of the first version.
template <class Struct>
std::optional<Answer> read_struct(const Struct* given, std::size_t least, const char* name, Struct& own) {
  if (given == nullptr) return null_argument(name);
  const std::size_t size = given->struct_size;
  if (size < least) {
    return bad_argument(Text{} << name << ": struct_size is " << static_cast<std::int64_t>(size) << ", under the "
                               << static_cast<std::int64_t>(least) << " bytes that it has at least");
  }
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  for (std::size_t i = sizeof own; i < size; ++i) {
    if (bytes[i] == 0) continue;
    return bad_argument(Text{} << name << ": byte " << static_cast<std::int64_t>(i)
                               << " is set, which is of a newer version than this library's "
                               << static_cast<std::int64_t>(sizeof own) << " bytes");
  }
  std::memcpy(&own, given, std::min(size, sizeof own));
  return {};
}

/// Writes as much of `own` as the caller's struct has room for.
template <class Struct>
Answer write_struct(Struct own, Struct* out, std::size_t least, const char* name) {
  if (out == nullptr) return null_argument(name);
  const std::size_t size = out->struct_size;
  if (size < least) {
    return bad_argument(Text{} << name << ": struct_size is " << static_cast<std::int64_t>(size) << ", under the "
                               << static_cast<std::int64_t>(least) << " bytes that it has at least");
  }
  own.struct_size = out->struct_size;
  std::memcpy(out, &own, std::min(size, sizeof own));
  return {};
}

/// Translates a value of an enumeration that counts from 0 to `last`.
template <class Enum>
std::optional<Answer> read_enum(int32_t value, Enum last, const char* name, Enum& out) {
  if (value < 0 || value > static_cast<int>(last)) {
    return bad_argument(Text{} << name << " is " << value << ", but must be 0 to " << static_cast<int>(last));
  }
  out = static_cast<Enum>(value);
  return {};
}

inline constexpr DataType last_type = DataType::f8e5m2fnuz;
inline constexpr Arch last_arch = Arch::sm_90;

inline std::optional<Answer> read_gemm(const zellige_gemm_shape* given, GemmProblem& p) {
  zellige_gemm_shape s{};
  if (auto bad = read_struct(given, sizeof s, "shape", s)) return bad;
  if (auto bad = read_enum(s.input, last_type, "input", p.input)) return bad;
  if (auto bad = read_enum(s.output, last_type, "output", p.output)) return bad;
  if (auto bad = read_enum(s.order_a, MatrixOrder::column, "order_a", p.order_a)) return bad;
  if (auto bad = read_enum(s.order_b, MatrixOrder::column, "order_b", p.order_b)) return bad;
  p.m = s.m, p.n = s.n, p.k = s.k;
  p.ld_a = s.ld_a, p.ld_b = s.ld_b, p.ld_c = s.ld_c;
  return {};
}

inline std::optional<Answer> read_conv(const zellige_conv_shape* given, ConvProblem& p) {
  zellige_conv_shape s{};
  if (auto bad = read_struct(given, sizeof s, "shape", s)) return bad;
  if (auto bad = read_enum(s.direction, ConvDirection::backward_weight, "direction", p.direction)) return bad;
  if (auto bad = read_enum(s.input, last_type, "input", p.input)) return bad;
  if (auto bad = read_enum(s.weight, last_type, "weight", p.weight)) return bad;
  if (auto bad = read_enum(s.output, last_type, "output", p.output)) return bad;
  p.n = s.n, p.c = s.c, p.k = s.k, p.groups = s.groups;
  p.spatial = s.spatial;  // validate() refuses one that is out of range
  for (int i = 0; i < std::clamp<int32_t>(s.spatial, 0, max_spatial); ++i) {
    p.axis[i] = {.size = s.size[i],
                 .filter = s.filter[i],
                 .stride = s.stride[i],
                 .dilation = s.dilation[i],
                 .pad_before = s.pad_before[i],
                 .pad_after = s.pad_after[i]};
  }
  return {};
}

inline std::optional<Answer> read_options(const zellige_options* given, PlanOptions& o) {
  if (given == nullptr) return {};
  zellige_options s{};
  if (auto bad = read_struct(given, sizeof s, "options", s)) return bad;
  constexpr std::uint32_t bits = ZELLIGE_EPILOGUE_SCALE | ZELLIGE_EPILOGUE_BIAS | ZELLIGE_EPILOGUE_RESIDUAL;
  if ((s.epilogue & ~bits) != 0) {
    return bad_argument(Text{} << "epilogue has the bits " << std::int64_t{s.epilogue}
                               << ", of which the library knows " << std::int64_t{bits});
  }
  if (auto bad = read_enum(s.activation, Activation::clamp, "activation", o.epilogue.activation)) return bad;
  if (s.split_k < 0) return bad_argument(Text{} << "split_k is " << s.split_k << ", but must be 0 or more");
  if (s.compute_units < 0)
    return bad_argument(Text{} << "compute_units is " << s.compute_units << ", but must be 0 or more");
  if (s.no_fold < 0 || s.no_fold > 1)
    return bad_argument(Text{} << "no_fold is " << s.no_fold << ", but must be 0 or 1");
  if (s.limit_bytes < 0) return bad_argument(Text{} << "limit_bytes is " << s.limit_bytes << ", but must be 0 or more");
  o.fold = s.no_fold == 0;
  o.limit_bytes = s.limit_bytes;
  o.split_k = s.split_k == 0 ? -1 : s.split_k;
  o.compute_units = s.compute_units;
  o.epilogue.scale = (s.epilogue & ZELLIGE_EPILOGUE_SCALE) != 0;
  o.epilogue.bias = (s.epilogue & ZELLIGE_EPILOGUE_BIAS) != 0;
  o.epilogue.residual = (s.epilogue & ZELLIGE_EPILOGUE_RESIDUAL) != 0;
  o.epilogue.low = s.low, o.epilogue.high = s.high;
  return {};
}

}  // namespace zellige::c_api
