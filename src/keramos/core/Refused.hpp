// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are refused with a sentence. Beside the overloads of a public call stand declarations for the arguments that
// none of them takes, each with what a compiler prints instead of a list of candidates:
//
//     core::Refused copy(core::ASpace exec, core::Data in, core::NoData out) KERAMOS_REFUSED("Keramos::copy: ...");
//
// They are in nobody's way. Each of their parameters takes its argument by a conversion, so that any overload that takes one
// of the arguments as it is wins: the library's own, those to come, and those of an application that are found beside them.
// And Refused is incomplete, so that `requires { Keramos::copy(...) }` answers no. For one list of arguments there is one of
// them at most.
#pragma once

/// The sentence, as the first error. Compilers that know no such attribute (nvcc's front end) name the declaration, beside
/// which it stands.
#if defined(__EDG__) || defined(__NVCC__)
#define KERAMOS_REFUSED(sentence) = delete
#else
#define KERAMOS_REFUSED(sentence) __attribute__((unavailable(sentence)))
#endif

namespace Keramos::core {

/// What every refused call returns: never defined.
struct Refused;

// Parameters of refused calls. Lists in braces convert to them like single arguments.

struct Anything {
  template <class... T>
  Anything(const T&...)
  {
  }
};

} // namespace Keramos::core
