# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every code block of README.md, CONTRIBUTING.md and docs/ works: docs_snippets.py BUILD_DIRECTORY INSTALLED_PREFIX WHICH

```cpp    with `int main`: compiled as it stands. Otherwise tests/docs_preamble.hpp gives the names that the text uses (exec,
          in, out, ...) and the block is the body of a function; its #include lines go before it. A block that defines
          templates or functions says so with ```cpp file (file scope).
```cmake  put into a project of its own and configured, against the installed Keramos or this tree: with the generator that CMake
          takes by itself, or, on a machine without make, with the one that every documented command names.
```sh     (bash, console): every `./keramos COMMAND` and every `--preset NAME` must exist, and every `cmake -S` name a
          generator, since a bare Debian machine has no make.
```tcl, dockerfile  and what names no language: as it stands.

No other language, and no line but a heading begins with #: what a formatter of C++ has been let loose upon shows. What a link names
in this tree is there, and the heading behind its # as well.

WHICH is "distributed", the blocks with Keramos_Distributed.hpp or the component `distributed`, which take a build with MPI, or
"others".
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from toolchain import ROOT, Compiler, finish, in_parallel

GENERATOR = ["-G", "Ninja"]  # what the documentation names
which = sys.argv[3]
compiler = Compiler(sys.argv[1], **({"like": "tests/distributed/MpiMain.cpp"} if which == "distributed" else {}))
prefix = pathlib.Path(sys.argv[2])
cmake_options = sys.argv[4:]


class Block:
    def __init__(self, path, line, words, text):
        self.where = f"{path.relative_to(ROOT)}:{line}"
        self.language, self.words, self.text = (words or [""])[0], words[1:], text
        needs_mpi = "Keramos_Distributed.hpp" in text or "COMPONENTS distributed" in text
        self.is_wanted = needs_mpi == (which == "distributed")


def blocks(path):
    """The fenced code blocks of a Markdown file."""
    text = path.read_text()
    for found in re.finditer(r"^```([^\n]*)\n(.*?)^```\s*$", text, re.M | re.S):
        yield Block(path, text.count("\n", 0, found.start()) + 1, found.group(1).split(), found.group(2))


def check_cpp(block):
    text = block.text
    if not re.search(r"\bint\s+main\s*\(", text):
        includes = re.findall(r"^\s*#\s*include[^\n]*\n", text, re.M)
        body = re.sub(r"^\s*#\s*include[^\n]*\n", "\n", text, flags=re.M)
        if "file" not in block.words:
            body = f"void documented()\n{{\n{body}}}\n"
        text = "".join(includes) + f'#include "{ROOT}/tests/docs_preamble.hpp"\n{body}'
    # Examples name what they make, and need not use it.
    good, said = compiler.check(block.where, text=text, extra=["-Wno-unused"])
    return None if good else f"{block.where}\n{said}"


def check_cmake(block):
    with tempfile.TemporaryDirectory() as folder:
        project = pathlib.Path(folder)
        text = block.text
        (project / "main.cpp").write_text("int main() {}\n")
        made = set(re.findall(r"add_(?:executable|library)\((\w+)", text))
        linked = set(re.findall(r"target_link_libraries\((\w+)", text)) - made
        for name in re.findall(r"add_subdirectory\(([\w./-]+)", text):
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            (project / name).symlink_to(ROOT)
        for name in re.findall(r"add_executable\(\w+ ([\w./-]+\.cpp)", text):
            (project / name).write_text("int main() {}\n")
        if not re.search(r"^\s*project\(", text, re.M):
            text = ("cmake_minimum_required(VERSION 3.22)\nproject(documented LANGUAGES CXX)\n"
                    + "".join(f"add_executable({name} main.cpp)\n" for name in linked) + text)
        (project / "CMakeLists.txt").write_text(text)
        generator = [] if shutil.which("make") else GENERATOR
        run = subprocess.run(["cmake", "-S", folder, "-B", f"{folder}/build", *generator, f"-DCMAKE_PREFIX_PATH={prefix}",
                              f"-DFETCHCONTENT_SOURCE_DIR_KERAMOS={ROOT}", *cmake_options],
                             capture_output=True, text=True)
        return None if run.returncode == 0 else f"{block.where}\n{run.stdout}{run.stderr}"


def check_shell(block):
    commands = re.findall(r"^  (\w+)", subprocess.run([ROOT / "keramos", "help"], capture_output=True, text=True).stdout, re.M)
    presets = json.loads((ROOT / "CMakePresets.json").read_text())
    names = [p["name"] for p in presets["configurePresets"] if not p.get("hidden")]
    code = re.sub(r"#[^\n]*", "", block.text)
    for command in re.findall(r"\./keramos +(\w+)", code):
        if command not in commands:
            return f"{block.where}: ./keramos {command}: the commands are {commands}"
    for name in re.findall(r"--preset[ =](\S+)", code):
        if name not in names:
            return f"{block.where}: --preset {name}: the presets are {names}"
    for command in re.findall(r"cmake -S(?:[^\n]*\\\n)*[^\n]*", code):
        if " ".join(GENERATOR) not in command:
            return f"{block.where}: without {' '.join(GENERATOR)}: {command}"
    return None


def check_form(path):
    """What is no Markdown as this project writes it: a heading without its space, a block of an unknown language."""
    prose = re.sub(r"^ *```.*?^ *```\s*?$", lambda block: "\n" * block[0].count("\n"), path.read_text(), flags=re.M | re.S)
    for number, line in enumerate(prose.split("\n"), 1):
        if re.match(r"\s*#+[^# ]", line):
            yield f"{path.relative_to(ROOT)}:{number}: no heading: {line}"
    for block in blocks(path):
        if block.language not in CHECKS and block.language not in UNCHECKED:
            yield f"{block.where}: a block of {block.language}: expected one of {[*CHECKS, *UNCHECKED]}"


def anchors(path):
    """What a # in a link can name: the headings, as they are made into names."""
    return [re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)$", path.read_text(), re.M)]


def check_links(path):
    for name, anchor in re.findall(r"\]\((?!\w+:)([^)#\s]*)#?([^)\s]*)\)", path.read_text()):
        target = path.parent / name if name else path
        if not target.exists():
            yield f"{path.relative_to(ROOT)}: a link to {name}, which is not there"
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            yield f"{path.relative_to(ROOT)}: a link to {name}#{anchor}: no such heading"


CHECKS = {"cpp": check_cpp, "c++": check_cpp, "cmake": check_cmake, "sh": check_shell, "bash": check_shell,
          "console": check_shell}
UNCHECKED = ("tcl", "dockerfile", "")
documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
found = [block for path in documents if path.exists() for block in blocks(path)]
checked = [block for block in found if block.language in CHECKS and block.is_wanted]
if not any(block.language == "cpp" for block in checked):
    sys.exit(f"no ```cpp block found in {[d.name for d in documents if d.exists()]}")
failures = [said for path in documents for check in (check_form, check_links) for said in check(path)]
failures += in_parallel(lambda block: CHECKS[block.language](block), checked)
finish(f"{len(checked)} of {len(found)} code blocks of the documentation", [said for said in failures if said])
