# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What became faster or slower from one run of the benchmarks to another, by more than its range.

compare.py BEFORE AFTER...    each of them the name of a run in perf/results, or a JSON file as a benchmark wrote it or as it is kept

Two sets of repetitions differ where the median of each is outside of the other's range. A contender became faster or slower where
its rates differ and, beside a yardstick, its fractions differ in the same direction: a machine that is faster as a whole moves the
rates alone, a yardstick that is faster moves the fractions alone, and neither is a change of the contender.
"""

import pathlib
import statistics
import sys

from tables import contenders, digits, kept_files, kept_pages, load, machine_facts, percent, time_text, unit_of

VERDICTS = {1: "faster", 0: "", -1: "slower"}


def documents(run):
    files = kept_files(run) or [path for path in [pathlib.Path(run)] if path.is_file()]
    if not files:
        sys.exit(f"There is no run '{run}' to compare with: expected a JSON file or one of perf/results: "
                 + ", ".join(page.stem for page in kept_pages()))
    return load(files)


def machine_of(document):
    """What decides about a document's times. A GPU's host takes part in the time of a call alone."""
    context = document["context"]
    facts = {"GPU": f"{context['gpu']} ({context['gpu_architecture']})"} if "gpu" in context else {"GPU": "none"}
    if "gpu" not in context or contenders(document)[0].family == "cuda_call":
        facts |= {"processor": f"{context['cpu_model']} (family/model {context['cpu_family_model']})", "number of threads": context["threads"]}
    if "ranks" in context:
        facts["number of ranks"] = context["ranks"]
    return facts


def refuse_other_machines(before, after):
    then, now = by_family(before), by_family(after)
    facts = [("GPU", machine_of(before[0])["GPU"], machine_of(after[0])["GPU"])]  # of runs without a family in common, too
    for family in now.keys() & then.keys():
        other = machine_of(now[family])
        facts += [(key, value, other.get(key, "none")) for key, value in machine_of(then[family]).items()]
    for key, value, other in facts:
        if value != other:
            sys.exit(f"Runs of different machines are not compared: {key} {value} before, {other} after.")


def by_family(run):
    return {contenders(document)[0].family: document for document in run}


def by_name(document):
    return {(one.family, one.case, one.who): one for one in contenders(document) if not one.absent}


def direction(before, after):
    """1 where `after` is higher by more than the ranges, -1 where it is lower, else 0."""
    low, high = statistics.median(before), statistics.median(after)
    if high < low:
        return -direction(after, before)
    return int(high > max(before) and low < min(after))


def verdict(before, after):
    """Of two contenders. A single repetition has no range."""
    if min(len(before.rates), len(after.rates)) < 2:
        return 0
    directions = {direction(before.rates, after.rates)}
    if before.fractions and after.fractions:
        directions.add(direction(before.fractions, after.fractions))
    return directions.pop() if len(directions) == 1 else 0


def figure(one):
    unit = unit_of(one)
    return f"{digits(one.rate)} {unit}" if unit else time_text(one.time)


def fraction(one):
    return percent(statistics.median(one.fractions)) if one.fractions else ""


def kernel(before, after):
    if before.kernel == after.kernel or not before.kernel:
        return f"`{after.kernel}`" if after.kernel else ""
    return f"`{after.kernel}`, before `{before.kernel}`"


def row(before, after):
    return [f"{after.family}/{after.case}", f"**{after.who}**" if after.ours else after.who, figure(before), figure(after),
            f"{100 * (after.rate / before.rate - 1):+.1f}%", fraction(before), fraction(after), VERDICTS[verdict(before, after)],
            kernel(before, after)]


def change_table(pairs):
    header = ["case", "by", "before", "after", "change of rate", "of yardstick before", "after", "", "kernel"]
    lines = ["| " + " | ".join(header) + " |", "|---|---|" + "---:|" * 5 + "---|---|"]
    return lines + ["| " + " | ".join(row(*pair)) + " |" for pair in sorted(pairs, key=lambda pair: pair[1].rate / pair[0].rate)]


def facts_table(before, after):
    """What the two runs do not have in common: the commit, perhaps the compiler, the load."""
    now = dict(machine_facts(after))
    lines = [f"| {key} | {value} | {now.get(key, '–')} |" for key, value in machine_facts(before) if now.get(key) != value]
    return ["| | before | after |", "|---|---|---|", *lines]


def verdicts(pairs, gone, new):
    said = [verdict(*pair) for pair in pairs]
    return (f"{said.count(-1)} slower, {said.count(1)} faster, {said.count(0)} within their range; "
            f"{gone} measured only before, {new} only after")


def compare(before, after):
    """The lines of the comparison of two runs, each of them a document for every family."""
    if not before or not after:
        sys.exit(f"No benchmark ran {'after' if before else 'before'}: there is nothing to compare.")
    refuse_other_machines(before, after)
    old = {name: one for document in before for name, one in by_name(document).items()}
    new = {name: one for document in after for name, one in by_name(document).items()}
    pairs = [(old[name], new[name]) for name in new if name in old]
    if not pairs:
        sys.exit("The two runs have no case in common.")
    return [*facts_table(before[0], after[0]), "", *change_table(pairs), "",
            verdicts(pairs, len(old) - len(pairs), len(new) - len(pairs))]


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    after = [document for run in arguments[1:] for document in documents(run)]
    print("\n".join(compare(documents(arguments[0]), after)))


if __name__ == "__main__":
    main(sys.argv[1:])
