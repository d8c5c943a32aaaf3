// Control: branches, calls, barriers, traps, hardware registers, waits, clocks, and the wrappers around other handlers.
//
// Waits and cache controls have no effect: memory operations complete at once here. s_sleep yields, so that a wave that
// spins on memory lets others run.
#include "simulator/execute/control.hpp"

#include "simulator/execute/executor.hpp"
#include "simulator/execute/float_mode.hpp"
#include "simulator/execute/scalar.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

const Instruction* with_status_read(Wave& wave, const Instruction* i);
const Instruction* with_register_index(Wave& wave, const Instruction* i);
const Instruction* unknown_operation(Wave& wave, const Instruction* i);

namespace {

/// A wave32 has VCC_LO only: the other half is any scalar.
ZELLIGE_SIM_INLINE bool vcc_is_zero(const Wave& wave) {
  return (lanes == 32 ? wave.scalar[scalar_vcc] : wave.scalar64(scalar_vcc)) == 0;
}

enum class Condition { always, scc0, scc1, vccz, vccnz, execz, execnz };

template <Condition condition>
const Instruction* branch(Wave& wave, const Instruction* i) {
  const bool taken = condition == Condition::always  ? true
                     : condition == Condition::scc0  ? wave.scc == 0
                     : condition == Condition::scc1  ? wave.scc != 0
                     : condition == Condition::vccz  ? vcc_is_zero(wave)
                     : condition == Condition::vccnz ? !vcc_is_zero(wave)
                     : condition == Condition::execz ? wave.exec() == 0
                                                     : wave.exec() != 0;
  if (!taken) return i + 1;
  if (i->target == nullptr) return raise_fault(wave, i, "the branch leaves the decoded code");
  return take_branch(wave, i, i->target);
}

const Instruction* jump(Wave& wave, const Instruction* i, u64 address) {
  const Instruction* to = instruction_at(wave, i, address);
  if (to == nullptr)
    return raise_fault(wave, i, "jump to 0x%llx, which is no instruction of the kernel's code",
                       static_cast<unsigned long long>(address));
  return take_branch(wave, i, to);
}

const Instruction* get_pc(Wave& wave, const Instruction* i) {
  write_scalar<u64>(wave, i->dst, address_of(wave, i) + 4);
  return i + 1;
}
const Instruction* set_pc(Wave& wave, const Instruction* i) { return jump(wave, i, read_scalar<u64>(wave, i->src[0])); }
const Instruction* swap_pc(Wave& wave, const Instruction* i) {
  const u64 to = read_scalar<u64>(wave, i->src[0]);
  write_scalar<u64>(wave, i->dst, address_of(wave, i) + 4);
  return jump(wave, i, to);
}
/// The distance counts from the next instruction.
const Instruction* add_pc(Wave& wave, const Instruction* i) {
  return jump(wave, i, address_of(wave, i + 1) + read_scalar<u64>(wave, i->src[0]));
}
const Instruction* call(Wave& wave, const Instruction* i) {
  write_scalar<u64>(wave, i->dst, address_of(wave, i) + 4);
  if (i->target == nullptr) return raise_fault(wave, i, "the call leaves the decoded code");
  return take_branch(wave, i, i->target);
}

const Instruction* nothing(Wave&, const Instruction* i) { return i + 1; }
const Instruction* set_window(Wave& wave, const Instruction* i) { return switch_window(wave, i); }
const Instruction* end_program(Wave& wave, const Instruction* i) { return leave(wave, i, WaveState::ended); }
const Instruction* code_end(Wave& wave, const Instruction* i) {
  return raise_fault(wave, i, "the wave ran into the padding behind the code");
}
const Instruction* barrier(Wave& wave, const Instruction* i) {
  wave.barrier = 0;
  return leave(wave, i, WaveState::at_barrier);
}
const Instruction* sleep(Wave& wave, const Instruction* i) { return leave(wave, i, WaveState::ready); }
const Instruction* trap(Wave& wave, const Instruction* i) {
  return raise_fault(wave, i, "trap %d%s", i->offset, i->offset == 2 ? " (abort, assert or __builtin_trap)" : "");
}

enum HardwareRegister {
  register_mode = 1,
  register_status = 2,
  register_trap_status = 3,
  register_hw_id = 4,
  register_gpr_alloc = 5,
  register_lds_alloc = 6,
  register_ib_status = 7,
  register_memory_bases = 15,
  register_xcc_id = 20,
  register_hw_id_1 = 23,
  register_hw_id_2 = 24,
  register_ib_status_2 = 28,
  register_shader_cycles_low = 29,
  register_shader_cycles_high = 30
};

/// IB_STS2 of gfx1250 holds the wave's place in its cluster: the greatest flat workgroup number in [9:6], 0 outside of
/// clusters, and the workgroup's own in [24:21]; as LLVM's lowering of workgroup ids reads it.
ZELLIGE_SIM_INLINE u32 place_in_cluster(const Wave& wave) {
  const Workgroup& group = *wave.group;
  if (group.cluster == nullptr) return 0;
  return static_cast<u32>(group.cluster->groups.size() - 1) << 6 | group.cluster_rank << 21;
}

/// Instruction::offset is the register, offset2 the first bit and the number of bits << 8.
const Instruction* get_register(Wave& wave, const Instruction* i) {
  u32 value = 0;
  switch (i->offset) {
    case register_mode:
      value = wave.mode;
      break;
    case register_status:
      value = wave.scc | u32{wave.exec() == 0} << 9 | u32{vcc_is_zero(wave)} << 10 | 1u << 16;
      break;
    // Wave slot in [3:0] and SIMD in [5:4]; the compute unit and above read as 0, as workgroups have no place here.
    case register_hw_id:
      value = static_cast<u32>(wave.id / 4 & 15) | static_cast<u32>(wave.id % 4) << 4;
      break;
    // Wave slot in [4:0] and SIMD in [9:8].
    case register_hw_id_1:
      value = static_cast<u32>(wave.id / 4 & 31) | static_cast<u32>(wave.id % 4) << 8;
      break;
    case register_shader_cycles_low:
      value = static_cast<u32>(clock_at(wave, i));
      break;
    case register_shader_cycles_high:
      value = static_cast<u32>(clock_at(wave, i) >> 32);
      break;
    case register_lds_alloc:
      value = (wave.group->lds_bytes + 511) / 512 << 12;
      break;
    case register_memory_bases:
      value = wave.scalar[scalar_private_base + 1] >> 16 | (wave.scalar[scalar_shared_base + 1] & 0xffff'0000u);
      break;
    case register_ib_status_2:
      value = place_in_cluster(wave);
      break;
    case register_trap_status:
    case register_gpr_alloc:
    case register_ib_status:
    case register_hw_id_2:
    case register_xcc_id:
      break;
    default:
      return raise_fault(wave, i, "hardware register %d is not modelled", i->offset);
  }
  const int first = i->offset2 & 0xff, bits = i->offset2 >> 8;
  write_scalar<u32>(wave, i->dst, value >> first & (bits >= 32 ? ~0u : (1u << bits) - 1));
  return i + 1;
}

/// Other float controls need another loop: the wave leaves this one, and run() goes on behind the instruction.
const Instruction* set_mode(Wave& wave, const Instruction* i, u32 value, u32 mask) {
  const u32 before = wave.mode;
  wave.mode = (before & ~mask) | (value & mask);
  return ((before ^ wave.mode) & float_mode_bits) != 0 ? leave(wave, i, WaveState::ready) : i + 1;
}

const Instruction* set_register(Wave& wave, const Instruction* i) {
  if (i->offset == register_trap_status) return i + 1;
  if (i->offset != register_mode) return raise_fault(wave, i, "hardware register %d cannot be written here", i->offset);
  const int first = i->offset2 & 0xff, bits = i->offset2 >> 8;
  const u32 mask = (bits >= 32 ? ~0u : (1u << bits) - 1) << first;
  return set_mode(wave, i, read_scalar<u32>(wave, i->src[0]) << first, mask);
}
const Instruction* round_mode(Wave& wave, const Instruction* i) {
  return set_mode(wave, i, static_cast<u32>(i->offset), 0xf);
}
const Instruction* denormal_mode(Wave& wave, const Instruction* i) {
  return set_mode(wave, i, static_cast<u32>(i->offset) << 4, 0xf0);
}

const Instruction* memory_time(Wave& wave, const Instruction* i) {
  write_scalar<u64>(wave, i->dst, clock_at(wave, i));
  return i + 1;
}
/// A constant 100 MHz clock, about a twentieth of the shader's.
const Instruction* memory_real_time(Wave& wave, const Instruction* i) {
  write_scalar<u64>(wave, i->dst, clock_at(wave, i) / 20);
  return i + 1;
}

/// The message is Instruction::offset; there are no doorbells, debuggers or traps to ask for.
template <class T>
const Instruction* send_message(Wave& wave, const Instruction* i) {
  constexpr int get_realtime = 0x83;
  write_scalar<T>(wave, i->dst, static_cast<T>(i->offset == get_realtime ? clock_at(wave, i) / 20 : 0));
  return i + 1;
}

/// M0[7:0] is the index; M0[15:12] says which operands it moves.
const Instruction* index_on(Wave& wave, const Instruction* i) {
  wave.scalar[scalar_m0] = (wave.scalar[scalar_m0] & ~0xf0ffu) | (read_scalar<u32>(wave, i->src[0]) & 0xff) |
                           static_cast<u32>(i->offset) << 12;
  return i + 1;
}
const Instruction* index_set(Wave& wave, const Instruction* i) {
  wave.scalar[scalar_m0] = (wave.scalar[scalar_m0] & ~0xffu) | (read_scalar<u32>(wave, i->src[0]) & 0xff);
  return i + 1;
}
const Instruction* index_mode(Wave& wave, const Instruction* i) {
  wave.scalar[scalar_m0] = (wave.scalar[scalar_m0] & ~0xf000u) | static_cast<u32>(i->offset) << 12;
  return i + 1;
}

constexpr ValueType none = ValueType::none, b32 = ValueType::b32, b64 = ValueType::b64;

constexpr Operation control(std::string_view mnemonic, OpClass op_class, Handler handler, ValueType dst = none,
                            ValueType source = none) {
  return {.mnemonic = mnemonic, .op_class = op_class, .dst = dst, .src = {source}, .plain = handler};
}

/// SOPK: a scalar and a constant, of which the text names both.
constexpr Operation count_wait(std::string_view mnemonic) {
  return {.mnemonic = mnemonic, .op_class = OpClass::wait, .src = {b32, b32}, .plain = &nothing};
}

constexpr Operation rows[] = {
    control("s_branch", OpClass::branch, &branch<Condition::always>),
    control("s_cbranch_scc0", OpClass::branch, &branch<Condition::scc0>),
    control("s_cbranch_scc1", OpClass::branch, &branch<Condition::scc1>),
    control("s_cbranch_vccz", OpClass::branch, &branch<Condition::vccz>),
    control("s_cbranch_vccnz", OpClass::branch, &branch<Condition::vccnz>),
    control("s_cbranch_execz", OpClass::branch, &branch<Condition::execz>),
    control("s_cbranch_execnz", OpClass::branch, &branch<Condition::execnz>),
    control("s_getpc_b64", OpClass::salu, &get_pc, b64),
    control("s_setpc_b64", OpClass::branch, &set_pc, none, b64),
    control("s_swappc_b64", OpClass::branch, &swap_pc, b64, b64),
    control("s_call_b64", OpClass::branch, &call, b64),
    control("s_endpgm", OpClass::other, &end_program),
    control("s_endpgm_saved", OpClass::other, &end_program),
    control("s_barrier", OpClass::barrier, &barrier),
    control("s_nop", OpClass::other, &nothing),
    control("s_waitcnt", OpClass::wait, &nothing),
    control("s_sleep", OpClass::wait, &sleep),
    control("s_setprio", OpClass::other, &nothing),
    control("s_sendmsg", OpClass::other, &nothing),
    control("s_icache_inv", OpClass::other, &nothing),
    control("s_incperflevel", OpClass::other, &nothing),
    control("s_decperflevel", OpClass::other, &nothing),
    control("s_ttracedata", OpClass::other, &nothing),
    control("s_dcache_inv", OpClass::smem, &nothing),
    control("s_dcache_wb", OpClass::smem, &nothing),
    control("s_dcache_inv_vol", OpClass::smem, &nothing),
    control("s_dcache_wb_vol", OpClass::smem, &nothing),
    control("s_trap", OpClass::other, &trap),
    control("s_getreg_b32", OpClass::salu, &get_register, b32),
    control("s_setreg_b32", OpClass::salu, &set_register, none, b32),
    control("s_setreg_imm32_b32", OpClass::salu, &set_register, none, b32),
    control("s_memtime", OpClass::smem, &memory_time, b64),
    control("s_memrealtime", OpClass::smem, &memory_real_time, b64),
    control("s_set_vgpr_msb", OpClass::other, &set_window),
    control("s_set_gpr_idx_on", OpClass::salu, &index_on, none, b32),
    control("s_set_gpr_idx_off", OpClass::salu, &nothing),
    control("s_set_gpr_idx_idx", OpClass::salu, &index_set, none, b32),
    control("s_set_gpr_idx_mode", OpClass::salu, &index_mode),
    control("s_get_shader_cycles_u64", OpClass::salu, &memory_time, b64),
    control("s_sendmsg_rtn_b32", OpClass::salu, &send_message<u32>, b32),
    control("s_sendmsg_rtn_b64", OpClass::salu, &send_message<u64>, b64),
    control("s_add_pc_i64", OpClass::branch, &add_pc, none, ValueType::i64),
    control("s_round_mode", OpClass::salu, &round_mode),
    control("s_denorm_mode", OpClass::salu, &denormal_mode),
    // Hints and waits of gfx11 and later.
    control("s_clause", OpClass::other, &nothing),
    control("s_code_end", OpClass::other, &code_end),
    control("s_delay_alu", OpClass::wait, &nothing),
    control("s_set_inst_prefetch_distance", OpClass::other, &nothing),
    control("s_setprio_inc_wg", OpClass::other, &nothing),
    control("s_ttracedata_imm", OpClass::other, &nothing),
    control("s_version", OpClass::other, &nothing),
    control("s_waitcnt_depctr", OpClass::wait, &nothing),
    count_wait("s_waitcnt_vmcnt"),
    count_wait("s_waitcnt_vscnt"),
    count_wait("s_waitcnt_expcnt"),
    count_wait("s_waitcnt_lgkmcnt"),
    control("s_wait_alu", OpClass::wait, &nothing),
    control("s_wait_asynccnt", OpClass::wait, &nothing),
    control("s_wait_bvhcnt", OpClass::wait, &nothing),
    control("s_wait_dscnt", OpClass::wait, &nothing),
    control("s_wait_event", OpClass::wait, &nothing),
    control("s_wait_expcnt", OpClass::wait, &nothing),
    control("s_wait_idle", OpClass::wait, &nothing),
    control("s_wait_kmcnt", OpClass::wait, &nothing),
    control("s_wait_loadcnt", OpClass::wait, &nothing),
    control("s_wait_loadcnt_dscnt", OpClass::wait, &nothing),
    control("s_wait_samplecnt", OpClass::wait, &nothing),
    control("s_wait_storecnt", OpClass::wait, &nothing),
    control("s_wait_storecnt_dscnt", OpClass::wait, &nothing),
    control("s_wait_tensorcnt", OpClass::wait, &nothing),
    control("s_wait_xcnt", OpClass::wait, &nothing),
    control("s_sleep_var", OpClass::wait, &sleep, none, b32),
    control("s_monitor_sleep", OpClass::wait, &sleep),
    control("s_gl1_inv", OpClass::smem, &nothing),
    control("global_inv", OpClass::other, &nothing),
    control("global_wb", OpClass::other, &nothing),
    control("global_wbinv", OpClass::other, &nothing),
    control("buffer_gl0_inv", OpClass::other, &nothing),
    control("buffer_gl1_inv", OpClass::other, &nothing),
    // What the decoder puts around or in place of other handlers; no assembler text has these names.
    control("(exec write)", OpClass::other, &with_exec_write),
    control("(status read)", OpClass::other, &with_status_read),
    control("(register index)", OpClass::other, &with_register_index),
    control("(unknown)", OpClass::other, &unknown_operation),
};

}  // namespace

const Instruction* with_exec_write(Wave& wave, const Instruction* i) {
  const Instruction* next = i->wrapped(wave, i);
  wave.refresh_exec();
  return next;
}

const Instruction* with_status_read(Wave& wave, const Instruction* i) {
  wave.scalar[scalar_vccz] = vcc_is_zero(wave);
  wave.scalar[scalar_execz] = wave.exec() == 0;
  wave.scalar[scalar_scc] = wave.scc;
  const Instruction* next = i->wrapped(wave, i);
  if (i->flags & flag_writes_exec) wave.refresh_exec();
  return next;
}

const Instruction* with_register_index(Wave& wave, const Instruction* i) {
  Instruction moved = *i;
  const u32 index = wave.scalar[scalar_m0] & 0xff;
  const auto move = [&](Operand& operand, u32 flag) {
    if ((i->flags & flag) && operand.kind == OperandKind::vector)
      operand.index = static_cast<u16>(operand.index + index);
    return operand.kind != OperandKind::vector || operand.index + operand.words <= vector_rows;
  };
  if (!(move(moved.src[0], flag_index_source_0) && move(moved.src[1], flag_index_source_1) &&
        move(moved.src[2], flag_index_source_2) && move(moved.dst, flag_index_destination)))
    return raise_fault(wave, i, "register index %u passes the last register", index);
  return moved.wrapped(wave, &moved) == nullptr ? nullptr : i + 1;
}

const Instruction* unknown_operation(Wave& wave, const Instruction* i) {
  return raise_fault(wave, i, "instruction is not implemented");
}

OperationTable control_operations() { return scalar_table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
