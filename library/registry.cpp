// The registry: opens the instance library of a target when it is first asked for.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "instances/instance_table.hpp"
#include "zellige/library.hpp"

namespace zellige {

namespace {

/// The folders to look in, best first.
std::vector<std::string> search_folders() {
  std::vector<std::string> folders;
  if (const char* path = std::getenv("ZELLIGE_LIBRARY_PATH")) {
    std::string_view rest = path;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      if (end > 0) folders.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  Dl_info self;
  if (dladdr(reinterpret_cast<const void*>(&target_library), &self) != 0 && self.dli_fname != nullptr) {
    const std::filesystem::path file(self.dli_fname);
    folders.push_back(file.has_parent_path() ? file.parent_path().string() : ".");
  }
  return folders;
}

/// What is wrong with the table that a library returned; empty when nothing is.
std::string table_error(const library::InstanceTable* table, Arch arch) {
  const library::InstanceTable own;
  if (table == nullptr || table->table_bytes != own.table_bytes || table->gemm_bytes != own.gemm_bytes ||
      table->conv_bytes != own.conv_bytes || table->args_bytes != own.args_bytes ||
      table->reduce_bytes != own.reduce_bytes) {
    return "it is of another version than libzellige.so: install both from one build";
  }
  if (table->arch != arch) return std::string("its table is for ") + arch_traits(table->arch).name;
  return {};
}

/// Reads the instances of the library at `file`; says why not in `found.error`.
void read_library(const std::string& file, TargetLibrary& found) {
  const std::string target = arch_traits(found.arch).name;
  // Never closed: the runtime keeps pointers into its kernels until the process ends.
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    found.error = "the " + target + " instances could not be opened: " + dlerror();
    return;
  }
  const std::string symbol = "zellige_instances_" + target;
  auto* const function = reinterpret_cast<library::InstanceTableFunction*>(dlsym(handle, symbol.c_str()));
  if (function == nullptr) {
    found.error = file + " is no instance library for " + target + ": it lacks " + symbol;
    return;
  }
  const library::InstanceTable* const table = function();
  if (const std::string why = table_error(table, found.arch); !why.empty()) {
    found.error = file + " cannot be used: " + why;
    return;
  }
  found.file = file;
  const auto add = [&found](Family family, const auto& kernel) {
    found.operations.push_back({name_of(kernel.arch, kernel.config), family, kernel.arch, kernel});
  };
  for (const GemmKernel& kernel : std::span(table->gemm, table->gemm_count)) add(Family::gemm, kernel);
  for (const ConvKernel& kernel : std::span(table->conv, table->conv_count)) add(Family::conv_fwd, kernel);
  std::sort(found.operations.begin(), found.operations.end(),
            [](const Operation& a, const Operation& b) { return a.name < b.name; });
}

TargetLibrary open_target(Arch arch) {
  TargetLibrary found;
  found.arch = arch;
  if (arch == Arch::none) {
    found.error = "there are no instances for an unknown target";
    return found;
  }
  const std::string name = std::string("libzellige_") + arch_traits(arch).name + ".so";
  std::string looked;
  for (const std::string& folder : search_folders()) {
    const std::string file = folder + "/" + name;
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) {
      read_library(file, found);
      return found;
    }
    looked += (looked.empty() ? "" : ", ") + folder;
  }
  found.error = std::string("there are no instances for ") + arch_traits(arch).name + ": " + name + " is not in " +
                looked + " (build it by adding the target to GPU_TARGETS, or name its folder in ZELLIGE_LIBRARY_PATH)";
  return found;
}

}  // namespace

const TargetLibrary& target_library(Arch arch) {
  static std::array<TargetLibrary, arch_count + 1> libraries;  // by the enum's value; 0 is Arch::none
  static std::array<std::once_flag, arch_count + 1> opened;
  const auto index = static_cast<std::size_t>(arch);
  std::call_once(opened.at(index), [&] { libraries[index] = open_target(arch); });
  return libraries[index];
}

std::span<const Operation> operations(Arch arch) { return target_library(arch).operations; }

const Operation* find_operation(std::string_view name) {
  for (Arch arch : all_arches) {
    // Only the target that the name speaks of is opened.
    const std::string token = std::string("_") + arch_traits(arch).name + "_";
    if (name.find(token) == std::string_view::npos) continue;
    for (const Operation& operation : operations(arch)) {
      if (operation.name == name) return &operation;
    }
  }
  return nullptr;
}

}  // namespace zellige
