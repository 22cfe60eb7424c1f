# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How Spack builds Keramos. Its backends are those of Kokkos: the variants are handed on to it."""

import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.rocm import ROCmPackage

from spack.package import *

# Until Keramos has a public home, it is the clone that this recipe lies in.
HOME = pathlib.Path(__file__).resolve().parents[5].as_uri()


class Keramos(CMakePackage, CudaPackage, ROCmPackage):
    """Stencils, transposes and gather-sums over Kokkos Views, one call each: hand-written kernels
    on NVIDIA GPUs, vectorised kernels on the host, portable Kokkos everywhere else."""

    homepage = HOME
    git = HOME
    url = f"{HOME}/out/keramos-0.2.0.tar.gz"

    license("Apache-2.0 WITH LLVM-exception")

    # spack/release makes a release's archive and enters it below this line.
    version("main", branch="main")

    variant("shared", default=True, description="Build a shared library, with a shared Kokkos")

    # ---- What Kokkos has: variants and the names of its backends ----
    kokkos_backends = {
        "openmp": "OPENMP",
        "serial": "SERIAL",
        "threads": "THREADS",
        "cuda": "CUDA",
        "rocm": "HIP",
        "sycl": "SYCL",
    }
    variant("openmp", default=True, description="OpenMP on the host")
    variant("serial", default=True, description="One thread on the host")
    variant("threads", default=False, description="C++ threads on the host")
    variant("sycl", default=False, description="SYCL on Intel GPUs, with portable kernels")
    variant(
        "cuda_arch",
        default="none",
        values=("none", *CudaPackage.cuda_arch_values),
        multi=False,
        sticky=True,
        when="+cuda",
        description="The GPU's architecture: one, as Kokkos is built for one",
    )
    variant(
        "amdgpu_target",
        default="none",
        values=("none", *ROCmPackage.amdgpu_targets),
        multi=False,
        sticky=True,
        when="+rocm",
        description="The AMD GPU's architecture: one, as Kokkos is built for one",
    )
    variant("mpi", default=False, description="Several GPUs and nodes, by MPI")
    variant(
        "nccl",
        default=False,
        when="+mpi+cuda",
        description="Messages between GPUs by NCCL as well",
    )
    variant("cxxstd", default="20", values=("20", "23"), multi=False, description="C++ standard")

    # ---- What is built beside the library ----
    variant(
        "tests",
        default=False,
        description="The test suite, for dev-build (install --test=root needs no variant)",
    )
    variant("examples", default=False, description="Install the examples and the demo")
    variant("benchmarks", default=False, description="Install the benchmarks")

    # ---- What cannot be ----
    conflicts(
        "~openmp~serial~threads",
        msg="Kokkos needs a host backend: +openmp, +serial or +threads",
    )
    conflicts("+openmp", when="+threads", msg="Kokkos has either OpenMP or C++ threads")
    for pair in ("+cuda+rocm", "+cuda+sycl", "+rocm+sycl"):
        conflicts(pair, msg="Kokkos has one kind of GPU: +cuda, +rocm or +sycl")
    conflicts(
        "cuda_arch=none",
        when="+cuda",
        msg="+cuda needs the GPU's architecture: cuda_arch=90 for H100 and H200",
    )
    conflicts(
        "amdgpu_target=none",
        when="+rocm",
        msg="+rocm needs the GPU's architecture: amdgpu_target=gfx90a for MI200",
    )

    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("cmake@3.25.2:", type="build", when="+cuda ^kokkos+cmake_lang")

    # ---- Kokkos, which applications are built with as well ----
    # Architectures that both Kokkos and the kernels know (asynchronous copies came with Ampere).
    cuda_architectures = ("80", "86", "87", "89", "90", "100", "103", "120", "121")
    with default_args(type=("build", "link")):
        depends_on("kokkos@5")
        for backend in kokkos_backends:
            depends_on(f"kokkos+{backend}", when=f"+{backend}")
            depends_on(f"kokkos~{backend}", when=f"~{backend}")
        for standard in ("20", "23"):
            depends_on(f"kokkos cxxstd={standard}", when=f"cxxstd={standard}")
        for arch in cuda_architectures:
            depends_on(f"kokkos+cuda cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
        for arch in ("103", "121"):
            depends_on("kokkos@5.1:", when=f"+cuda cuda_arch={arch}")
        for arch in ROCmPackage.amdgpu_targets:
            depends_on(f"kokkos+rocm amdgpu_target={arch}", when=f"+rocm amdgpu_target={arch}")
    for arch in CudaPackage.cuda_arch_values:
        if arch not in cuda_architectures:
            conflicts(
                f"cuda_arch={arch}",
                when="+cuda",
                msg=f"Keramos' CUDA kernels are for cuda_arch={', '.join(cuda_architectures)}",
            )
    conflicts(
        "^kokkos~shared",
        when="+shared",
        msg="a static Kokkos would be in libkeramos and once more in the application: ~shared",
    )
    requires(
        "^kokkos+cmake_lang",
        "^kokkos+wrapper",
        policy="one_of",
        when="+cuda",
        msg="nvcc compiles Keramos' CUDA kernels: as CMake's language or through nvcc_wrapper",
    )
    conflicts(
        "^kokkos+cmake_lang",
        when="+rocm",
        msg="Keramos does not know HIP as a CMake language: ^kokkos~cmake_lang",
    )
    requires("%cxx=oneapi", when="+sycl", msg="Kokkos' SYCL is for Intel's compiler: %cxx=oneapi")

    depends_on("mpi@3.1:", type=("build", "link"), when="+mpi")
    depends_on("nccl", type=("build", "link"), when="+nccl")

    depends_on("googletest@1.11:+gmock", type="test")
    depends_on("googletest@1.11:+gmock", type="build", when="+tests")
    depends_on("python@3.9:", type="test")
    depends_on("python@3.9:", type="build", when="+tests")
    depends_on("cli11@2", type="build", when="+examples")
    depends_on("nlohmann-json@3", type="build", when="+examples")
    depends_on("libpng", type=("build", "link"), when="+examples")
    depends_on("benchmark@1.6:", type=("build", "link"), when="+benchmarks")

    generator("ninja")  # holds back compilers that would not fit into memory together

    test_requires_compiler = True
    sanity_check_is_file = ["include/keramos/src/Keramos.hpp"]

    def kokkos_args(self):
        """How CMake finds Kokkos and compiles what includes it, here and in an application."""
        kokkos = self.spec["kokkos"]
        args = [self.define("Kokkos_ROOT", kokkos.prefix)]
        if kokkos.satisfies("+wrapper"):
            args.append(self.define("CMAKE_CXX_COMPILER", self["kokkos"].kokkos_cxx))
        elif self.spec.satisfies("+cuda"):  # Kokkos says for which architecture
            args += [
                self.define("CMAKE_CUDA_COMPILER", self.spec["cuda"].prefix.bin.nvcc),
                self.define_from_variant("CMAKE_CUDA_STANDARD", "cxxstd"),
            ]
        elif self.spec.satisfies("+rocm") and not (
            self.spec.satisfies("%cxx=clang") or self.spec.satisfies("%cxx=rocmcc")
        ):  # as Kokkos' own recipe chooses
            args.append(self.define("CMAKE_CXX_COMPILER", self.spec["hip"].hipcc))
        return args

    def cmake_args(self):
        # CMake compares the backends with what Kokkos was built with, so that an external Kokkos
        # that packages.yaml describes wrongly is found out.
        backends = [
            self.define_from_variant(f"Kokkos_ENABLE_{name}", backend)
            for backend, name in self.kokkos_backends.items()
        ]
        return [
            *self.kokkos_args(),
            *backends,
            self.define("Keramos_ENABLE_TESTS", self.run_tests or self.spec.satisfies("+tests")),
            self.define_from_variant("Keramos_ENABLE_EXAMPLES", "examples"),
            self.define_from_variant("Keramos_ENABLE_BENCHMARKS", "benchmarks"),
            self.define_from_variant("Keramos_ENABLE_MPI", "mpi"),
            self.define_from_variant("Keramos_ENABLE_NCCL", "nccl"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("CMAKE_CXX_STANDARD", "cxxstd"),
        ]

    def check(self):
        """spack install --test=root: the tests of what was built, not of how sources look."""
        with working_dir(self.build_directory):
            ctest(
                *("--output-on-failure", "--no-tests=error"),
                *("--label-regex", "unit|example|embedding"),
                *("--parallel", str(make_jobs)),
            )

    # ---- spack test run: the short examples, built against the installed library ----
    @run_after("install")
    def keep_examples(self):
        files = ("CMakeLists.txt", "heat.cpp", "interleaved.cpp", "potential.cpp")
        cache_extra_test_sources(self, [join_path("examples", file) for file in files])

    def run_example(self, name, *expected):
        """Builds an example as an application is built and runs it. What it says must match each
        expression of `expected` and name a kernel of the backend that the variants lead to."""
        cmake = which(self.spec["cmake"].prefix.bin.cmake, required=True)
        cmake(
            *("-S", join_path(self.test_suite.current_test_cache_dir, "examples"), "-B", name),
            self.define("CMAKE_PREFIX_PATH", get_cmake_prefix_path(self)),
            self.define("Keramos_ROOT", self.prefix),
            self.define("CMAKE_CXX_COMPILER", self["cxx"].cxx),
            *self.kokkos_args(),
        )
        cmake("--build", name, "--target", f"keramos_example_{name}")
        program = which(f"{name}/keramos_example_{name}", required=True)
        backend = "openmp"  # whichever of the host's Kokkos has
        if self.spec.satisfies("+cuda"):
            backend = "cuda"
        elif self.spec.satisfies("+rocm") or self.spec.satisfies("+sycl"):
            backend = "portable"
        check_outputs([f"::{backend}::", *expected], program(output=str.split, error=str.split))

    def test_heat(self):
        """a stencil with an epilogue keeps the heat of a plate"""
        kernel = r"::(star<2,1> .*|portable::point)"
        self.run_example("heat", kernel + r": heat 4096\.000000 before, 4096\.000000 after")

    def test_interleaved(self):
        """a transpose puts every element in its place"""
        self.run_example("interleaved", "2000000 particles", ": 0 elements at the wrong place")

    def test_potential(self):
        """a gather-sum agrees with the textbook"""
        self.run_example("potential", "20000 charges", r"largest error \d\.\de-0[4-9]")
