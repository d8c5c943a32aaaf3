// The fields of a config as data: how each is read, written, spelt in an instance's name and listed in JSON.
//
// A family's table of ConfigField drives its names in both directions (gemm/name.hpp, conv/name.hpp), so that a field
// is described once. The law: read_token(field, field_token(field, owner), other) gives `other` the field of `owner`.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "zellige/core/types.hpp"

namespace zellige {

/// A field's value as JSON shows it: a number, a word, or the numbers of a shape.
using FieldValue = std::variant<int, std::string, std::vector<int>>;

struct NamedValue {
  std::string key;
  FieldValue value;
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

/// The data types' names, by value.
inline constexpr auto type_words = [] {
  std::array<const char*, std::size(all_data_types)> words{};
  for (DataType type : all_data_types) words[static_cast<std::size_t>(type)] = name_of(type);
  return words;
}();

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

}  // namespace detail

}  // namespace zellige
