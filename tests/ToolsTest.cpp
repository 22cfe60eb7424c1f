// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a tool sees of a call, with a tool that Kokkos loads as it loads any other: a region named after the call, in it
// the kernels under the name that the call returns, on the caller's instance, each begin with its end; and nothing else:
// no fence, no allocation, no deep copy. That nothing waits for the default instance is tested with that instance kept
// busy, for on the host Kokkos gives all instances of a space one number.
#include "Support.hpp"
#include "tool/Calls.hpp"
#include "tool/Recorder.hpp"

#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

using namespace test;
using Keramos::Backend, Keramos::Kernel;
using Keramos::core::text;
using tool::Call, tool::Event, tool::Kind;

/// Before main(), hence before Kokkos begins: as the environment of an application would have it.
[[maybe_unused]] const int tool_is_named = setenv("KOKKOS_TOOLS_LIBS", KERAMOS_TEST_TOOL, 1);

/// What the tool heard since it was last asked.
std::vector<Event> heard()
{
  void* const library = dlopen(KERAMOS_TEST_TOOL, RTLD_NOW | RTLD_NOLOAD);
  if (!library) throw std::runtime_error("Kokkos did not load " KERAMOS_TEST_TOOL);
  const auto take = reinterpret_cast<tool::RecordedEvents*>(dlsym(library, "keramos_recorded_events"));
  std::vector<Event> events;
  take(&events);
  dlclose(library);
  return events;
}

// ---- Instances -----------------------------------------------------------------------------------------------------------

/// An instance that is not the default one, where the space has such.
template <class Space>
Space instance()
{
  if constexpr (has_cuda && std::is_same_v<Space, Exec>)
    return own_instance();
  else if constexpr (std::is_constructible_v<Space, int>) // OpenMP: partition_space() makes none without nesting
    return Space(Space().concurrency());
  else
    return Kokkos::Experimental::partition_space(Space(), 1)[0];
}

template <class Space>
std::vector<Backend> backends_of()
{
  if constexpr (Keramos::core::is_host<Space>) return {Backend::openmp, Backend::portable, Backend::reference};
  return {Backend::cuda, Backend::portable};
}

/// Keeps the default instance of a space at work until its end, or for `longest`.
template <class Space>
class BusyDefaultInstance {
public:
  explicit BusyDefaultInstance(std::chrono::milliseconds longest) : longest_(longest)
  {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<Space, Kokkos::Cuda>) {
      const auto wait = [](void* self) { static_cast<BusyDefaultInstance*>(self)->wait(); };
      if (cudaLaunchHostFunc(Space().cuda_stream(), wait, this) != cudaSuccess)
        throw std::runtime_error("the default stream takes no work");
      while (!begun_) std::this_thread::yield();
      return;
    }
#endif
    if constexpr (Keramos::core::is_host<Space>) keep_host();
  }
  ~BusyDefaultInstance()
  {
    released_ = true;
    if (thread_.joinable()) thread_.join();
    Space().fence("the default instance has ended its work");
  }
  BusyDefaultInstance(const BusyDefaultInstance&) = delete;
  BusyDefaultInstance& operator=(const BusyDefaultInstance&) = delete;

  /// Did it wait in vain?
  bool expired() const { return expired_; }

private:
  void keep_host()
  {
    thread_ = std::thread(
        [this] { Kokkos::parallel_for("busy", Kokkos::RangePolicy<Space>(Space(), 0, 1), [this](int) { wait(); }); });
    while (!begun_) std::this_thread::yield();
  }

  void wait()
  {
    begun_ = true;
    const auto end = std::chrono::steady_clock::now() + longest_;
    while (!released_ && !expired_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      expired_ = std::chrono::steady_clock::now() > end;
    }
  }

  std::chrono::milliseconds longest_;
  std::atomic<bool> begun_ = false, released_ = false, expired_ = false;
  std::thread thread_;
};

// ---- What must be heard of a call ----------------------------------------------------------------------------------------

