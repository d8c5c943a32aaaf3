// Definedness through vector and matrix instructions; uninit.hpp states the law.
#include "simulator/check/checked_program.hpp"
#include "simulator/check/shadow.hpp"
#include "simulator/check/uninit.hpp"

namespace zellige::sim {
namespace {

constexpr std::uint64_t every_lane = ~std::uint64_t{0};

/// One vector instruction of one wave.
class VectorStep {
 public:
  VectorStep(const Step& step, const Instruction& instruction, Flow flow)
      : step_(step),
        flow_(flow),
        wave_(step.wave),
        i_(instruction),
        defined_(step.shadow.defined[static_cast<std::size_t>(step.wave.id)]),
        lanes_(wave_.lanes == 64 ? every_lane : 0xffffffffu),
        exec_(wave_.exec() & lanes_),
        written_(exec_) {
    if (i_.dpp_lanes != nullptr) prepare_dpp();
  }

  bool run() {
    switch (flow_) {
      case Flow::define:
        return finish([](int) { return every_lane; });
      case Flow::packed:
        return any_source();
      case Flow::pairs:
        return pairs();
      case Flow::select:
        return select();
      case Flow::read_first_lane:
        return read_lane(exec_ == 0 ? 0 : __builtin_ctzll(exec_), true);
      case Flow::read_lane:
        return read_lane(static_cast<int>(scalar_value(i_.src[1]) & static_cast<std::uint32_t>(wave_.lanes - 1)),
                         scalar_defined(i_.src[1], 0));
      case Flow::write_lane:
        return write_lane();
      case Flow::swap:
        return swap_rows();
      case Flow::swap_blocks16:
        return swap_blocks(16, 0x0000ffff0000ffffu);
      case Flow::swap_blocks32:
        return swap_blocks(32, 0x00000000ffffffffu);
      case Flow::permute:
        return permute();
      case Flow::matrix:
        return matrix();
      default:
        return every_source();
    }
  }

 private:
  void prepare_dpp() {
    const DppLanes& dpp = *i_.dpp_lanes;
    valid_ = dpp.in_range;
    if (exec_ != lanes_ && !i_.dpp.fetch_inactive) valid_ &= moved(exec_);
    written_ = exec_ & dpp.gated & (i_.dpp.bound_control ? every_lane : valid_);
  }

  /// Bit l: bit from[l] of `bits`.
  std::uint64_t moved(std::uint64_t bits) const {
    std::uint64_t result = 0;
    for (int lane = 0; lane < wave_.lanes; ++lane) result |= (bits >> i_.dpp_lanes->from[lane] & 1) << lane;
    return result;
  }

  int index_shift(std::uint32_t flag) const {
    return (i_.flags & flag) ? static_cast<int>(wave_.scalar[scalar_m0] & 0xff) : 0;
  }
  int row_index(const Operand& operand, int word, std::uint32_t flag) const {
    const int row = operand.index + word + index_shift(flag);
    return row < allocated_rows ? row : allocated_rows - 1;  // the handler's own fault
  }

  bool scalar_defined(const Operand& operand, int word) const {
    if (operand.kind != OperandKind::scalar) return true;
    const std::uint32_t bits = defined_.scalars[operand.index + word];
    return is_half(operand.type) ? (bits & 0xffff) == 0xffff || bits >> 16 == 0xffff : bits == ~0u;
  }
  std::uint32_t scalar_value(const Operand& operand) const {
    return operand.kind == OperandKind::scalar     ? wave_.scalar[operand.index]
           : operand.kind == OperandKind::constant ? operand.rows[0]
                                                   : 0;
  }

  /// Lanes of word `word` of source k that are defined.
  std::uint64_t source(int k, int word) const {
    const Operand& operand = i_.src[k];
    switch (operand.kind) {
      case OperandKind::vector: {
        constexpr std::uint32_t flags[] = {flag_index_source_0, flag_index_source_1, flag_index_source_2, 0};
        const std::uint64_t bits = defined_.rows[static_cast<std::size_t>(row_index(operand, word, flags[k]))];
        return k == 0 && i_.dpp_lanes != nullptr ? moved(bits) | ~valid_ : bits;
      }
      case OperandKind::scalar:
        if (operand.type == ValueType::mask) return mask_defined(operand);
        return scalar_defined(operand, word) ? every_lane : 0;
      default:
        return every_lane;
    }
  }
  std::uint64_t mask_defined(const Operand& operand) const {
    return operand.words == 2 ? defined_.scalar_pair(operand.index) : defined_.scalars[operand.index];
  }

