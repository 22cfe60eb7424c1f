// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What others see of calls over several processes: Kokkos Tools, by a tool that Kokkos loads, hear exchange, pack, interior and
// boundary in their order; who reads the log finds one line a call and rank.
#include "../../src/Keramos_Distributed.hpp"
#include "../tool/Recorder.hpp"

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Keramos::core::text;
using tool::Event, tool::Kind;

/// Before main(), hence before Kokkos begins: as the environment of an application would have it.
[[maybe_unused]] const int tool_is_named = setenv("KOKKOS_TOOLS_LIBS", KERAMOS_TEST_TOOL, 1);
[[maybe_unused]] const int log_is_wanted = setenv("KERAMOS_LOG", "dispatch", 1);

using Exec = Kokkos::DefaultHostExecutionSpace;
using Field = Keramos::Distributed<Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>>;

/// Columns, of which no halo lies in one piece; their ends do not meet: the first and the last rank have one neighbour.
struct Fields {
  Exec exec;
  Keramos::Cartesian<2> ranks{MPI_COMM_WORLD, {1, 0}};
  Keramos::Partition<2> cut{ranks, {8, 12 * ranks.size()}};
  Field u{exec, "u", cut, Keramos::Halo<2>({0, 2})}, v{exec, "v", cut};
  Kokkos::View<double* [2], Kokkos::HostSpace> points { "points", 3 };
  Kokkos::View<double*, Kokkos::HostSpace> weights{"weights", 3};

  Fields() { Keramos::exchange_halo(exec, u, Keramos::periodic); } // the first one chooses the transport, and says so

  const char* transport() const { return ranks.communicator().transport(Keramos::core::Place::host); }
  int neighbours() const { return (ranks.rank() > 0) + (ranks.rank() + 1 < ranks.size()); }
  Keramos::DistributedKernel step(Keramos::Overlap overlap = Keramos::Overlap::on) const
  {
    return Keramos::apply_stencil(exec, Keramos::Star<2, 2>(), u, v, Keramos::constant(1), overlap);
  }
};

/// What the tool heard since it was last asked.
std::vector<Event> heard()
{
  void* const library = dlopen(KERAMOS_TEST_TOOL, RTLD_NOW | RTLD_NOLOAD);
  if (!library) throw std::runtime_error("Kokkos did not load " KERAMOS_TEST_TOOL);
  std::vector<Event> events;
  reinterpret_cast<tool::RecordedEvents*>(dlsym(library, "keramos_recorded_events"))(&events);
  dlclose(library);
  return events;
}

constexpr std::size_t prefix = std::string_view("Keramos::").size();

/// Regions and kernels, one a line, deeper ones further to the right.
std::string outline(const std::vector<Event>& events)
{
  std::string lines;
  std::size_t depth = 0;
  for (const Event& event : events) {
    if (event.kind == Kind::pop_region) --depth;
    if (event.kind != Kind::push_region && event.kind != Kind::begin_kernel) continue;
    lines += std::string(2 * depth, ' ') + event.name.substr(prefix) + '\n';
    if (event.kind == Kind::push_region) ++depth;
  }
  return lines;
}

std::string repeated(int times, const std::string& lines)
{
  std::string all;
  for (int n = 0; n < times; ++n) all += lines;
  return all;
}

/// An exchange that is a part of a call, and what runs meanwhile.
std::string exchange_around(const Fields& fields, const std::string& meanwhile)
{
  const bool alone = fields.neighbours() == 0, at_an_end = fields.neighbours() == 1;
  return text("  exchange_halo::begin\n", at_an_end ? "    exchange_halo::within\n" : "",
              alone ? "" : "    exchange_halo::pack\n", meanwhile, "  exchange_halo::finish\n",
              alone ? "" : "    exchange_halo::unpack\n");
}

TEST(MpiTools, SeeExchangeInteriorAndBoundary)
{
  const Fields fields;
  fields.step(); // the first call of a kind asks first
  heard();
  const auto kernel = fields.step();
  const auto local = [&](const Keramos::Kernel& took, const std::string& indent) {
    return indent + "apply_stencil\n" + indent + "  " + took.name().substr(prefix) + '\n';
  };
  const std::string inside = exchange_around(fields, "  apply_stencil::interior\n" + local(kernel.interior, "    "));
  EXPECT_EQ(outline(heard()), "apply_stencil\n" + inside + "  apply_stencil::boundary\n" +
                                  repeated(fields.neighbours(), local(kernel.boundary, "    ")));
}

TEST(MpiTools, SeePackingAndUnpackingOfAMove)
{
  const Fields fields;
  const Keramos::Partition<2> rows(Keramos::Cartesian<2>(fields.ranks, {0, 1}), fields.cut.extents());
  const Field out(fields.exec, "out", rows);
  Keramos::copy(fields.exec, fields.u, out);
  heard();
  Keramos::copy(fields.exec, fields.u, out);
  std::string regions; // and the local copies, one a message, in some of them
  for (const Event& event : heard())
    if (event.kind == Kind::push_region && (regions.empty() || event.name != "Keramos::copy"))
      regions += event.name.substr(prefix) + '\n';
  EXPECT_EQ(regions, "copy\nredistribution::pack\nredistribution::wait\nredistribution::unpack\n");
}

