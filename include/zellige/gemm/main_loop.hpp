// Which main loop a config has.
#pragma once

#include "zellige/gemm/direct_pipeline.hpp"
#include "zellige/gemm/epilogue.hpp"
#include "zellige/gemm/ping_pong_pipeline.hpp"
#include "zellige/gemm/pipeline.hpp"
#include "zellige/gemm/wavelet_pipeline.hpp"

namespace zellige {

/// True in waves that only load: they have no results to store.
template <Derived d, Tiling tiling>
ZELLIGE_DEVICE bool only_loads(const OutputPlace& at) {
  return d.load_threads > 0 && at.wave_row >= static_cast<unsigned>(tiling.waves.m);
}

/// The wave's accumulators of the workgroup's range of k, multiplied in the way that the config's tiling says.
template <Derived d, Tiling tiling, Transforms view_a, Transforms view_b>
ZELLIGE_DEVICE WaveMma<d.wave> run_main_loop(const GemmArgs& args, const KRange& range, const Buffer& a,
                                             const Buffer& b, char* lds, const OutputPlace& at) {
  constexpr Walk walk = tiling.walk;
  const std::uint32_t wave_m = at.wave_row * d.wave_m, wave_n = at.wave_column * d.wave_n;
  if constexpr (tiling.pipeline == Pipeline::wavelet) {
    WaveMma<d.wave> wave(at.lane, wave_m, wave_n);
    if (only_loads<d, tiling>(at)) {
      const std::uint32_t thread = at.thread - d.multiply_threads;  // the load waves come last
      Stage<d.stage_a, view_a> stage_a(args.view_a, thread, at.block_m, range.k);
      Stage<d.stage_b, view_b> stage_b(args.view_b, thread, at.block_n, range.k);
      run_wavelet_loads<d, walk>(args, range, a, b, lds, stage_a, stage_b);
    } else {
      run_wavelet_products<d>(range, lds, wave);
    }
    return wave;
  } else if constexpr (tiling.staging == Staging::direct_to_lds) {
    DirectStage<d.stage_a, view_a> stage_a(args.view_a, at.thread, at.block_m, d.wave_size, range.k);
    DirectStage<d.stage_b, view_b> stage_b(args.view_b, at.thread, at.block_n, d.wave_size, range.k);
    WaveMma<d.wave> wave(at.lane, wave_m, wave_n);
    if constexpr (tiling.pipeline == Pipeline::double_buffer)
      run_direct_double_buffer<d, walk>(args, range, a, b, lds, stage_a, stage_b, wave);
    else
      run_direct_single_buffer<d, walk>(args, range, a, b, lds, stage_a, stage_b, wave);
    return wave;
  } else {
    Stage<d.stage_a, view_a> stage_a(args.view_a, at.thread, at.block_m, range.k);
    Stage<d.stage_b, view_b> stage_b(args.view_b, at.thread, at.block_n, range.k);
    WaveMma<d.wave> wave(at.lane, wave_m, wave_n);
    if constexpr (tiling.scheduling == Scheduling::ping_pong)
      run_ping_pong<d, walk>(args, range, a, b, lds, stage_a, stage_b, wave,
                             at.wave_row * tiling.waves.n + at.wave_column);
    else if constexpr (tiling.pipeline == Pipeline::double_buffer)
      run_double_buffer<d, walk>(args, range, a, b, lds, stage_a, stage_b, wave);
    else
      run_single_buffer<d, walk>(args, range, a, b, lds, stage_a, stage_b, wave);
    return wave;
  }
}

}  // namespace zellige