  /// Gives the results their lanes, which `lanes_of` tells by word.
  template <class LanesOf>
  bool finish(LanesOf lanes_of) {
    const Operand& dst = i_.dst;
    if (step_.plan.uninit.saves_exec || (i_.flags & flag_writes_exec)) {
      if (const std::uint64_t open = exec_ & ~lanes_of(0)) return fault_source(open);
    }
    if (dst.kind == OperandKind::vector) {
      for (int word = 0; word < dst.words; ++word) {
        std::uint64_t& row = defined_.rows[static_cast<std::size_t>(row_index(dst, word, flag_index_destination))];
        row = (row & ~written_) | (lanes_of(word) & written_);
      }
    }
    const std::uint64_t last = lanes_of(dst.kind == OperandKind::vector ? dst.words - 1 : 0);
    if (dst.kind == OperandKind::scalar) define_mask(dst, last);
    if (i_.dst2.kind == OperandKind::scalar) define_mask(i_.dst2, last);
    return true;
  }
  /// A mask that the instruction writes: inactive lanes give 0.
  void define_mask(const Operand& operand, std::uint64_t lanes) {
    const std::uint64_t bits = lanes | ~exec_;
    defined_.scalars[operand.index] = static_cast<std::uint32_t>(bits);
    if (operand.words == 2) defined_.scalars[operand.index + 1] = static_cast<std::uint32_t>(bits >> 32);
  }

  /// EXEC would depend on something undefined: names the source.
  bool fault_source(std::uint64_t open) const {
    const int lane = __builtin_ctzll(open);
    for (int k = 0; k < 4; ++k)
      for (int word = 0; word < i_.src[k].words; ++word) {
        if (source(k, word) >> lane & 1) continue;
        if (i_.src[k].kind == OperandKind::vector)
          return fault_undefined_row(step_, lane, i_.src[k].index + word, "a bit of EXEC");
        return fault_undefined_scalar(step_, i_.src[k].index + word, "a bit of EXEC");
      }
    return fault_undefined_scalar(step_, scalar_exec, "a bit of EXEC");
  }

  bool every_source() {
    const int words = i_.dst.kind == OperandKind::vector ? i_.dst.words : 1;
    std::uint64_t lanes[16], all = every_lane;
    for (int word = 0; word < words && word < 16; ++word) {
      for (int k = 0; k < 4; ++k) {
        // What is wider than the result counts whole.
        const int end = word + 1 == words ? i_.src[k].words : word + 1;
        if (i_.src[k].kind == OperandKind::none) continue;
        for (int w = word; w < end && w < i_.src[k].words; ++w) all &= source(k, w);
      }
      lanes[word] = all;
    }
    return finish([&](int word) { return word < 16 ? lanes[word] : all; });
  }

  bool any_source() {
    std::uint64_t some = 0, scalars = every_lane;
    bool rows = false;
    for (int k = 0; k < 4; ++k)
      for (int word = 0; word < i_.src[k].words; ++word) {
        if (i_.src[k].kind == OperandKind::vector) rows = true, some |= source(k, word);
        if (i_.src[k].kind == OperandKind::scalar) scalars &= source(k, word);
      }
    if (!rows) some = scalars;
    return finish([&](int) { return some; });
  }

  bool pairs() {
    std::uint64_t lanes[2] = {every_lane, every_lane};
    for (int k = 0; k < 4; ++k) {
      const Operand& operand = i_.src[k];
      if (operand.kind == OperandKind::none || operand.kind == OperandKind::constant) continue;
      const int last = operand.words - 1;
      lanes[0] &= source(k, operand.modifiers & modifier_op_sel ? last : 0);
      lanes[1] &= source(k, operand.modifiers & modifier_op_sel_high ? last : 0);
    }
    return finish([&](int word) { return lanes[word & 1]; });
  }

  bool select() {
    const Operand& mask = i_.src[2];
    std::uint64_t taken = 0;
    if (mask.kind == OperandKind::scalar)
      taken = mask.words == 2 ? wave_.scalar64(mask.index) : wave_.scalar[mask.index];
    else if (mask.kind == OperandKind::constant)
      taken = mask.constant();
    const std::uint64_t lanes = ((source(0, 0) & ~taken) | (source(1, 0) & taken)) & source(2, 0);
    return finish([&](int) { return lanes; });
  }

