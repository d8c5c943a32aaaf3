// An instance's name: the text that profiler rows, tests, databases and bug reports share, and that parses back.
//
//   gemm_gfx942_bf16_f32_rr_b128x128x32_w2x2_a32x32x8_va4_run
//   family, target, input type, output type where it differs, then one token a field: block, waves and atom always,
//   every other field only where it is not at its default, so that a new field changes no name that exists.
//
// The law: name_of() and parse_gemm_name() are inverse to each other. One table of fields drives both, and the listing
// of a config's fields for JSON; a member that is missing in it does not compile.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "zellige/core/arch.hpp"
#include "zellige/gemm/config.hpp"

namespace zellige {

/// A field's value as JSON shows it: a number, a word, or the numbers of a shape.
using FieldValue = std::variant<int, std::string, std::vector<int>>;

struct NamedValue {
  std::string key;
  FieldValue value;
};

/// What a name says. `error` is empty where the name is right, else a sentence that says which token is not.
template <class Config>
struct ParsedName {
  Arch arch = Arch::none;
  Config config{};
  std::string error;
  bool ok() const { return error.empty(); }
};

namespace detail {

/// One scalar member of a config, read and written as an int.
template <class Owner>
struct FieldPart {
  int (*get)(const Owner&) = nullptr;
  void (*set)(Owner&, int) = nullptr;
};

/// One field: its key in JSON, and how its token in a name looks: the tag, then its parts with `separator` between.
/// Numbers are written out; enums by `words` in JSON and by `tokens` in names.
template <class Owner>
struct ConfigField {
  const char* key = "";
  const char* tag = "";
  const char* separator = "";
  bool always = false;
  std::span<const char*const> words{}, tokens{};
  int parts = 1;
  FieldPart<Owner> part[3]{};
};

template <class T>
constexpr T& follow(T& object) {
  return object;
}
template <class T, class Member, class... Members>
constexpr auto& follow(T& object, Member member, Members... members) {
  return follow(object.*member, members...);
}

/// The part that one reaches from Owner by following these members.
template <class Owner, auto... members>
constexpr FieldPart<Owner> part_at() {
  return {[](const Owner& owner) { return static_cast<int>(follow(owner, members...)); },
          [](Owner& owner, int value) {
            auto& member = follow(owner, members...);
            member = static_cast<std::remove_reference_t<decltype(member)>>(value);
          }};
}

/// The input's type. The output follows it, unless the name says otherwise.
template <class Owner>
constexpr FieldPart<Owner> input_part() {
  return {[](const Owner& owner) { return static_cast<int>(owner.input); },
          [](Owner& owner, int value) { owner.input = owner.output = static_cast<DataType>(value); }};
}

/// What the parts of a table weigh: equal to sizeof(Owner) when no member is missing (all are ints or enums of ints).
template <class Owner, std::size_t count>
constexpr std::size_t bytes_named(const ConfigField<Owner> (&fields)[count]) {
  std::size_t bytes = 0;
  for (const auto& field : fields) bytes += static_cast<std::size_t>(field.parts) * sizeof(int);
  return bytes;
}

inline constexpr const char* type_words[] = {"f16", "bf16",   "f32",    "tf32",       "f64",       "i8",
                                             "i32", "f8e4m3", "f8e5m2", "f8e4m3fnuz", "f8e5m2fnuz"};
constexpr bool type_words_match() {
  for (DataType type : all_data_types) {
    if (std::string_view(type_words[static_cast<int>(type)]) != name_of(type)) return false;
  }
  return std::size(type_words) == std::size(all_data_types);
}
static_assert(type_words_match());

inline constexpr const char* order_words[] = {"r", "c"};
inline constexpr const char *pipeline_words[] = {"single_buffer", "double_buffer"},
                            *pipeline_tokens[] = {"single", "double"};
inline constexpr const char *lds_words[] = {"swizzled", "padded"}, *lds_tokens[] = {"swizzle", "pad"};
inline constexpr const char *walk_words[] = {"each_tile", "run"}, *walk_tokens[] = {"each", "run"};
inline constexpr const char *store_words[] = {"direct", "lds_shuffle"}, *store_tokens[] = {"direct", "shuffle"};

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
};
static_assert(bytes_named(tiling_fields) == sizeof(Tiling), "a member of Tiling is missing in tiling_fields");

inline constexpr ConfigField<GemmConfig> gemm_fields[] = {
    {.key = "input", .always = true, .words = type_words, .tokens = type_words, .part = {input_part<GemmConfig>()}},
    {.key = "output", .words = type_words, .tokens = type_words, .part = {part_at<GemmConfig, &GemmConfig::output>()}},
    {.key = "layout",
     .words = order_words,
     .tokens = order_words,
     .parts = 2,
     .part = {part_at<GemmConfig, &GemmConfig::order_a>(), part_at<GemmConfig, &GemmConfig::order_b>()}},
};
static_assert(bytes_named(gemm_fields) + sizeof(Tiling) == sizeof(GemmConfig),
              "a member of GemmConfig is missing in gemm_fields");

/// "b128x128x32": the field's token for this owner.
template <class Owner>
std::string field_token(const ConfigField<Owner>& field, const Owner& owner) {
  std::string token = field.tag;
  for (int i = 0; i < field.parts; ++i) {
    if (i > 0) token += field.separator;
    const int value = field.part[i].get(owner);
    const bool known = value >= 0 && static_cast<std::size_t>(value) < field.tokens.size();
    token += known ? std::string(field.tokens[static_cast<std::size_t>(value)]) : std::to_string(value);
  }
  return token;
}

/// Takes one part's text off the front of `rest`; nothing where it does not begin with one.
inline std::optional<int> take_part(std::string_view& rest, std::span<const char* const> tokens) {
  if (!tokens.empty()) {
    int longest = -1;
    std::size_t length = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::string_view word = tokens[i];
      if (rest.starts_with(word) && word.size() > length) longest = static_cast<int>(i), length = word.size();
    }
    rest.remove_prefix(length);
    return longest < 0 ? std::nullopt : std::optional(longest);
  }
  int value = 0;
  std::size_t digits = 0;
  while (digits < rest.size() && digits < 9 && rest[digits] >= '0' && rest[digits] <= '9')
    value = value * 10 + (rest[digits++] - '0');
  rest.remove_prefix(digits);
  return digits == 0 ? std::nullopt : std::optional(value);
}

