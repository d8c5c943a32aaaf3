// What the checks know of a workgroup in flight, beside its registers and memory.
//
// One host thread runs a workgroup at a time, so nothing here needs a lock.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/check/access_shape.hpp"
#include "simulator/check/byte_bits.hpp"
#include "simulator/check/definedness.hpp"
#include "simulator/check/race_model.hpp"
#include "simulator/check/settings.hpp"
#include "simulator/check/wait.hpp"
#include "simulator/execute/workgroup.hpp"

namespace zellige::sim {

/// Workgroup::shadow.
struct GroupShadow {
  ShapeCache shapes;  ///< check_uninit, check_race: of the accesses so far

  ByteBits lds_written;                  ///< check_uninit: bytes of LDS that the workgroup has written
  std::vector<WaveDefinedness> defined;  ///< check_uninit: by Wave::id

  std::vector<WaveWaits> waits;  ///< check_wait: by Wave::id
  ByteBits lds_arriving;         ///< check_wait: bytes of LDS that outstanding copies write
  int copies_to_lds = 0;         ///< check_wait: outstanding copies

  RaceGroup race;  ///< check_race: begun apart, as it needs the launch's part

  /// The workgroup is about to start; its waves and LDS are set up.
  void begin(const Workgroup& group, unsigned checks) {
    shapes.begin();
    if (checks & check_uninit) {
      lds_written.reset(group.lds_bytes);
      defined.resize(group.waves.size());
      for (const Wave& wave : group.waves) defined[static_cast<std::size_t>(wave.id)].begin(wave);
    }
    if (checks & check_wait) {
      waits.resize(group.waves.size());
      for (WaveWaits& wave : waits) wave.begin();
      lds_arriving.reset(group.lds_bytes);
      copies_to_lds = 0;
    }
  }
};

}  // namespace zellige::sim
