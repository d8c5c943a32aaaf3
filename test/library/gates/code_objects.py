"""Code objects of an instance library: what their metadata says of each kernel, and each kernel's instructions.

A HIP shared object holds one (compressed) offload bundle a translation unit in its section .hip_fatbin. LLVM's tools take
these apart; nothing here decodes an instruction.
"""

import re
import struct
import subprocess


# A build may have a target's generic code in its place.
GENERIC = {"gfx1100": "gfx11-generic", "gfx1201": "gfx12-generic"}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} failed: {done.stderr.strip()}")
    return done.stdout


def bundles(fatbin):
    """The offload bundles of a .hip_fatbin section, which begin at multiples of 4096 bytes."""
    starts = [at for at in range(0, len(fatbin), 4096) if fatbin[at:at + 4] == b"CCOB" or fatbin[at:at + 24] == b"__CLANG_OFFLOAD_BUNDLE__"]
    for start, end in zip(starts, starts[1:] + [len(fatbin)]):
        piece = fatbin[start:end]
        if piece[:4] == b"CCOB":  # version, method, size of the file: 32 bits in version 2, 64 in version 3
            version = struct.unpack_from("<H", piece, 4)[0]
            size = struct.unpack_from("<Q" if version >= 3 else "<I", piece, 8)[0]
            piece = piece[:size]
        yield piece


def code_objects(library, arch, tools, folder):
    """Writes the code objects of `library` into `folder`; yields their paths."""
    section = folder / "fatbin"
    run(tools["objcopy"], "--dump-section", f".hip_fatbin={section}", library, folder / "stripped")
    for number, bundle in enumerate(bundles(section.read_bytes())):
        packed, unpacked = folder / f"bundle_{number}", folder / f"code_{number}.o"
        packed.write_bytes(bundle)
        listed = run(tools["bundler"], "--list", "--type=o", f"--input={packed}").split()
        wanted = [target for target in listed if target.split("--")[-1].split(":")[0] in (arch, GENERIC.get(arch))]
        if not wanted:
            raise RuntimeError(f"a bundle of {library} holds {', '.join(listed)} but no {arch}")
        run(tools["bundler"], "--unbundle", "--type=o", f"--targets={wanted[0]}", f"--input={packed}", f"--output={unpacked}")
        yield unpacked


def metadata(code_object, tools):
    """{symbol: {key: number}} of the code object's metadata note."""
    kernels = {}
    for text in re.split(r"\n  - (?=\.)", run(tools["readobj"], "--notes", code_object))[1:]:
        name = re.search(r"^ *\.name: +'?([^\s']+)", text, re.MULTILINE)
        if name:
            kernels[name.group(1)] = {key: int(value) for key, value in re.findall(r"^ *\.(\w+): +(\d+)$", text, re.MULTILINE)}
    return kernels


class Instruction:
    """One line of a disassembly."""

    def __init__(self, address, text, target):
        self.address, self.text, self.target = address, text, target
        self.mnemonic = text.split()[0]


def disassembly(code_object, tools):
    """{symbol: [Instruction, ...]} of the code object's functions."""
    functions, current = {}, None
    for line in run(tools["objdump"], "-d", code_object).splitlines():
        if header := re.match(r"^[0-9a-f]+ <(.+)>:$", line):
            current = functions.setdefault(header.group(1), [])
        elif body := re.match(r"^\t(\S.*?)\s*// ([0-9A-F]+): .*?(?:<(.+?)(?:\+0x([0-9a-fA-F]+))?>)?$", line):
            offset = int(body.group(4) or "0", 16) if body.group(3) else None
            current.append(Instruction(int(body.group(2), 16), body.group(1), offset))
    for instructions in functions.values():
        for instruction in instructions:  # branch targets are offsets from the function's beginning
            if instruction.target is not None:
                instruction.target += instructions[0].address
    return functions
