"""The main loop of a kernel: the shortest way round the innermost loop that multiplies, counted by class of instruction.

The shortest way is what a step of the reduction costs while a walk stays inside its run: blocks that only the end of a run
enters lie off it.
"""

import itertools
import re

CLASSES = ("matrix", "lds", "load", "valu", "salu", "wait")


def class_of(mnemonic):
    if re.match(r"v_(s?mfma|smfmac|s?wmma|swmmac)", mnemonic):
        return "matrix"
    if mnemonic.startswith("ds_"):
        return "lds"
    if re.match(r"(buffer|global|flat|scratch)_", mnemonic):
        return "load"
    if mnemonic.startswith("v_"):
        return "valu"
    if re.match(r"s_(wait|barrier|nop|sleep|delay)", mnemonic):
        return "wait"
    return "salu"


def kind_of(mnemonic):
    """The class, with reads and writes of LDS apart."""
    if class_of(mnemonic) == "lds":
        return "lds_read" if re.match(r"ds_(read|load)", mnemonic) else "lds_write"
    return class_of(mnemonic)


def runs_of(kinds):
    """["load", "load", "matrix"] as "2 load, 1 matrix"."""
    return ", ".join(f"{len(list(group))} {kind}" for kind, group in itertools.groupby(kinds))


def products(instruction):
    """Matrix products of an instruction, or f32 multiply-adds where vector units stand for matrix instructions."""
    if class_of(instruction.mnemonic) == "matrix":
        return 1
    return len(re.findall(r"v_(?:dual_)?fma[cak]*_f32", instruction.text))


def is_branch(instruction):
    return instruction.target is not None and re.match(r"s_c?branch", instruction.mnemonic)


def blocks_of(instructions):
    """[(first, last + 1, [successors])] of the function's basic blocks; successors are numbers of blocks."""
    index = {instruction.address: i for i, instruction in enumerate(instructions)}
    starts = {0}
    for i, instruction in enumerate(instructions):
        if is_branch(instruction):
            starts |= {index[instruction.target], i + 1}
        elif instruction.mnemonic in ("s_endpgm", "s_setpc_b64", "s_trap"):
            starts.add(i + 1)
    order = sorted(start for start in starts if start < len(instructions))
    number = {start: n for n, start in enumerate(order)}
    blocks = []
    for n, start in enumerate(order):
        end = order[n + 1] if n + 1 < len(order) else len(instructions)
        last, successors = instructions[end - 1], []
        if is_branch(last):
            successors.append(number[index[last.target]])
        if last.mnemonic not in ("s_branch", "s_endpgm", "s_setpc_b64", "s_trap") and n + 1 < len(order):
            successors.append(n + 1)
        blocks.append((start, end, successors))
    return blocks


def shortest_cycle(blocks, start):
    """The blocks of the shortest way from block `start` back to it, by instructions; None where there is none."""
    best, previous, waiting = {start: 0}, {}, {start}
    closing = None
    while waiting:
        at = min(waiting, key=best.get)
        waiting.remove(at)
        cost = best[at] + blocks[at][1] - blocks[at][0]
        for successor in blocks[at][2]:
            if successor == start:
                if closing is None or cost < closing[0]:
                    closing = (cost, at)
            elif successor not in best or cost < best[successor]:
                best[successor], previous[successor] = cost, at
                waiting.add(successor)
    if closing is None:
        return None
    way = [closing[1]]
    while way[-1] != start:
        way.append(previous[way[-1]])
    return way[::-1]


def main_loop(instructions):
    """The instructions of one step of the main loop, in order; None where no loop multiplies."""
    blocks = blocks_of(instructions)
    best = None
    for n, (start, end, _) in enumerate(blocks):
        if not any(products(i) for i in instructions[start:end]):
            continue
        way = shortest_cycle(blocks, n)
        if way is None:
            continue
        body = [i for block in way for i in instructions[blocks[block][0]:blocks[block][1]]]
        if best is None or sum(map(products, body)) > sum(map(products, best)):
            best = body
    return best


def counts(body):
    found = {name: 0 for name in CLASSES}
    for instruction in body:
        found[class_of(instruction.mnemonic)] += 1
    return found
