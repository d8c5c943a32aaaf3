// See coverage.hpp.
#include "simulator/tool/coverage.hpp"

#include <fmt/format.h>

#include <set>

#include "simulator/code_object/code_object.hpp"
#include "simulator/decode/bind.hpp"
#include "simulator/decode/program.hpp"

namespace zellige::sim {
namespace {

std::string opcode_of(const std::string& text) {
  return text.starts_with(".long") ? text : text.substr(0, text.find(' '));
}

std::string missing_text(const OpcodeCounts& missing, std::string_view indent) {
  std::string text;
  for (const auto& [opcode, count] : missing) text += fmt::format("{}{:6} {}\n", indent, count, opcode);
  return text;
}

std::size_t sum(const OpcodeCounts& counts) {
  std::size_t total = 0;
  for (const auto& [opcode, count] : counts) total += count;
  return total;
}

}  // namespace

Coverage coverage_of(const BundleEntry& entry) {
  const std::shared_ptr<CodeObject> object = CodeObject::load(Bytes(entry.object), 0);
  Coverage result;
  result.target = entry.target;
  std::set<std::uint64_t> addresses;
  std::set<std::string> opcodes, problems;
  for (const KernelInfo& info : object->kernels()) {
    KernelCoverage& kernel = result.kernels.emplace_back();
    kernel.name = info.demangled;
    std::vector<std::string> sentences;
    const std::unique_ptr<Program> program = object->decode_leniently(info, sentences);
    problems.insert(sentences.begin(), sentences.end());
    // An instruction that several register windows reach is there once for each.
    std::set<std::uint64_t> seen;
    for (std::size_t i = 0; i < program->instructions.size(); ++i) {
      if (program->texts[i] == end_text || !seen.insert(program->addresses[i]).second) continue;
      const std::string opcode = opcode_of(program->texts[i]);
      const bool missing = is_unknown(program->instructions[i]);
      ++kernel.instructions;
      if (missing) ++kernel.missing[opcode];
      if (!addresses.insert(program->addresses[i]).second) continue;
      ++result.instructions;
      opcodes.insert(opcode);
      if (missing) ++result.missing[opcode];
    }
  }
  result.opcodes = opcodes.size();
  result.problems.assign(problems.begin(), problems.end());
  return result;
}

std::string coverage_text(const Coverage& coverage) {
  std::string text = fmt::format("{}: {} kernels, {} instructions of {} opcodes", coverage.target,
                                 coverage.kernels.size(), coverage.instructions, coverage.opcodes);
  if (coverage.missing.empty()) return text + ": all are implemented\n";
  text += fmt::format(": {} instructions of {} opcodes are not implemented\n", sum(coverage.missing),
                      coverage.missing.size()) +
          missing_text(coverage.missing, "  ");
  for (const KernelCoverage& kernel : coverage.kernels) {
    if (kernel.missing.empty()) continue;
    text += fmt::format("  {}: {} of {} instructions\n", kernel.name, sum(kernel.missing), kernel.instructions) +
            missing_text(kernel.missing, "    ");
  }
  for (const std::string& problem : coverage.problems) text += "  " + problem + "\n";
  return text;
}

}  // namespace zellige::sim