  bool read_lane(int lane, bool index_defined) {
    const Operand& from = i_.src[0];
    const bool known =
        index_defined &&
        (from.kind == OperandKind::vector
             ? defined_.rows[static_cast<std::size_t>(row_index(from, 0, flag_index_source_0))] >> lane & 1
             : scalar_defined(from, 0));
    if (i_.dst.kind == OperandKind::scalar) defined_.scalars[i_.dst.index] = known ? ~0u : 0;
    return true;
  }

  bool write_lane() {
    if (!scalar_defined(i_.src[1], 0)) return fault_undefined_scalar(step_, i_.src[1].index, "the number of a lane");
    const std::uint64_t bit = std::uint64_t{1}
                              << (scalar_value(i_.src[1]) & static_cast<std::uint32_t>(wave_.lanes - 1));
    std::uint64_t& row = defined_.rows[i_.dst.index];
    row = scalar_defined(i_.src[0], 0) ? row | bit : row & ~bit;
    return true;
  }

  bool swap_rows() {
    std::uint64_t& a = defined_.rows[i_.dst.index];
    std::uint64_t& b = defined_.rows[i_.src[0].index];
    const std::uint64_t differ = (a ^ b) & exec_;
    a ^= differ, b ^= differ;
    return true;
  }

  /// The upper block of each pair of the destination for the lower block of the source.
  bool swap_blocks(int block, std::uint64_t lower) {
    std::uint64_t& a = defined_.rows[i_.dst.index];
    std::uint64_t& b = defined_.rows[i_.src[0].index];
    const std::uint64_t to_a = (b & lower) << block, to_b = a >> block & lower;
    const std::uint64_t upper = exec_ & lower << block, low = exec_ & lower;
    a = (a & ~upper) | (to_a & upper);
    b = (b & ~low) | (to_b & low);
    return true;
  }

  bool permute() {
    const UninitPlan& plan = step_.plan.uninit;
    const Operand &address = i_.src[0], &data = i_.src[1];
    const std::uint64_t addresses = source(0, 0), values = source(1, 0);
    std::uint64_t lanes = 0;
    for (std::uint64_t mask = exec_; mask != 0; mask &= mask - 1) {
      const int lane = __builtin_ctzll(mask);
      if (!(addresses >> lane & 1)) return fault_undefined_row(step_, lane, address.index, "the number of a lane");
      const std::uint32_t at = wave_.row(address.index)[lane] + static_cast<std::uint32_t>(i_.offset);
      const int span = plan.permutes_halves ? 32 : wave_.lanes;
      const int from = static_cast<int>(at / 4 % static_cast<std::uint32_t>(span)) + lane / span * span;
      const bool gives_zero = !plan.permutes_inactive && !(exec_ >> from & 1);
      const bool known = gives_zero || data.kind != OperandKind::vector || (values >> from & 1);
      lanes |= std::uint64_t{known} << lane;
    }
    return finish([&](int) { return lanes; });
  }

  bool matrix() {
    for (const RegisterSpan& span : step_.plan.registers.rows_read)
      for (int row = span.first; row < span.first + span.words; ++row)
        if (const std::uint64_t open = lanes_ & ~defined_.rows[static_cast<std::size_t>(row)])
          return fault_undefined_row(step_, __builtin_ctzll(open), row, "an input of a matrix instruction");
    for (const RegisterSpan& span : step_.plan.registers.rows_written)
      for (int row = span.first; row < span.first + span.words; ++row)
        defined_.rows[static_cast<std::size_t>(row)] = lanes_;
    return true;
  }

  const Step& step_;
  const Flow flow_;
  Wave& wave_;
  const Instruction& i_;
  WaveDefinedness& defined_;
  const std::uint64_t lanes_, exec_;
  std::uint64_t written_, valid_ = every_lane;
};

}  // namespace

bool uninit_vector(const Step& step) {
  const Instruction& instruction = *step.instruction;
  if (instruction.halves == nullptr) return VectorStep(step, instruction, step.plan.uninit.flow).run();
  for (int half = 0; half < 2; ++half) {
    const Instruction& i = instruction.halves[half];
    const Flow flow = i.src[2].type == ValueType::mask ? Flow::select : Flow::lanes;
    if (!VectorStep(step, i, flow).run()) return false;
  }
  // The first result may wait in the staging row until the second half has read its sources.
  if (instruction.halves[0].dst.index == staging_row) {
    WaveDefinedness& defined = step.shadow.defined[static_cast<std::size_t>(step.wave.id)];
    const std::uint64_t exec = step.wave.exec();
    std::uint64_t& row = defined.rows[instruction.dst.index];
    row = (row & ~exec) | (defined.rows[staging_row] & exec);
  }
  return true;
}

}  // namespace zellige::sim
