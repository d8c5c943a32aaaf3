/* The C interface of libzellige.so: problems, what an instance says of them, plans, runs, instance names, selection.
 *
 * Laws of this header:
 * - Every call that can fail returns a zellige_status, and says why in the zellige_verdict that its last parameter
 *   points to (null: the sentence is not wanted). No exception leaves the library.
 * - Every struct begins with struct_size, which the caller sets to sizeof the struct that it was compiled with. Fields
 *   that an older caller does not have are zero, and zero means the old behaviour; what a newer caller has beyond the
 *   library's own struct must be zero, else it is refused. Of an output struct as much as the caller has is written.
 * - Values of enumerations are explicit and never renumbered; fields and parameters that hold one are int32_t.
 * - Handles are opaque. A zellige_instance belongs to the library and lives as long as the process; what a ..._create
 *   call made is the caller's until the matching ..._destroy call, which takes null, too.
 * - Every function may be called from several threads at a time, with the same handles, except that a handle must not
 *   be destroyed while another call uses it.
 * - Pointers to tensors are device pointers. A stream is the runtime's own, passed as void*: hipStream_t, or
 *   cudaStream_t where the library was built for NVIDIA; null is the default stream.
 *
 * It needs no other header of Zellige and none of the GPU runtime; docs/c-api.md shows a whole program. */
#ifndef ZELLIGE_H
#define ZELLIGE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ZELLIGE_API __attribute__((visibility("default")))
#else
#define ZELLIGE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef int32_t zellige_status;
enum {
  ZELLIGE_OK = 0,
  ZELLIGE_REFUSED = 1,        /* the verdict's reason and text say why; nothing was enqueued */
  ZELLIGE_BAD_ARGUMENT = 2,   /* a null pointer, a wrong struct_size, a value outside of its enumeration */
  ZELLIGE_RUNTIME_ERROR = 3,  /* a call of the GPU runtime failed; the text names it */
  ZELLIGE_OUT_OF_MEMORY = 4,  /* of the host */
  ZELLIGE_INTERNAL_ERROR = 5, /* a fault of the library */
};

/* Targets. */
enum {
  ZELLIGE_ARCH_NONE = 0,
  ZELLIGE_ARCH_GFX90A = 1,
  ZELLIGE_ARCH_GFX942 = 2,
  ZELLIGE_ARCH_GFX950 = 3,
  ZELLIGE_ARCH_GFX1100 = 4,
  ZELLIGE_ARCH_GFX1151 = 5,
  ZELLIGE_ARCH_GFX1201 = 6,
  ZELLIGE_ARCH_GFX1250 = 7,
  ZELLIGE_ARCH_SM_90 = 8,
};

/* What an instance computes. */
enum {
  ZELLIGE_FAMILY_GEMM = 0,
  ZELLIGE_FAMILY_CONV_FWD = 1,
};

/* Element types. */
enum {
  ZELLIGE_TYPE_F16 = 0,
  ZELLIGE_TYPE_BF16 = 1,
  ZELLIGE_TYPE_F32 = 2,
  ZELLIGE_TYPE_TF32 = 3, /* f32 in memory; products keep at least 10 fraction bits of each operand */
  ZELLIGE_TYPE_F64 = 4,
  ZELLIGE_TYPE_I8 = 5,
  ZELLIGE_TYPE_I32 = 6,
  ZELLIGE_TYPE_F8E4M3 = 7,
  ZELLIGE_TYPE_F8E5M2 = 8,
  ZELLIGE_TYPE_F8E4M3FNUZ = 9,
  ZELLIGE_TYPE_F8E5M2FNUZ = 10,
};

/* How a matrix lies in memory. */
enum {
  ZELLIGE_ORDER_ROW = 0,
  ZELLIGE_ORDER_COLUMN = 1,
};

/* Direction of a convolution. */
enum {
  ZELLIGE_DIRECTION_FORWARD = 0,
  ZELLIGE_DIRECTION_BACKWARD_DATA = 1,
  ZELLIGE_DIRECTION_BACKWARD_WEIGHT = 2,
};

/* Tensors that an epilogue reads: bits of zellige_options.epilogue. */
enum {
  ZELLIGE_EPILOGUE_SCALE = 1,
  ZELLIGE_EPILOGUE_BIAS = 2,
  ZELLIGE_EPILOGUE_RESIDUAL = 4,
};

enum {
  ZELLIGE_ACTIVATION_NONE = 0,
  ZELLIGE_ACTIVATION_RELU = 1,
  ZELLIGE_ACTIVATION_CLAMP = 2,
};

#define ZELLIGE_TEXT_BYTES 512
#define ZELLIGE_AXES 3

/* The answer of a call. `reason` is one of the library's stable codes (zellige_reason_name), 0 unless `status` is
 * ZELLIGE_REFUSED; `text` is a sentence with the numbers, empty on success, always terminated. */
