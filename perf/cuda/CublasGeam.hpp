// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transpose by cublasSgeam, if this machine has cuBLAS: looked for when the program runs, so that nothing needs it to build.
#pragma once

#include "Buffers.hpp"

#include <dlfcn.h>

#include <string>

namespace perf {

class CublasGeam {
public:
  /// One for the program: the library stays loaded, and its handle is the process's to clean up.
  static const CublasGeam& instance()
  {
    static const CublasGeam geam;
    return geam;
  }

  /// Why it cannot run; empty where it can.
  const std::string& absent() const { return absent_; }

  /// out = transpose of in, which has `rows` rows of `columns` contiguous floats. cuBLAS counts by columns, so that the
  /// rows here are its columns.
  void transpose(const float* in, float* out, int rows, int columns) const
  {
    constexpr int as_it_is = 0, transposed = 1;
    const float one = 1, zero = 0;
    if (geam_(handle_, transposed, as_it_is, rows, columns, &one, in, columns, &zero, out, rows, out, rows) != 0)
      throw std::runtime_error("cublasSgeam failed");
  }

private:
  using Create = int (*)(void**);
  using SetStream = int (*)(void*, cudaStream_t);
  using Geam = int (*)(void*, int, int, int, int, const float*, const float*, int, const float*, const float*, int,
                       float*, int);

  CublasGeam()
  {
    void* library = nullptr;
    for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"})
      if (!library) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      absent_ = "no cuBLAS on this machine";
      return;
    }
    const auto create = reinterpret_cast<Create>(dlsym(library, "cublasCreate_v2"));
    const auto set_stream = reinterpret_cast<SetStream>(dlsym(library, "cublasSetStream_v2"));
    geam_ = reinterpret_cast<Geam>(dlsym(library, "cublasSgeam"));
    if (!create || !set_stream || !geam_ || create(&handle_) != 0 || set_stream(handle_, stream()) != 0)
      absent_ = "cuBLAS does not start on this machine";
  }

  void* handle_ = nullptr;
  Geam geam_ = nullptr;
  std::string absent_;
};

} // namespace perf
