# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of the benchmarks, made of their JSON and never typed.

tables.py RESULT.json...             prints the tables of one run, one JSON a family
tables.py --write RUN RESULT.json... keeps a run: copies its JSON to perf/results/RUN-FAMILY.json and writes perf/results/RUN.md;
                                     without JSON it writes the page anew, with RUN.note.md, if that is there, at its head
tables.py --check                    every page in perf/results is what its JSON makes

A figure is the median of the raw repetitions. Its fraction is the median of the fractions: each repetition's own rate by the mean of
the yardstick right before and right after it. Of a case that was measured at other extents and in other allocations as well
(--extents-seed) a table shows where Keramos came off worst.
"""

import copy
import json
import pathlib
import statistics
import sys

from ranks import modelled, rank_fraction

RESULTS = pathlib.Path(__file__).parent / "results"

# family: title, unit of a figure (a billion of the JSON's `work` a second), yardstick, its unit, more columns by counter; without
# a unit a figure is the time of a call; without a yardstick it is one of several ranks
ERRORS = {"rms_error": "RMS error", "max_error": "max error"}
ACCESSES = {"accesses": "accesses a point", "l2_accesses": "by L2", "dram_accesses": "by memory"}
SHAPES = {"table_rate": "rate in the table", "expected": "expected there", "shape": "", "min_row": "", "chosen": "", "slow_memory": ""}  # "": for tune.py
RANKS = {"wall_s": "by the host's clock", "floor_s": "floor", "message_s": "message", "boundary": "boundary"}  # see ranks_rows
FAMILIES = {
    "stencil": ("Stencils", "Gpoint/s", "copy", "GB/s", {}),
    "transpose": ("Transposes", "GB/s", "copy", "GB/s", {}),
    "gather_sum": ("Gather-sums", "Gpair/s", "arithmetic", "GFMA/s", {}),
    "cuda_transpose": ("Transposes", "GB/s", "copy", "GB/s", {}),
    "cuda_derivative": ("First derivatives of 8th order, periodic", "GB/s", "copy", "GB/s", ERRORS),
    "cuda_finite_difference": ("3-D finite differences", "Gpoint/s", "copy", "GB/s", ACCESSES),
    "cuda_epilogue": ("Functors behind stars, and interleaved components", "Gpoint/s", "copy", "GB/s", {}),
    "cuda_stencil": ("Stencils as applications have them", "Gpoint/s", "copy", "GB/s", {}),
    "cuda_gather_sum": ("Direct Coulomb sums", "Gpair/s", "roots", "Groot/s", {}),
    "cuda_warp": ("Sums and scans", "GB/s", "copy", "GB/s", {}),
    "cuda_tune": ("Shapes of tuning tables", "Gpoint/s", "copy", "GB/s", SHAPES),
    "call": ("Time of one small call", None, "parallel_for", None, {}),
    "cuda_call": ("Host time of one small call", None, "parallel_for", None, {"done_ns": "until done, ns"}),
    "distributed": ("Several ranks", None, None, None, RANKS),
}
NOTES = {
    "cuda_finite_difference": "Accesses a point are loads and stores of four bytes: what a block of the kernel asks for, as computed; what the L2 cache "
                              "and the memory moved, from the profiler's counters (perf/redundancy.py; – where it did not run).",
    "cuda_call": "Until done: from issuing the first call of a batch to the end of its last kernel, per call.",
}
BILLION = 1e9
PLACE = " @ "  # behind a case's name: other extents, another allocation (Nearby.hpp)
CACHES = 8  # times the last-level cache is what a memory-bound case must move


class Contender:
    """The raw repetitions of one contender of one case."""

    def __init__(self, kept):
        name = kept["name"]
        self.family, self.case, self.who = name.split("/", 1)[0], name.split("/", 1)[1].rpartition("/")[0], name.rpartition("/")[2]
        self.ours = self.who.startswith("Keramos")
        self.absent = kept.get("absent")
        if self.absent:
            return
        self.kernel, self.more = kept["label"], kept["more"]
        self.seconds = kept["seconds"]
        self.rates = [kept["work"] / s / BILLION for s in self.seconds]
        self.fractions = []
        if "before" not in kept:  # beside no yardstick
            return
        self.need = kept["need"]
        self.yardsticks = [(before + after) / 2 / BILLION for before, after in zip(kept["before"], kept["after"])]
        self.fractions = [self.need / s / BILLION / y for s, y in zip(self.seconds, self.yardsticks)]

    @property
    def rate(self):
        return statistics.median(self.rates)

    @property
    def time(self):
        return statistics.median(self.seconds)

    @property
    def rival(self):
        """Does the work of the case, and not, say, a copy beside transposes."""
        return not (self.ours or self.absent or "no_rival" in self.more)

    @property
    def fraction(self):
        """0 where the contender did not run, or was wrong."""
        return 0 if self.absent else statistics.median(self.fractions)


def at_worst(group):
    """The contenders of a table. Of a case that was measured at several extents and allocations, as CASE and as CASE @ PLACE, those of
    where Keramos came off worst, under a name that says so; rivals were measured as CASE alone."""
    places = {}
    for one in group:
        places.setdefault(one.case.partition(PLACE)[0], {}).setdefault(one.case, {})[one.who] = one
    for one in group:
        of_case = places[one.case.partition(PLACE)[0]]
        if len(of_case) == 1:
            yield one
        elif PLACE not in one.case:
            worst = min(of_case, key=lambda place: min((other.fraction for other in of_case[place].values() if other.ours), default=1))
            shown = copy.copy(of_case[worst].get(one.who, one))
            shown.case = f"{one.case}; worst of {len(of_case)}: {worst.partition(PLACE)[2] or 'as named'}"
            yield shown


def unit_of(one):
    """Of a contender's rate; nothing where its figure is the time of a call."""
    if one.family == "distributed":
        return "Gpoint/s" if one.case.startswith("wave") else "GB/s"
    return FAMILIES[one.family][1]


