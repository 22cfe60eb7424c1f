// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call took: the Kernel that every public call returns. Its text is made when somebody reads it, because a call
// should not pay for words that nobody asks for.
#pragma once

#include <concepts>
#include <cstddef>
#include <new>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>

namespace Keramos {

/// The implementations of an operator, in the order in which they are asked; `reference` runs only on request.
enum class Backend { cuda, openmp, portable, reference };

constexpr const char* to_string(Backend backend)
{
  switch (backend) {
  case Backend::cuda:
    return "cuda";
  case Backend::openmp:
    return "openmp";
  case Backend::portable:
    return "portable";
  case Backend::reference:
    return "reference";
  }
  return "unknown";
}

namespace core {

/// "diffusion of u: Keramos::apply_stencil": a text behind a label, if there is one.
inline std::string labelled(std::string_view label, std::string_view text)
{
  return label.empty() ? std::string(text) : std::string(label).append(": ").append(text);
}

/// A text that is made when it is read: a callable that returns it, with the few numbers that it is made of.
///
///     Text variant = [rank, radius] { return text("star<", rank, ',', radius, '>'); };
class Text {
public:
  Text() = default;
  /// Fixed text, which must outlive this: a literal.
  Text(const char* literal) : Text([literal] { return std::string(literal); }) {}
  template <class Make>
    requires(std::is_invocable_r_v<std::string, const Make&>&& std::is_trivially_copyable_v<Make>)
  Text(const Make& make)
      : read_([](const std::byte* stored) -> std::string { return (*reinterpret_cast<const Make*>(stored))(); })
  {
    static_assert(sizeof(Make) <= capacity && alignof(Make) <= alignof(std::max_align_t));
    new (stored_) Make(make);
  }

  /// The same with a literal behind it, which takes the place of an earlier one.
  Text followed_by(const char* literal) const
  {
    Text result = *this;
    result.behind_ = literal;
    return result;
  }

  std::string str() const { return read_ ? read_(stored_) + behind_ : behind_; }
  operator std::string() const { return str(); }
  friend std::ostream& operator<<(std::ostream& out, const Text& text) { return out << text.str(); }
  friend bool operator==(const Text& a, const Text& b) { return a.str() == b.str(); }
  template <std::convertible_to<std::string_view> Words>
  friend bool operator==(const Text& a, const Words& b)
  {
    return a.str() == std::string_view(b);
  }

private:
  static constexpr std::size_t capacity = 64;
  std::string (*read_)(const std::byte*) = nullptr;
  const char* behind_ = "";
  alignas(std::max_align_t) std::byte stored_[capacity];
};

} // namespace core

/// What a public call took. Prints as "openmp: star<3,4> rows avx512".
struct Kernel {
  Backend backend = Backend::reference;
  std::string_view operation; ///< the public call: "apply_stencil"
  core::Text variant;         ///< the backend's own description: "star<3,4> rows avx512"; converts to std::string
  std::string label{};        ///< what with_label() says, where somebody reads it: "diffusion of u"

  /// The name under which Kokkos Tools sees the launch: "Keramos::apply_stencil::openmp::star<3,4> rows avx512", or with a
  /// label "diffusion of u: Keramos::apply_stencil::openmp::star<3,4> rows avx512".
  std::string name() const
  {
    return core::labelled(label, "Keramos::").append(operation) + "::" + to_string(backend) + "::" + variant.str();
  }

  friend std::ostream& operator<<(std::ostream& out, const Kernel& kernel)
  {
    return out << to_string(kernel.backend) << ": " << kernel.variant;
  }
  friend bool operator==(const Kernel&, const Kernel&) = default;
};

} // namespace Keramos
