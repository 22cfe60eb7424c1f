// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a volume that NumPy saved (numpy.save): the velocity model of the demo's --velocity.
#pragma once

#include "Volume.hpp"

#include <string>

namespace demo {

/// A rank-3 array of little-endian float32 or float64, in C or Fortran order, of format version 1, 2 or 3; the result
/// is in C order. Throws InputError, which names the header item that is not as it should be, if the file is anything
/// else.
Volume read_npy(const std::string& file);

} // namespace demo
