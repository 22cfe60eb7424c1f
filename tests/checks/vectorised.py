# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The hot loops of the built library are vectorised: vectorised.py SET OBJECT...

Disassembles the objects that the library holds for one instruction set (baseline, avx2, avx512), and that of FunctorLoops.cpp where
it is among them. For every kernel in HOT there must be an innermost loop that does its arithmetic on whole registers of that set, and nothing of it one element at a time.
In those of FUSED every product is fused with its sum, where the set can do that.
"""

import re
import subprocess
import sys

from toolchain import finish, require_program

REGISTER = {"baseline": "xmm", "avx2": "ymm", "avx512": "zmm"}

# A multiply-add of one element type, as each instruction set spells it.
MULTIPLY_ADD = {
    "avx512": [r"fn?m(add|sub)\d+p%s"],
    "avx2": [r"fn?m(add|sub)\d+p%s"],
    "baseline": [r"mulp%s", r"(add|sub)p%s"],
}
RSQRT_ESTIMATE = {"avx512": r"rsqrt14ps", "avx2": r"rsqrtps", "baseline": r"rsqrtps"}
PARTS = [rf"\(Keramos::openmp::GatherParts\){number}" for number in range(3)]  # of a gather-sum
SHUFFLE = r"(punpck|unpck|perm|shuf|blend|insert)\w*"


def multiply_adds(letter, count, rsqrt=False):
    """{set: {mnemonic: count}}: so many packed multiply-adds in s(ingle) or d(ouble); `rsqrt`: with an estimate of 1/sqrt."""
    wanted = {name: {m % letter: count for m in spelling} for name, spelling in MULTIPLY_ADD.items()}
    for name in wanted if rsqrt else ():
        wanted[name][RSQRT_ESTIMATE[name]] = 1
    return wanted


def shuffles(count):
    return {name: {SHUFFLE: count} for name in REGISTER}


def one_at_a_time(letter):
    return rf"(mul|add|sub|fn?m(add|sub)\d+|div|sqrt|rsqrt)s{letter}|call"


# Source, demangled kernel, what its hottest loop must hold on whole registers, what must not be in it.
HOT = [
    *[("Stencil.cpp", rf"row_kernel<{leap_frog}, \d, {type}>", multiply_adds(letter, 8), one_at_a_time(letter))
      for leap_frog in ("false", "true") for type, letter in (("float", "s"), ("double", "d"))],
    *[("Stencil.cpp", rf"block_kernel<{leap_frog}, {radius}, {type}>", multiply_adds(letter, 8), one_at_a_time(letter))
      for leap_frog in ("false", "true") for radius in (1, 4, 8) for type, letter in (("float", "s"), ("double", "d"))],
    *[("Stencil.cpp", rf"functor_{kernel}<{radius}, {type}>", multiply_adds(letter, 8), one_at_a_time(letter))
      for kernel, radius in (("row_kernel", r"\d"), ("block_kernel", 1), ("block_kernel", 4), ("block_kernel", 8))
      for type, letter in (("float", "s"), ("double", "d"))],
    *[("GatherSum.cpp", rf"sum_tile<{type}, .*{family}<{type}>, .*{targets}<{type}>, {parts}>",
       multiply_adds(letter, 3, rsqrt=type == "float" and family != "GaussianFamily"), one_at_a_time(letter))
      for family in ("CoulombFamily", "YukawaFamily", "GaussianFamily") for targets in ("Row", "Points")
      if (family, targets) != ("GaussianFamily", "Row") # a matrix product instead
      for parts in PARTS for type, letter in (("float", "s"), ("double", "d"))],
    *[("Cutoff.cpp", rf"sum_target<{type}, .*{family}<{type}>, {switched}, {parts}>",
       multiply_adds(letter, 2, rsqrt=type == "float" and family != "GaussianFamily"), one_at_a_time(letter))
      for family in ("CoulombFamily", "YukawaFamily", "GaussianFamily") for switched in ("false", "true")
      for parts in PARTS for type, letter in (("float", "s"), ("double", "d"))],
    *[("GaussianRows.cpp", rf"sum_rows<{type}, {parts}>", multiply_adds(letter, 8), one_at_a_time(letter))
      for parts in PARTS for type, letter in (("float", "s"), ("double", "d"))],
    *[("Transpose.cpp", kernel, shuffles(count), r"mov[sz][bw]\w*|call") for size, count in ((1, 16), (2, 8), (4, 4), (8, 2))
      for kernel in (rf"fill<{size}, .*PitchedRows>\(", rf"fill_listed<{size}, \d+>\(")],
]

# Those that there are for AVX-512 alone; sums for functors behind stars are those of stars that store.
HOT_IN_AVX512 = [("Stencil.cpp", rf"{kernel}{radius}, {type}>", multiply_adds(letter, 8), one_at_a_time(letter))
                 for kernel in ("star_block_kernel<false, ", "column_block_kernel<") for radius in range(1, 5)
                 for type, letter in (("float", "s"), ("double", "d"))]
# Vectors of eight elements, which in float are no whole registers.
HOT_IN_AVX512 += [("Stencil.cpp", rf"plane_kernel<.*Reach<{reach}>, double>", multiply_adds("d", 8), one_at_a_time("d"))
                  for reach in ("1, 1, 1", *(f"0, {rows}, {r}" for r in range(1, 5) for rows in (0, r)))]

HOT_IN_AVX512 += [("Stencil.cpp", rf"leap_plane_kernel<{type}>", multiply_adds(letter, 8), one_at_a_time(letter))
                  for type, letter in (("float", "s"), ("double", "d"))]

# A user's functor, in an object of an application: the function of each set that loops over it, and its element types. What
# compilers may fuse depends on the application's options. Baseline vectors have two doubles, which compilers leave alone.
FUNCTOR_LOOP = {"baseline": ("run_baseline", ["float"]), "avx2": ("run_avx2", ["float", "double"]),
                "avx512": ("run_avx512", ["float", "double"])}
# Those that have the root by the processor's estimate where there is AVX-512, and as vectors elsewhere.
ROOTS = [rf"FunctorTile<float, {gradient}, .*{functor}>" for functor in ("RootOfVectors", "Inverse") for gradient in ("false", "true")]


def functor_loops(name):
    run, types = FUNCTOR_LOOP[name]
    products = {type: rf"(mul|fn?m(add|sub)\d+)p{type[0].replace('f', 's')}" for type in types}
    of_types = [(rf"FunctorTile<{type}, .*(Root|Decay)>", {products[type]: 8}, type[0].replace("f", "s")) for type in types]
    root = {products["float"]: 5, RSQRT_ESTIMATE[name]: 1} if name == "avx512" else {products["float"]: 8}
    return [("FunctorLoops.cpp", rf"{run}<.*{tile}::add<.*{offsets}Offsets", {name: wanted}, one_at_a_time(letter))
            for tile, wanted, letter in of_types + [(tile, root, "s") for tile in ROOTS] for offsets in ("Point", "Row")]


def epilogue_loops(name):
    """A user's functor behind a stencil, by vectors of 32 bytes for AVX-512 as well; what it does at indices, where rows are contiguous."""
    return [("FunctorLoops.cpp", rf"run_unfused_avx2<.*RunFinisher<{type}, .*{functor}<{type}>.*lambda\(\)#1", {name: {rf"mulp{letter}": 1}},
             one_at_a_time(letter))
            for type, letter in (("float", "s"), ("double", "d")) for functor in ("Scaled", "ScaledAt") if name == "avx2"]


