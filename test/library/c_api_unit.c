/* See c_api_unit.h. */
#include "c_api_unit.h"

#include <string.h>

zellige_verdict multiply_in_c(int32_t arch, int64_t m, int64_t n, int64_t k, const void* a, const void* b, void* c,
                              void* workspace, int64_t workspace_bytes, char* name, size_t name_bytes) {
  const zellige_gemm_shape shape = {.struct_size = sizeof shape,
                                    .input = ZELLIGE_TYPE_F16,
                                    .output = ZELLIGE_TYPE_F16,
                                    .order_a = ZELLIGE_ORDER_ROW,
                                    .order_b = ZELLIGE_ORDER_COLUMN,
                                    .m = m,
                                    .n = n,
                                    .k = k};
  const zellige_options options = {.struct_size = sizeof options};
  const zellige_tensors tensors = {.struct_size = sizeof tensors, .a = a, .b = b, .c = c};
  zellige_verdict verdict = {.struct_size = sizeof verdict};
  zellige_problem* problem = NULL;
  zellige_plan* plan = NULL;
  if (zellige_gemm_create(&shape, &problem, &verdict) == ZELLIGE_OK &&
      zellige_plan_select(problem, arch, &options, &plan, &verdict) == ZELLIGE_OK) {
    strncpy(name, zellige_plan_instance_name(plan), name_bytes - 1);
    name[name_bytes - 1] = '\0';
    zellige_plan_run(plan, NULL, &tensors, workspace, workspace_bytes, &verdict);
  }
  zellige_plan_destroy(plan);
  zellige_problem_destroy(problem);
  return verdict;
}
