"""Gates on the compiled code of every instance: no spills, no scratch, the LDS, matrix instructions and load widths that the
config says, and main loops that keep their limits. Prints each instance's main loop by class of instruction.

  gates.py --facts PROGRAM --objdump TOOL --readobj TOOL --objcopy TOOL --bundler TOOL
"""

import argparse
import json
import pathlib
import re
import sys
import tempfile

import code_objects
import loops

# Limits of named main loops: instructions of a step, and vector registers of the kernel. What they rest on: a hand-written
# loop of that tiling has 16 matrix instructions, 12 of LDS, 4 loads, 7 waits, 14 scalar and 7 vector ones.
LIMITS = {"conv_fwd_gfx942_f16_b128x128x32_w2x2_a32x32x8_vc8_run_shuffle": {"instructions": 60, "vgprs": 128}}

LOADS = {16: r"dwordx4|b128", 8: r"dwordx2|b64", 4: r"dword|b32", 1: r"ubyte\w*|u8|d16_(hi_)?u8", 2: r"u?short\w*|u16|d16\w*"}


def load_width(mnemonic):
    """Bytes that a lane of a load instruction reads."""
    for width, pattern in LOADS.items():
        if re.search(rf"_load_(async_to_lds_)?({pattern})$", mnemonic):
            return width
    return 0


def complaints(fact, meta, body):
    """What is wrong with one instance, as sentences."""
    found = []
    for key, what in (("vgpr_spill_count", "spilled vector registers"), ("sgpr_spill_count", "spilled scalar registers"),
                      ("private_segment_fixed_size", "bytes of scratch")):
        if meta.get(key, 0) != 0:
            found.append(f"{meta[key]} {what}")
    if meta["group_segment_fixed_size"] != fact["lds_bytes"]:
        found.append(f"{meta['group_segment_fixed_size']} bytes of LDS, its config says {fact['lds_bytes']}")
    if meta["max_flat_workgroup_size"] != fact["threads"]:
        found.append(f"compiled for {meta['max_flat_workgroup_size']} threads, its config says {fact['threads']}")
    if body is None:
        return found + ["no loop that multiplies"]

    m, n, k = fact["mma"]
    wanted = rf"v_(mfma|wmma)_{fact['result']}_{m}x{n}x{k}_?{fact['type']}(_1k)?$"
    mmas = [i.mnemonic for i in body if loops.class_of(i.mnemonic) == "matrix"]
    what, multiplied = ("multiply-adds", sum(map(loops.products, body))) if fact["fmas"] else ("matrix instructions", len(mmas))
    if multiplied != (expected := fact["mmas"] * (fact["fmas"] or 1)):
        found.append(f"{multiplied} {what} a step, its config says {expected}")
    if others := {i for i in mmas if not re.match(wanted, re.sub(r"_e64$", "", i))}:
        found.append(f"multiplies by {', '.join(sorted(others))} instead of {fact['result']} {m}x{n}x{k} {fact['type']}")
    widths = {load_width(i.mnemonic) for i in body if loops.class_of(i.mnemonic) == "load"}
    if widths != set(fact["load_bytes"]):
        found.append(f"loads of {sorted(widths)} bytes, its config says {sorted(set(fact['load_bytes']))}")
    transposed = sum(re.match(r"ds_(read|load)\w*_tr", i.mnemonic) is not None for i in body)
    if transposed != fact["transposed_reads"]:
        found.append(f"{transposed} transposed LDS reads a step, its config says {fact['transposed_reads']}")
    if fact["direct"] and any(loops.kind_of(i.mnemonic) == "lds_write" for i in body):
        found.append("LDS writes in a loop whose copies go straight to LDS")
    wanted_order = [kind for kind, count in fact["order"] for _ in range(count)]
    order = [kind for i in body if (kind := loops.kind_of(i.mnemonic)) in wanted_order]
    if wanted_order and order != wanted_order:
        found.append(f"its order is {loops.runs_of(order)}, its schedule says {loops.runs_of(wanted_order)}")
    limit = LIMITS.get(fact["name"], {})
    if len(body) > limit.get("instructions", len(body)):
        found.append(f"{len(body)} instructions a step, over its limit of {limit['instructions']}")
    if meta["vgpr_count"] > limit.get("vgprs", meta["vgpr_count"]):
        found.append(f"{meta['vgpr_count']} vector registers, over its limit of {limit['vgprs']}")
    return found


def read_library(file, arch, tools):
    """({symbol: metadata}, {symbol: instructions}) of an instance library."""
    meta, code = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for code_object in code_objects.code_objects(file, arch, tools, pathlib.Path(folder)):
            meta.update(code_objects.metadata(code_object, tools))
            code.update(code_objects.disassembly(code_object, tools))
    return meta, code


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("facts", "objdump", "readobj", "objcopy", "bundler"):
        parser.add_argument(f"--{name}", required=True)
    arguments = parser.parse_args()
    tools = {name: getattr(arguments, name) for name in ("objdump", "readobj", "objcopy", "bundler")}
    facts = [json.loads(line) for line in code_objects.run(arguments.facts).splitlines()]
    if not facts:
        print("the build has no instances")
        return 1

    libraries = {file: read_library(file, arch, tools) for file, arch in sorted({(f["file"], f["arch"]) for f in facts})}
    print(f"{'step':>5}" + "".join(f"{name:>7}" for name in loops.CLASSES) + f"{'vgprs':>7}{'agprs':>7}{'lds':>8}  instance")
    failures, seen = [], set()
    for fact in facts:
        meta, code = (part.get(fact["symbol"]) for part in libraries[fact["file"]])
        seen.add(fact["name"])
        if meta is None or code is None:
            failures.append(f"{fact['name']}: its kernel is not in {fact['file']}")
            continue
        body = loops.main_loop(code)
        found = loops.counts(body or [])
        print(f"{len(body or []):5}" + "".join(f"{found[name]:7}" for name in loops.CLASSES) +
              f"{meta['vgpr_count']:7}{meta.get('agpr_count', 0):7}{meta['group_segment_fixed_size']:8}  {fact['name']}")
        failures += [f"{fact['name']}: {text}" for text in complaints(fact, meta, body)]
    archs = {fact["arch"] for fact in facts}
    failures += [f"{name} has limits, but the build lacks it" for name in LIMITS
                 if name not in seen and any(f"_{arch}_" in name for arch in archs)]
    print(f"{len(facts)} instances, {len(failures)} complaints")
    for text in failures:
        print("FAILED " + text)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
