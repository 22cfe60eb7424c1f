// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes by cuBLAS' geam, if this machine has cuBLAS: looked for when the program runs, so that nothing needs it to build. There is
// one for each of the value types below, and none for other elements, more axes or several matrices.
#pragma once

#include "Buffers.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <string>

namespace perf {

/// Its letter in the names of cuBLAS; 0 where there is no geam.
template <class T>
inline constexpr char cublas_letter = 0;
template <>
inline constexpr char cublas_letter<float> = 'S';
template <>
inline constexpr char cublas_letter<double> = 'D';
template <>
inline constexpr char cublas_letter<Kokkos::complex<float>> = 'C';
template <>
inline constexpr char cublas_letter<Kokkos::complex<double>> = 'Z';

/// out = alpha * in transposed + beta * out; `in` has so many rows of contiguous elements.
struct GeamFactors {
  float alpha = 1, beta = 0;
  bool conjugates = false;
};
template <class T>
struct GeamCall {
  const T* in;
  T* out;
  std::int64_t rows, columns;
  GeamFactors factors = {};
};

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

  template <class T>
  static std::string name()
  {
    return std::string("cublas") + cublas_letter<T> + "geam";
  }

  /// cuBLAS counts by columns, so that the rows here are its columns.
  template <class T>
  void transpose(const GeamCall<T>& call) const
  {
    using Geam = int (*)(void*, int, int, int, int, const T*, const T*, int, const T*, const T*, int, T*, int);
    static const auto geam = reinterpret_cast<Geam>(dlsym(library_, name<T>().c_str()));
    const int as_it_is = 0, transposed = call.factors.conjugates ? 2 : 1;
    const auto rows = static_cast<int>(call.rows), columns = static_cast<int>(call.columns);
    const T alpha = call.factors.alpha, beta = call.factors.beta;
    if (!geam || geam(handle_, transposed, as_it_is, rows, columns, &alpha, call.in, columns, &beta, call.out, rows,
                      call.out, rows) != 0)
      throw std::runtime_error(name<T>() + " failed");
  }

private:
  using Create = int (*)(void**);
  using SetStream = int (*)(void*, cudaStream_t);

  CublasGeam()
  {
    for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"})
      if (!library_) library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library_) {
      absent_ = "no cuBLAS on this machine";
      return;
    }
    const auto create = reinterpret_cast<Create>(dlsym(library_, "cublasCreate_v2"));
    const auto set_stream = reinterpret_cast<SetStream>(dlsym(library_, "cublasSetStream_v2"));
    if (!create || !set_stream || create(&handle_) != 0 || set_stream(handle_, stream()) != 0)
      absent_ = "cuBLAS does not start on this machine";
  }

  void* library_ = nullptr;
  void* handle_ = nullptr;
  std::string absent_;
};

/// `next()` gives the GeamCall<T> of a call.
template <class T, class Next>
Contender by_cublas(const Next& next)
{
  Contender geam{CublasGeam::name<T>(),
                 [=]() -> std::string { return CublasGeam::instance().transpose<T>(next()), ""; }};
  geam.absent = CublasGeam::instance().absent();
  return geam;
}

} // namespace perf
