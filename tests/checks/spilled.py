# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Marches of stars, of boxes by pairs of columns, and of the wave update of radius 4 keep all in registers: spilled.py LIBRARY

One word out of memory for each plane took a tenth of the time of radius 4 (docs/tuning/stencil-march-functors.md), and a variable more may spill one. Stars and
boxes in float, the shapes that most grids take; of the others some spill. The wave update in both types, all shapes.
"""

import re
import shutil
import subprocess
import sys

from toolchain import finish, skip

cuobjdump = shutil.which("cuobjdump") or shutil.which("cuobjdump", path="/usr/local/cuda/bin")
if not cuobjdump:
    skip("cuobjdump, which comes with the CUDA toolkit, is not on this machine")

run = subprocess.run([cuobjdump, "--dump-resource-usage", sys.argv[1]], capture_output=True, text=True)
kernel = r"Function (\S*march_kernelIf\S*(?:StarSumsIf|PairSums\w*?)Li(\d)E\S*ELi\dELi([023])E\S*):\s+REG:(\d+) STACK:(\d+)"
found = re.findall(kernel, run.stdout)
allowed = {"43": 16}  # bytes, by radius and shape: a word for each plane, and faster for all that
failures = [f"a star or a box of radius {radius} by shape {number} spills {stack} bytes with {registers} registers: {name}"
            for name, radius, number, registers, stack in found if int(stack) > allowed.get(radius + number, 0)]
if {radius + number for _, radius, number, _, _ in found} != {"10", "13", "20", "22", "23", "30", "33", "40", "43"}:
    failures.append(f"{sys.argv[1]} has not the march's stars of radius 1 to 4, or by pairs:\n{run.stderr[-1000:]}")

wave = r"Function \S*march_functor_kernelI([fd])\S*MarchFunctorShapeOfI\1Li4ELi2ELi(\d)E\S*:\s+REG:(\d+) STACK:(\d+)"
waves = re.findall(wave, run.stdout)
failures += [f"the wave update of radius 4 by shape {number} spills {stack} bytes with {registers} registers ({kind})"
             for kind, number, registers, stack in waves if int(stack) > 0]
if {kind + number for kind, number, _, _ in waves} != {"f1", "f2", "d1"}:
    failures.append(f"{sys.argv[1]} has not the march's wave updates of radius 4")
finish("spilled registers", failures)
