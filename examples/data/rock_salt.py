#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes rock_salt.pqr: a cube of rock salt, 13 x 13 x 13 ions, around a sodium ion.

Evjen's rule (Phys. Rev. 39 (1932) 675) counts an ion on a face of the cube half, on an edge a quarter and at a corner an
eighth, as much of it as belongs to the cube. The cube is then neutral, and the potential at its centre, without the ion that
sits there, times the distance of neighbours approaches minus Madelung's constant, 1.747564594633...

    python3 rock_salt.py > rock_salt.pqr
"""
import itertools
import math

neighbour = 2.820  # angstrom: half the lattice constant of sodium chloride
half = 6  # shells of ions around the centre
radius = {"NA": 1.16, "CL": 1.67}  # angstrom (Shannon 1976, coordination 6)

madelung = 0.0
print(f"REMARK   1 rock salt, {2 * half + 1}^3 ions, Evjen's charges at the surface; made by rock_salt.py")
shell = range(-half, half + 1)
for serial, index in enumerate(itertools.product(shell, repeat=3), 1):
    name = "NA" if sum(index) % 2 == 0 else "CL"
    charge = (1 if name == "NA" else -1) * 0.5 ** sum(abs(i) == half for i in index)
    x, y, z = (neighbour * i for i in index)
    print(f"HETATM {serial:4d} {name} {name:>3s} {serial:4d} {x:8.3f} {y:8.3f} {z:8.3f} {charge:7.4f} {radius[name]:5.2f}")
    if any(index):
        madelung -= charge / math.sqrt(sum(i * i for i in index))
print(f"REMARK   2 Madelung's constant by this cube: {madelung:.9f}")
print("END")
