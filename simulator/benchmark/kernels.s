// The instruction streams that the benchmark times: a loop of 16 copies of one instruction, s0 times.
//
// Kernel n begins at byte 1024 * n of the text, in the order of `streams` in simulator_benchmark.cpp. Registers:
// s[4:7] buffer descriptor, v0 buffer offsets, v1 LDS addresses, v[2:9] operands, v[16:..] and a[0:31] results.

.macro begin
  .p2align 10, 0
0:
.endm

.macro end
  s_sub_u32 s0, s0, 1
  s_cmp_lg_u32 s0, 0
  s_cbranch_scc1 0b
  s_endpgm
.endm

.text
begin
.irp d, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  v_add_f32 v\d, v2, v3
.endr
end
begin
.irp d, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  v_fma_f32 v\d, v2, v3, v4
.endr
end
begin
.irp d, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  v_add_u32 v\d, v2, v3
.endr
end
begin
.irp d, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  v_cndmask_b32 v\d, v2, v3, vcc
.endr
end
begin
.rept 16
  v_cmp_lt_u32 vcc, v2, v3
.endr
end
begin
.irp d, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
  v_pk_fma_f16 v\d, v2, v3, v4
.endr
end
begin
.rept 16
  v_mfma_f32_32x32x8_f16 a[0:15], v[2:3], v[4:5], a[0:15]
.endr
end
begin
.rept 16
  v_mfma_f32_16x16x16_f16 a[0:3], v[2:3], v[4:5], a[0:3]
.endr
end
begin
.rept 16
  v_mfma_f32_32x32x8_bf16 a[0:15], v[2:3], v[4:5], a[0:15]
.endr
end
begin
.rept 16
  v_mfma_f32_16x16x16_bf16 a[0:3], v[2:3], v[4:5], a[0:3]
.endr
end
begin
.rept 16
  v_mfma_f32_32x32x2_f32 a[0:15], v2, v3, a[0:15]
.endr
end
begin
.rept 16
  v_mfma_i32_32x32x16_i8 a[0:15], v[2:3], v[4:5], a[0:15]
.endr
end
begin
.irp o, 0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240
  ds_read_b128 v[16:19], v1 offset:\o
.endr
end
begin
.irp o, 0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240
  ds_read_b64 v[16:17], v1 offset:\o
.endr
end
begin
.irp o, 0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240
  ds_write_b128 v1, v[2:5] offset:\o
.endr
end
begin
.irp o, 0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240
  buffer_load_dwordx4 v[16:19], v0, s[4:7], 0 offen offset:\o
.endr
end
begin
.irp o, 0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240
  buffer_store_dwordx4 v[2:5], v0, s[4:7], 0 offen offset:\o
.endr
end
