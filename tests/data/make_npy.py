#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes npy/*.npy, which tests/DemoFilesTest.cpp reads: the same 2 x 3 x 4 numbers in every form that the demo accepts, and
arrays that it must refuse. Number (i, j, k) is 100 i + 10 j + k + 0.5. Needs numpy."""
import pathlib

import numpy as np

folder = pathlib.Path(__file__).with_name("npy")
folder.mkdir(exist_ok=True)
i, j, k = np.indices((2, 3, 4))
volume = 100.0 * i + 10 * j + k + 0.5


def write(name, array, version=None):
    with open(folder / name, "wb") as file:
        np.lib.format.write_array(file, array, version=version)


for bits in (4, 8):
    array = volume.astype(f"<f{bits}")
    write(f"c_f{bits}.npy", array)
    write(f"fortran_f{bits}.npy", np.asfortranarray(array))
write("version_2.npy", volume.astype("<f4"), (2, 0))
write("version_3.npy", volume.astype("<f4"), (3, 0))
write("big_endian.npy", volume.astype(">f4"))
write("integers.npy", volume.astype("<i4"))
write("rank_2.npy", volume[0].astype("<f4"))
write("rank_4.npy", volume[None].astype("<f4"))
write("empty.npy", volume[:0].astype("<f4"))
