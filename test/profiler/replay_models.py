#!/usr/bin/env python3
"""Replays lists of layers and demands that each layer is verified by at least one instance, and that none is wrong.

    replay_models.py --profiler build/bin/zellige-profiler --device sim:gfx942 [--n 1] [--top 1] LIST...

Prints, for each layer, how long it took here and the best instance's time, predicted or measured. The n of a layer that would take
longer than a minute can be lowered for all with --n.
"""
import argparse
import json
import subprocess
import sys
import time
from pathlib import Path


def replay(arguments, path):
    """Yields (seconds, report) for each line of a list as the profiler writes it, then checks the exit status."""
    command = [arguments.profiler, "replay", path, "--device", arguments.device, "--top", arguments.top, "--json", "-"]
    if arguments.n:
        command += ["--n", arguments.n]
    begin = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            yield time.monotonic() - begin, json.loads(line)
            begin = time.monotonic()
        said = process.stderr.read()
    if process.returncode != 0:
        sys.exit(f"{path}: exit status {process.returncode}\n{said}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--profiler", required=True)
    parser.add_argument("--device", required=True)
    parser.add_argument("--n")
    parser.add_argument("--top", default="1")
    parser.add_argument("lists", nargs="+")
    arguments = parser.parse_args()
    failed = layers = 0
    for path in arguments.lists:
        expected = sum(1 for line in Path(path).read_text().splitlines() if line.strip() and not line.startswith("#"))
        seen = 0
        for seconds, report in replay(arguments, path):
            seen += 1
            problem, best = report["problem"], report["best"]
            wrong = [row["name"] for row in report["instances"] if row["status"] in ("wrong", "error")]
            good = best is not None and best["verified"] is True and not wrong
            failed += not good
            how = "predicted" if best and best["predicted"] else "measured"
            time_text = f"{best['time_ms']:.4g} ms {how}, {best['name']}" if best else "nothing ran"
            print(f"{'ok' if good else 'FAILED'} {seconds:5.1f} s  {Path(path).stem} n={problem.get('n')} "
                  f"c={problem.get('c')} k={problem.get('k')} in={problem.get('in')} filter={problem.get('filter')}: "
                  f"{time_text} {' '.join(wrong)}", flush=True)
        if seen != expected:
            sys.exit(f"{path}: {seen} reports of {expected} lines")
        layers += seen
    print(f"{layers} layers, {failed} that failed")
    sys.exit(1 if failed or not layers else 0)


if __name__ == "__main__":
    main()