/// Kokkos::Threads says of each of its own kernels that it fences; that is Kokkos', not ours.
template <class Space>
void forget_fences_of_kokkos([[maybe_unused]] std::vector<Event>& events)
{
#ifdef KOKKOS_ENABLE_THREADS
  if constexpr (std::is_same_v<Space, Kokkos::Threads>)
    std::erase_if(events, [inside = false](const Event& event) mutable {
      if (event.kind == Kind::begin_kernel) inside = true;
      if (event.kind == Kind::end_kernel) inside = false;
      return inside && (event.kind == Kind::begin_fence || event.kind == Kind::end_fence);
    });
#endif
}

std::string text_of(const std::vector<Event>& events)
{
  constexpr const char* kinds[] = {"push region", "pop region", "begin kernel", "end kernel",
                                   "begin fence", "end fence",  "allocate",     "deep copy"};
  std::string all;
  for (const Event& event : events)
    all +=
        text("\n  ", kinds[static_cast<int>(event.kind)], " ", event.name, " device ", event.device, " id ", event.id);
  return all;
}

/// What a call must tell, given how many kernels it launched; further kernels have names that begin with the first's.
/// `before` stands in front of the region's name.
template <class Space>
std::string complaint(const Call<Space>& call, const Kernel& kernel, const Space& space, std::vector<Event> events,
                      const std::string& before = "")
{
  forget_fences_of_kokkos<Space>(events);
  const auto wrong = [&](const char* what) { return text(kernel.name(), ": ", what, text_of(events)); };
  if (events.size() < 4 || events.size() % 2 != 0) return wrong("expected a region with kernels");
  if (events.front().kind != Kind::push_region || events.front().name != before + "Keramos::" + call.operation)
    return wrong("expected a region named after the call");
  if (events.back().kind != Kind::pop_region) return wrong("expected the end of the region");
  for (std::size_t n = 1; n + 1 < events.size(); n += 2) {
    const Event &begin = events[n], &end = events[n + 1];
    if (begin.kind != Kind::begin_kernel || end.kind != Kind::end_kernel || begin.id != end.id)
      return wrong("expected only kernels in the region, each begin with its end");
    if (n == 1 ? begin.name != kernel.name() : !begin.name.starts_with(kernel.name()))
      return wrong("expected the name that the call returned");
    if (begin.device != Kokkos::Tools::Experimental::device_id(space)) return wrong("expected the caller's instance");
  }
  return "";
}

template <class Space>
class Tools : public testing::Test {
protected:
  tool::Calls calls; ///< made before a test begins: Views are filled on the default instance

  /// visit(call, where) for every call on every backend.
  template <class Visit>
  void for_each_call(const Space& space, const Visit& visit) const
  {
    for (const Backend backend : backends_of<Space>())
      for (const auto& call : calls.of<Space>()) visit(call, Keramos::with_backend(space, backend));
  }
  void TearDown() override { Kokkos::fence("the Views may go"); }
};

using Spaces = std::conditional_t<has_cuda, testing::Types<Exec, Host>, testing::Types<Host>>;

class SpaceNames {
public:
  template <class Space>
  static std::string GetName(int)
  {
    return Space::name();
  }
};
TYPED_TEST_SUITE(Tools, Spaces, SpaceNames);

TYPED_TEST(Tools, SeeEachCallUnderItsNameOnItsInstanceAndNothingElse)
{
  const auto space = instance<TypeParam>();
  this->for_each_call(space, [&](const auto& call, const auto& where) {
    heard();
    const Kernel kernel = call.run(where);
    EXPECT_EQ(complaint(call, kernel, space, heard()), "");
    EXPECT_EQ(kernel.operation, call.operation);
    EXPECT_EQ(kernel.backend, *where.only);
  });
}

