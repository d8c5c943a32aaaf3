#!/usr/bin/env python3
"""Compares libzellige.so with cuDNN and cuBLAS, as PyTorch calls them, in one process on one NVIDIA GPU.

  python3 profiler/compare/cudnn.py --library build/nvidia/lib/libzellige.so --batches listed,1 \\
      --gemm 8192x8192x8192 --gemm 16x8192x8192 --json out.json --html out.html LIST...

A LIST holds MIOpenDriver command lines. Each side is captured into a CUDA graph of one call and timed alike (measure.py
says how); both are checked against a reference in double, over outputs that held NaN. By default the instance that the
library selects runs; --tune tries all that apply.

Exit status: 0 something ran and nothing was wrong, 1 a wrong result of ours, 2 bad arguments, 3 nothing ran, 4 the
device failed. docs/nvidia.md has the fields of the JSON.
"""

import argparse
import json
import math
import re
import statistics
import sys
import time

import problems
import report as reports
from zellige import Failed, Library, Refused


def arguments():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("lists", nargs="*", metavar="LIST", help="files of MIOpenDriver command lines")
    p.add_argument("--library", default="build/nvidia/lib/libzellige.so", help="path of libzellige.so")
    p.add_argument("--gemm", action="append", default=[], metavar="MxNxK[:TYPE][:LAYOUT]",
                   help="a matrix product; repeatable")
    p.add_argument("--batches", default="listed",
                   help="'listed' and numbers, separated by commas: the n of every layer")
    p.add_argument("--grouped", action="store_true", help="take layers with groups, too")
    p.add_argument("--only", metavar="REGEX", help="only problems whose label matches")
    p.add_argument("--instances", metavar="REGEX", help="with --tune: only instances whose name matches")
    p.add_argument("--tune", action="store_true", help="try every instance that applies")
    p.add_argument("--split-k", default="", metavar="N,N",
                   help="with --tune: degrees of split-K beside the resolved one")
    p.add_argument("--repetitions", type=int, default=15, help="timed repetitions of each side (default 15)")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--budget", type=float, default=0, metavar="SECONDS",
                   help="start no problem after this time; 0: no limit")
    p.add_argument("--json", metavar="FILE")
    p.add_argument("--html", metavar="FILE")
    a = p.parse_intermixed_args()
    if not a.lists and not a.gemm:
        p.error("name a LIST or a --gemm")
    if a.repetitions < 1:
        p.error("--repetitions must be at least 1")
    if not all(b == "listed" or (b.isdigit() and int(b) > 0) for b in a.batches.split(",")):
        p.error(f"--batches takes 'listed' and numbers, not '{a.batches}'")
    if not all(d.isdigit() and int(d) > 0 for d in a.split_k.split(",") if d):
        p.error(f"--split-k takes numbers, not '{a.split_k}'")
    if (a.split_k or a.instances) and not a.tune:
        p.error("--split-k and --instances choose what --tune tries")
    for name in ("only", "instances"):
        try:
            re.compile(getattr(a, name) or "")
        except re.error as error:
            p.error(f"--{name}: {error}")
    try:
        a.problems, a.notices = [problems.parse_gemm(g) for g in a.gemm], []
        for path in a.lists:
            found, notices = problems.read_list(path, a.batches.split(","), a.grouped)
            a.problems += [f for f in found if f not in a.problems]
            a.notices += notices
    except (OSError, UnicodeDecodeError, problems.BadLine) as error:
        p.error(str(error))
    a.problems = [q for q in a.problems if re.search(a.only or "", q.label())]
    return a


class Contender:
    """A plan of ours with its poisoned output and workspace, and its graph."""

    def __init__(self, plan, tensors):
        import torch
        self.plan = plan
        self.output = tensors.poisoned_output()
        self.workspace = torch.full((max(plan.workspace_bytes, 1),), 255, dtype=torch.uint8, device="cuda")
        self.enqueue = plan.bind(tensors.a.data_ptr(), tensors.b.data_ptr(), self.output.data_ptr(),
                                 self.workspace.data_ptr() if plan.workspace_bytes else 0)

    def run(self):
        import torch
        self.enqueue(torch.cuda.current_stream().cuda_stream)


