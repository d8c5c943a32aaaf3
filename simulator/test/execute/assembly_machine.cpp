// Assembling and running; assembly_machine.hpp states what each does.
#include "simulator/test/execute/assembly_machine.hpp"

#include <llvm-c/Core.h>
#include <llvm-c/Object.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "simulator/memory/arena.hpp"
#include "simulator/test/execute/conformance.hpp"

namespace zellige::sim::test {

std::vector<std::uint8_t> assemble(const std::string& target, const std::string& text, int lanes) {
  static const bool initialised = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();
    return true;
  }();
  (void)initialised;
  const char* triple = "amdgcn-amd-amdhsa";
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = LLVMModuleCreateWithNameInContext("test", context);
  LLVMSetTarget(module, triple);
  LLVMSetModuleInlineAsm2(module, text.data(), text.size());
  LLVMTargetRef llvm_target = nullptr;
  char* message = nullptr;
  if (LLVMGetTargetFromTriple(triple, &llvm_target, &message) != 0) throw std::runtime_error(message);
  const char* features = target.starts_with("gfx9") ? "" : lanes == 32 ? "+wavefrontsize32" : "+wavefrontsize64";
  LLVMTargetMachineRef machine = LLVMCreateTargetMachine(llvm_target, triple, target.c_str(), features, LLVMCodeGenLevelNone,
                                                         LLVMRelocPIC, LLVMCodeModelDefault);
  LLVMMemoryBufferRef object = nullptr;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &object) != 0)
    throw std::runtime_error(message);
  std::vector<std::uint8_t> code;
  LLVMBinaryRef binary = LLVMCreateBinary(object, context, &message);
  if (binary == nullptr) throw std::runtime_error(message);
  LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(binary);
  for (; !LLVMObjectFileIsSectionIteratorAtEnd(binary, section); LLVMMoveToNextSection(section)) {
    const char* name = LLVMGetSectionName(section);
    if (name == nullptr || std::strcmp(name, ".text") != 0) continue;
    const char* contents = LLVMGetSectionContents(section);
    code.assign(contents, contents + LLVMGetSectionSize(section));
  }
  LLVMDisposeSectionIterator(section);
  LLVMDisposeBinary(binary);
  LLVMDisposeMemoryBuffer(object);
  LLVMDisposeTargetMachine(machine);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return code;
}

AssemblyMachine::AssemblyMachine(std::string target, int lanes)
    : target_(std::move(target)),
      lanes_(lanes),
      rows_(static_cast<std::uint32_t*>(std::aligned_alloc(64, allocated_rows * row_lanes * 4)), &std::free) {
  std::memset(rows_.get(), 0, allocated_rows * row_lanes * 4);
  group_.waves.resize(1);
  group_.counts = &counts_;
  group_.fault = &fault_;
  group_.arena = &Arena::instance();
  wave().group = &group_;
  wave().vector = rows_.get();
  wave().lanes = lanes;
  set_exec(~std::uint64_t{0});
}

void AssemblyMachine::prepare(const std::string& text) {
  const auto code = assemble(target_, text + "\ns_endpgm\n", lanes_);
  constexpr std::uint64_t base = 0x10000;
  program_ = decode(target_, lanes_, code.data(), base, code.size(), base, "test");
  group_.program = program_.get();
}

std::string AssemblyMachine::execute() {
  fault_ = Fault{};
  wave().state = WaveState::ready;
  wave().next = program_->entry;
  while (wave().state == WaveState::ready || wave().state == WaveState::at_barrier) {
    wave().state = WaveState::ready;
    wave().budget = 1000;
    sim::run(wave());
  }
  return fault_.message;
}

std::string AssemblyMachine::fault(const std::string& text) {
  prepare(text);
  return execute();
}

void AssemblyMachine::run(const std::string& text) {
  if (const std::string message = fault(text); !message.empty()) throw std::runtime_error(message);
}

void AssemblyMachine::judged() const {
  // The last text is the mark behind the code.
  for (std::size_t i = 0; i + 1 < program_->texts.size(); ++i) test::judged(target_, program_->texts[i]);
}

const std::vector<std::uint32_t>& edge_integers() {
  static const std::vector<std::uint32_t> values = {
      0u,          1u,          2u,          5u,          15u,         16u,         31u,         32u,
      33u,         63u,         64u,         0xffu,       0x100u,      0x7fffu,     0x8000u,     0xffffu,
      0x10000u,    0x7fffffu,   0x800000u,   0xffffffu,   0x1000000u,  0x12345678u, 0x7ffffffeu, 0x7fffffffu,
      0x80000000u, 0x80000001u, 0xdeadbeefu, 0xffff8000u, 0xffff0000u, 0xfffffff0u, 0xfffffffeu, 0xffffffffu};
  return values;
}

const std::vector<float>& edge_floats() {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  static const std::vector<float> values = {0.0f,
                                            -0.0f,
                                            1.0f,
                                            -1.0f,
                                            0.5f,
                                            -0.5f,
                                            1.5f,
                                            -2.5f,
                                            3.0f,
                                            -7.75f,
                                            0.1f,
                                            -0.3f,
                                            255.5f,
                                            -256.5f,
                                            65504.0f,
                                            -70000.0f,
                                            8388607.5f,
                                            -8388608.5f,
                                            2147483648.0f,
                                            -2147483904.0f,
                                            4294967040.0f,
                                            4294967296.0f,
                                            1e10f,
                                            -1e20f,
                                            0x1p-126f,
                                            -0x1p-149f,
                                            0x1.8p-140f,
                                            0x1.fffffep127f,
                                            -0x1.fffffep127f,
                                            infinity,
                                            -infinity,
                                            std::numeric_limits<float>::quiet_NaN()};
  return values;
}

const std::vector<double>& edge_doubles() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  static const std::vector<double> values = {0.0,
                                             -0.0,
                                             1.0,
                                             -1.0,
                                             0.5,
                                             -0.5,
                                             1.5,
                                             -2.5,
                                             3.0,
                                             -7.75,
                                             0.1,
                                             -0.3,
                                             255.5,
                                             -256.5,
                                             65504.0,
                                             -1e5,
                                             2147483647.5,
                                             -2147483648.5,
                                             4294967295.5,
                                             4294967296.0,
                                             1e15,
                                             -4503599627370497.5,
                                             1e300,
                                             -1e-300,
                                             0x1p-1022,
                                             -0x1p-1074,
                                             0x1.8p-1050,
                                             0x1.fffffffffffffp1023,
                                             -0x1.fffffffffffffp1023,
                                             infinity,
                                             -infinity,
                                             std::numeric_limits<double>::quiet_NaN()};
  return values;
}

}  // namespace zellige::sim::test
