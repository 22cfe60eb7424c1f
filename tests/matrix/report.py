# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rows of results.py as a table on the terminal, as Markdown, as one self-contained HTML page, as JUnit XML."""

import collections
import html
import xml.etree.ElementTree as ElementTree

from results import count, has_failed

FAMILIES = ("Stencils", "Transposes", "GatherSums")
HEAD = ("backend", "compiler", "build", "machine", "tests", "stencils", "transposes", "gather-sums", "time", "verdict")
WHERE = ("row", "commit", "date", "processor or GPU", "Kokkos", "compiler")
LEGEND = ("Passed: the answer of a fast kernel agrees with the reference. Portable: it agrees, and no fast kernel covers the "
          "case. A cell or a row that ran no test has failed.")


def counted(items):
    """"650", "640 + 10 portable", "1 FAILED of 650": what a glance must not miss comes first."""
    counts = count(items)
    if not items:
        return ""
    if "failed" in counts:
        return f"{counts['failed']} FAILED of {len(items)}"
    parts = [str(counts["passed"])] if "passed" in counts else []
    parts += [f"{counts[state]} {state}" for state in ("portable", "skipped") if state in counts]
    return " + ".join(parts)


def of_family(row, family):
    return [cell for cell in row["cells"] if cell["family"] == family]


def verdict(row):
    if row["state"] in ("not available", "never built"):
        return f"{row['state']}{' here' if row['state'] == 'not available' else ''}: {row['reason']}"
    if row["state"] == "failed":
        return f"FAILED: {row['reason']}"
    return "FAILED" if has_failed(row) else "passed"


def line(row):
    seconds = row.get("seconds")
    return (row["backend"], row.get("compiler_version") or row["compiler"], row["build"], row["machine"], counted(row["entries"]),
            *(counted(of_family(row, family)) for family in FAMILIES),
            "" if seconds is None else f"{seconds // 60}:{seconds % 60:02d}", verdict(row))


def provenance(rows):
    """Of each row that ran: what was tested, when, on what and with what."""
    return [(title(row), *(row.get(key, "") for key in ("version", "date", "processor", "kokkos", "compiler_version")))
            for row in rows if row["state"] in ("ran", "failed")]


def text(rows):
    lines = [HEAD, *(line(row) for row in rows)]
    widths = [max(len(entry[column]) for entry in lines) for column in range(len(HEAD) - 1)] + [0]
    return "\n".join("  ".join(word.ljust(width) for word, width in zip(entry, widths)).rstrip() for entry in lines)


def summary(rows):
    counts = count([cell for row in rows for cell in row["cells"]])
    states = ", ".join(f"{counts.get(state, 0)} {state}" for state in ("passed", "portable", "failed"))
    ran = sum(row["state"] == "ran" for row in rows)
    failed = sum(has_failed(row) for row in rows)
    return f"{ran} rows ran, {failed} rows with failures; cells: {states}"


def pivot(cells, column):
    """(column names, [(operator and type, items by column)]), in the order of the cells; `column` picks from a cell's name."""
    columns, table = [], collections.OrderedDict()
    for cell in cells:
        value_type, layouts, operator, edge = cell["name"].split("/")
        name = {"layouts": layouts, "edge": edge}[column]
        if name not in columns:
            columns.append(name)
        table.setdefault((operator, value_type), collections.defaultdict(list))[name].append(cell)
    return columns, list(table.items())


def failures(row):
    return [item for item in row["entries"] + row["cells"] if item["state"] == "failed"]


def title(row):
    return " ".join(part for part in (row["backend"], row["compiler"], row["build"], row["machine"]) if part)


def markdown(rows):
    def table(head, body):
        return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] + ["| " + " | ".join(entry) + " |" for entry in body]

    lines = ["# The matrix", "", summary(rows) + ".", "", LEGEND, ""]
    lines += table(HEAD, [[word.replace("|", "\\|") for word in line(row)] for row in rows])
    lines += ["", "## What ran where", ""] + table(WHERE, [[word.replace("|", "\\|") for word in entry] for entry in provenance(rows)])
    for row in rows:
        if not row["cells"] and not failures(row):
            continue
        lines += ["", f"## {title(row)}"]
        if failures(row):
            lines += [""] + [f"- FAILED {item['name']}: {' '.join(item['message'].split())[:300]}" for item in failures(row)[:50]]
        for family in FAMILIES:
            columns, body = pivot(of_family(row, family), "edge")
            if body:
                lines += ["", f"{family}, by edge rule (each over its layout pairs):", ""]
                lines += table(["operator", "type", *columns],
                               [[*names, *(counted(by[column]) for column in columns)] for names, by in body])
    return "\n".join(lines) + "\n"