class Comparison:
    def __init__(self, options):
        import measure
        import torch
        self.torch, self.measure, self.options = torch, measure, options
        torch.backends.cudnn.benchmark = True
        torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
        self.library = Library(options.library)
        self.arch = self.library.current_arch()
        self.stopwatch = measure.Stopwatch()
        self.ceilings = measure.ceilings(self.stopwatch)
        empty = torch.zeros(1, device="cuda")
        graph, _ = measure.graph_of(lambda: empty.zero_())
        self.ceilings["empty_us"] = self.stopwatch.medians({"empty": graph}, 15)["empty"]

    def checked(self, contender, reference):
        """(relative error, elements outside of the bound) of one run over a poisoned output."""
        contender.run()
        self.torch.cuda.synchronize()
        return reference.errors(contender.output)

    def compare(self, problem):
        """One entry of the report."""
        entry = {"label": problem.label(), "groups": problem.groups_of_means(), "flops": problem.flops(),
                 "floor_us": self.measure.floor_us(problem, self.ceilings), "status": "ok", "why": ""}
        try:
            made = problem.make(self.library)
            plan = made.select(self.arch)
        except Refused as refused:
            return entry | {"status": "unsupported", "why": f"{refused.reason}: {refused}"}
        tensors = self.measure.Tensors(problem, self.options.seed)
        selected = Contender(plan, tensors)
        reference = self.measure.Reference(tensors)
        error, outside = self.checked(selected, reference)
        peer_error, peer_outside = reference.errors(tensors.peer_result())
        entry |= {"instance": plan.name, "split_k": plan.split_k, "dispatches": plan.dispatches,
                  "workspace_bytes": plan.workspace_bytes, "error": error, "outside": outside,
                  "peer_error": peer_error, "peer_outside": peer_outside}
        if outside:
            return entry | {"status": "wrong",
                            "why": f"{outside} elements outside of the bound, relative error {error:.2e}"}
        peer_graph, kept = self.measure.graph_of(tensors.peer)
        our_graph, _ = self.measure.graph_of(selected.run)
        times = self.stopwatch.medians({"ours": our_graph, "peer": peer_graph}, self.options.repetitions)
        entry |= {"us": times["ours"], "peer_us": times["peer"], "ratio": times["peer"] / times["ours"],
                  "tflops": problem.flops() / times["ours"] * 1e-6,
                  "host_us": self.measure.host_us(selected.run), "peer_host_us": self.measure.host_us(tensors.peer)}
        if self.options.tune:
            entry |= self.tune(made, tensors, reference, {"ours": our_graph, "peer": peer_graph})
        del kept
        return entry

    def tune(self, made, tensors, reference, graphs):
        """Every instance that applies, at its resolved degree and those asked for; the best few are timed once more,
        interleaved with the selected one and the peer."""
        tried = []
        for degree in [0] + [int(d) for d in self.options.split_k.split(",") if d]:
            for name, modelled in made.ranked(self.arch, degree):
                if not re.search(self.options.instances or "", name):
                    continue
                row = {"instance": name, "modelled_us": modelled, "status": "ok", "why": ""}
                tried.append(row)
                contender = None
                try:
                    contender = Contender(made.plan(name, degree), tensors)
                    row["split_k"] = contender.plan.split_k
                    error, outside = self.checked(contender, reference)
                except Failed as failed:
                    row |= {"status": "error", "why": str(failed)}
                    continue
                row["error"] = error
                if outside:
                    row |= {"status": "wrong", "why": f"{outside} elements outside of the bound, error {error:.2e}"}
                    continue
                row["contender"], row["graph"] = contender, self.measure.graph_of(contender.run)[0]
                row["us"] = self.stopwatch.medians({name: row["graph"]}, 5)[name]
                # Only the fastest few keep their memory.
                for slower in sorted((t for t in tried if "graph" in t), key=lambda t: t["us"])[3:]:
                    del slower["contender"], slower["graph"]
        timed = [t for t in tried if "us" in t]
        finalists = {str(i): t for i, t in enumerate(tried) if "graph" in t}
        again = self.stopwatch.medians({k: t["graph"] for k, t in finalists.items()} | graphs, self.options.repetitions)
        for key, row in finalists.items():
            row["us"] = again[key]
        best = min(finalists.values(), key=lambda t: t["us"], default=None)
        result = {"tried": [{k: v for k, v in t.items() if k not in ("contender", "graph")} for t in tried],
                  "rank_correlation": reports.rank_correlation([t["modelled_us"] for t in timed],
                                                               [t["us"] for t in timed])}
        wrong = [t["instance"] for t in tried if t["status"] == "wrong"]
        if wrong:
            result |= {"status": "wrong", "why": f"wrong instances: {', '.join(wrong)}"}
        if best:
            result |= {"best_instance": best["instance"], "best_split_k": best["split_k"], "best_us": best["us"],
                       "best_ratio": again["peer"] / best["us"], "selected_over_best": best["us"] / again["ours"]}
        return result


def run(options):
    start = time.monotonic()
    import torch
    if not torch.cuda.is_available():
        print("cudnn.py: error: PyTorch sees no GPU", file=sys.stderr)
        return 4
    comparison = Comparison(options)
    report = {
        "schema": 1, "zellige": comparison.library.version(),
        "device": {"name": torch.cuda.get_device_name(), "arch": comparison.library.arch_name(comparison.arch),
                   "kind": "cuda"},
        "torch": torch.__version__, "cudnn": torch.backends.cudnn.version(), "ceilings": comparison.ceilings,
        "options": {k: getattr(options, k) for k in ("batches", "grouped", "tune", "split_k", "repetitions", "seed")},
        "notices": options.notices, "layers": [],
    }
    status = 0
    for problem in options.problems:
        if options.budget and time.monotonic() - start > options.budget:
            entry = {"label": problem.label(), "groups": problem.groups_of_means(), "status": "skipped",
                     "why": f"the {options.budget:g} s were spent"}
        else:
            try:
                entry = comparison.compare(problem)
            except (Failed, RuntimeError) as error:  # torch's own errors are RuntimeErrors
                entry = {"label": problem.label(), "groups": problem.groups_of_means(), "status": "error",
                         "why": str(error)}
                status = 4
        report["layers"].append(entry)
        print(reports.line_of(entry), flush=True)
        if status == 4:
            break  # after a fault the process's context answers nothing
    return finish(report, status, options)


def finite(value):
    """The value with null for what JSON has no number for."""
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, list):
        return [finite(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def finish(report, status, options):
    layers = report["layers"]
    report["groups"] = reports.summarize(layers)
    correlations = [l["rank_correlation"] for l in layers if l.get("rank_correlation") is not None]
    report["rank_correlation"] = statistics.fmean(correlations) if correlations else None
    for notice in report["notices"]:
        print(f"cudnn.py: notice: {notice}")
    print("\n".join(reports.tail_of(report)))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(finite(report), file, indent=1, allow_nan=False)
    if options.html:
        with open(options.html, "w", encoding="utf-8") as file:
            file.write(reports.to_html(report))
    if status == 0 and any(l["status"] == "wrong" for l in layers):
        return 1
    return status if status or any(l["status"] == "ok" for l in layers) else 3


if __name__ == "__main__":
    sys.exit(run(arguments()))
