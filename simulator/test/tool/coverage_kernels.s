// Two kernels that share their end. With PLANTED=1 there is an image instruction, which the simulator does not have, in
// the shared part, and one more and a word that is no instruction in the second kernel alone.
  .amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
  .text
  .p2align 8
shared_end:
  v_add_f32 v0, v0, v1
.if PLANTED
  image_load v[0:3], v[4:5], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D unorm
.endif
  s_endpgm

  .macro kernel name, planted
  .text
  .globl \name
  .p2align 8
  .type \name,@function
\name:
  v_mul_f32 v0, v0, v1
.if PLANTED && \planted
  image_load v[0:3], v[4:5], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D unorm
  .long 0xffffffff
.endif
  s_branch shared_end
.L\name\()_end:
  .size \name, .L\name\()_end-\name
  .rodata
  .p2align 6
  .amdhsa_kernel \name
    .amdhsa_next_free_vgpr 8
    .amdhsa_next_free_sgpr 32
  .end_amdhsa_kernel
  .endm

  kernel first, 0
  kernel second, 1

  .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx1100
amdhsa.kernels:
  - .name: first
    .symbol: first.kd
    .kernarg_segment_size: 0
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 4
    .wavefront_size: 32
    .sgpr_count: 32
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
  - .name: second
    .symbol: second.kd
    .kernarg_segment_size: 0
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 4
    .wavefront_size: 32
    .sgpr_count: 32
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
...
  .end_amdgpu_metadata
