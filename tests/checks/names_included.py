# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every file includes what declares the names of this project that it uses, itself or by what it includes.

A compiler finds that where it compiles the file alone. CI compiles CUDA in units of several sources, where the include of one serves the
next, and no header of CUDA by itself: each alone would take it a quarter of an hour, and to read them takes seconds.

Code is read as clang-format writes it, in which `T* name` declares and `a * name` multiplies. A name that a file gives to something of its
own, a parameter or a member, is passed over in all of it: what is found here is missing, but not all that is missing is found. Of 424
includes of CUDA's files, each taken out by itself, 394 are noticed, and 18 of the others bring no name that the file uses.
"""

import functools
import re

from toolchain import ROOT, finish

FOLDERS = ("src", "backends", "perf")
INCLUDE_PATH = [ROOT / folder for folder in ("src", "perf", "perf/cuda")]
NO_TYPES = {"return", "else", "case", "delete", "throw", "goto", "typename", "not"}  # what stands before a name and declares none
NO_FUNCTIONS = {"alignas", "decltype", "requires", "noexcept", "explicit", "sizeof", "__launch_bounds__", "__attribute__"}

# What stands in brackets of a kind, and what is written instead where only the rest is looked at.
BRACKETS = ((r"\([^()]*\)", "@"), (r"\{[^{}]*\}", "$"), (r"\[[^\[\]]*\]", ""), (r"(?<=[\w@])<[^<>]*>|(?<=template )<[^<>]*>", "`"))
NAMESPACE = re.compile(r"\s*(?:inline )?namespace\s*([\w:]*)\s*")
TYPE = re.compile(r"(?:struct|class|union|enum(?: class)?|concept|using)\s+(?:alignas@\s+)?(\w+)(`)?")


def without_comments_and_text(code):
    return re.sub(r'//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|\b\'|\'(?:\\.|[^\'\\\n])+\'', " ", code, flags=re.S)


def without_brackets(text):
    text = text.replace("->", " - ")
    for pattern, instead in BRACKETS:
        while text != (text := re.sub(pattern, instead, text)):
            pass
    return re.sub(r"^\s*(?:template `\s*)*(?:(?:inline|constexpr|static|extern|const)\s+)*", "", text)


def declared_by(statement):
    """The names that a statement of a namespace gives to something."""
    text = without_brackets(statement)
    before_value = text.partition("=")[0]
    if text.startswith("using") and "=" not in text:
        return [] if "namespace" in text else re.findall(r"(\w+)\s*$", text)
    if found := TYPE.match(text):
        enumerators = re.findall(r"[{,]\s*(\w+)", statement) if re.match(r"enum (?!class)", text) else []
        return enumerators if found[2] else [found[1], *enumerators]  # with arguments it is a specialisation
    if "operator" in text or re.match(r"template\b|friend\b|\w+@", text):  # an instantiation; a macro
        return []
    if "@" in before_value:
        return [name for name in re.findall(r"(?<!::)\b(\w+)@", before_value) if name not in NO_FUNCTIONS][:1]
    return re.findall(r"[\w`&*]\s+(\w+)\s*(?=,|$)", re.sub(r"=[^,]*|\$", "", text))


def ends_with_body(statement):
    text = without_brackets(statement)
    return "@" in text and "=" not in text and not TYPE.match(text)


def statements(code):
    """(namespace, statement) of all that stands in namespaces."""
    spaces, depth, begin = [], 0, 0
    for bracket in re.finditer(r"[(){};]", code):
        before, here = code[begin : bracket.start()], bracket[0]
        is_end = here == ";" and depth == 0
        if here in "({" and depth == 0 and (opened := NAMESPACE.fullmatch(before)):
            spaces.append(opened[1] or "unnamed")
            begin = bracket.end()
        elif here == "}" and depth == 0:
            spaces.pop()
            begin = bracket.end()
        elif here in "(){}":
            depth += 1 if here in "({" else -1
            is_end = here == "}" and depth == 0 and ends_with_body(before + here)
        if is_end:
            yield "::".join(spaces), before
            begin = bracket.end()


class File:
    """What a file includes, declares in namespaces, gives a name of its own, and uses."""

    def __init__(self, path):
        self.path, text = path, path.read_text()
        code = without_comments_and_text(text)
        self.includes = {(folder / name).resolve() for name in re.findall(r'^ *# *include [<"](.*)[>"]', text, re.M)
                         for folder in (path.parent, *INCLUDE_PATH)}
        self.declared = {(space, name) for space, statement in statements(re.sub(r"^ *#(?:.*\\\n)*.*", "", code, flags=re.M))
                         for name in declared_by(statement)}
        self.spaces = {space for space, _ in self.declared}
        self.declared |= {("", name) for name in re.findall(r"^ *# *define (\w+)", code, re.M)}
        self.code = re.sub(r"^ *# *(?:include.*|pragma.*|define \w+)|\bnamespace [\w:]+", "", code, flags=re.M)
        self.own = {name for _, name in self.declared}
        self.own |= {name for before, name in re.findall(r"([\w)\]]*[\w>*&.]+) +(?=(\w+) *(?:[=;,>){(\[:]|$))", self.code, re.M)
                     if re.match(r"[^\W\d]|[\w)\]]+[>*&.]", before) and before not in NO_TYPES}
        self.own.update(re.findall(r"^\w.*::(\w+)\(", self.code, re.M), re.findall(r"[\[,] *&?(\w+) = ", self.code))
        self.own.update(name for names in re.findall(r"auto&{0,2} \[(.*?)\]", self.code) for name in re.findall(r"\w+", names))
        self.types = set(re.findall(r"^ +(?:struct|class|enum|enum class|using) (\w+)", code, re.M))  # of its classes

    def sees(self, space, qualifier):
        """Whether a name of that namespace can be meant here, by itself or behind `qualifier::`."""
        if qualifier:
            return space.split("::")[-1] == qualifier
        return not space or any(here == space or here.startswith(space + "::") for here in self.spaces)


files = {p: File(p) for folder in FOLDERS for p in sorted((ROOT / folder).rglob("*.?pp"))}
declaring = {}  # name -> (namespace, header); what is in unnamed ones is for single sources
for path, file in files.items():
    if path.suffix == ".hpp":
        for space, name in file.declared:
            if "unnamed" not in space:
                declaring.setdefault(name, []).append((space, path))
assert len(files) > 200 and len(declaring) > 1000, f"only {len(files)} files and {len(declaring)} names found under {ROOT}"


@functools.cache
def reached(path):
    """The file and all that it includes."""
    found, left = {path}, [path]
    while left:
        new = (files[left.pop()].includes & files.keys()) - found
        found |= new
        left += new
    return found


def check(file):
    for qualifier, name in sorted(set(re.findall(r"(?<![\w.])(?<!->)(?:(\w+)::)?\b([A-Za-z_]\w*)(?!::)\b", file.code))):
        if name not in declaring or not qualifier and name in file.own:
            continue
        there = {path for space, path in declaring[name] if file.sees(space, qualifier)}
        here = reached(file.path)
        if there and not there & here and not any(name in files[path].types for path in here):
            named = ", ".join(sorted(str(path.relative_to(ROOT)) for path in there))
            yield f"{file.path.relative_to(ROOT)}: {name} is declared in {named}, which it does not include"


if __name__ == "__main__":
    finish(f"names in {len(files)} files", [failure for file in files.values() for failure in check(file)])
