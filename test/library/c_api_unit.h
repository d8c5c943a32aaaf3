/* A GEMM through zellige.h from a unit that a C compiler made. */
#ifndef ZELLIGE_TEST_C_API_UNIT_H
#define ZELLIGE_TEST_C_API_UNIT_H

#include "zellige.h"

#ifdef __cplusplus
extern "C" {
#endif

/* C = A B of packed f16 matrices (A row-major, B column-major) with the best instance of `arch`: A, B, C are device
 * pointers, `name` receives the instance's name (name_bytes at most). The verdict of the first call that fails. */
zellige_verdict multiply_in_c(int32_t arch, int64_t m, int64_t n, int64_t k, const void* a, const void* b, void* c,
                              void* workspace, int64_t workspace_bytes, char* name, size_t name_bytes);

#ifdef __cplusplus
}
#endif

#endif
