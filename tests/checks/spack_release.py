# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""spack/release on a copy of the recipe in a repository of its own: the archive is the tag's, the recipe has its hash, and the
recipe for spack-packages is the same one with their header, public addresses and maintainers. Wrong calls change nothing."""

import ast
import hashlib
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile

from toolchain import ROOT, finish, require_program

RECIPE = "spack/spack_repo/keramos/packages/keramos/package.py"
THEIR_HEADER = ("# Copyright Spack Project Developers. See COPYRIGHT file for details.\n#\n"
                "# SPDX-License-Identifier: (Apache-2.0 OR MIT)\n")
URL = "https://github.com/example/keramos"
THEIRS = {"homepage": URL, "git": f"{URL}.git"}  # what stands in the place of this clone, and `url`
failures = []


def run(*command):
    return subprocess.run(command, cwd=clone, capture_output=True, text=True)


def commit_state(version, changes, tags):
    (clone / "CMakeLists.txt").write_text(f"project(Keramos VERSION {version} LANGUAGES CXX)\n")
    (clone / "CHANGELOG.md").write_text(changes)
    run("git", "add", ".")
    commit = run("git", "-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "commit", "--quiet", "-m", "A state")
    if commit.returncode != 0:
        finish("releases", [commit.stderr])
    for tag in tags:
        run("git", "tag", tag)


def release(*arguments, fails_with=None):
    """Runs spack/release. `fails_with` is a part of the sentence that it must fail with, changing no recipe."""
    before = (clone / RECIPE).read_text()
    made = run("spack/release", *arguments)
    call = f"spack/release {' '.join(arguments)}"
    if fails_with is None and made.returncode != 0:
        failures.append(f"{call}\n{made.stdout}{made.stderr}")
    if fails_with is not None and (made.returncode == 0 or fails_with not in made.stderr or (clone / RECIPE).read_text() != before):
        failures.append(f"{call}: should fail with «{fails_with}» and change nothing; exit {made.returncode}\n{made.stderr}")


def body_of(text):
    """The class's statements without those that name a place or a maintainer, and the names of those."""
    recipe = next(node for node in ast.parse(text).body if isinstance(node, ast.ClassDef))
    named = {node.targets[0].id: node.value for node in recipe.body if isinstance(node, ast.Assign)}
    places = {name: named[name].value for name in (*THEIRS, "url") if isinstance(named.get(name), ast.Constant)}
    maintainers = [node for node in recipe.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
                   and node.value.func.id == "maintainers"]
    rest = [ast.dump(node) for node in recipe.body if node not in maintainers
            and not (isinstance(node, ast.Assign) and node.targets[0].id in (*THEIRS, "url"))]
    return rest, places, [argument.value for node in maintainers for argument in node.value.args]


def check_archive(version):
    archive = clone / f"out/keramos-{version}.tar.gz"
    entered = re.search(rf'^    version\("{re.escape(version)}", sha256="([0-9a-f]+)"\)$', (clone / RECIPE).read_text(), re.M)
    if not entered or entered[1] != hashlib.sha256(archive.read_bytes()).hexdigest():
        failures.append(f"version {version}: the recipe has not the SHA-256 of {archive.name}")
    with tarfile.open(archive) as packed:
        names = sorted(member.name for member in packed.getmembers() if member.isfile())
    listed = run("git", "ls-tree", "-r", "--name-only", f"v{version}").stdout.split()
    tagged = sorted(f"keramos-{version}/{name}" for name in listed)
    if names != tagged or not tagged:
        failures.append(f"{archive.name} has {names}, and the tag {tagged}")
    return entered[1] if entered else ""


def check_upstream(version, hashes, maintainers):
    written = clone / "out/package.py"
    if not written.exists():
        failures.append(f"version {version}: there is no out/package.py")
        return
    text = written.read_text()
    written.unlink()
    ours, _, _ = body_of((clone / RECIPE).read_text())
    theirs, places, names = body_of(text)
    expected = {**THEIRS, "url": f"{URL}/releases/download/v{version}/keramos-{version}.tar.gz"}
    for what, found, wanted in (("header", text[:len(THEIR_HEADER)], THEIR_HEADER), ("places", places, expected),
                                ("maintainers", names, maintainers), ("rest of the recipe", theirs, ours)):
        if found != wanted:
            failures.append(f"out/package.py, {what}: {found}\nexpected: {wanted}")
    failures.extend(f"out/package.py lacks {what}" for what in hashes if what not in text)
    ours_alone = (str(clone), "file:", "HOME", "The Keramos authors")
    failures.extend(f"out/package.py names the clone or our licence: {word}" for word in ours_alone if word in text)


require_program("git", package="git")
with tempfile.TemporaryDirectory() as folder:
    clone = pathlib.Path(folder)
    shutil.copytree(ROOT / "spack", clone / "spack", ignore=shutil.ignore_patterns("__pycache__"))
    original = (clone / RECIPE).read_text()
    run("git", "init", "--quiet")
    commit_state("0.7.1", "## [Unreleased]\n", ["v0.7.1"])
    commit_state("0.7.3", "## [0.7.3] - 2026-01-31\n", ["v0.7.3", "v0.7.4"])

    release(fails_with="usage")
    release("0.7.3", URL, fails_with="usage")
    release("0.7.2", fails_with="no tag v0.7.2")
    release("0.7.4", fails_with="another version")
    release("0.7.1", fails_with="CHANGELOG.md at v0.7.1 has no section")
    release("0.7.3", "http://example.org/keramos", "someone", fails_with="PUBLIC_URL")
    release("0.7.3", URL, "not a name", fails_with="MAINTAINER")
    release("0.7.3")
    first = check_archive("0.7.3")
    release("0.7.3", fails_with="already")
    release("0.7.3", URL, "someone", "some-other")  # of a version that was entered before
    check_upstream("0.7.3", [first], ["someone", "some-other"])

    (clone / RECIPE).write_text(original)
    release("0.7.3", URL, "someone")  # both at once
    check_upstream("0.7.3", [check_archive("0.7.3")], ["someone"])

finish("two releases and seven wrong calls", failures)