/// Reads `token` into `owner` if it is one of this field.
template <class Owner>
bool read_token(const ConfigField<Owner>& field, std::string_view token, Owner& owner) {
  if (!token.starts_with(field.tag)) return false;
  token.remove_prefix(std::string_view(field.tag).size());
  int values[3] = {};
  for (int i = 0; i < field.parts; ++i) {
    if (i > 0) {
      if (!token.starts_with(field.separator)) return false;
      token.remove_prefix(std::string_view(field.separator).size());
    }
    const std::optional<int> value = take_part(token, field.tokens);
    if (!value) return false;
    values[i] = *value;
  }
  if (!token.empty()) return false;
  for (int i = 0; i < field.parts; ++i) field.part[i].set(owner, values[i]);
  return true;
}

/// Appends the tokens of `owner`. `read` is what a reader of the name so far holds: a field is named where it differs.
template <class Owner>
void append_tokens(std::span<const ConfigField<Owner>> fields, const Owner& owner, Owner& read, std::string& name) {
  for (const auto& field : fields) {
    bool named = field.always;
    for (int i = 0; i < field.parts; ++i) named |= field.part[i].get(owner) != field.part[i].get(read);
    if (!named) continue;
    name += "_" + field_token(field, owner);
    for (int i = 0; i < field.parts; ++i) field.part[i].set(read, field.part[i].get(owner));
  }
}

template <class Owner>
void append_values(std::span<const ConfigField<Owner>> fields, const Owner& owner, std::vector<NamedValue>& values) {
  for (const auto& field : fields) {
    FieldValue value;
    if (!field.words.empty()) {
      std::string words;
      for (int i = 0; i < field.parts; ++i) words += field.words[static_cast<std::size_t>(field.part[i].get(owner))];
      value = std::move(words);
    } else if (field.parts == 1) {
      value = field.part[0].get(owner);
    } else {
      std::vector<int> numbers;
      for (int i = 0; i < field.parts; ++i) numbers.push_back(field.part[i].get(owner));
      value = std::move(numbers);
    }
    values.push_back({field.key, std::move(value)});
  }
}

/// Reads the tokens of these fields, in their order, off the front of `tokens`. A sentence when one that must be there
/// is not.
template <class Owner>
std::string read_fields(std::span<const ConfigField<Owner>> fields, std::span<const std::string_view>& tokens,
                        Owner& owner) {
  for (const auto& field : fields) {
    if (!tokens.empty() && read_token(field, tokens.front(), owner)) {
      tokens = tokens.subspan(1);
    } else if (field.always) {
      return tokens.empty() ? std::string("the name ends before its ") + field.key
                            : "'" + std::string(tokens.front()) + "' is no " + field.key;
    }
  }
  return {};
}

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