typedef struct zellige_verdict {
  uint32_t struct_size;
  zellige_status status;
  int32_t reason;
  char text[ZELLIGE_TEXT_BYTES];
} zellige_verdict;

/* C[m, n] = sum over k of A[m, k] * B[k, n]; C is row-major. Leading dimensions are elements between lines, 0: packed.
 */
typedef struct zellige_gemm_shape {
  uint32_t struct_size;
  int32_t input, output;    /* ZELLIGE_TYPE_... */
  int32_t order_a, order_b; /* ZELLIGE_ORDER_... */
  int64_t m, n, k;
  int64_t ld_a, ld_b, ld_c;
} zellige_gemm_shape;

/* Channels last: x is N, [D, H,] W, C; w is K, [Z, Y,] X, C/groups; y is N, [D, H,] W, K. c and k count all groups.
 * The first `spatial` elements of the arrays count, outermost axis first. Nothing has a default: strides, dilations and
 * groups are at least 1. */
typedef struct zellige_conv_shape {
  uint32_t struct_size;
  int32_t direction;             /* ZELLIGE_DIRECTION_... */
  int32_t input, weight, output; /* ZELLIGE_TYPE_... */
  int32_t spatial;               /* 1, 2 or 3 */
  int64_t n, c, k, groups;
  int64_t size[ZELLIGE_AXES], filter[ZELLIGE_AXES], stride[ZELLIGE_AXES], dilation[ZELLIGE_AXES];
  int64_t pad_before[ZELLIGE_AXES], pad_after[ZELLIGE_AXES];
} zellige_conv_shape;

/* What a caller may ask of a plan. All zero is the default, as is a null pointer in place of the struct.
 * The epilogue is y = activation(acc * scale[k] + bias[k] + residual), in the accumulator's type, rounded once. */
typedef struct zellige_options {
  uint32_t struct_size;
  int32_t split_k;       /* 0: the degree that the library resolves; N: exactly N slices of the reduction */
  int32_t compute_units; /* CUs that split-K's policy and the model count with (so the bits of split instances may
                            depend on it); 0: the target's own */
  uint32_t epilogue;     /* bits ZELLIGE_EPILOGUE_... */
  int32_t activation;    /* ZELLIGE_ACTIVATION_... */
  float low, high;       /* of ZELLIGE_ACTIVATION_CLAMP */
  int32_t no_fold;       /* 1: convolutions are not folded */
  int64_t limit_bytes;   /* of each tensor that one dispatch may address: larger problems take several; 0: the most */
} zellige_options;

/* Device pointers of one run: A, B, C of a GEMM; x, w, y of a convolution. Scale and bias are f32 vectors (f64 where
 * sums are f64) with an element for each column of the output, the residual is like the output; each is null unless the
 * plan's epilogue reads it. */
typedef struct zellige_tensors {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  const void *a, *b;
  void* c;
  const void *scale, *bias, *residual;
} zellige_tensors;

typedef struct zellige_problem_info {
  uint32_t struct_size;
  int32_t family;                    /* ZELLIGE_FAMILY_... of the instances that solve it */
  int64_t bytes_a, bytes_b, bytes_c; /* from the first to the last element of each tensor */
  int64_t outputs[ZELLIGE_AXES];     /* of a convolution's axes; 0 for axes that there are not */
  double flops;                      /* a multiply-add counts two */
} zellige_problem_info;

typedef struct zellige_plan_info {
  uint32_t struct_size;
  int32_t arch;                      /* ZELLIGE_ARCH_... */
  int32_t split_k;                   /* resolved degree */
  int32_t dispatches;                /* kernels that a run enqueues */
  int32_t deterministic;             /* 1: equal inputs give equal bits */
  int32_t align_a, align_b, align_c; /* bytes that the tensors' pointers must be multiples of; the residual's as c's */
  int32_t align_vectors, align_workspace; /* the same, of scale and bias, and of the workspace */
  int64_t workspace_bytes;
} zellige_plan_info;

typedef struct zellige_instance zellige_instance;
typedef struct zellige_problem zellige_problem;
typedef struct zellige_ranking zellige_ranking;
typedef struct zellige_plan zellige_plan;

/* The library's version: major * 10000 + minor * 100 + patch. */
ZELLIGE_API int32_t zellige_version(void);

/* Names of codes, for people: "channels_not_divisible", "gfx942", "conv_fwd", "bf16"; "unknown" for other values. */
ZELLIGE_API const char* zellige_reason_name(int32_t reason);
ZELLIGE_API const char* zellige_arch_name(int32_t arch);
ZELLIGE_API const char* zellige_family_name(int32_t family);
ZELLIGE_API const char* zellige_type_name(int32_t type);