def seconds(repetition):
    return repetition["real_time"] / {"ns": 1e9, "us": 1e6, "ms": 1e3, "s": 1}[repetition["time_unit"]]


def columns_of(family):
    return FAMILIES[family][4] if family in FAMILIES else {}


def kept_runs(runs):
    """Google Benchmark's repetitions of one contender as one entry of a kept file."""
    name, first = run_name(runs[0]), runs[0]
    if first.get("error_occurred"):
        return {"name": name, "absent": first["error_message"]}
    more = {key: first[key] for key in ["no_rival", *columns_of(name.split("/", 1)[0])] if key in first}
    result = {"name": name, "label": first.get("label", ""), "work": first["work"], "more": more, "seconds": [seconds(run) for run in runs]}
    if "need" in first:
        result |= {"need": first["need"], "before": [run["yardstick_before"] for run in runs],
                   "after": [run["yardstick_after"] for run in runs]}
    return result


def run_name(run):
    return run["run_name"].rsplit("/iterations:", 1)[0]


def kept_contenders(document):
    if "contenders" in document:
        return document["contenders"]
    repetitions = {}
    for run in document["benchmarks"]:
        if run["run_type"] == "iteration":
            repetitions.setdefault(run_name(run), []).append(run)
    return [kept_runs(runs) for runs in repetitions.values()]


def contenders(document):
    return [Contender(kept) for kept in kept_contenders(document)]


def cache_bytes(context):
    return max((cache["size"] for cache in context["caches"]), default=0)


