// Decoding of a kernel: which instructions are reached, their binding, branch targets and cumulative counts.
//
// Only code that control flow reaches from the entry is decoded; a kernel that calls or jumps through a register may
// reach anything in its section, which is then decoded whole. An instruction is decoded once for every register window
// (register_window.hpp) in which it is reached, so that windows cost nothing when it runs; where a jump through a register
// can happen in a window, everything is decoded for that window.
#include "simulator/decode/program.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "simulator/decode/alias.hpp"
#include "simulator/decode/bind.hpp"
#include "simulator/decode/dpp.hpp"
#include "simulator/decode/register_window.hpp"
#include "simulator/decode/text.hpp"

namespace zellige::sim {
namespace {

std::string hexadecimal(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string_view mnemonic_of(std::string_view text, std::string_view target) {
  return canonical_mnemonic(text.substr(0, text.find(' ')), target);
}

bool ends_block(std::string_view mnemonic) {
  return mnemonic == "s_endpgm" || mnemonic == "s_endpgm_saved" || mnemonic == "s_branch" || mnemonic == "s_setpc_b64" ||
         mnemonic == "s_add_pc_i64";
}
bool has_target(std::string_view mnemonic) {
  return mnemonic == "s_branch" || mnemonic.starts_with("s_cbranch_") || mnemonic == "s_call_b64";
}
bool jumps_through_register(std::string_view mnemonic) {
  return mnemonic == "s_setpc_b64" || mnemonic == "s_swappc_b64" || mnemonic == "s_add_pc_i64";
}

/// Branch distances count dwords from the next instruction.
std::uint64_t branch_target(std::uint64_t address, std::uint32_t encoding) {
  return address + 4 +
         static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int16_t>(encoding & 0xffff)) * 4);
}


/// Register window and address of an instruction.
using Place = std::pair<unsigned, std::uint64_t>;

class Reader {
 public:
  Reader(const std::string& target, int lanes, const std::uint8_t* code, std::uint64_t begin, std::uint64_t bytes)
      : target_(target), disassembler_(target, lanes), code_(code), begin_(begin), end_(begin + bytes) {}

  std::map<Place, Disassembled> reachable(std::uint64_t entry) {
    std::set<Place> pending = {{0, entry}};
    std::set<unsigned> whole, done;  // windows in which anything may be reached
    while (!pending.empty()) {
      auto [window, at] = *pending.begin();
      pending.erase(pending.begin());
      while (at >= begin_ && at < end_ && !found_.contains({window, at})) {
        const Disassembled& instruction = read({window, at});
        const auto mnemonic = mnemonic_of(instruction.text, target_);
        if (jumps_through_register(mnemonic)) whole.insert(window);
        if (has_target(mnemonic)) pending.insert({window, branch_target(at, instruction.encoding)});
        if (ends_block(mnemonic)) break;
        at += std::max(instruction.size, 4u);
        if (const unsigned next = window_after(mnemonic, instruction.encoding, window); next != window) {
          pending.insert({next, at});
          break;
        }
      }
      if (!pending.empty()) continue;
      for (const unsigned all : whole)
        if (done.insert(all).second) read_whole(all, pending);
    }
    return std::move(found_);
  }

 private:
  void read_whole(unsigned window, std::set<Place>& pending) {
    for (std::uint64_t at = begin_; at < end_;) {
      const Disassembled& instruction = read({window, at});
      const auto mnemonic = mnemonic_of(instruction.text, target_);
      const std::uint64_t next = at + std::max(instruction.size, 4u);
      if (const unsigned other = window_after(mnemonic, instruction.encoding, window); other != window)
        pending.insert({other, next});
      at = next;
    }
  }

  const Disassembled& read(Place place) {
    const auto [known, fresh] = texts_.try_emplace(place.second);
    if (fresh) known->second = disassembler_.read(code_ + (place.second - begin_), end_ - place.second, place.second);
    return found_.try_emplace(place, known->second).first->second;
  }

  std::string target_;
  Disassembler disassembler_;
  const std::uint8_t* code_;
  std::uint64_t begin_, end_;
  std::map<Place, Disassembled> found_;
  std::map<std::uint64_t, Disassembled> texts_;
};

}  // namespace

