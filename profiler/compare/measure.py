"""Measuring on the GPU through PyTorch: tensors, graphs of single calls, interleaved medians, and the double reference.

Laws: both sides get the same tensors, are captured into graphs alike and timed alike; the L2 is flushed before each
repetition, by reading: lines that a flush wrote would be written back during what is measured (H200: 8 us more for
134 MB of weights); a sleep keeps the GPU busy until the host has enqueued the events, so that no host time is measured.
"""

import math
import statistics
import time

import torch

from problems import Conv

FLUSH_BYTES = 256 << 20  # several times the L2
SLEEP_CLOCKS = 40_000  # longer than the host needs to enqueue two events and a graph
DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32}
UNIT_ROUNDOFF = {"f16": 2.0**-11, "bf16": 2.0**-8, "f32": 2.0**-24}
SMALLEST_STEP = {"f16": 2.0**-24, "bf16": 2.0**-133, "f32": 2.0**-149}
REFERENCE_BYTES = 4 << 30  # of double operands and results at once


class Tensors:
    """Operands of one problem, random, and how the peer computes it. Buffers are in the library's layout; `x`, `w` of
    a convolution are views of them as PyTorch has them (N, C, H, W)."""

    def __init__(self, problem, seed):
        generator = torch.Generator(device="cuda").manual_seed(seed)
        self.problem, self.dtype = problem, DTYPES[problem.dtype]

        def randn(*shape):
            return torch.randn(*shape, device="cuda", dtype=torch.float32, generator=generator).to(self.dtype)

        if isinstance(problem, Conv):
            p = problem
            self.a = randn(p.n, *p.size, p.c)
            self.b = randn(p.k, *p.filter, p.c // p.groups)
            self.x, self.w = self.a.permute(0, 3, 1, 2), self.b.permute(0, 3, 1, 2)
            self.settings = {"stride": p.stride, "padding": p.pad, "dilation": p.dilation, "groups": p.groups}
            self.shape_c = (p.n, *p.outputs(), p.k)
        else:
            p = problem
            self.a = randn(p.m, p.k) if p.layout[0] == "r" else randn(p.k, p.m)
            self.b = randn(p.k, p.n) if p.layout[1] == "r" else randn(p.n, p.k)
            self.x = self.a if p.layout[0] == "r" else self.a.t()
            self.w = self.b if p.layout[1] == "r" else self.b.t()
            self.shape_c = (p.m, p.n)

    def peer(self):
        if isinstance(self.problem, Conv):
            return torch.nn.functional.conv2d(self.x, self.w, **self.settings)
        return torch.matmul(self.x, self.w)

    def peer_result(self):
        """The peer's result in the library's layout."""
        y = self.peer()
        return y.permute(0, 2, 3, 1) if isinstance(self.problem, Conv) else y

    def poisoned_output(self):
        return torch.full(self.shape_c, float("nan"), device="cuda", dtype=self.dtype)


def graph_of(enqueue):
    """`enqueue()` captured once, after three runs of its own. What it uses must be kept alive by the caller: capturing
    empties the allocator's cache."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            enqueue()
    torch.cuda.current_stream().wait_stream(side)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        kept = enqueue()
    return graph, kept


class Stopwatch:
    def __init__(self):
        self.flush = torch.zeros(FLUSH_BYTES // 4, dtype=torch.float32, device="cuda")
        self.seen = torch.empty((), dtype=torch.float32, device="cuda")

    def once(self, graph):
        """Microseconds of one replay with a cold L2."""
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.sum(self.flush, dim=0, out=self.seen)
        torch.cuda._sleep(SLEEP_CLOCKS)
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) * 1e3

    def medians(self, graphs, repetitions):
        """{name: median of its interleaved repetitions}; one round before them is not counted."""
        times = {name: [] for name in graphs}
        for round_ in range(repetitions + 1):
            for name, graph in graphs.items():
                microseconds = self.once(graph)
                if round_ > 0:
                    times[name].append(microseconds)
        return {name: statistics.median(values) for name, values in times.items()}


def host_us(enqueue, calls=64):
    """Median host time of one call, called from Python, the queue never full."""
    times = []
    for i in range(calls):
        if i % 16 == 0:
            torch.cuda.synchronize()
        begin = time.perf_counter()
        enqueue()
        times.append((time.perf_counter() - begin) * 1e6)
    torch.cuda.synchronize()
    return statistics.median(times)


def ceilings(stopwatch):
    """Copy bandwidth (bytes read and written) and the bf16 matrix rate of this device, for the floors."""
    source = torch.randn(1 << 30, device="cuda")
    target = torch.empty_like(source)
    a = torch.randn(8192, 8192, device="cuda").bfloat16()
    b = torch.randn(8192, 8192, device="cuda").bfloat16()
    graphs = {}
    keep = []
    # A copy inside a graph may go through another engine than a kernel's loads and stores: the faster one counts.
    for name, enqueue in (("copy", lambda: target.copy_(source)), ("kernel", lambda: torch.neg(source, out=target)),
                          ("matmul", lambda: torch.matmul(a, b.t()))):
        graphs[name], kept = graph_of(enqueue)
        keep.append(kept)
    times = stopwatch.medians(graphs, 9)
    moved = 2.0 * source.numel() * source.element_size()
    return {"bytes_per_s": moved / min(times["copy"], times["kernel"]) * 1e6,
            "flops_per_s": 2.0 * 8192**3 / times["matmul"] * 1e6}


def floor_us(problem, ceiling):
    """The least time by arithmetic or by bytes, each tensor moved once."""
    size = torch.empty((), dtype=DTYPES[problem.dtype]).element_size()
    rate = ceiling["flops_per_s"] * (1 if size == 2 else 0.5)
    return 1e6 * max(problem.flops() / rate, size * sum(problem.elements()) / ceiling["bytes_per_s"])


def chunks_of(problem):
    """Row ranges of the output (images, or rows of C) whose double reference fits the memory meant for it."""
    rows = problem.n if isinstance(problem, Conv) else problem.m
    a, b, c = problem.elements()
    unfolded = problem.depth() if isinstance(problem, Conv) else 1  # a double convolution may unfold its input
    row_bytes = 8 * (2 * a + 4 * c) / rows + (8 * c / problem.k * unfolded / rows if isinstance(problem, Conv) else 0)
    step = max(1, min(rows, int(REFERENCE_BYTES / max(row_bytes, 1))))
    return [(first, min(first + step, rows)) for first in range(0, rows, step)]


class Reference:
    """The result in double, in the library's layout, and how far an element may be from it: gamma_d * sum|ab| of an f32
    sum of d products in any order, then one rounding."""

    def __init__(self, tensors):
        problem = tensors.problem
        d = problem.depth() + 1
        gamma = d * 2.0**-24 / (1 - d * 2.0**-24)
        u, step = UNIT_ROUNDOFF[problem.dtype], SMALLEST_STEP[problem.dtype]
        self.exact = torch.empty(tensors.shape_c, dtype=torch.float64, device="cuda")
        self.bound = torch.empty_like(self.exact)
        w = tensors.w.double()
        for first, last in chunks_of(problem):
            x = tensors.x[first:last].double()
            exact, of_sum = product(problem, tensors, x, w), gamma * product(problem, tensors, x.abs(), w.abs())
            self.exact[first:last] = exact
            self.bound[first:last] = of_sum + u * (exact.abs() + of_sum) + step
        self.norm = self.exact.norm().item()

    def errors(self, result):
        """(relative error of norms, elements outside of the bound); NaN is outside."""
        difference = (result.double() - self.exact).abs_()
        outside = int((~(difference <= self.bound)).sum().item())
        return (difference.norm().item() / self.norm if self.norm > 0 else math.inf), outside


def product(problem, tensors, x, w):
    if not isinstance(problem, Conv):
        return x @ w
    with torch.backends.cudnn.flags(enabled=False):  # the reference owes nothing to the peer
        return torch.nn.functional.conv2d(x, w, **tensors.settings).permute(0, 2, 3, 1)
