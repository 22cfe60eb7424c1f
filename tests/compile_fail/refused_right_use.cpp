// EXPECT-COMPILES
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Refused calls are in nobody's way: `requires` sees that they are none, and any other overload wins.
// A wrong call stands on one line with what is said of it:
// clang-format off
#include <Keramos.hpp>

#include "others.hpp"

#include <algorithm>
#include <concepts>
#include <type_traits>
#include <vector>

using Host = Others::Host;
using View = Kokkos::View<float**, Kokkos::HostSpace>;
using Fixed = Kokkos::View<const float**, Kokkos::HostSpace>;
using Line = Kokkos::View<float*, Kokkos::HostSpace>;
using Dual = decltype(Others::dual);
using Star = Keramos::Star<2, 1>;
using Keramos::EdgeRule, Keramos::Coulomb, Keramos::Axes;
using Sources = Keramos::Sources<View, Line>;

// ---- requires --------------------------------------------------------------------------------------------------------

template <class... A>
concept Copies = requires(const A&... a)
{
  Keramos::copy(a...);
};
template <class... A>
concept Permutes = requires(const A&... a)
{
  Keramos::permute<1, 0>(a...);
};
template <class... A>
concept PermutesByAxes = requires(const A&... a)
{
  Keramos::permute(a...);
};
template <class... A>
concept TransposesInPlace = requires(const A&... a)
{
  Keramos::transpose_in_place(a...);
};
template <class... A>
concept Stencils = requires(const A&... a)
{
  Keramos::apply_stencil(a...);
};
template <class... A>
concept Sums = requires(const A&... a)
{
  Keramos::gather_sum(a...);
};

static_assert(Copies<Host, Fixed, View> && Copies<Host, View, View, Keramos::Convert>);
static_assert(!Copies<Host, View, Fixed> && !Copies<View, View> && !Copies<Host, Dual, View> && !Copies<Host, View>);
static_assert(!Copies<> && !Copies<Host, View, View, int> && !Copies<int, int, int, int, int, int, int, int>);
static_assert(Permutes<Host, View, View> && !Permutes<Host, View, Dual> && !Permutes<Host, View, Fixed>);
static_assert(PermutesByAxes<Host, Axes<2>, View, View> && !PermutesByAxes<Host, View, View>);
static_assert(TransposesInPlace<Host, View> && !TransposesInPlace<Host, Fixed> && !TransposesInPlace<View>);
static_assert(Stencils<Host, Star, Fixed, View, EdgeRule> && !Stencils<Host, Star, View, View>);
static_assert(!Stencils<Host, Star, View, Fixed, EdgeRule> && !Stencils<Host, Star, View, View, EdgeRule(double)>);
static_assert(!Stencils<Host, Star, View, View, Keramos::EdgeRules<3>>);
static_assert(Sums<Host, Coulomb, View, Sources, Line> && !Sums<Host, Coulomb, View, Sources, Dual>);
static_assert(!Sums<Coulomb, View, Sources, Line> && !Sums<Host, Coulomb, View, View, Line>);

// ---- An application's functions of these names, where both are found by the arguments ------------------------------------

using Regions = std::vector<Keramos::Region<2>>;

template <class It>
auto copied(It begin, It end, It to)
{
  using std::copy;
  return copy(begin, end, to);
}
static_assert(std::same_as<decltype(copied(std::declval<Regions::iterator>(), {}, {})), Regions::iterator>);

namespace application {
struct Mine {};
template <class... Anything>
Mine transpose(Anything&&...);
static_assert(std::same_as<decltype(transpose(std::declval<const EdgeRule&>(), 3)), Mine>);
template <class T>
Mine permute(T);
static_assert(std::same_as<decltype(permute(std::declval<const EdgeRule&>())), Mine>);
} // namespace application

// ---- Overloads to come, which convert some of their arguments --------------------------------------------------------

namespace Keramos {
struct Later {
  Later(EdgeRule);
};
template <core::ExecutionArgument Exec, core::StencilOperator Op>
int apply_stencil(const Exec&, const Op&, const Others&, const Others&, const Later&);
template <core::ExecutionArgument Exec>
int copy(const Exec&, const ::Dual&, const Later&);
} // namespace Keramos
template <class... A>
concept StencilsLater = requires(const A&... a) { Keramos::apply_stencil(a...); };
template <class... A>
concept CopiesLater = requires(const A&... a) { Keramos::copy(a...); };
static_assert(StencilsLater<Host, Star, Others, Others, EdgeRule> && CopiesLater<Host, Dual, EdgeRule>);

int main() {}
