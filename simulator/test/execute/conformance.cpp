// The list of judged opcodes; conformance.hpp states what it is for.
#include "simulator/test/execute/conformance.hpp"

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "simulator/decode/bind.hpp"
#include "simulator/decode/text.hpp"

namespace zellige::sim::test {
namespace {

/// Lines of the list, written when the process ends.
class JudgedOpcodes {
 public:
  void add(std::string line) { lines_.insert(std::move(line)); }
  ~JudgedOpcodes() {
    const char* path = std::getenv("ZELLIGE_SIM_JUDGED");
    if (path == nullptr || *path == '\0') return;
    std::ofstream file(path, std::ios::app);
    for (const std::string& line : lines_) file << line << "\n";
  }

 private:
  std::set<std::string> lines_;
};

}  // namespace

void judged(std::string_view target, std::string_view mnemonic) {
  static JudgedOpcodes opcodes;
  const int lanes = target.starts_with("gfx9") ? 64 : 32;
  // Both halves of a dual instruction count as the operations that they are.
  constexpr std::string_view separator = " :: ", dual = "v_dual_";
  if (const auto at = mnemonic.find(separator); at != std::string_view::npos) {
    judged(target, mnemonic.substr(0, at));
    return judged(target, mnemonic.substr(at + separator.size()));
  }
  if (mnemonic.starts_with(dual)) return judged(target, "v_" + std::string(mnemonic.substr(dual.size())));
  const Operation* operation = find_operation(cut(mnemonic.substr(0, mnemonic.find(' '))).mnemonic, target, lanes);
  if (operation == nullptr) return;
  const std::string_view name = operation->mnemonic.substr(0, operation->mnemonic.find('@'));
  opcodes.add(std::string(name) + " " + std::string(target));
}

}  // namespace zellige::sim::test
