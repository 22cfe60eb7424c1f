# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Spack recipe follows the habits that spack-packages' reviewers ask for, and the documentation of Spack names only what the
recipe has: its table the very variants, with their defaults; its commands no other ones. Needs no Spack."""

import ast
import re

from toolchain import ROOT, finish

RECIPE = ROOT / "spack/spack_repo/keramos/packages/keramos/package.py"
DOCUMENTS = [ROOT / "spack/README.md", ROOT / "docs/install.md"]
LONGEST_LINE = 99  # of spack-packages' own ruff
BASE_CLASSES = {"cuda": False, "rocm": False}  # variants that the recipe has from CudaPackage and ROCmPackage
failures = []
recipe = ast.parse(RECIPE.read_text())


def directives(node, types_given=False):
    """(name, call, whether default_args gives a type) of every directive, in loops and `with` as well."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.With) and "default_args(type=" in ast.unparse(child.items[0]):
            yield from directives(child, True)
        elif isinstance(child, ast.Expr) and isinstance(child.value, ast.Call) and isinstance(child.value.func, ast.Name):
            yield child.value.func.id, child.value, types_given
        else:
            yield from directives(child, types_given)


# ---- The recipe -----------------------------------------------------------------------------------------------------------
for number, line in enumerate(RECIPE.read_text().splitlines(), start=1):
    if len(line) > LONGEST_LINE:
        failures.append(f"line {number} has {len(line)} columns: spack-packages allows {LONGEST_LINE}")
defaults = dict(BASE_CLASSES)
for name, call, types_given in directives(recipe):
    keywords = {word.arg: word.value for word in call.keywords}
    said = ast.unparse(call)
    if name == "variant":
        defaults[call.args[0].value] = keywords["default"].value
    elif name == "depends_on" and not types_given and "type" not in keywords:
        failures.append(f"{said}: say the type, for build, link, run or test")
    elif name in ("conflicts", "requires") and "msg" not in keywords:
        failures.append(f"{said}: say the reason, msg=...")
    if name == "depends_on" and re.match(r"'(ninja|gmake)\b", ast.unparse(call.args[0])):
        failures.append(f"{said}: generator(...) brings it")

if "self.define_from_variant('BUILD_SHARED_LIBS', 'shared')" not in ast.unparse(recipe):
    failures.append("the variant `shared` is handed on to CMake")
# As a requirement, Spack would name two variants that cannot be first, and the reason last.
if "conflicts('~openmp~serial~threads'" not in ast.unparse(recipe):
    failures.append("no host backend is a conflict, whose reason Spack shows first")

# ---- The documents ----------------------------------------------------------------------------------------------------------
table = {}
for cells in re.findall(r"^\| (`.*?) \| (.*?) \|", (ROOT / "spack/README.md").read_text(), re.M):
    table.update({name: cells[1] for name in re.findall(r"`\+?(\w+)", cells[0])})
    table.update({name: cells[1] for name in re.findall(r" (\w+)=", cells[0])})
if set(table) != set(defaults):
    failures.append(f"the table of spack/README.md has {sorted(table)}, the recipe the variants {sorted(defaults)}")
for name in set(table) & set(defaults):
    default = defaults[name] if isinstance(defaults[name], str) else ("on" if defaults[name] else "off")
    if table[name].strip("`") != default:
        failures.append(f"spack/README.md: {name} is said to be {table[name]}, and is {default}")

commands = 0
for document in DOCUMENTS:
    for block in re.findall(r"^```sh\n(.*?)^```", document.read_text(), re.M | re.S):
        for line in re.findall(r"\bspack (?!test\b|module\b).*", re.sub(r" *#.*", "", block)):
            commands += 1
            asked = [name for spec in re.findall(r"\bkeramos((?:[@+~][^\s]+)?(?: \w+=\w+)*)", line)
                     for name in re.findall(r"[+~](\w+)| (\w+)=", spec)]
            unknown = {name for pair in asked for name in pair if name} - set(defaults)
            if unknown:
                failures.append(f"{document.name}: `{line.strip()}`: the recipe has no variant {sorted(unknown)}")
            # Without it, an installation without tests satisfies the spec, and no test runs.
            if "--test" in line and "--fresh" not in line:
                failures.append(f"{document.name}: `{line.strip()}` reuses what is installed: --fresh-roots")

finish(f"{len(defaults)} variants, {commands} commands", failures)
