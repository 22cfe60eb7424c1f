# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of the benchmarks, made of their JSON and never typed.

tables.py RESULT.json...             prints the tables of one run, one JSON a family
tables.py --write RUN RESULT.json... keeps a run: copies its JSON to perf/results/RUN-FAMILY.json and writes perf/results/RUN.md;
                                     without JSON it writes the page anew, with RUN.note.md, if that is there, at its head
tables.py --check                    every page in perf/results is what its JSON makes

A figure is the median of the raw repetitions. Its fraction is the median of the fractions: each repetition's own rate by the mean of
the yardstick right before and right after it.
"""

import json
import pathlib
import statistics
import sys

RESULTS = pathlib.Path(__file__).parent / "results"

# family: title, unit of a figure (a billion of the JSON's `work` a second), yardstick, its unit
FAMILIES = {
    "stencil": ("Stencils", "Gpoint/s", "copy", "GB/s"),
    "transpose": ("Transposes", "GB/s", "copy", "GB/s"),
    "gather_sum": ("Gather-sums", "Gpair/s", "arithmetic", "GFMA/s"),
}
BILLION = 1e9
CACHES = 8  # times the last-level cache is what a memory-bound case must move


class Contender:
    """The raw repetitions of one contender of one case."""

    def __init__(self, name, repetitions):
        self.family, self.case, self.who = name.split("/", 1)[0], name.split("/", 1)[1].rpartition("/")[0], name.rpartition("/")[2]
        self.kernel = repetitions[0].get("label", "")
        self.need = repetitions[0]["need"]
        self.rates = [r["work"] / seconds(r) / BILLION for r in repetitions]
        self.yardsticks = [(r["yardstick_before"] + r["yardstick_after"]) / 2 / BILLION for r in repetitions]
        self.fractions = [r["need"] / seconds(r) / BILLION / y for r, y in zip(repetitions, self.yardsticks)]

    @property
    def rate(self):
        return statistics.median(self.rates)


def seconds(repetition):
    return repetition["real_time"] / {"ns": 1e9, "us": 1e6, "ms": 1e3, "s": 1}[repetition["time_unit"]]


def contenders(document):
    repetitions = {}
    for run in document["benchmarks"]:
        if run["run_type"] == "iteration" and "work" in run:
            repetitions.setdefault(run["run_name"].rsplit("/iterations:", 1)[0], []).append(run)
    return [Contender(name, runs) for name, runs in repetitions.items()]


def cache_bytes(context):
    return max((cache["size"] for cache in context["caches"]), default=0)


def digits(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def rows(group, yardstick, cache):
    """The lines of one family's table; a case's first line is Keramos, the others stand beside it."""
    best = {}
    for one in group:
        if one.who != "Keramos":
            best[one.case] = max(best.get(one.case, 0), one.rate)
    for one in group:
        small = yardstick == "copy" and one.need < CACHES * cache
        ours = one.who == "Keramos"
        ahead = f"{digits(one.rate / best[one.case])} x" if ours and one.case in best else ""
        yield [one.case + (" †" if small else "") if ours else "", f"**{one.who}**" if ours else one.who,
               digits(one.rate), f"{digits(min(one.rates))} – {digits(max(one.rates))}",
               f"{100 * statistics.median(one.fractions):.0f}%", digits(statistics.median(one.yardsticks)), ahead,
               f"`{one.kernel}`" if one.kernel else ""]


def table(document):
    group = contenders(document)
    if not group:
        return ""
    title, unit, yardstick, yardstick_unit = FAMILIES[group[0].family]
    header = ["case", "by", unit, "range", f"of {yardstick}", f"{yardstick}, {yardstick_unit}", "ahead of the best other", "kernel"]
    lines = list(rows(group, yardstick, cache_bytes(document["context"])))
    text = [f"## {title}", "", "| " + " | ".join(header) + " |", "|---|---|" + "---:|" * 5 + "---|"]
    text += ["| " + " | ".join(line) + " |" for line in lines]
    if any("†" in line[0] for line in lines):
        text += ["", f"† moves less than {CACHES} times the last-level cache."]
    return "\n".join(text) + "\n"


def machine(document):
    context = document["context"]
    copies = ", ".join(f"{key[8:].replace('_', ' ')} {value}" for key, value in sorted(context.items()) if key.startswith("copy_by_"))
    dirty = " with local changes" if context["git_dirty"] == "true" else ""
    pairs = [
        ("processor", f"{context['cpu_model']} (family/model {context['cpu_family_model']}), {context['threads']} threads, "
                      f"last-level cache {cache_bytes(context) >> 20} MiB, memory {context['memory']}"),
        ("date", context["date"]),
        ("load average at the start", ", ".join(f"{load:.2f}" for load in context["load_avg"])),
        ("compiler", f"{context['compiler']}, {context['instruction_set']} for the code beside Keramos"),
        ("Kokkos", context["kokkos"]),
        ("commit", context["git_commit"] + dirty),
        ("effort", context["effort"]),
        ("copies at the start", copies),
    ]
    return "| | |\n|---|---|\n" + "".join(f"| {key} | {value} |\n" for key, value in pairs)


def page(documents, note=""):
    tables = [table(document) for document in documents]
    return "\n".join(part for part in [note, machine(documents[0]), *tables] if part)


def load(paths):
    order = list(FAMILIES)
    texts = [pathlib.Path(path).read_text() for path in paths]  # a filter that matches nothing leaves an empty one
    documents = [document for document in map(json.loads, filter(None, texts)) if contenders(document)]
    return sorted(documents, key=lambda document: order.index(contenders(document)[0].family))


def kept_page(run):
    note = RESULTS / f"{run}.note.md"
    heading = f"<!-- Written by perf/tables.py; do not edit. -->\n# {run}\n\n" + (note.read_text() if note.exists() else "")
    files = [RESULTS / f"{run}-{family}.json" for family in FAMILIES]
    return page(load(path for path in files if path.exists()), heading)


def kept(document):
    """What outlives the run: the raw repetitions without their aggregates, and the context without this machine's names."""
    context = {key: value for key, value in document["context"].items() if key not in ("executable", "host_name")}
    return {"context": context, "benchmarks": [run for run in document["benchmarks"] if run["run_type"] == "iteration"]}


def write(run, paths):
    RESULTS.mkdir(exist_ok=True)
    for document in map(kept, load(paths)):
        target = RESULTS / f"{run}-{contenders(document)[0].family}.json"
        target.write_text(json.dumps(document, indent=1) + "\n")
    (RESULTS / f"{run}.md").write_text(kept_page(run))


def check():
    pages = [path for path in sorted(RESULTS.glob("*.md")) if not path.name.endswith(".note.md")]
    stale = [path.name for path in pages if path.read_text() != kept_page(path.stem)]
    if stale or not pages:
        sys.exit(f"perf/results: {', '.join(stale) or 'no page'}: not what perf/tables.py makes of the JSON; "
                 "run perf/tables.py --write RUN")
    print(f"{len(pages)} page(s) as their JSON makes them")


def main(arguments):
    if arguments[:1] == ["--check"]:
        check()
    elif arguments[:1] == ["--write"] and len(arguments) > 1:
        write(arguments[1], arguments[2:])
    elif arguments:
        documents = load(arguments)
        print(page(documents) if documents else "no benchmark ran")
    else:
        sys.exit(__doc__)


main(sys.argv[1:])
