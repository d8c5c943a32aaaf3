// Cutting of instruction text; text.hpp states the law.
#include "simulator/decode/text.hpp"

#include <charconv>

namespace zellige::sim {
namespace {

bool strip(std::string_view& mnemonic, std::string_view suffix) {
  if (!mnemonic.ends_with(suffix)) return false;
  mnemonic.remove_suffix(suffix.size());
  return true;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Pieces of `text` between separators that stand outside of every bracket, bar and quote.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  int depth = 0;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    if (depth < 0) throw DecodeError("unbalanced bracket");
    if (depth == 0 && c == separator) {
      pieces.push_back(trim(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  if (depth != 0 || quoted) throw DecodeError("unbalanced bracket or quote");
  pieces.push_back(trim(text.substr(begin)));
  return pieces;
}

}  // namespace

InstructionText cut(std::string_view text) {
  InstructionText result;
  text = trim(text);
  const auto space = text.find(' ');
  result.mnemonic = text.substr(0, space);
  if (strip(result.mnemonic, "_dpp"))
    result.encoding = Encoding::dpp;
  else if (strip(result.mnemonic, "_sdwa"))
    result.encoding = Encoding::sdwa;
  if (!strip(result.mnemonic, "_e32")) strip(result.mnemonic, "_e64");
  const std::string_view rest = space == std::string_view::npos ? std::string_view{} : trim(text.substr(space));
  if (rest.empty()) return result;
  const auto pieces = split(rest, ',');
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].empty()) throw DecodeError("empty operand");
    const auto words = split(pieces[i], ' ');
    if (words.size() > 1 && i + 1 < pieces.size()) throw DecodeError("text after an operand");
    result.operands.push_back(words[0]);
    for (std::size_t word = 1; word < words.size(); ++word)
      if (!words[word].empty()) result.modifiers.push_back(words[word]);
  }
  return result;
}

long long parse_integer(std::string_view text) {
  std::string_view digits = text;
  const bool negative = !digits.empty() && digits.front() == '-';
  if (negative) digits.remove_prefix(1);
  int base = 10;
  if (digits.starts_with("0x")) {
    base = 16;
    digits.remove_prefix(2);
  }
  unsigned long long value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty())
    throw DecodeError("not a number: `" + std::string(text) + "`");
  return static_cast<long long>(negative ? 0 - value : value);
}

std::vector<int> parse_list(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']')
    throw DecodeError("not a list: `" + std::string(text) + "`");
  std::vector<int> values;
  for (const auto piece : split(text.substr(1, text.size() - 2), ','))
    values.push_back(static_cast<int>(parse_integer(piece)));
  return values;
}

}  // namespace zellige::sim
