// A plan: the list of dispatches that solve one problem with one instance, arguments packed once.
//
// plan_gemm() in host/gemm.hpp and plan_conv() in host/conv.hpp make one from a kernel and a problem; run()
// is const and re-entrant, neither allocates nor synchronises, and so may be captured into a graph.
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "zellige/core/arch.hpp"
#include "zellige/core/kernel_pointers.hpp"
#include "zellige/core/verdict.hpp"
#include "zellige/gemm/plan_options.hpp"
#include "zellige/host/device.hpp"
#include "zellige/host/launch.hpp"

namespace zellige {

/// The tensors of one run, device pointers: GEMM's A, B, C; a convolution's input, weight, output (forward: c is
/// written). The others are those of the plan's epilogue, and null where it has none.
struct Tensors {
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  const void* bias = nullptr;
  const void* scale = nullptr;
  const void* residual = nullptr;
};

/// One kernel launch. The arguments are a copy of the kernel's argument struct, which begins with KernelPointers.
struct Dispatch {
  const void* kernel = nullptr;
  LaunchShape shape{};
  std::vector<std::byte> args;
  /// Writes what else of the arguments follows from the pointers, which stand in them already: tensor maps. May throw
  /// RuntimeError; empty where nothing does.
  std::function<void(std::byte*)> finish{};
  /// Bytes added to the tensors' pointers (batch chunks).
  std::int64_t offset_a = 0, offset_b = 0, offset_c = 0, offset_residual = 0;
};

/// Copied and kept freely: it refers to nothing of the problem that it solves.
class Plan {
 public:
  static constexpr std::size_t max_arg_bytes = 1024;  ///< of a dispatch's argument struct

  std::string instance;  ///< its name, for errors
  Arch arch = Arch::none;
  std::vector<Dispatch> dispatches;
  std::int64_t workspace_bytes = 0;
  bool deterministic = true;
  int split_k = 1;          ///< resolved degree
  std::int64_t fold = 1;    ///< pixels of a convolution's innermost axis that are read as one (conv/fold.hpp)
  std::int64_t chunks = 1;  ///< parts of the problem that dispatches, or lists of them, work on one after the other
  Epilogue epilogue{};
  int align_a = 1, align_b = 1, align_c = 1;  ///< bytes that the tensors' pointers must be multiples of
  int align_vectors = 1;                      ///< the same, of scale and bias; the residual is aligned as c
  int align_workspace = 1;

  /// Enqueues the dispatches on `stream` (0: the default stream) of the current device. Refuses an empty plan, null and
  /// misaligned pointers, tensors that the epilogue does not read, a short workspace and a device of another target;
  /// throws RuntimeError when the runtime fails.
  Verdict run(hipStream_t stream, const Tensors& tensors, void* workspace = nullptr,
              std::int64_t workspace_size = 0) const {
    if (dispatches.empty()) {
      return refuse(Reason::no_kernel_code,
                    Text{} << "the plan is empty: its problem was refused, and the verdict beside it says why");
    }
    if (Verdict v = check_tensors(tensors, workspace, workspace_size); !v.ok) return v;
    if (const Device& device = current_device(); device.arch != arch) {
      return refuse(Reason::wrong_device, Text{} << "the plan is for " << arch_traits(arch).name
                                                 << " but the current device is " << device.arch_name.c_str());
    }
    enqueue(stream, tensors, workspace);
    return {};
  }

 private:
  Verdict check_tensors(const Tensors& t, const void* workspace, std::int64_t workspace_size) const {
    const struct {
      const void* pointer;
      bool used;
      int align;
      const char* name;
    } all[] = {{t.a, true, align_a, "tensor a"},
               {t.b, true, align_b, "tensor b"},
               {t.c, true, align_c, "tensor c"},
               {t.bias, epilogue.bias, align_vectors, "tensor bias"},
               {t.scale, epilogue.scale, align_vectors, "tensor scale"},
               {t.residual, epilogue.residual, align_c, "tensor residual"},
               {workspace, workspace != nullptr, align_workspace, "the workspace"}};
    for (const auto& tensor : all) {
      if (tensor.pointer == nullptr && tensor.used)
        return refuse(Reason::null_pointer, Text{} << tensor.name << " is a null pointer");
      if (tensor.pointer != nullptr && !tensor.used)
        return refuse(Reason::surplus_pointer, Text{} << tensor.name << " is given, but the plan's epilogue has none");
      if (const auto past = reinterpret_cast<std::uintptr_t>(tensor.pointer) % static_cast<unsigned>(tensor.align);
          past != 0) {
        return refuse(Reason::misaligned_pointer, Text{} << tensor.name << " must be aligned to " << tensor.align
                                                         << " bytes, but is " << static_cast<int>(past) << " past");
      }
    }
    if (workspace_bytes > 0 && workspace == nullptr) {
      return refuse(Reason::null_pointer,
                    Text{} << "the plan needs " << workspace_bytes << " bytes of workspace, but the pointer is null");
    }
    if (workspace_size < workspace_bytes) {
      return refuse(Reason::workspace_too_small,
                    Text{} << "the workspace has " << workspace_size << " of " << workspace_bytes << " bytes");
    }
    return {};
  }

  static const void* moved(const void* pointer, std::int64_t bytes) {
    return pointer == nullptr ? nullptr : static_cast<const std::byte*>(pointer) + bytes;
  }

  void enqueue(hipStream_t stream, const Tensors& t, void* workspace) const {
    for (const Dispatch& d : dispatches) {
      alignas(64) std::byte args[max_arg_bytes];
      std::memcpy(args, d.args.data(), d.args.size());
      const KernelPointers pointers{.a = moved(t.a, d.offset_a),
                                    .b = moved(t.b, d.offset_b),
                                    .c = static_cast<std::byte*>(t.c) + d.offset_c,
                                    .workspace = workspace,
                                    .bias = t.bias,
                                    .scale = t.scale,
                                    .residual = moved(t.residual, d.offset_residual)};
      std::memcpy(args, &pointers, sizeof pointers);
      if (d.finish) d.finish(args);
      launch(d.kernel, d.shape, args, stream, instance);
    }
  }
};

/// A plan, or the reason why there is none.
struct Planned {
  Verdict verdict{};
  Plan plan{};
};

}  // namespace zellige