/// Every region and every kernel of a labelled call stands behind its label.
TEST(MpiTools, SeeTheLabelOfACall)
{
  const Fields fields;
  const Keramos::Partition<2> rows(Keramos::Cartesian<2>(fields.ranks, {0, 1}), fields.cut.extents());
  const Field out(fields.exec, "out", rows);
  const auto where = Keramos::with_label(fields.exec, std::string("diffusion of ") + "u"); // a string that is gone
  const auto expect_label = [&](const char* what, const auto& call) {
    call(); // the first call of a kind asks first
    heard();
    call();
    int named = 0;
    for (const Event& event : heard())
      if (event.kind == Kind::push_region || event.kind == Kind::begin_kernel) {
        ++named;
        EXPECT_TRUE(event.name.starts_with("diffusion of u: Keramos::")) << what << ": " << event.name;
      }
    EXPECT_GE(named, 2) << what;
  };
  const Keramos::Star<2, 2> star;
  const Keramos::DistributedSources sources(fields.ranks, Keramos::Sources{fields.points, fields.weights});
  const Keramos::UniformGrid<2> grid{{0, 0}, {1, 1}};
  const Keramos::EdgeRules<2> edges = Keramos::constant(1);
  expect_label("apply_stencil", [&] { Keramos::apply_stencil(where, star, fields.u, fields.v, edges); });
  expect_label("apply_stencil, staged", [&] { Keramos::apply_stencil(where, star, fields.v, fields.u, edges); });
  expect_label("copy", [&] { Keramos::copy(where, fields.u, out); });
  expect_label("gather_sum", [&] { Keramos::gather_sum(where, Keramos::Coulomb{}, grid, sources, fields.v); });
  expect_label("exchange_halo", [&] { Keramos::exchange_halo(where, fields.u, edges); });
  expect_label("begin_exchange", [&] { Keramos::begin_exchange(where, fields.u, edges).finish(fields.exec); });
}

/// What call() writes to stderr.
template <class Call>
std::string said(const Call& call)
{
  testing::internal::CaptureStderr();
  call();
  return testing::internal::GetCapturedStderr();
}

TEST(MpiLog, TellsTheTransportOnce)
{
  std::unique_ptr<Fields> fields;
  const std::string words = said([&] { fields = std::make_unique<Fields>(); });
  const std::string line = text("Keramos: messages of ", fields->ranks.size(),
                                " ranks between buffers of the host go by ", fields->transport(), '\n');
  EXPECT_EQ(words.find(line) == 0, fields->ranks.rank() == 0) << words;
  EXPECT_EQ(words.find("go by", line.size()), std::string::npos) << words;
}

TEST(MpiLog, TellsWhatACallTookInOneLine)
{
  const Fields fields;
  Keramos::DistributedKernel kernel;
  const auto line = [&](const char* call, const char* reason) {
    return text("Keramos: ", call, " on ", Exec::name(), ", rank ", fields.ranks.rank(), " of ", fields.ranks.size(),
                ": ", kernel, " (", reason, ")\n");
  };
  for (const auto overlap : {Keramos::Overlap::on, Keramos::Overlap::off, Keramos::Overlap::current}) {
    const std::string words = said([&] { kernel = fields.step(overlap); });
    EXPECT_EQ(words, line("apply_stencil", "the first choice"));
  }
  const auto portable = Keramos::with_backend(fields.exec, Keramos::Backend::portable);
  std::string words = said([&] { kernel = Keramos::copy(portable, fields.v, fields.u); });
  EXPECT_EQ(words, line("copy", "the only backend allowed"));
  words = said([&] { kernel = Keramos::copy(Keramos::dry_run(fields.exec), fields.v, fields.u); });
  EXPECT_EQ(words, line("copy", "the first choice; dry run"));
}

TEST(MpiLog, TellsWhatAnExchangeSends)
{
  const Fields fields;
  const int messages = fields.neighbours();
  const std::string words = said([&] { Keramos::exchange_halo(fields.exec, fields.u, Keramos::constant(1)); });
  EXPECT_EQ(words, text("Keramos: exchange_halo on ", Exec::name(), ", rank ", fields.ranks.rank(), " of ",
                        fields.ranks.size(), ": ", messages, messages == 1 ? " message, " : " messages, ",
                        messages * 2 * 8 * sizeof(double), " bytes sent; by ", fields.transport(), '\n'));
}

TEST(MpiLog, TellsTheLabelOfACall)
{
  const Fields fields;
  const auto begin = [&](const char* call) {
    return text("Keramos: diffusion of u: ", call, " on ", Exec::name(), ", rank ", fields.ranks.rank(), " of ");
  };
  const auto where = Keramos::with_label(fields.exec, "diffusion of u");
  std::string words = said([&] { Keramos::copy(where, fields.v, fields.u); });
  EXPECT_TRUE(words.starts_with(begin("copy"))) << words;
  words = said([&] { Keramos::exchange_halo(where, fields.u, Keramos::constant(1)); });
  EXPECT_TRUE(words.starts_with(begin("exchange_halo"))) << words;
}

/// No kernel packs, and no message is sent.
TEST(MpiTools, SeeNothingOfAnExchangeThatIsOnlyAskedFor)
{
  const Fields fields;
  const auto dry = Keramos::dry_run(fields.exec);
  const auto ask = [&] {
    Keramos::exchange_halo(dry, fields.u, Keramos::constant(7));
    Keramos::begin_exchange(dry, fields.u, Keramos::constant(7)).finish(fields.exec);
  };
  ask(); // the first call of a kind makes the exchange
  heard();
  const std::string words = said(ask);
  EXPECT_EQ(outline(heard()), "");
  EXPECT_NE(words.find("(dry run)"), std::string::npos) << words;
}

} // namespace