# Source and kernels in which every product is part of a fused multiply-add, in vectors of any width and in scalars: otherwise a
# point's bits would depend on its place in a row.
FUSED = [("Stencil.cpp", r"(row|block|star|column|plane)_(kernel|ends|rows)<")]


def functions(objects):
    """{(source, demangled name): [(address, instruction)]}"""
    found = {}
    for path in objects:
        source = re.sub(r".*/|\.o$", "", path)
        text = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", "-w", path],
                              capture_output=True, text=True, check=True).stdout
        body = None
        for line in text.splitlines():
            if head := re.match(r"[0-9a-f]+ <(.*)>:$", line):
                body = found.setdefault((source, head.group(1)), [])
            elif body is not None and (at := re.match(r"\s+([0-9a-f]+):\s+(.*)", line)):
                body.append((int(at.group(1), 16), at.group(2)))
    return found


def innermost_loops(body):
    """Bodies of the loops that hold no other loop: from the target of a jump backwards to the jump."""
    spans = set()
    for address, text in body:
        jump = re.match(r"(?:bnd )?j\w+\s+([0-9a-f]+)\b", text)
        if jump and int(jump.group(1), 16) <= address:
            spans.add((int(jump.group(1), 16), address))
    inner = [s for s in spans if not any(t != s and s[0] <= t[0] and t[1] <= s[1] for t in spans)]
    return [[text for address, text in body if first <= address <= last] for first, last in inner]


def holds(loop, wanted, unwanted, register):
    def count(mnemonic):
        return sum(register in text and bool(re.match(rf"v?(?:{mnemonic})\b", text)) for text in loop)

    return all(count(m) >= n for m, n in wanted.items()) and not any(re.match(rf"v?(?:{unwanted})\b", t) for t in loop)


if __name__ == "__main__":
    instruction_set, objects = sys.argv[1], sys.argv[2:]
    require_program("objdump", package="binutils")
    known = functions(objects)
    failures = []
    hot = HOT + (HOT_IN_AVX512 if instruction_set == "avx512" else [])
    if any(o.endswith("FunctorLoops.cpp.o") for o in objects):
        hot += functor_loops(instruction_set) + epilogue_loops(instruction_set)
    for source, kernel, wanted, unwanted in hot:
        bodies = [body for (where, name), body in known.items() if where == source and re.search(kernel, name)]
        if not bodies:
            failures.append(f"{source}: no function {kernel} in {objects}")
        for body in bodies:
            loops = innermost_loops(body)
            if not any(holds(loop, wanted[instruction_set], unwanted, REGISTER[instruction_set]) for loop in loops):
                failures.append(f"{source}: {kernel}: none of {len(loops)} innermost loops holds "
                                f"{wanted[instruction_set]} on {REGISTER[instruction_set]} and no {unwanted}")
    for source, kernel in FUSED if instruction_set != "baseline" else ():
        for (where, name), body in known.items():
            if where == source and re.search(kernel, name) and any(re.match(r"v?mul[sp][sd]\b", text) for _, text in body):
                failures.append(f"{source}: {name}: has a product that is not fused with its sum")
    finish(f"{len(hot)} hot kernels for {instruction_set}", failures)