/* The target of this host thread's current device; ZELLIGE_ARCH_NONE for one that the library does not know. */
ZELLIGE_API zellige_status zellige_current_arch(int32_t* arch, zellige_verdict* verdict);

/* The instances of a target, sorted by name. Opens the target's library when it is first asked for; refused where that
 * is missing. */
ZELLIGE_API zellige_status zellige_instance_count(int32_t arch, size_t* count, zellige_verdict* verdict);
ZELLIGE_API zellige_status zellige_instance_at(int32_t arch, size_t index, const zellige_instance** instance,
                                               zellige_verdict* verdict);
ZELLIGE_API zellige_status zellige_instance_by_name(const char* name, const zellige_instance** instance,
                                                    zellige_verdict* verdict);
/* Of a null instance: "", ZELLIGE_ARCH_NONE and -1. */
ZELLIGE_API const char* zellige_instance_name(const zellige_instance* instance);
ZELLIGE_API int32_t zellige_instance_arch(const zellige_instance* instance);
ZELLIGE_API int32_t zellige_instance_family(const zellige_instance* instance);

/* A problem; refused where its sizes mean nothing. */
ZELLIGE_API zellige_status zellige_gemm_create(const zellige_gemm_shape* shape, zellige_problem** problem,
                                               zellige_verdict* verdict);
ZELLIGE_API zellige_status zellige_conv_create(const zellige_conv_shape* shape, zellige_problem** problem,
                                               zellige_verdict* verdict);
ZELLIGE_API void zellige_problem_destroy(zellige_problem* problem);
ZELLIGE_API zellige_status zellige_problem_describe(const zellige_problem* problem, zellige_problem_info* info,
                                                    zellige_verdict* verdict);

/* ZELLIGE_OK where the instance solves the problem, else ZELLIGE_REFUSED. */
ZELLIGE_API zellige_status zellige_supports(const zellige_instance* instance, const zellige_problem* problem,
                                            const zellige_options* options, zellige_verdict* verdict);

/* All instances of the problem's family on `arch`: first those that apply, the least modelled time first, then the
 * refused. Refused as a whole only where the target's library is missing. */
ZELLIGE_API zellige_status zellige_ranking_create(const zellige_problem* problem, int32_t arch,
                                                  const zellige_options* options, zellige_ranking** ranking,
                                                  zellige_verdict* verdict);
ZELLIGE_API void zellige_ranking_destroy(zellige_ranking* ranking);
/* Instances in the ranking, and how many of them apply and are not passed over; 0 of a null ranking. */
ZELLIGE_API size_t zellige_ranking_size(const zellige_ranking* ranking);
ZELLIGE_API size_t zellige_ranking_applicable(const zellige_ranking* ranking);
/* Instance number `index`, or null past the end. */
ZELLIGE_API const zellige_instance* zellige_ranking_instance(const zellige_ranking* ranking, size_t index);
/* Its modelled time in microseconds: a ranking aid, not a measurement. 0 where it does not apply. */
ZELLIGE_API double zellige_ranking_modelled_us(const zellige_ranking* ranking, size_t index);
/* As zellige_supports of it; or refused with the reason why an instance that supports the problem is passed over: a
 * kernel that splits the reduction where one slice is best. */
ZELLIGE_API zellige_status zellige_ranking_verdict(const zellige_ranking* ranking, size_t index,
                                                   zellige_verdict* verdict);

/* The plan of one instance, and that of the best-ranked instance of a target. It keeps no reference to the problem. */
ZELLIGE_API zellige_status zellige_plan_create(const zellige_instance* instance, const zellige_problem* problem,
                                               const zellige_options* options, zellige_plan** plan,
                                               zellige_verdict* verdict);
ZELLIGE_API zellige_status zellige_plan_select(const zellige_problem* problem, int32_t arch,
                                               const zellige_options* options, zellige_plan** plan,
                                               zellige_verdict* verdict);
ZELLIGE_API void zellige_plan_destroy(zellige_plan* plan);
ZELLIGE_API zellige_status zellige_plan_describe(const zellige_plan* plan, zellige_plan_info* info,
                                                 zellige_verdict* verdict);
/* Of a null plan: "" and 0. The name lives as long as the plan. */
ZELLIGE_API const char* zellige_plan_instance_name(const zellige_plan* plan);
ZELLIGE_API int64_t zellige_plan_workspace_bytes(const zellige_plan* plan);

/* Enqueues the plan on `stream` of the current device. It neither allocates nor synchronises, and may be captured into
 * a graph. The workspace may hold anything before, and must not be shared by runs that may overlap. */
ZELLIGE_API zellige_status zellige_plan_run(const zellige_plan* plan, void* stream, const zellige_tensors* tensors,
                                            void* workspace, int64_t workspace_bytes, zellige_verdict* verdict);

#ifdef __cplusplus
}
#endif

#endif