TYPED_TEST(Tools, SeeTheLabelOfACall)
{
  const auto space = instance<TypeParam>();
  this->for_each_call(space, [&](const auto& call, const auto& where) {
    const auto labelled = Keramos::with_label(where, std::string("diffusion of ") + "u"); // a string that is gone
    heard();
    const Kernel kernel = call.run(labelled);
    EXPECT_EQ(complaint(call, kernel, space, heard(), "diffusion of u: "), "");
    EXPECT_EQ(kernel.name(), "diffusion of u: " + call.run(Keramos::dry_run(where)).name());
  });
}

TYPED_TEST(Tools, SeeOnlyTheRegionOfADryRun)
{
  const auto space = instance<TypeParam>();
  this->for_each_call(space, [&](const auto& call, const auto& where) {
    heard();
    const Kernel kernel = call.run(Keramos::dry_run(where));
    const auto events = heard();
    ASSERT_EQ(events.size(), 2u) << kernel << text_of(events);
    EXPECT_EQ(events[0].name, "Keramos::" + call.operation);
    EXPECT_TRUE(events[0].kind == Kind::push_region && events[1].kind == Kind::pop_region) << text_of(events);
  });
}

/// The test above notices what it is there for.
TYPED_TEST(Tools, SeeMistakes)
{
  const auto space = instance<TypeParam>();
  const auto noticed = [&](const char* what, const auto& mistake) {
    const auto call = this->calls.template of<TypeParam>().front();
    heard();
    const Kokkos::Profiling::ScopedRegion region("Keramos::" + call.operation);
    mistake();
    auto events = heard();
    events.push_back({Kind::pop_region, ""});
    const Kernel kernel{Backend::portable, call.operation, "mistake"};
    const std::string said = complaint(call, kernel, space, events);
    EXPECT_NE(said.find(what), std::string::npos) << said;
  };
  const auto launch = [](const std::string& name, const TypeParam& where) {
    std::uint64_t id = 0;
    Kokkos::Tools::beginParallelFor(name, Kokkos::Tools::Experimental::device_id(where), &id);
    Kokkos::Tools::endParallelFor(id);
  };
  const std::string right = "Keramos::apply_stencil::portable::mistake";
  noticed("expected the name that the call returned", [&] { launch("another", space); });
  noticed("expected only kernels", [&] {
    launch(right, space);
    space.fence("a fence in a call");
  });
  noticed("expected", [&] {
    launch(right, space);
    const Kokkos::View<int*, Shared> view("allocated in a call", 1);
  });
  noticed("expected a region with kernels", [] {});
  if (Kokkos::Tools::Experimental::device_id(space) != Kokkos::Tools::Experimental::device_id(TypeParam()))
    noticed("expected the caller's instance", [&] { launch(right, TypeParam()); });
}

TYPED_TEST(Tools, CallsDoNotWaitForTheDefaultInstance)
{
  const auto space = instance<TypeParam>();
  if (space == TypeParam()) GTEST_SKIP() << TypeParam::name() << " has no instance but the default one";
  // Kernels that run for the first time may be loaded with the whole GPU standing still.
  this->for_each_call(space, [](const auto& call, const auto& where) { call.run(where); });
  const BusyDefaultInstance<TypeParam> busy(std::chrono::seconds(30));
  this->for_each_call(space, [&](const auto& call, const auto& where) {
    if (busy.expired()) return; // the first one who waited is known
    const Kernel kernel = call.run(where);
    space.fence("the call has ended");
    EXPECT_FALSE(busy.expired()) << kernel << " waited for the default instance";
  });
}

/// The test above notices who does.
TYPED_TEST(Tools, CallsOnTheDefaultInstanceWaitForIt)
{
  const auto space = instance<TypeParam>();
  if (space == TypeParam()) GTEST_SKIP() << TypeParam::name() << " has no instance but the default one";
  const BusyDefaultInstance<TypeParam> busy(std::chrono::milliseconds(200));
  const TypeParam default_instance;
  this->calls.template of<TypeParam>().front().run(Keramos::core::on(default_instance));
  default_instance.fence("the call has ended");
  EXPECT_TRUE(busy.expired());
}

} // namespace
