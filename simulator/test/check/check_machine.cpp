// The workgroup under checks; check_machine.hpp states what each part does.
#include "simulator/test/check/check_machine.hpp"

#include <algorithm>
#include <array>

#include "simulator/dispatch/kernel_start.hpp"
#include "simulator/memory/arena.hpp"
#include "simulator/test/execute/assembly_machine.hpp"

namespace zellige::sim::test {

CheckMachine::CheckMachine(std::string target, unsigned checks, int waves, std::uint32_t lds_bytes)
    : target_(std::move(target)),
      checks_(checks),
      lanes_(target_.starts_with("gfx9") ? 64 : 32),
      storage_(static_cast<std::size_t>(waves) * allocated_rows * row_lanes + 16, poison),
      lds_(lds_bytes + 64),
      scratch_(static_cast<std::size_t>(waves) * row_lanes * scratch_bytes) {
  const auto aligned = (reinterpret_cast<std::uint64_t>(storage_.data()) + 63) / 64 * 64;
  group_.waves.resize(static_cast<std::size_t>(waves));
  group_.counts = &counts_;
  group_.fault = &fault_;
  group_.arena = &Arena::instance();
  group_.lds = lds_.data();
  group_.lds_bytes = lds_bytes;
  group_.shadow = &shadow_;
  for (int id = 0; id < waves; ++id) {
    Wave& wave = group_.waves[static_cast<std::size_t>(id)];
    wave.id = id;
    wave.group = &group_;
    wave.lanes = lanes_;
    wave.vector = reinterpret_cast<std::uint32_t*>(aligned) + std::ptrdiff_t{id} * allocated_rows * row_lanes;
    wave.scratch = scratch_.data() + static_cast<std::size_t>(id) * row_lanes * scratch_bytes;
    wave.scratch_bytes = scratch_bytes;
    std::ranges::fill(wave.scalar, poison);
    wave.scalar[30] = static_cast<std::uint32_t>(id);
    wave.scalar[scalar_m0] = 0;
    wave.scalar[scalar_vcc + 1] = lanes_ == 32 ? 0 : poison;
    wave.set_scalar64(scalar_exec, lanes_ == 64 ? ~std::uint64_t{0} : 0xffffffffu);
    wave.refresh_exec();
  }
  shadow_.begin(group_, checks_);
  if (!(checks_ & check_race)) return;
  constexpr std::array<std::uint32_t, 3> one = {1, 1, 1};
  race_ = std::make_unique<RaceLaunch>(race_rules(target_, false), static_cast<std::uint32_t>(waves), one, one, false);
  shadow_.race.begin(*race_, 0, waves, lds_bytes, false);
}

void CheckMachine::set_lane(Wave& wave, int row, int lane, std::uint32_t value) {
  wave.row(row)[lane] = value;
  if (checks_ & check_uninit)
    shadow_.defined[static_cast<std::size_t>(wave.id)].rows[static_cast<std::size_t>(row)] |= std::uint64_t{1} << lane;
}

void CheckMachine::set_scalar(int number, std::uint32_t value) {
  for (Wave& wave : group_.waves) {
    wave.scalar[number] = value;
    if (checks_ & check_uninit)
      shadow_.defined[static_cast<std::size_t>(wave.id)].scalars[static_cast<std::size_t>(number)] = ~0u;
  }
}

void CheckMachine::set_exec(std::uint64_t mask) {
  for (Wave& wave : group_.waves) {
    wave.set_scalar64(scalar_exec, mask);
    wave.refresh_exec();
  }
}

std::string CheckMachine::run(const std::string& text) {
  const auto code = assemble(target_, text + "\ns_endpgm\n", lanes_);
  constexpr std::uint64_t base = 0x10000;
  const auto program = decode(target_, lanes_, code.data(), base, code.size(), base, "test");
  attach_checks(*program, checks_);
  group_.program = program.get();
  fault_ = Fault{};
  for (Wave& wave : group_.waves) wave.state = WaveState::ready, wave.next = program->entry;
  for (bool going = true; going && !fault_.raised;) {
    going = false;
    for (Wave& wave : group_.waves) {
      if (wave.state == WaveState::ended) continue;
      wave.state = WaveState::ready;
      wave.budget = 1000;
      sim::run(wave);
      if (fault_.raised) break;
      going |= wave.state != WaveState::ended;
    }
  }
  group_.program = nullptr;
  return fault_.message;
}

testing::AssertionResult says(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    if (text.find(part) == std::string::npos)
      return testing::AssertionFailure() << "'" << text << "' does not say '" << part << "'";
  return testing::AssertionSuccess();
}

}  // namespace zellige::sim::test
