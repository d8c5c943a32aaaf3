// What the main loops beside the plain ones need of their target and of the rest of the config.
#pragma once

#include "zellige/gemm/derived.hpp"

namespace zellige::detail {

/// Waves that only load.
ZELLIGE_HD constexpr Verdict check_load_waves(const Tiling& t, const ArchTraits& traits) {
  const bool wavelet = t.pipeline == Pipeline::wavelet;
  if (wavelet && t.load_waves < 1) {
    return refuse(Reason::pipeline_unsupported,
                  Text{} << "Pipeline::wavelet needs at least one load wave, but load_waves = " << t.load_waves);
  }
  if (!wavelet && t.load_waves != 0) {
    return refuse(Reason::pipeline_unsupported,
                  Text{} << "load_waves = " << t.load_waves << " belongs to Pipeline::wavelet: elsewhere it must be 0");
  }
  const bool wmma = traits.matrix == MatrixPath::wmma_gfx11 || traits.matrix == MatrixPath::wmma_gfx12 ||
                    traits.matrix == MatrixPath::wmma_gfx1250;
  if (wavelet && !wmma) {
    return refuse(Reason::pipeline_unsupported,
                  Text{} << "Pipeline::wavelet is for WMMA targets, which " << traits.name << " is not");
  }
  return {};
}

/// One operand's direct copies.
ZELLIGE_HD constexpr Verdict check_direct_copy(const char* name, const StageShape& s, const ArchTraits& traits) {
  const int bytes = s.vector * s.bytes;
  if (bytes < 4 || bytes > 16 || (traits.direct_to_lds_widths >> bytes & 1u) == 0) {
    return refuse(Reason::staging_unsupported, Text{} << "Staging::direct_to_lds: " << traits.name << " copies no "
                                                      << bytes << " bytes a lane, as " << name << "'s vector of "
                                                      << s.vector << " elements of " << s.bytes << " bytes asks");
  }
  if (s.along_rows && !s.keep_order) {
    return refuse(Reason::staging_unsupported,
                  Text{} << "Staging::direct_to_lds cannot transpose " << name
                         << " on its way to LDS: its memory runs along rows, which needs Transpose::on_read");
  }
  return {};
}

ZELLIGE_HD constexpr Verdict check_staging(const Tiling& t, const Derived& d, const ArchTraits& traits) {
  if (t.staging == Staging::registers) return {};
  if (t.lds == LdsLayout::padded) {
    return refuse(Reason::staging_unsupported,
                  Text{} << "Staging::direct_to_lds fills consecutive bytes of LDS: rows cannot be padded");
  }
  if (t.pipeline == Pipeline::wavelet || t.scheduling == Scheduling::ping_pong) {
    return refuse(Reason::staging_unsupported,
                  Text{} << "Staging::direct_to_lds would overwrite tiles that other waves of Pipeline::wavelet or "
                            "Scheduling::ping_pong still read");
  }
  if (Verdict v = check_direct_copy("A", d.stage_a, traits); !v.ok) return v;
  return check_direct_copy("B", d.stage_b, traits);
}

ZELLIGE_HD constexpr Verdict check_transpose(const Tiling& t, const Derived& d, const ArchTraits& traits) {
  if (t.transpose == Transpose::on_write) return {};
  if (traits.transposed_lds_bytes == 0) {
    return refuse(Reason::transpose_unsupported,
                  Text{} << "Transpose::on_read: " << traits.name << " has no transposed LDS reads");
  }
  if (d.bytes_in != 2) {
    return refuse(Reason::transpose_unsupported,
                  Text{} << "Transpose::on_read moves elements of 2 bytes, not of " << d.bytes_in);
  }
  if (!d.stage_a.keep_order && !d.stage_b.keep_order) {
    return refuse(Reason::transpose_unsupported,
                  Text{} << "Transpose::on_read has nothing to transpose: both operands' memory runs along k");
  }
  return {};
}

ZELLIGE_HD constexpr Verdict check_scheduling(const Tiling& t, const ArchTraits& traits) {
  if (t.scheduling == Scheduling::compiler) return {};
  if (traits.matrix != MatrixPath::mfma) {
    return refuse(Reason::scheduling_unsupported, Text{} << "the schedules beside Scheduling::compiler are for MFMA, "
                                                            "which "
                                                         << traits.name << " has not");
  }
  if (t.scheduling != Scheduling::ping_pong) return {};
  if (t.pipeline != Pipeline::double_buffer) {
    return refuse(Reason::scheduling_unsupported,
                  Text{} << "Scheduling::ping_pong reads one LDS buffer while it writes another: it needs "
                            "Pipeline::double_buffer");
  }
  if (const int waves = t.waves.m * t.waves.n; waves != 2 * traits.simds) {
    return refuse(Reason::scheduling_unsupported, Text{} << "Scheduling::ping_pong puts two waves on each of "
                                                         << traits.simds << " SIMDs, but there are " << waves);
  }
  return {};
}

/// Pipeline, staging, transposition and scheduling go together, and the target has what they need.
ZELLIGE_HD constexpr Verdict check_schedule(const Tiling& t, const Derived& d, Arch arch) {
  const ArchTraits traits = arch_traits(arch);
  if (Verdict v = check_load_waves(t, traits); !v.ok) return v;
  if (Verdict v = check_transpose(t, d, traits); !v.ok) return v;
  if (Verdict v = check_staging(t, d, traits); !v.ok) return v;
  return check_scheduling(t, traits);
}

}  // namespace zellige::detail
