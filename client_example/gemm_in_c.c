/* A matrix product from C: the best instance for the problem, through zellige.h alone. */
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <zellige.h>

enum { m = 40, n = 64, k = 128 };

/* Ends the program with the sentence of a call that did not succeed. */
static void require(zellige_status status, const zellige_verdict* verdict) {
  if (status == ZELLIGE_OK) return;
  fprintf(stderr, "%s: %s\n", zellige_reason_name(verdict->reason), verdict->text);
  exit(3);
}

static void* device_copy(const uint16_t* host, size_t count) {
  void* device = NULL;
  if (hipMalloc(&device, count * sizeof *host) != hipSuccess ||
      hipMemcpy(device, host, count * sizeof *host, hipMemcpyHostToDevice) != hipSuccess) {
    fprintf(stderr, "the device has no room for %zu elements\n", count);
    exit(4);
  }
  return device;
}

int main(void) {
  zellige_verdict verdict = {.struct_size = sizeof verdict};
  int32_t arch = ZELLIGE_ARCH_NONE;
  require(zellige_current_arch(&arch, &verdict), &verdict);

  const zellige_gemm_shape shape = {.struct_size = sizeof shape,
                                    .input = ZELLIGE_TYPE_F16,
                                    .output = ZELLIGE_TYPE_F16,
                                    .order_a = ZELLIGE_ORDER_ROW,
                                    .order_b = ZELLIGE_ORDER_COLUMN,
                                    .m = m,
                                    .n = n,
                                    .k = k};
  zellige_problem* problem = NULL;
  zellige_plan* plan = NULL;
  require(zellige_gemm_create(&shape, &problem, &verdict), &verdict);
  require(zellige_plan_select(problem, arch, NULL, &plan, &verdict), &verdict);

  /* Ones times ones: every sum is k, and 128 is 0x5800 in f16. */
  static uint16_t a[m * k], b[n * k], c[m * n];
  for (size_t i = 0; i < m * k; ++i) a[i] = 0x3c00;
  for (size_t i = 0; i < n * k; ++i) b[i] = 0x3c00;
  for (size_t i = 0; i < m * n; ++i) c[i] = 0x7e00; /* NaN */
  void* workspace = NULL;
  const int64_t workspace_bytes = zellige_plan_workspace_bytes(plan);
  if (workspace_bytes > 0 && hipMalloc(&workspace, (size_t)workspace_bytes) != hipSuccess) return 4;
  const zellige_tensors tensors = {.struct_size = sizeof tensors,
                                   .a = device_copy(a, m * k),
                                   .b = device_copy(b, n * k),
                                   .c = device_copy(c, m * n)};
  require(zellige_plan_run(plan, NULL, &tensors, workspace, workspace_bytes, &verdict), &verdict);
  if (hipMemcpy(c, tensors.c, sizeof c, hipMemcpyDeviceToHost) != hipSuccess) return 4;

  int wrong = 0;
  for (size_t i = 0; i < m * n; ++i) wrong += c[i] != 0x5800;
  printf("%s: %d of %d elements wrong\n", zellige_plan_instance_name(plan), wrong, m * n);
  zellige_plan_destroy(plan);
  zellige_problem_destroy(problem);
  return wrong == 0 ? 0 : 1;
}
