"""libzellige.so in Python: zellige.h through ctypes, nothing else.

Handles are objects that release what they hold; a call that does not succeed raises Refused or Failed with the
library's own sentence. Pointers and streams are integers, as torch's data_ptr() and cuda_stream give them.
"""

import ctypes
from ctypes import c_char, c_double, c_float, c_int32, c_int64, c_size_t, c_uint32, c_void_p

TYPES = {"f16": 0, "bf16": 1, "f32": 2, "tf32": 3, "f64": 4, "i8": 5, "i32": 6, "f8e4m3": 7, "f8e5m2": 8}
ORDERS = {"r": 0, "c": 1}
OK, REFUSED = 0, 1


class Failed(RuntimeError):
    """A call that did not succeed: a wrong argument, or the GPU runtime's failure."""


class Refused(Failed):
    """The library does not do this. `reason` is the code's name."""

    def __init__(self, reason, text):
        super().__init__(text)
        self.reason = reason


class _Struct(ctypes.Structure):
    """A struct of zellige.h: struct_size is set where the object is made."""

    def __init__(self, **fields):
        super().__init__(struct_size=ctypes.sizeof(type(self)), **fields)


class _Verdict(_Struct):
    _fields_ = [("struct_size", c_uint32), ("status", c_int32), ("reason", c_int32), ("text", c_char * 512)]


class _Gemm(_Struct):
    _fields_ = [("struct_size", c_uint32)] + [(n, c_int32) for n in ("input", "output", "order_a", "order_b")] + [
        (n, c_int64) for n in ("m", "n", "k", "ld_a", "ld_b", "ld_c")]


class _Conv(_Struct):
    _fields_ = [("struct_size", c_uint32)] + [
        (n, c_int32) for n in ("direction", "input", "weight", "output", "spatial")] + [
            (n, c_int64) for n in ("n", "c", "k", "groups")] + [
                (n, c_int64 * 3) for n in ("size", "filter", "stride", "dilation", "pad_before", "pad_after")]


class _Options(_Struct):
    _fields_ = [("struct_size", c_uint32), ("split_k", c_int32), ("compute_units", c_int32), ("epilogue", c_uint32),
                ("activation", c_int32), ("low", c_float), ("high", c_float), ("no_fold", c_int32),
                ("limit_bytes", c_int64)]


class _Tensors(_Struct):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32)] + [
        (n, c_void_p) for n in ("a", "b", "c", "scale", "bias", "residual")]


class _ProblemInfo(_Struct):
    _fields_ = [("struct_size", c_uint32), ("family", c_int32), ("bytes_a", c_int64), ("bytes_b", c_int64),
                ("bytes_c", c_int64), ("outputs", c_int64 * 3), ("flops", c_double)]


class _PlanInfo(_Struct):
    _fields_ = [("struct_size", c_uint32)] + [
        (n, c_int32) for n in ("arch", "split_k", "dispatches", "deterministic", "align_a", "align_b", "align_c",
                       "align_vectors", "align_workspace")] + [
            ("workspace_bytes", c_int64)]


def _options(split_k):
    return _Options(split_k=split_k)


