// The C API's disassembler; disassembler.hpp states what it gives.
#include "simulator/decode/disassembler.hpp"

#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>

#include <cstring>
#include <mutex>
#include <stdexcept>

#include "simulator/decode/alias.hpp"

namespace zellige::sim {
namespace {

void initialise() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
}

}  // namespace

Disassembler::Disassembler(const std::string& target, int lanes) {
  initialise();
  // The wave size decides whether masks print as one register or two; gfx9 has waves of 64 lanes only.
  const char* features = generation_of(target) == generation_gfx9 ? ""
                         : lanes == 32                            ? "+wavefrontsize32"
                                                                  : "+wavefrontsize64";
  context_ = LLVMCreateDisasmCPUFeatures("amdgcn-amd-amdhsa", target.c_str(), features, nullptr, 0, nullptr, nullptr);
  if (context_ == nullptr) throw std::runtime_error("LLVM has no disassembler for " + target);
}

Disassembler::~Disassembler() { LLVMDisasmDispose(context_); }

Disassembled Disassembler::read(const std::uint8_t* bytes, std::uint64_t available, std::uint64_t address) const {
  // LLVM may look at up to 20 bytes: the end of the code is padded with zeros.
  std::uint8_t window[32] = {};
  std::memcpy(window, bytes, available < sizeof window ? available : sizeof window);
  char text[1024];
  Disassembled result;
  const std::size_t size = LLVMDisasmInstruction(context_, window, sizeof window, address, text, sizeof text);
  std::memcpy(&result.encoding, window, 4);
  if (size == 0 || size > available) return result;
  result.size = static_cast<std::uint32_t>(size);
  std::string line = text;
  if (const auto comment = line.find("//"); comment != std::string::npos) line.erase(comment);
  const auto first = line.find_first_not_of(" \t\n"), last = line.find_last_not_of(" \t\n");
  if (first != std::string::npos) result.text = line.substr(first, last - first + 1);
  for (char& c : result.text)
    if (c == '\t') c = ' ';
  return result;
}

}  // namespace zellige::sim
