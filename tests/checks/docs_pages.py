# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The HTML that Doxygen wrote has a page for every public header, describes every public call, and shows nothing that is not public;
docs/reference.md, and docs/distributed.md for several processes, have every public name: docs_pages.py HTML"""

import html
import pathlib
import re
import sys

from toolchain import ROOT, finish

CALLS = {"apply_stencil", "transpose", "permute", "transpose_in_place", "transpose_in_place_workspace_size", "copy", "gather_sum",
         "gather_sum_workspace_size", "member", "exchange_halo", "begin_exchange", "dry_run", "with_backend", "with_label", "rsqrt", "exp",
         "sides", "constant", "first_derivative", "second_derivative", "laplacian", "derivative", "weights"}
pages = pathlib.Path(sys.argv[1])
failures = []


def read(name):
    return (pages / name).read_text(errors="replace") if (pages / name).exists() else ""


# Names, and for each function whether something is said of it: Doxygen writes <h2 class="memtitle">...name()</h2> and a block below.
said_of = {}
for namespace in (read("namespaceKeramos.html"), read("namespaceKeramos_1_1FiniteDifference.html")):
    for title, below in re.findall(r'<h2 class="memtitle">.*?</span>([^<]*).*?<div class="memdoc">(.*?)</div>', namespace, re.S):
        name = html.unescape(title).strip().removesuffix("()")
        said_of[name] = max(said_of.get(name, 0), len(re.sub(r"<[^>]*>", "", below).split()))
    failures += [f"a page shows {word}" for word in ("Refused", "KERAMOS_REFUSED") if word in namespace]
classes = {re.match(r"(?:struct|class)Keramos_1_1([A-Za-z]+)", page.name)[1] for page in pages.glob("*Keramos_1_1[A-Z]*.html")
           if page.name.startswith(("struct", "class"))}

for header in sorted((ROOT / "src").glob("Keramos*.hpp")):
    page = header.name.replace("_", "__").replace(".hpp", "_8hpp.html")
    if not read(page):
        failures.append(f"{header.name} has no page {page}")
failures += [f"{call}: no page says what it is" for call in sorted(CALLS) if said_of.get(call, 0) < 6]
names = set(said_of) | classes
if len(names) < 60:
    failures.append(f"only these names were found on the pages: {sorted(names)}")
reference = "".join((ROOT / "docs" / page).read_text() for page in ("reference.md", "distributed.md"))
missing = [name for name in sorted(names) if not re.search(rf"\b{name}\b", reference)]
failures += [f"public, and in neither docs/reference.md nor docs/distributed.md: {', '.join(missing)}"] if missing else []
finish(f"the pages of {len(names)} public names", failures)
