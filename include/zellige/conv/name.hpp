// Names of convolution instances (see gemm/name.hpp for their grammar):
//
//   conv_fwd_gfx942_f16_b128x128x32_w2x2_a32x32x8_vc8_run_shuffle
//   conv_fwd_gfx950_bf16_d3_b64x64x32_w2x2_a16x16x32            d3: three spatial axes
#pragma once

#include "zellige/conv/config.hpp"
#include "zellige/gemm/name.hpp"

namespace zellige {

namespace detail {

inline constexpr ConfigField<ConvConfig> conv_fields[] = {
    {.key = "input", .always = true, .words = type_words, .tokens = type_words, .part = {input_part<ConvConfig>()}},
    {.key = "output", .words = type_words, .tokens = type_words, .part = {part_at<ConvConfig, &ConvConfig::output>()}},
    {.key = "weight",
     .words = weight_words,
     .tokens = weight_words,
     .part = {part_at<ConvConfig, &ConvConfig::weight>()}},
    {.key = "spatial", .tag = "d", .part = {part_at<ConvConfig, &ConvConfig::spatial>()}},
};
static_assert(bytes_named(conv_fields) + sizeof(Tiling) == sizeof(ConvConfig),
              "a member of ConvConfig is missing in conv_fields");

}  // namespace detail

/// The name of a forward convolution: "conv_fwd_gfx942_f16_b128x128x32_w2x2_a32x32x8".
inline std::string name_of(Arch arch, const ConvConfig& config) {
  return detail::config_name<ConvConfig>("conv_fwd", arch, detail::conv_fields, config);
}

inline ParsedName<ConvConfig> parse_conv_fwd_name(std::string_view name) {
  return detail::parse_name<ConvConfig>("conv_fwd", detail::conv_fields, name);
}

/// Every field of the config in its order, those at their defaults included.
inline std::vector<NamedValue> values_of(const ConvConfig& config) {
  return detail::config_values<ConvConfig>(detail::conv_fields, config);
}

}  // namespace zellige
