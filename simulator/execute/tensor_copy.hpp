// The tensor data mover of gfx1250 (tensor_load_to_lds, tensor_store_from_lds), and barriers that are counts in LDS.
//
// Law: a descriptor of 4 + 8 (+ 4 + 4) scalars names a tile of up to five dimensions whose first element lies at the
// global address; dimension 0 is contiguous, strides count elements. Tile elements outside the tensor's dimensions load
// as zero and are not stored. In LDS the tile is dense, dimension 0 fastest, with pad_amount + 1 dwords after every
// 2^(pad_interval + 1) dwords where a load asks for it. EXEC is ignored. [Fields: the descriptor headers of Composable
// Kernel and LLVM's lowering of amdgpu.make_dma_descriptor, which agree.]
#pragma once

#include <array>
#include <cstdint>

#include "simulator/execute/workgroup.hpp"

namespace zellige::sim {

/// The fields of a descriptor.
struct TensorDescriptor {
  bool null = false;         ///< count 0: nothing moves and nothing arrives
  std::uint64_t global = 0;  ///< address of the tile's first element
  std::uint32_t lds = 0;     ///< byte address in LDS
  std::uint32_t element_bytes = 1;
  std::uint16_t workgroups = 0;                   ///< mask of the cluster's workgroups that share a load; 0: not shared
  std::array<std::uint32_t, 5> tensor{}, tile{};  ///< elements; tile dimensions that are not used are 1
  std::array<std::uint64_t, 5> stride{};          ///< elements; stride[0] is 1
  std::uint32_t pad_every = 0, pad_bytes = 0;     ///< bytes; 0: no padding
  bool arrives = false;                           ///< an arrival at `barrier` follows
  std::uint32_t barrier = 0;                      ///< byte address in LDS
  bool gathers = false;                           ///< rows are those of `index`
  std::array<std::uint32_t, 16> index{};
};

/// Reads the descriptor's groups; group2 and group3 are nullptr in the two-dimensional form. Returns what is wrong with
/// it (a sentence without a full stop), or nullptr.
const char* read_tensor_descriptor(const std::uint32_t* group0, const std::uint32_t* group1,
                                   const std::uint32_t* group2, const std::uint32_t* group3,
                                   TensorDescriptor& descriptor);

/// Moves the tile between global memory and the wave's LDS; false after a fault.
bool copy_tensor(Wave& wave, const Instruction* instruction, const TensorDescriptor& descriptor, bool store);

/// One arrival of `count` at the 64-bit barrier at `state`: pending count in [28:0], phase in [31:29], the count to
/// reload in [47:32]. The phase advances when the pending count passes below zero. Returns the state before. [The width
/// of 29 bits is what compilers assume; the register that sets it is not public.]
std::uint64_t arrive_at_lds_barrier(std::uint8_t* state, std::uint64_t count);

}  // namespace zellige::sim
