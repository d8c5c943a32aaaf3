// An instance's name: the text that profiler rows, tests, databases and bug reports share, and that parses back.
//
//   gemm_gfx942_bf16_f32_rr_b128x128x32_w2x2_a32x32x8_va4_run
//   family, target, input type, output type where it differs, then one token a field: block, waves and atom always,
//   every other field only where it is not at its default, so that a new field changes no name that exists. "sk2" marks
//   the two-stage form of split-K, "skc4" that of clusters of 4.
//
// The law: name_of() and parse_gemm_name() are inverse to each other. One table of fields drives both, and the listing
// of a config's fields for JSON; a member that is missing in it does not compile.
#pragma once

#include "zellige/core/arch.hpp"
#include "zellige/gemm/config.hpp"
#include "zellige/gemm/config_fields.hpp"

namespace zellige {

/// What a name says. `error` is empty where the name is right, else a sentence that says which token is not.
template <class Config>
struct ParsedName {
  Arch arch = Arch::none;
  Config config{};
  std::string error;
  bool ok() const { return error.empty(); }
};

namespace detail {

inline constexpr const char* order_words[] = {"r", "c"};
inline constexpr const char *pipeline_words[] = {"single_buffer", "double_buffer", "wavelet", "tensor_copy",
                                                 "few_channels"},
                            *pipeline_tokens[] = {"single", "double", "wavelet", "tensor", "few"};
inline constexpr const char *lds_words[] = {"swizzled", "padded"}, *lds_tokens[] = {"swizzle", "pad"};
inline constexpr const char *walk_words[] = {"each_tile", "run"}, *walk_tokens[] = {"each", "run"};
inline constexpr const char *store_words[] = {"direct", "lds_shuffle"}, *store_tokens[] = {"direct", "shuffle"};
inline constexpr const char *staging_words[] = {"registers", "direct_to_lds"}, *staging_tokens[] = {"regs", "dtl"};
inline constexpr const char *transpose_words[] = {"on_write", "on_read"}, *transpose_tokens[] = {"trw", "trr"};
inline constexpr const char *scheduling_words[] = {"compiler", "interleaved", "ping_pong"},
                            *scheduling_tokens[] = {"compiler", "interleaved", "pingpong"};
inline constexpr const char *split_words[] = {"none", "two_stage", "cluster"}, *split_tokens[] = {"none", "2", "c"};

/// The size of a cluster. One that is named splits the reduction by clusters: "skc4" says both. (A template, because
/// nvcc cannot compile the lambdas of a plain function here.)
template <class Owner>
constexpr FieldPart<Owner> cluster_part() {
  return {[](const Owner& t) { return t.cluster; },
          [](Owner& t, int value) {
            t.cluster = value;
            t.split_k = SplitK::cluster;
          }};
}

inline constexpr const char* weight_words[] = {"same", "mixed"};

inline constexpr ConfigField<Tiling> tiling_fields[] = {
    {.key = "block",
     .tag = "b",
     .separator = "x",
     .always = true,
     .parts = 3,
     .part = {part_at<Tiling, &Tiling::block, &Mnk::m>(), part_at<Tiling, &Tiling::block, &Mnk::n>(),
              part_at<Tiling, &Tiling::block, &Mnk::k>()}},
    {.key = "waves",
     .tag = "w",
     .separator = "x",
     .always = true,
     .parts = 2,
     .part = {part_at<Tiling, &Tiling::waves, &Mn::m>(), part_at<Tiling, &Tiling::waves, &Mn::n>()}},
    {.key = "atom",
     .tag = "a",
     .separator = "x",
     .always = true,
     .parts = 3,
     .part = {part_at<Tiling, &Tiling::atom, &Mnk::m>(), part_at<Tiling, &Tiling::atom, &Mnk::n>(),
              part_at<Tiling, &Tiling::atom, &Mnk::k>()}},
    {.key = "pipeline",
     .words = pipeline_words,
     .tokens = pipeline_tokens,
     .part = {part_at<Tiling, &Tiling::pipeline>()}},
    {.key = "lds", .words = lds_words, .tokens = lds_tokens, .part = {part_at<Tiling, &Tiling::lds>()}},
    {.key = "vector_a", .tag = "va", .part = {part_at<Tiling, &Tiling::vector_a>()}},
    {.key = "vector_b", .tag = "vb", .part = {part_at<Tiling, &Tiling::vector_b>()}},
    {.key = "vector_c", .tag = "vc", .part = {part_at<Tiling, &Tiling::vector_c>()}},
    {.key = "walk", .words = walk_words, .tokens = walk_tokens, .part = {part_at<Tiling, &Tiling::walk>()}},
    {.key = "store", .words = store_words, .tokens = store_tokens, .part = {part_at<Tiling, &Tiling::store>()}},
    {.key = "min_blocks", .tag = "mb", .part = {part_at<Tiling, &Tiling::min_blocks>()}},
    {.key = "stages", .tag = "st", .part = {part_at<Tiling, &Tiling::stages>()}},
    {.key = "staging", .words = staging_words, .tokens = staging_tokens, .part = {part_at<Tiling, &Tiling::staging>()}},
    {.key = "transpose",
     .words = transpose_words,
     .tokens = transpose_tokens,
     .part = {part_at<Tiling, &Tiling::transpose>()}},
    {.key = "scheduling",
     .words = scheduling_words,
     .tokens = scheduling_tokens,
     .part = {part_at<Tiling, &Tiling::scheduling>()}},
    {.key = "load_waves", .tag = "lw", .part = {part_at<Tiling, &Tiling::load_waves>()}},
    {.key = "cluster", .tag = "skc", .part = {cluster_part<Tiling>()}},
    {.key = "split_k",
     .tag = "sk",
     .words = split_words,
     .tokens = split_tokens,
     .part = {part_at<Tiling, &Tiling::split_k>()}},
};
static_assert(bytes_named(tiling_fields) == sizeof(Tiling), "a member of Tiling is missing in tiling_fields");

inline constexpr ConfigField<GemmConfig> gemm_fields[] = {
    {.key = "input", .always = true, .words = type_words, .tokens = type_words, .part = {input_part<GemmConfig>()}},
    {.key = "output", .words = type_words, .tokens = type_words, .part = {part_at<GemmConfig, &GemmConfig::output>()}},
    {.key = "weight",
     .words = weight_words,
     .tokens = weight_words,
     .part = {part_at<GemmConfig, &GemmConfig::weight>()}},
    {.key = "layout",
     .words = order_words,
     .tokens = order_words,
     .parts = 2,
     .part = {part_at<GemmConfig, &GemmConfig::order_a>(), part_at<GemmConfig, &GemmConfig::order_b>()}},
};
static_assert(bytes_named(gemm_fields) + sizeof(Tiling) == sizeof(GemmConfig),
              "a member of GemmConfig is missing in gemm_fields");

template <class Config>
std::string config_name(std::string_view family, Arch arch, std::span<const ConfigField<Config>> fields,
                        const Config& config) {
  std::string name = std::string(family) + "_" + arch_traits(arch).name;
  Config read{};
  append_tokens(fields, config, read, name);
  append_tokens(std::span<const ConfigField<Tiling>>(tiling_fields), config.tiling, read.tiling, name);
  return name;
}

template <class Config>
ParsedName<Config> parse_name(std::string_view family, std::span<const ConfigField<Config>> fields,
                              std::string_view name) {
  ParsedName<Config> parsed;
  const auto fail = [&](const std::string& why) {
    parsed.error = "'" + std::string(name) + "' names no " + std::string(family) + " instance: " + why;
    return parsed;
  };
  std::string_view rest = name;
  if (!rest.starts_with(family) || !rest.substr(family.size()).starts_with('_')) {
    return fail("it does not begin with '" + std::string(family) + "_'");
  }
  rest.remove_prefix(family.size() + 1);
  for (Arch arch : all_arches) {  // a target's own name may hold a '_', so it is matched as a whole
    const std::string_view known = arch_traits(arch).name;
    if (rest.starts_with(known) && (rest.size() == known.size() || rest[known.size()] == '_')) parsed.arch = arch;
  }
  if (parsed.arch == Arch::none)
    return fail("'" + std::string(rest.substr(0, rest.find('_'))) + "' is no known target");
  rest.remove_prefix(std::string_view(arch_traits(parsed.arch).name).size());

  std::vector<std::string_view> tokens;
  while (!rest.empty()) {
    rest.remove_prefix(1);
    tokens.push_back(rest.substr(0, rest.find('_')));
    rest.remove_prefix(tokens.back().size());
  }
  std::span<const std::string_view> left = tokens;
  std::string why = read_fields(fields, left, parsed.config);
  if (why.empty()) why = read_fields(std::span<const ConfigField<Tiling>>(tiling_fields), left, parsed.config.tiling);
  if (!why.empty()) return fail(why);
  if (!left.empty()) return fail("'" + std::string(left.front()) + "' is no field, or stands in the wrong place");
  // Fields at their defaults and leading zeros would give one instance several names.
  const std::string canonical = config_name(family, parsed.arch, fields, parsed.config);
  return canonical == name ? parsed : fail("its name is '" + canonical + "'");
}

template <class Config>
std::vector<NamedValue> config_values(std::span<const ConfigField<Config>> fields, const Config& config) {
  std::vector<NamedValue> values;
  append_values(fields, config, values);
  append_values(std::span<const ConfigField<Tiling>>(tiling_fields), config.tiling, values);
  return values;
}

}  // namespace detail

/// "gemm_gfx942_f16_b128x128x32_w2x2_a32x32x8".
inline std::string name_of(Arch arch, const GemmConfig& config) {
  return detail::config_name<GemmConfig>("gemm", arch, detail::gemm_fields, config);
}

inline ParsedName<GemmConfig> parse_gemm_name(std::string_view name) {
  return detail::parse_name<GemmConfig>("gemm", detail::gemm_fields, name);
}

/// Every field of the config in its order, those at their defaults included.
inline std::vector<NamedValue> values_of(const GemmConfig& config) {
  return detail::config_values<GemmConfig>(detail::gemm_fields, config);
}

}  // namespace zellige