# ---- HTML ------------------------------------------------------------------------------------------------------------------
STYLE = """body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:80em;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:1em 0}th,td{border:1px solid #ccc;padding:.2em .6em;text-align:left}
th{background:#f3f3f3}.passed{background:#dff3dd}.portable{background:#fff3c4}.failed{background:#f8c9c9;font-weight:bold}
.none{background:#eee;color:#555}summary{cursor:pointer;font-weight:600;margin:.6em 0}pre{white-space:pre-wrap}"""


def colour(items):
    counts = count(items)
    return next((state for state in ("failed", "portable", "passed") if state in counts), "none")


def html_table(head, body):
    """Entries of the body are (text, class)."""
    cells = "".join(f"<th>{html.escape(word)}</th>" for word in head)
    out = [f"<table><tr>{cells}</tr>"]
    for entry in body:
        out.append("<tr>" + "".join(f'<td class="{kind}">{html.escape(word)}</td>' for word, kind in entry) + "</tr>")
    return "\n".join(out) + "</table>"


def html_row(row):
    """One line of the first table."""
    words = line(row)
    kinds = ["", "", "", "", colour(row["entries"]), *(colour(of_family(row, family)) for family in FAMILIES), "",
             "failed" if has_failed(row) else "passed" if row["state"] == "ran" else "none"]
    return list(zip(words, kinds))


def html_details(row):
    out = [f"<details><summary>{html.escape(title(row))}: {html.escape(verdict(row))}</summary>"]
    out += [f"<pre>FAILED {html.escape(item['name'])}\n{html.escape(item['message'])}</pre>" for item in failures(row)]
    for family in FAMILIES:
        for axis, name in (("edge", "edge rule"), ("layouts", "layout pair, in-out")):
            columns, body = pivot(of_family(row, family), axis)
            if body and len(columns) > 1:
                out.append(f"<h4>{family} by {name}</h4>")
                out.append(html_table(["operator", "type", *columns], [
                    [(names[0], ""), (names[1], ""), *((counted(by[column]), colour(by[column])) for column in columns)]
                    for names, by in body]))
    kernels = collections.Counter(kernel for cell in row["cells"] for kernel in cell["kernels"].split(", ") if kernel)
    if kernels:
        out.append("<h4>Kernels, and how many cells took them</h4>")
        out.append(html_table(["kernel", "cells"], [[(name, ""), (str(number), "")] for name, number in sorted(kernels.items())]))
    if row["entries"]:
        out.append("<h4>Entries of CTest</h4>")
        out.append(html_table(["test", "state", "message"], [
            [(entry["name"], ""), (entry["state"], "none" if entry["state"] == "skipped" else entry["state"]),
             (entry["message"] if entry["state"] == "skipped" else "", "")] for entry in row["entries"]]))
    return "\n".join(out) + "</details>"


def html_page(rows):
    details = "\n".join(html_details(row) for row in rows if row["state"] in ("ran", "failed"))
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Keramos: the matrix</title><style>{STYLE}</style></head><body>
<h1>Keramos: the matrix</h1>
<p>{html.escape(summary(rows))}.</p>
<p>{LEGEND}</p>
{html_table(HEAD, [html_row(row) for row in rows])}
<h2>What ran where</h2>
{html_table(WHERE, [[(word, "") for word in entry] for entry in provenance(rows)])}
{details}
</body></html>
"""


# ---- JUnit -----------------------------------------------------------------------------------------------------------------
def junit(rows):
    suites = ElementTree.Element("testsuites", name="Keramos matrix")
    for row in rows:
        items = [*row["entries"], *row["cells"]]
        if row["state"] != "ran":
            state = "failed" if row["state"] == "failed" else "skipped"
            items.append({"name": "row", "state": state, "message": verdict(row)})
        counts = count(items)
        suite = ElementTree.SubElement(suites, "testsuite", name=title(row), tests=str(len(items)), errors="0",
                                       failures=str(counts.get("failed", 0)), skipped=str(counts.get("skipped", 0)))
        for item in items:
            case = ElementTree.SubElement(suite, "testcase", classname=f"{title(row)}.{item.get('family', 'CTest')}",
                                          name=printable(item["name"]))
            if item["state"] in ("failed", "skipped"):
                tag = "failure" if item["state"] == "failed" else "skipped"
                ElementTree.SubElement(case, tag, message=printable(item["message"].strip().split("\n")[0])).text = \
                    printable(item["message"])
            elif item["state"] == "portable":
                ElementTree.SubElement(case, "system-out").text = "not covered by a fast kernel: " + printable(item["kernels"])
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def printable(message):
    """Without what XML forbids: a test's output may hold anything."""
    return "".join(c for c in message if c in "\t\n" or c >= " " and c not in "\ufffe\uffff" and not "\ud800" <= c <= "\udfff")