def digits(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def time_text(value):
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if value * factor >= 1:
            return f"{digits(value * factor)} {unit}"
    return f"{digits(value * 1e9)} ns"


def more_text(one, key):
    if key not in one.more:
        return "–"
    return f"{one.more[key]:.2e}" if key.endswith("_error") else digits(one.more[key])


def named(group):
    """Each contender with the names in its line: a case is named once."""
    last_case = None
    for one in group:
        yield one, one.case if one.case != last_case else "", f"**{one.who}**" if one.ours else one.who
        last_case = one.case


def call_table(group, columns):
    """Header and lines of a table of calls. On the host there is a plain loop that does the same work."""
    loops = {one.case: statistics.median(one.seconds) for one in group if one.who == "plain loop" and not one.absent}
    header = ["case", "by", "time of a call", "range", "by parallel_for", "empty parallel_for",
              *(["by the plain loop"] if loops else []), *columns.values(), "kernel"]
    return header, list(call_rows(group, columns, loops))


def call_rows(group, columns, loops):
    for one, case, who in named(group):
        if one.absent:
            yield [case, who] + ["–"] * (4 + bool(loops) + len(columns)) + [one.absent]
            continue
        time = statistics.median(one.seconds)
        yield [case, who, time_text(time), f"{time_text(min(one.seconds))} – {time_text(max(one.seconds))}",
               f"{digits(1 / one.fraction)} x", time_text(1 / BILLION / statistics.median(one.yardsticks)),
               *([f"{digits(time / loops[one.case])} x" if one.ours and one.case in loops else ""] if loops else []),
               *[more_text(one, key) for key in columns], f"`{one.kernel}`" if one.kernel else ""]


def rows(group, yardstick, columns, cache):
    """The lines of one family's table. `cache` is None on a GPU, where the programs use sets of arrays in turn."""
    best = {}
    for one in group:
        if one.rival:
            best[one.case] = max(best.get(one.case, 0), one.rate)
    for one, case, who in named(group):
        if one.absent:
            yield [case, who] + ["–"] * (6 + len(columns) if cache is None else 5 + len(columns)) + [one.absent]
            continue
        small = cache is not None and case and yardstick == "copy" and one.need < CACHES * cache
        ahead = f"{digits(one.rate / best[one.case])} x" if one.ours and one.case in best else ""
        yield [case + (" †" if small else ""), who, *([time_text(statistics.median(one.seconds))] if cache is None else []),
               digits(one.rate), f"{digits(min(one.rates))} – {digits(max(one.rates))}",
               f"{100 * one.fraction:.0f}%", digits(statistics.median(one.yardsticks)), ahead,
               *[more_text(one, key) for key in columns], f"`{one.kernel}`" if one.kernel else ""]


def work_table(group, document):
    """Header and lines of a table of rates beside a yardstick."""
    _, unit, yardstick, yardstick_unit, columns = FAMILIES[group[0].family]
    columns = {key: title for key, title in columns.items() if title}
    on_gpu = "gpu" in document["context"]
    header = ["case", "by", *(["time"] if on_gpu else []), unit, "range", f"of {yardstick}", f"{yardstick}, {yardstick_unit}",
              "ahead of the best other", *columns.values(), "kernel"]
    return header, list(rows(group, yardstick, columns, None if on_gpu else cache_bytes(document["context"])))


def percent(value):
    return "" if value is None else f"{100 * value:.0f}%"


def ranks_table(group):
    """Header and lines of the table of several ranks."""
    header = ["case", "by", "time", "range", "rate", "fraction", "model", "by the host's clock", "kernel"]
    return header, list(ranks_rows(group))


def ranks_rows(group):
    for one, case, who in named(group):
        if one.absent:
            yield [case, who] + ["–"] * 6 + [one.absent]
            continue
        peers = [peer for peer in group if peer.case == one.case and not peer.absent]
        yield [case, who, time_text(one.time), f"{time_text(min(one.seconds))} – {time_text(max(one.seconds))}",
               f"{digits(one.rate)} {unit_of(one)}", percent(rank_fraction(one, peers)), percent(modelled(one, peers)),
               time_text(one.more["wall_s"]) if "wall_s" in one.more else "", f"`{one.kernel}`" if one.kernel else ""]


def table(document):
    group = list(at_worst(contenders(document)))
    if not group:
        return ""
    family = group[0].family
    title, unit, yardstick, _, columns = FAMILIES[family]
    if not yardstick:
        header, lines = ranks_table(group)
    else:
        header, lines = work_table(group, document) if unit else call_table(group, columns)
    text = [f"## {title}", "", "| " + " | ".join(header) + " |", "|---|---|" + "---:|" * (len(header) - 3) + "---|"]
    text += ["| " + " | ".join(line) + " |" for line in lines]
    if any("†" in line[0] for line in lines):
        text += ["", f"† moves less than {CACHES} times the last-level cache."]
    if family in NOTES:
        text += ["", NOTES[family]]
    return "\n".join(text) + "\n"


def gpu(context):
    if "gpu" not in context:
        return []
    return [
        ("GPU", f"{context['gpu']} ({context['gpu_architecture']}), {context['gpu_multiprocessors']} multiprocessors, {context['gpu_clock_mhz']} MHz, "
                f"L2 cache {int(context['gpu_l2_bytes']) >> 20} MiB, memory {int(context['gpu_memory_bytes']) / 2**30:.0f} GiB"),
        ("driver", f"{context['gpu_driver']}, CUDA {context['cuda_driver_api']}"),
        ("CUDA", f"{context['cuda_runtime']}, compiler {context['cuda_compiler']}"),
    ]


def kokkos(context):
    """Version and execution space. Programs of before the first GPU's tables named the host's space, whatever they measured on."""
    version, _, space = context["kokkos"].partition(" ")
    if "gpu" in context and space != "Cuda":
        return f"{version} Cuda (the files name the space of the host beside it, {space})"
    return context["kokkos"]


def machine_facts(document):
    """What a page says of the machine and of the build: (name, value)."""
    context = document["context"]
    copies = ", ".join(f"{key[8:].replace('_', ' ')} {value}" for key, value in sorted(context.items()) if key.startswith("copy_by_"))
    dirty = " with local changes" if context["git_dirty"] == "true" else ""
    return gpu(context) + [
        ("processor", f"{context['cpu_model']} (family/model {context['cpu_family_model']}), {context['threads']} threads, "
                      f"last-level cache {cache_bytes(context) >> 20} MiB, memory {context['memory']}"),
        ("date", context["date"]),
        ("load average at the start", ", ".join(f"{load:.2f}" for load in context["load_avg"])),
        ("compiler", f"{context['compiler']}, {context['instruction_set']} for the code beside Keramos"),
        ("Kokkos", kokkos(context)),
        *([("peers", f"{context['peers']}, in a process of their own right after (perf/{'peers' if 'gpu' in context else 'host_peers'}.py)")]
          if "peers" in context else []),
        *([("ranks", f"{context['ranks']}, {context['threads_a_rank']} threads each")] if "ranks" in context else []),
        ("commit", context["git_commit"] + dirty),
        ("effort", context["effort"]),
        *([("extents", f"those named and three near each, drawn from seed {context['extents_seed']}, in three allocations; the worst counts")]
          if any(PLACE in one["name"] for one in kept_contenders(document)) else []),
        ("copies at the start", copies),
    ]


def machine(document):
    return "| | |\n|---|---|\n" + "".join(f"| {key} | {value} |\n" for key, value in machine_facts(document))


def page(documents, note=""):
    tables = [table(document) for document in documents]
    return "\n".join(part for part in [note, machine(documents[0]), *tables] if part)


def read(path):
    try:
        text = pathlib.Path(path).read_text()
        document = json.loads(text) if text else {"benchmarks": []}  # a filter that matches nothing leaves an empty file
        if isinstance(document, dict) and document.keys() & {"benchmarks", "contenders"}:
            return document
    except (OSError, ValueError):
        pass
    sys.exit(f"{path}: expected a JSON file of the benchmarks")


def load(paths):
    order = list(FAMILIES)
    documents = [document for document in map(read, paths) if contenders(document)]
    return sorted(documents, key=lambda document: order.index(contenders(document)[0].family))


def kept_files(run):
    files = [RESULTS / f"{run}-{family}.json" for family in FAMILIES]
    return [path for path in files if path.exists()]


def kept_page(run):
    note = RESULTS / f"{run}.note.md"
    heading = f"<!-- Written by perf/tables.py; do not edit. -->\n# {run}\n\n" + (note.read_text() if note.exists() else "")
    return page(load(kept_files(run)), heading)


def kept(document):
    """What outlives the run: the raw repetitions without their aggregates, and the context without this machine's names."""
    context = {key: value for key, value in document["context"].items() if key not in ("executable", "host_name")}
    return {"context": context, "contenders": kept_contenders(document)}


def kept_text(document):
    """A contender a line."""
    lines = ",\n".join(json.dumps(one) for one in document["contenders"])
    return '{"context": ' + json.dumps(document["context"], indent=1) + ',\n"contenders": [\n' + lines + "\n]}\n"


def write(run, paths):
    RESULTS.mkdir(exist_ok=True)
    for document in map(kept, load(paths)):
        target = RESULTS / f"{run}-{contenders(document)[0].family}.json"
        target.write_text(kept_text(document))
    (RESULTS / f"{run}.md").write_text(kept_page(run))


def kept_pages():
    return [path for path in sorted(RESULTS.glob("*.md")) if not path.name.endswith(".note.md")]


def check():
    pages = kept_pages()
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


if __name__ == "__main__":
    main(sys.argv[1:])
