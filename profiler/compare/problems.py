"""What is compared: layers from lists of MIOpenDriver command lines, and matrix products; and the groups of means."""

import math
import re
from dataclasses import dataclass, replace

DRIVER_TYPES = {"conv": "f32", "convfp16": "f16", "convbfp16": "bf16"}
DRIVER_DEFAULTS = {"n": 100, "c": 3, "H": 32, "W": 32, "k": 32, "y": 3, "x": 3, "p": 0, "q": 0, "u": 1, "v": 1, "l": 1,
                   "j": 1, "g": 1, "F": 0}


class BadLine(ValueError):
    """A line that is no problem of this program; its text says why."""


@dataclass(frozen=True)
class Conv:
    """A forward convolution over two axes, channels last."""
    n: int
    c: int
    k: int
    size: tuple
    filter: tuple
    stride: tuple
    dilation: tuple
    pad: tuple
    groups: int
    dtype: str
    listed: bool = True  # n is the list's own

    def outputs(self):
        return tuple((s + 2 * p - d * (f - 1) - 1) // t + 1
                     for s, f, t, d, p in zip(self.size, self.filter, self.stride, self.dilation, self.pad))

    def flops(self):
        return 2.0 * self.n * math.prod(self.outputs()) * self.k * math.prod(self.filter) * (self.c // self.groups)

    def elements(self):
        """Of x, w and y."""
        return (self.n * math.prod(self.size) * self.c, self.k * math.prod(self.filter) * (self.c // self.groups),
                self.n * math.prod(self.outputs()) * self.k)

    def depth(self):
        return math.prod(self.filter) * (self.c // self.groups)

    def label(self):
        by = lambda pair: "x".join(map(str, pair))
        text = f"n{self.n} {self.c}x{by(self.size)} k{self.k} {by(self.filter)} s{by(self.stride)} p{by(self.pad)}"
        if self.dilation != (1, 1):
            text += f" d{by(self.dilation)}"
        return text + (f" g{self.groups}" if self.groups > 1 else "") + f" {self.dtype}"

    def groups_of_means(self):
        """The groups that this layer counts in."""
        if self.groups > 1:
            return ["grouped"]
        found = []
        stem = self.c <= 3
        if self.listed and stem:
            found.append("patch embeddings and stems")
        if self.listed and not stem and self.filter in ((1, 1), (3, 3)):
            found.append("dense 3x3 and 1x1")
        if self.n == 1 and max(self.size) <= 14:
            found.append("n=1, images up to 14x14")
        return found or ["other"]

    def make(self, library):
        return library.conv_fwd(self.n, self.c, self.k, self.size, self.filter, self.stride, self.dilation, self.pad,
                                self.groups, self.dtype)


@dataclass(frozen=True)
class Gemm:
    """C = A B; `layout` as on the profiler's command line."""
    m: int
    n: int
    k: int
    dtype: str
    layout: str = "rc"

    def flops(self):
        return 2.0 * self.m * self.n * self.k

    def elements(self):
        return self.m * self.k, self.k * self.n, self.m * self.n

    def depth(self):
        return self.k

    def label(self):
        return f"gemm {self.m}x{self.n}x{self.k} {self.layout} {self.dtype}"

    def groups_of_means(self):
        return ["gemm"]

    def make(self, library):
        return library.gemm(self.m, self.n, self.k, self.dtype, layout=self.layout)


def parse_driver_line(line):
    """The forward convolution of a MIOpenDriver line, after whatever precedes the operation's word."""
    match = re.search(r"\b(conv(?:fp16|bfp16)?)\s+(-.*)$", line)
    if not match:
        raise BadLine("it holds no 'conv', 'convfp16' or 'convbfp16'")
    values = dict(DRIVER_DEFAULTS)
    for flag, value in re.findall(r"(?<!\S)-(\w)[ =](\S+)", match[2]):
        if flag in values:
            if not re.fullmatch(r"\d+", value):
                raise BadLine(f"-{flag} takes a number, not '{value}'")
            values[flag] = int(value)
    if re.search(r"(?<!\S)(--spatial_dim|-_)[ =]3", match[2]):
        raise BadLine("it has three axes: this program compares two")
    if values["F"] not in (0, 1) and not values["F"] & 1:
        raise BadLine(f"-F {values['F']} asks for no forward convolution")
    v = values
    problem = Conv(v["n"], v["c"], v["k"], (v["H"], v["W"]), (v["y"], v["x"]), (v["u"], v["v"]), (v["l"], v["j"]),
                   (v["p"], v["q"]), v["g"], DRIVER_TYPES[match[1]])
    if min(problem.stride + problem.dilation + (problem.groups, problem.n)) < 1 or min(problem.outputs()) < 1:
        raise BadLine("its sizes leave no output")
    if problem.c % problem.groups or problem.k % problem.groups:
        raise BadLine(f"{problem.groups} groups do not divide {problem.c} channels and {problem.k} filters")
    return problem


def parse_gemm(text):
    """'8192x8192x8192', 'MxNxK:f16', 'MxNxK:bf16:rr'."""
    match = re.fullmatch(r"(\d+)x(\d+)x(\d+)(?::(f16|bf16|f32))?(?::([rc][rc]))?", text)
    if not match or 0 in map(int, match.group(1, 2, 3)):
        raise BadLine(f"'{text}' is no MxNxK[:f16|bf16|f32][:rr|rc|cr|cc]")
    return Gemm(*map(int, match.group(1, 2, 3)), match[4] or "bf16", match[5] or "rc")


def read_list(path, batches, grouped):
    """(problems, notices) of a list. `batches` are 'listed' and numbers; duplicates of earlier lines are dropped."""
    problems, notices, skipped = [], [], 0
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            try:
                layer = parse_driver_line(line)
            except BadLine as error:
                notices.append(f"{path}:{number}: skipped: {error}")
                continue
            if layer.groups > 1 and not grouped:
                skipped += 1
                continue
            for batch in batches:
                one = layer if batch == "listed" else replace(layer, n=int(batch), listed=int(batch) == layer.n)
                if one not in problems:
                    problems.append(one)
    if skipped:
        notices.append(f"{path}: {skipped} grouped layers left out (--grouped takes them)")
    return problems, notices