class Library:
    """libzellige.so at `path`; the instance libraries lie beside it."""

    def __init__(self, path):
        self._c = ctypes.CDLL(path)
        verdict = ctypes.POINTER(_Verdict)
        problem = options = instance = plan = ranking = c_void_p
        out = ctypes.POINTER(c_void_p)
        for name, result, arguments in (
            ("version", c_int32, []),
            ("reason_name", ctypes.c_char_p, [c_int32]),
            ("arch_name", ctypes.c_char_p, [c_int32]),
            ("current_arch", c_int32, [ctypes.POINTER(c_int32), verdict]),
            ("instance_count", c_int32, [c_int32, ctypes.POINTER(c_size_t), verdict]),
            ("instance_name", ctypes.c_char_p, [instance]),
            ("instance_by_name", c_int32, [ctypes.c_char_p, out, verdict]),
            ("gemm_create", c_int32, [ctypes.POINTER(_Gemm), out, verdict]),
            ("conv_create", c_int32, [ctypes.POINTER(_Conv), out, verdict]),
            ("problem_destroy", None, [problem]),
            ("problem_describe", c_int32, [problem, ctypes.POINTER(_ProblemInfo), verdict]),
            ("ranking_create", c_int32, [problem, c_int32, options, out, verdict]),
            ("ranking_destroy", None, [ranking]),
            ("ranking_size", c_size_t, [ranking]),
            ("ranking_applicable", c_size_t, [ranking]),
            ("ranking_instance", c_void_p, [ranking, c_size_t]),
            ("ranking_modelled_us", c_double, [ranking, c_size_t]),
            ("plan_create", c_int32, [instance, problem, options, out, verdict]),
            ("plan_select", c_int32, [problem, c_int32, options, out, verdict]),
            ("plan_destroy", None, [plan]),
            ("plan_describe", c_int32, [plan, ctypes.POINTER(_PlanInfo), verdict]),
            ("plan_instance_name", ctypes.c_char_p, [plan]),
            ("plan_workspace_bytes", c_int64, [plan]),
            ("plan_run", c_int32, [plan, c_void_p, ctypes.POINTER(_Tensors), c_void_p, c_int64, verdict]),
        ):
            function = getattr(self._c, "zellige_" + name)
            function.restype, function.argtypes = result, arguments

    def call(self, name, *arguments):
        """Calls zellige_<name> with a verdict after `arguments`; raises what it says."""
        verdict = _Verdict()
        if getattr(self._c, "zellige_" + name)(*arguments, ctypes.byref(verdict)) != OK:
            self.fail(verdict)

    def fail(self, verdict):
        text = verdict.text.decode(errors="replace")
        if verdict.status == REFUSED:
            raise Refused(self._c.zellige_reason_name(verdict.reason).decode(), text)
        raise Failed(text)

    def raw(self, name, *arguments):
        return getattr(self._c, "zellige_" + name)(*arguments)

    def version(self):
        number = self.raw("version")
        return f"{number // 10000}.{number // 100 % 100}.{number % 100}"

    def current_arch(self):
        arch = c_int32()
        self.call("current_arch", ctypes.byref(arch))
        return arch.value

    def arch_name(self, arch):
        return self.raw("arch_name", arch).decode()

    def gemm(self, m, n, k, dtype, dtype_out=None, layout="rc"):
        shape = _Gemm(input=TYPES[dtype], output=TYPES[dtype_out or dtype], order_a=ORDERS[layout[0]],
                      order_b=ORDERS[layout[1]], m=m, n=n, k=k)
        return Problem(self, "gemm_create", shape)

    def conv_fwd(self, n, c, k, size, filter, stride, dilation, pad, groups, dtype, dtype_out=None):
        """Extents are sequences, one number an axis, outermost first; the padding is the same at both ends."""
        three = c_int64 * 3
        shape = _Conv(input=TYPES[dtype], weight=TYPES[dtype], output=TYPES[dtype_out or dtype], spatial=len(size), n=n,
                      c=c, k=k, groups=groups, size=three(*size), filter=three(*filter), stride=three(*stride),
                      dilation=three(*dilation), pad_before=three(*pad), pad_after=three(*pad))
        return Problem(self, "conv_create", shape)


class _Handle:
    """Owns what a ..._create call made."""
    _destroy = ""

    def __init__(self, library, create, *arguments):
        self.library, self.handle = library, c_void_p()
        library.call(create, *arguments, ctypes.byref(self.handle))

    def __del__(self):
        if getattr(self, "handle", None):
            self.library.raw(self._destroy, self.handle)


class Problem(_Handle):
    _destroy = "problem_destroy"

    def __init__(self, library, create, shape):
        super().__init__(library, create, ctypes.byref(shape))

    def describe(self):
        info = _ProblemInfo()
        self.library.call("problem_describe", self.handle, ctypes.byref(info))
        return info

    def select(self, arch, split_k=0):
        """The plan of the best-ranked instance. split_k 0: the degree that the library resolves."""
        return Plan(self.library, "plan_select", self.handle, arch, ctypes.byref(_options(split_k)))

    def plan(self, instance_name, split_k=0):
        instance = c_void_p()
        self.library.call("instance_by_name", instance_name.encode(), ctypes.byref(instance))
        return Plan(self.library, "plan_create", instance, self.handle, ctypes.byref(_options(split_k)))

    def ranked(self, arch, split_k=0):
        """(name, modelled microseconds) of each instance that applies, the least time first."""
        ranking = _Ranking(self.library, "ranking_create", self.handle, arch, ctypes.byref(_options(split_k)))
        raw = self.library.raw
        return [(raw("instance_name", raw("ranking_instance", ranking.handle, i)).decode(),
                 raw("ranking_modelled_us", ranking.handle, i))
                for i in range(raw("ranking_applicable", ranking.handle))]


class _Ranking(_Handle):
    _destroy = "ranking_destroy"


class Plan(_Handle):
    _destroy = "plan_destroy"

    def __init__(self, library, create, *arguments):
        super().__init__(library, create, *arguments)
        self.name = library.raw("plan_instance_name", self.handle).decode()
        self.workspace_bytes = library.raw("plan_workspace_bytes", self.handle)
        info = _PlanInfo()
        library.call("plan_describe", self.handle, ctypes.byref(info))
        self.split_k, self.dispatches = info.split_k, info.dispatches
        self.deterministic = info.deterministic != 0

    def bind(self, a, b, c, workspace=0):
        """A function of a stream that enqueues the plan over these device pointers. Argument packing is done here."""
        tensors, verdict = _Tensors(a=a, b=b, c=c), _Verdict()
        run = self.library._c.zellige_plan_run
        fixed = (ctypes.byref(tensors), c_void_p(workspace or None), c_int64(self.workspace_bytes),
                 ctypes.byref(verdict))
        handle = self.handle

        def enqueue(stream, keep=(self, tensors)):
            if run(handle, stream, *fixed) != OK:
                self.library.fail(verdict)

        return enqueue
