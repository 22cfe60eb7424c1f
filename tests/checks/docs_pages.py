# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The HTML that Doxygen wrote has a page for every public header and describes every public call: docs_pages.py HTML

A call counts as described where a page shows a line of a docstring that stands above it in the header.
"""

import html
import pathlib
import re
import sys

from toolchain import ROOT, finish

pages = pathlib.Path(sys.argv[1])
failures = []


def words(text):
    return " ".join(re.sub(r"[^A-Za-z]+", " ", text).split())


def text_of(page):
    return words(html.unescape(re.sub(r"<[^>]*>", " ", page.read_text(errors="replace"))))


namespace = text_of(pages / "namespaceKeramos.html") if (pages / "namespaceKeramos.html").exists() else ""
headers = sorted((ROOT / "src").glob("Keramos*.hpp"))
described = {}
for header in headers:
    page = pages / (header.name.replace("_", "__").replace(".hpp", "_8hpp.html"))
    if not page.exists():
        failures.append(f"{header.name} has no page {page.name}")
    # A docstring, a template line, perhaps with constraints, and a function that returns a Kernel.
    pattern = r"/// ([^\n]{20,})\n(?:(?:///|  |template)[^\n]*\n)+Kernel (\w+)\("
    for line, call in re.findall(pattern, header.read_text()):
        described[call] = described.get(call, False) or words(line) in namespace
if len(described) < 5:
    failures.append(f"only the calls {sorted(described)} were found in the headers: look at the pattern of this check")
failures += [f"{call}: no page has its docstring" for call in sorted(described) if not described[call]]
finish(f"documentation of {', '.join(sorted(described))}", failures)
