// How the driver encodes a TensorMapShape and an address as a TensorMap (NVIDIA targets).
//
// The driver's encoders are asked for at run time, so that nothing links against the driver.
#pragma once

#include "zellige/atom/tensor_map_shape.hpp"
#include "zellige/host/error.hpp"

#if defined(ZELLIGE_PLATFORM_NVIDIA)
#include <cuda.h>
#endif

namespace zellige {

#if defined(ZELLIGE_PLATFORM_NVIDIA)

namespace detail {

inline CUtensorMapDataType tensor_map_type(DataType type) {
  switch (type) {
    case DataType::f16:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    case DataType::bf16:
      return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    case DataType::f32:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    case DataType::f64:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
    default:
      return CU_TENSOR_MAP_DATA_TYPE_UINT8;
  }
}

inline CUtensorMapSwizzle tensor_map_swizzle(int row_bytes) {
  return row_bytes == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
         : row_bytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
         : row_bytes == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                           : CU_TENSOR_MAP_SWIZZLE_NONE;
}

template <class Function>
Function* driver_function(const char* name) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult result{};
  require_success(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &result),
                  "cudaGetDriverEntryPointByVersion", name);
  if (function == nullptr) throw RuntimeError("cudaGetDriverEntryPointByVersion", cudaErrorSymbolNotFound, name);
  return reinterpret_cast<Function*>(function);
}

}  // namespace detail

/// The map of the tensor at `address`, a multiple of 16 bytes. Throws RuntimeError naming `subject`.
inline TensorMap encode(const TensorMapShape& s, const void* address, const char* subject) {
  cuuint64_t extent[TensorMapShape::most_axes] = {}, stride[TensorMapShape::most_axes] = {};
  cuuint32_t box[TensorMapShape::most_axes] = {}, step[TensorMapShape::most_axes] = {1, 1, 1, 1, 1};
  for (int i = 0; i < s.rank; ++i) {
    extent[i] = static_cast<cuuint64_t>(s.extent[i]);
    box[i] = static_cast<cuuint32_t>(s.box[i]);
    if (i > 0) stride[i - 1] = static_cast<cuuint64_t>(s.stride[i]);
  }
  TensorMap map;
  auto* const out = reinterpret_cast<CUtensorMap*>(&map);
  void* const at = const_cast<void*>(address);
  const auto type = detail::tensor_map_type(s.type);
  const auto swizzle = s.swizzled ? detail::tensor_map_swizzle(s.row_bytes()) : CU_TENSOR_MAP_SWIZZLE_NONE;
  // Rows of a tile are 128 bytes at most, and the next 128 belong to another step. On an H200 16x8192x8192 takes 36.2
  // us where lines are fetched in pairs, and 34.6 so; 320 channels of 64x64, 3x3, at n=1 21.9 and 20.0.
  constexpr auto promotion = CU_TENSOR_MAP_L2_PROMOTION_L2_128B;
  CUresult result;
  if (s.image) {
    static auto* const encode_image =
        detail::driver_function<decltype(cuTensorMapEncodeIm2col)>("cuTensorMapEncodeIm2col");
    step[1] = static_cast<cuuint32_t>(s.step[0]);
    step[2] = static_cast<cuuint32_t>(s.step[1]);
    const int first[] = {s.first[0], s.first[1], s.first[2]};
    const int past_last[] = {s.past_last[0], s.past_last[1], s.past_last[2]};
    result = encode_image(out, type, static_cast<cuuint32_t>(s.rank), at, extent, stride, first, past_last, box[0],
                          static_cast<cuuint32_t>(s.pixels), step, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                          promotion, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  } else {
    static auto* const encode_tiled =
        detail::driver_function<decltype(cuTensorMapEncodeTiled)>("cuTensorMapEncodeTiled");
    result = encode_tiled(out, type, static_cast<cuuint32_t>(s.rank), at, extent, stride, box, step,
                          CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, promotion,
                          CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  }
  if (result != CUDA_SUCCESS) throw RuntimeError("cuTensorMapEncode", cudaErrorInvalidValue, subject);
  return map;
}

#endif

}  // namespace zellige
