# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Spack recipe and docs/install.md say what CMake says: no option misspelt or forgotten (CMake only warns of a -D that
nobody reads), the same versions of what Keramos needs, every archive to bring along, and a SHA-256 for every release. The
CHANGELOG, CITATION.cff, the pages and the applications of tests/consumer have CMake's version, and the workflow of .github the container that CONTRIBUTING.md names. Needs no Spack."""

import ast
import re

from toolchain import ROOT, finish

RECIPE = ROOT / "spack/spack_repo/keramos/packages/keramos/package.py"
NOT_FOR_SPACK = {"Keramos_ENABLE_DOCS", "HPX"}
PACKAGES = {"GTest": "googletest", "CLI11": "cli11"}  # CMake's name to Spack's, where they are not the same in small letters

recipe = RECIPE.read_text()
cmake = "\n".join(path.read_text() for path in [ROOT / "CMakeLists.txt", *sorted((ROOT / "cmake").glob("*.cmake"))])
tests = "\n".join((ROOT / path).read_text() for path in ("tests/CMakeLists.txt", "cmake/KeramosTest.cmake"))
failures = []


def calls(name):
    """The constant arguments of every call of a function or method in the recipe: positional ones, then keywords."""
    for node in ast.walk(ast.parse(recipe)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == name:
            keywords = {word.arg: word.value.value for word in node.keywords if isinstance(word.value, ast.Constant)}
            yield [value.value for value in node.args if isinstance(value, ast.Constant)], keywords


def expect_equal(what, said, expected, where="CMake"):
    if set(said) != set(expected):
        failures.append(f"{what}: {sorted(set(said))}, but {where} has {sorted(set(expected))}")


defined = {word for name in ("define", "define_from_variant") for arguments, _ in calls(name) for word in arguments[:1]}
options = set(re.findall(r"^option\((Keramos_\w+)", cmake, re.M)) - NOT_FOR_SPACK
expect_equal("options in the recipe", [word for word in defined if str(word).startswith("Keramos_") and word != "Keramos_ROOT"], options)

variants = {arguments[0] for arguments, _ in calls("variant")}
for arguments, _ in calls("define_from_variant"):
    if len(arguments) == 2 and arguments[1] not in variants:  # else named by a loop over kokkos_backends
        failures.append(f"define_from_variant({arguments}): the variants are {sorted(variants)}")

backends = next(ast.literal_eval(node.value) for node in ast.walk(ast.parse(recipe))
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "kokkos_backends")
in_cmake = re.search(r"foreach\(backend ([A-Z ]+)\)", cmake)[1].split()
expect_equal("Kokkos' backends in the recipe", backends.values(), set(in_cmake) - NOT_FOR_SPACK)

# Minimal versions: depends_on("name@version...") beside find_package(Name version) and what CMake itself is asked for.
needed = [re.match(r"([\w-]+)@([\d.]+)", arguments[0]) for arguments, _ in calls("depends_on") if arguments]
in_recipe = {name: {m[2] for m in needed if m and m[1] == name} for name in {m[1] for m in needed if m}}
in_cmake = {"cmake": set(re.findall(r"cmake_minimum_required\(VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()))
            | set(re.findall(r"CMAKE_VERSION VERSION_LESS ([\d.]+)", cmake))}
for name, version in re.findall(r"find_package\((\w+) (\d[\d.]*)", cmake):
    in_cmake.setdefault(PACKAGES.get(name, name.lower().replace("_", "-")), set()).add(version)
in_cmake["python"] = in_cmake.pop("python3")
in_recipe["kokkos"].discard("5.1")  # the first that knows some architectures
for name in sorted({*in_recipe, *in_cmake}):
    expect_equal(f"versions of {name} in the recipe", in_recipe.get(name, ()), in_cmake.get(name, ()))

labels = re.search(r'"--label-regex", "([\w|]+)"', recipe)[1].split("|")
used = set(re.findall(r"\bLABELS ([\w ]+)", tests.replace("${arg_LABELS}", "")))
failures += [f"check(): no test has the label {label}" for label in labels if not any(label in words.split() for words in used)]

for arguments, keywords in calls("version"):
    if arguments != ["main"] and not re.fullmatch("[0-9a-f]{64}", keywords.get("sha256", "")):
        failures.append(f"version {arguments[0]}: a release has the SHA-256 of its archive, which spack/release enters")

# keramos_fetch(NAME VERSION v ... URL url ...) is a row of the table: its archive's name, and where it comes from.
fetched = re.findall(r"^  keramos_fetch\((\w+) VERSION (\S+).*?URL (\S+)", cmake, re.M | re.S)
rows = re.findall(r"^\| `([^`]+\.tar\.gz)` \| `([^`]+)` \|$", (ROOT / "docs/install.md").read_text(), re.M)
expect_equal("archives in docs/install.md", rows, [(f"{name.lower()}-{version}.tar.gz", url) for name, version, url in fetched])

project = re.search(r"^project\(Keramos VERSION ([\d.]+)", cmake, re.M)[1]
minor = project.rpartition(".")[0]
SAY_THE_VERSION = [  # the newest section of the CHANGELOG, if it has a version, comes first
    ("CHANGELOG.md", r"\A.*?^## \[(\d\S*)\]", project), ("CITATION.cff", r"^version: (\S+)$", project),
    ("docs/reference.md", r'KERAMOS_VERSION_STRING` is `"([\d.]+)"', project), ("docs/reference.md", r"libkeramos\.so\.([\d.]+)`", minor),
    ("docs/install.md", r"keramos/(\d[\d.]*)", project), ("docs/install.md", r'"Keramos (\d[\d.]*):', project),
    ("spack/README.md", r"keramos-(\d[\d.]*)\.tar", project), (RECIPE.relative_to(ROOT), r"/keramos-(\d[\d.]*)\.tar", project)]
for path, pattern, expected in SAY_THE_VERSION:
    expect_equal(f"the version in {path}", re.findall(pattern, (ROOT / path).read_text(), re.M | re.S), [expected])
for path in [*sorted(ROOT.glob("docs/*.md")), ROOT / "README.md", *sorted(ROOT.glob("tests/consumer/*/CMakeLists.txt"))]:
    asked = set(re.findall(r"find_package\(Keramos (\d[\d.]*)", path.read_text()))
    if asked - {minor}:
        failures.append(f"{path.relative_to(ROOT)} asks for Keramos {sorted(asked)}, and CMake has {project}")
workflow = (ROOT / ".github/workflows/ci.yml").read_text()
expect_equal("containers in CONTRIBUTING.md", re.findall(r"container `([\w.:-]+)`", (ROOT / "CONTRIBUTING.md").read_text()),
             re.findall(r"^      image: (\S+)$", workflow, re.M), where="the workflow")
expect_equal("what .github/workflows/ci.yml runs", re.findall(r"^      - run: (\S+)$", workflow, re.M), [".ci/run"], where="CONTRIBUTING.md")

finish(f"{len(options)} options, {len(in_recipe)} dependencies, {len(fetched)} archives", failures)