const Instruction* Program::at(std::uint64_t address, unsigned window) const {
  for (const Variant& variant : variants) {
    if (variant.window != window) continue;
    const auto begin = addresses.begin() + variant.begin, end = addresses.begin() + variant.end;
    const auto found = std::lower_bound(begin, end, address);
    if (found != end && *found == address) return &instructions[static_cast<std::size_t>(found - addresses.begin())];
  }
  return nullptr;
}

unsigned Program::window_of(const Instruction& instruction) const {
  for (const Variant& variant : variants)
    if (instruction.index >= variant.begin && instruction.index < variant.end) return variant.window;
  return 0;
}

std::unique_ptr<Program> decode(const std::string& target, int lanes, const std::uint8_t* code, std::uint64_t begin,
                                std::uint64_t bytes, std::uint64_t entry, const std::string& kernel,
                                std::vector<std::string>* problems) {
  if (entry < begin || entry >= begin + bytes)
    throw std::runtime_error("kernel " + kernel + ": its entry " + hexadecimal(entry) + " is outside of its code");
  auto program = std::make_unique<Program>();
  program->kernel = kernel;
  program->target = target;
  program->lanes = lanes;
  auto found = Reader(target, lanes, code, begin, bytes).reachable(entry);
  ConstantPool constants(program->constant_rows);
  Binder binder(target, lanes, constants, program->pairs);
  std::uint64_t follows = 0;
  std::vector<std::uint32_t> encodings;
  // Falling off the end meets an instruction that faults.
  const auto end_variant = [&] {
    program->variants.back().end = static_cast<std::uint32_t>(program->instructions.size());
    program->instructions.push_back(binder.bind(Disassembled{}));
    program->addresses.push_back(follows);
    program->texts.emplace_back(end_text);
    encodings.push_back(0);
  };
  for (auto& [place, source] : found) {
    const auto [window, address] = place;
    if (program->variants.empty() || program->variants.back().window != window) {
      if (!program->variants.empty()) end_variant();
      program->variants.push_back({window, static_cast<std::uint32_t>(program->instructions.size()), 0});
      follows = 0;
    }
    if (address != follows) binder.begin_block();
    follows = address + std::max(source.size, 4u);
    try {
      program->instructions.push_back(binder.bind(source, window));
    } catch (const DecodeError& error) {
      const std::string text = "kernel " + kernel + " on " + target + ": cannot decode `" + source.text + "` at " +
                               hexadecimal(address) + ": " + error.what();
      if (problems == nullptr) throw std::runtime_error(text);
      problems->push_back(text);
      program->instructions.push_back(binder.bind(Disassembled{}));
    }
    program->addresses.push_back(address);
    program->texts.push_back(source.size != 0 ? source.text : ".long " + hexadecimal(source.encoding));
    encodings.push_back(source.encoding);
  }
  end_variant();

  CumulativeCounts sum;
  for (std::size_t i = 0; i < program->instructions.size(); ++i) {
    Instruction& instruction = program->instructions[i];
    instruction.index = static_cast<std::uint32_t>(i);
    if (instruction.halves != nullptr)
      for (Instruction* half : {&instruction.halves[0], &instruction.halves[1]}) half->index = instruction.index;
    if (instruction.dpp.kind != DppKind::none) {
      program->dpp_lanes.push_back(std::make_unique<DppLanes>(dpp_lanes(instruction.dpp, lanes)));
      instruction.dpp_lanes = program->dpp_lanes.back().get();
    }
    const auto mnemonic = mnemonic_of(program->texts[i], target);
    const unsigned window = program->window_of(instruction), next = window_after(mnemonic, encodings[i], window);
    if (has_target(mnemonic))
      instruction.target = program->at(branch_target(program->addresses[i], encodings[i]), window);
    if (next != window) instruction.target = program->at(program->addresses[i] + 4, next);
    program->float_behaviour.push_back(float_behaviour(instruction, program->texts[i]));
    program->cumulative.push_back(sum);
    ++sum.by_class[static_cast<int>(instruction.op_class)];
    sum.matrix_passes += instruction.passes;
  }
  program->cumulative.push_back(sum);
  program->entry = program->at(entry);
  return program;
}

std::vector<std::string> undecoded(const Program& program) {
  std::set<std::string> names;
  for (std::size_t i = 0; i + 1 < program.instructions.size(); ++i)
    if (is_unknown(program.instructions[i]) && program.texts[i] != end_text)
      names.insert(program.texts[i].substr(0, program.texts[i].find(' ')));
  return {names.begin(), names.end()};
}

}  // namespace zellige::sim
