// EXPECT-LINES
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sentence of every call that transposes, for every argument.
// A wrong call stands on one line with what is said of it:
// clang-format off
#include <Keramos_Transpose.hpp>

#include "others.hpp"

int main()
{
  const Others::Host exec;
  const Kokkos::View<const float**, Kokkos::HostSpace> in, fixed;
  const Kokkos::View<float**, Kokkos::HostSpace> out;
  Others other;
  Keramos::transpose(in, out); // SAYS: Keramos::transpose: the first argument must be an execution space instance, as in
  Keramos::transpose(exec); // SAYS: Keramos::transpose: expected transpose(exec, in, out)
  Keramos::transpose(exec, in); // SAYS: Keramos::transpose: expected transpose(exec, in, out)
  Keramos::transpose(exec, other.dual, out); // SAYS: Keramos::transpose: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose(exec, in, other.dual); // SAYS: Keramos::transpose: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose(exec, other.dynamic, out); // SAYS: Keramos::transpose: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose(exec, in, other.dynamic); // SAYS: Keramos::transpose: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose(exec, other.offset, out); // SAYS: Keramos::transpose: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose(exec, in, other.offset); // SAYS: Keramos::transpose: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose(exec, other.span, out); // SAYS: Keramos::transpose: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose(exec, in, other.span); // SAYS: Keramos::transpose: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose(exec, other.scatter, out); // SAYS: Keramos::transpose: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose(exec, in, other.scatter); // SAYS: Keramos::transpose: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose(exec, other.vector, out); // SAYS: Keramos::transpose: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose(exec, in, other.vector); // SAYS: Keramos::transpose: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose(exec, other.dual, other.dual, Keramos::Convert{}); // SAYS: Keramos::transpose: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose(exec, in, fixed); // SAYS: Keramos::transpose: argument 'out' has const elements, and the call writes to it
  Keramos::transpose(exec, in, fixed, Keramos::Convert{}); // SAYS: Keramos::transpose: argument 'out' has const elements, and the call writes to it
  Keramos::transpose(exec, in, out, 2.0); // SAYS: Keramos::transpose: argument 'f' must be a function of one value of in
  Keramos::transpose(exec, in, out, exec); // SAYS: Keramos::transpose: argument 'f' must be a function of one value of in
  Keramos::transpose(exec, in, out, Keramos::Accumulate{1, other.dual}); // SAYS: Keramos::transpose: argument 'f' must be a function of one value of in, which gives a value of out, or Accumulate{alpha, beta, f}
  Keramos::transpose(exec, in, out, Keramos::Accumulate{Kokkos::complex<float>(1), 1}); // SAYS: Keramos::transpose: argument 'f' must be a function of one value of in, which gives a value of out, or Accumulate{alpha, beta, f}
  Keramos::transpose(exec, in, out, Keramos::Accumulate{2, 0.5, Keramos::Conjugate{}});
  Keramos::transpose(exec, in, out);
  Keramos::copy(in, out); // SAYS: Keramos::copy: the first argument must be an execution space instance, as in
  Keramos::copy(exec); // SAYS: Keramos::copy: expected copy(exec, in, out)
  Keramos::copy(exec, in); // SAYS: Keramos::copy: expected copy(exec, in, out)
  Keramos::copy(exec, other.dual, out); // SAYS: Keramos::copy: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::copy(exec, in, other.dual); // SAYS: Keramos::copy: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::copy(exec, other.dynamic, out); // SAYS: Keramos::copy: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::copy(exec, in, other.dynamic); // SAYS: Keramos::copy: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::copy(exec, other.offset, out); // SAYS: Keramos::copy: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::copy(exec, in, other.offset); // SAYS: Keramos::copy: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::copy(exec, other.span, out); // SAYS: Keramos::copy: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::copy(exec, in, other.span); // SAYS: Keramos::copy: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::copy(exec, other.scatter, out); // SAYS: Keramos::copy: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::copy(exec, in, other.scatter); // SAYS: Keramos::copy: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::copy(exec, other.vector, out); // SAYS: Keramos::copy: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::copy(exec, in, other.vector); // SAYS: Keramos::copy: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::copy(exec, other.dual, other.dual, Keramos::Convert{}); // SAYS: Keramos::copy: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::copy(exec, in, fixed); // SAYS: Keramos::copy: argument 'out' has const elements, and the call writes to it
  Keramos::copy(exec, in, fixed, Keramos::Convert{}); // SAYS: Keramos::copy: argument 'out' has const elements, and the call writes to it
  Keramos::copy(exec, in, out, 2.0); // SAYS: Keramos::copy: argument 'f' must be a function of one value of in
  Keramos::copy(exec, in, out, exec); // SAYS: Keramos::copy: argument 'f' must be a function of one value of in
  Keramos::copy(exec, in, out, Keramos::Accumulate{1, 1, 2.0}); // SAYS: Keramos::copy: argument 'f' must be a function of one value of in
  Keramos::copy(exec, in, out, Keramos::Convert{}, 1, 2); // SAYS: Keramos::copy: argument 'f' must be a function of one value of in
  Keramos::dry_run(in); // SAYS: Keramos::dry_run: the argument must be an execution space instance
  Keramos::with_backend(in, Keramos::Backend::portable); // SAYS: Keramos::with_backend: the first argument must be an execution space instance
  Keramos::with_backend(exec, "portable"); // SAYS: Keramos::with_backend: the second argument must be a Keramos::Backend
  Keramos::with_backend(exec); // SAYS: Keramos::with_backend: the second argument must be a Keramos::Backend
  Keramos::with_label("flux", exec); // SAYS: Keramos::with_label: the first argument must be an execution space instance
  Keramos::with_label(exec, 3); // SAYS: Keramos::with_label: the second argument must be a text
  Keramos::copy(Keramos::dry_run(Keramos::with_label(Keramos::with_backend(exec, {}), std::string("flux"))), in, out);
  Keramos::copy(exec, in, out, Keramos::Accumulate{});
  Keramos::copy(exec, in, out);
  Keramos::permute<1, 0>(in, out); // SAYS: Keramos::permute: the first argument must be an execution space instance, as in permute<2, 0, 1>(exec, in, out)
  Keramos::permute<1, 0>(exec, in); // SAYS: Keramos::permute: expected permute<2, 0, 1>(exec, in, out)
  Keramos::permute<1, 0>(exec, other.dual, out); // SAYS: Keramos::permute: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute<1, 0>(exec, in, other.dual); // SAYS: Keramos::permute: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute<1, 0>(exec, other.dynamic, out); // SAYS: Keramos::permute: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute<1, 0>(exec, in, other.dynamic); // SAYS: Keramos::permute: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute<1, 0>(exec, other.offset, out); // SAYS: Keramos::permute: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute<1, 0>(exec, in, other.offset); // SAYS: Keramos::permute: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute<1, 0>(exec, other.span, out); // SAYS: Keramos::permute: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute<1, 0>(exec, in, other.span); // SAYS: Keramos::permute: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute<1, 0>(exec, other.scatter, out); // SAYS: Keramos::permute: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute<1, 0>(exec, in, other.scatter); // SAYS: Keramos::permute: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute<1, 0>(exec, other.vector, out); // SAYS: Keramos::permute: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute<1, 0>(exec, in, other.vector); // SAYS: Keramos::permute: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute<1, 0>(exec, in, fixed); // SAYS: Keramos::permute: argument 'out' has const elements, and the call writes to it
  Keramos::permute<1, 0>(exec, in, out, 2.0); // SAYS: Keramos::permute: argument 'f' must be a function of one value of in
  Keramos::permute<1, 0>(exec, in, out);
  Keramos::permute(Keramos::Axes{1, 0}, in, out); // SAYS: Keramos::permute: the first argument must be an execution space instance, as in permute(exec, Axes{2, 0, 1}, in, out)
  Keramos::permute(exec, Keramos::Axes{1, 0}, in); // SAYS: Keramos::permute: expected permute(exec, Axes{2, 0, 1}, in, out)
  Keramos::permute(exec, Keramos::Axes{1, 0}, other.dual, out); // SAYS: Keramos::permute: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute(exec, Keramos::Axes{1, 0}, in, other.dual); // SAYS: Keramos::permute: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute(exec, Keramos::Axes{1, 0}, other.dynamic, out); // SAYS: Keramos::permute: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute(exec, Keramos::Axes{1, 0}, in, other.dynamic); // SAYS: Keramos::permute: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute(exec, Keramos::Axes{1, 0}, other.offset, out); // SAYS: Keramos::permute: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute(exec, Keramos::Axes{1, 0}, in, other.offset); // SAYS: Keramos::permute: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute(exec, Keramos::Axes{1, 0}, other.span, out); // SAYS: Keramos::permute: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute(exec, Keramos::Axes{1, 0}, in, other.span); // SAYS: Keramos::permute: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute(exec, Keramos::Axes{1, 0}, other.scatter, out); // SAYS: Keramos::permute: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute(exec, Keramos::Axes{1, 0}, in, other.scatter); // SAYS: Keramos::permute: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute(exec, Keramos::Axes{1, 0}, other.vector, out); // SAYS: Keramos::permute: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute(exec, Keramos::Axes{1, 0}, in, other.vector); // SAYS: Keramos::permute: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::permute(exec, Keramos::Axes{1, 0}, in, fixed); // SAYS: Keramos::permute: argument 'out' has const elements, and the call writes to it
  Keramos::permute(exec, Keramos::Axes{1, 0}, in, out, 2.0); // SAYS: Keramos::permute: argument 'f' must be a function of one value of in
  Keramos::permute(exec, Keramos::Axes{1, 0}, in, out);
  Keramos::permute(exec, in, out); // SAYS: Keramos::permute: name the order of the axes, as in permute<2, 0, 1>(exec, in, out)
  Keramos::permute(exec, {1, 0}, in, out); // SAYS: Keramos::permute: name the order of the axes, as in permute<2, 0, 1>(exec, in, out)
  Keramos::transpose_in_place(out); // SAYS: Keramos::transpose_in_place: the first argument must be an execution space instance, as in
  Keramos::transpose_in_place(exec); // SAYS: Keramos::transpose_in_place: expected transpose_in_place(exec, matrix)
  Keramos::transpose_in_place(exec, other.dual); // SAYS: Keramos::transpose_in_place: argument 'matrix' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose_in_place(exec, other.dynamic); // SAYS: Keramos::transpose_in_place: argument 'matrix' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose_in_place(exec, other.offset); // SAYS: Keramos::transpose_in_place: argument 'matrix' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose_in_place(exec, other.span); // SAYS: Keramos::transpose_in_place: argument 'matrix' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose_in_place(exec, other.scatter); // SAYS: Keramos::transpose_in_place: argument 'matrix' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose_in_place(exec, other.vector); // SAYS: Keramos::transpose_in_place: argument 'matrix' must be a Kokkos::View. Of a DualView pass view_device()
  Keramos::transpose_in_place(exec, fixed); // SAYS: Keramos::transpose_in_place: argument 'matrix' has const elements, and the call writes to it
  Keramos::transpose_in_place(exec, out, 2.0); // SAYS: Keramos::transpose_in_place: expected transpose_in_place(exec, matrix)
  Keramos::transpose_in_place(exec, out, out); // SAYS: Keramos::transpose_in_place: expected transpose_in_place(exec, matrix)
  Keramos::transpose_in_place(exec, out, out, out); // SAYS: Keramos::transpose_in_place: expected transpose_in_place(exec, matrix)
  Keramos::transpose_in_place(exec, out, out, Keramos::Workspace{fixed}); // SAYS: Keramos::transpose_in_place: expected transpose_in_place(exec, matrix)
  Keramos::transpose_in_place(exec, out, other.dual, Keramos::Workspace{out}); // SAYS: Keramos::transpose_in_place: expected transpose_in_place(exec, matrix)
  Keramos::transpose_in_place(exec, out, out, Keramos::Workspace{out});
  Keramos::transpose_in_place_workspace_size(out, out); // SAYS: Keramos::transpose_in_place_workspace_size: the first argument must be an execution space instance
  Keramos::transpose_in_place_workspace_size(exec, out, fixed); // SAYS: Keramos::transpose_in_place_workspace_size: expected transpose_in_place_workspace_size(exec, in, out)
  Keramos::transpose_in_place_workspace_size(exec, out, other.dual); // SAYS: Keramos::transpose_in_place_workspace_size: expected transpose_in_place_workspace_size(exec, in, out)
  Keramos::transpose_in_place_workspace_size(exec, out, out);
  Keramos::transpose_in_place(exec, out);
}
