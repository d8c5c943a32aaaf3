// LLVM's disassembler through its C API: bytes to text, one instruction at a time.
#pragma once

#include <cstdint>
#include <string>

namespace zellige::sim {

/// An instruction as LLVM reads it. size = 0: the bytes are no instruction.
struct Disassembled {
  std::uint32_t size = 0;      ///< bytes
  std::uint32_t encoding = 0;  ///< its first dword
  std::string text;            ///< trimmed, without comments
};

class Disassembler {
 public:
  /// `target` is a processor name, "gfx942", `lanes` the wave size that the code was compiled for;
  /// std::runtime_error when LLVM does not know the target.
  Disassembler(const std::string& target, int lanes);
  ~Disassembler();
  Disassembler(const Disassembler&) = delete;
  Disassembler& operator=(const Disassembler&) = delete;

  Disassembled read(const std::uint8_t* bytes, std::uint64_t available, std::uint64_t address) const;

 private:
  void* context_;
};

}  // namespace zellige::sim
