# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The portability matrix of this machine, or of several: python3 tests/matrix --help, or ./keramos matrix."""

import argparse
import gzip
import json
import pathlib
import platform
import shutil
import subprocess
import sys

import presets
import report
import results
import runner

ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments():
    parser = argparse.ArgumentParser(prog="./keramos matrix", allow_abbrev=False, description="""Proves backend x compiler x build x value type x
        layout pair x operator x edge rule, as far as this machine can, through the presets and CTest.""")
    tier = parser.add_mutually_exclusive_group()
    tier.add_argument("--cells", dest="tier", action="store_const", const="cells", default="default",
                      help="only what fills the tables, also in the rows that run the whole suite: minutes on a large machine")
    tier.add_argument("--full", dest="tier", action="store_const", const="full",
                      help="every row with all its tests: hours on a small machine")
    parser.add_argument("--only", nargs="+", metavar="PRESET", default=[], help="these rows alone")
    parser.add_argument("--from", nargs="+", metavar="RESULT", dest="joined", type=pathlib.Path, default=[],
                        help="run nothing: join the result.json of several machines, also packed by gzip, into one page")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build" / "matrix", help="folder (default: build/matrix)")
    parser.add_argument("--name", default=platform.node(), help="this machine's name in the tables (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="only say what would run, and what this machine lacks")
    return parser.parse_args()


def version():
    if not shutil.which("git"):
        return "unknown"
    said = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return said.stdout.strip() or "unknown"


def read(path):
    """A result.json, or one that gzip has packed."""
    content = path.read_bytes()
    return json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)


def write(folder, rows):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "matrix.md").write_text(report.markdown(rows))
    (folder / "matrix.html").write_text(report.html_page(rows))
    (folder / "matrix.xml").write_text(report.junit(rows))
    print(f"\n{report.text(rows)}\n\n{report.summary(rows)}.")
    print(f"In {folder}: matrix.html, matrix.md, matrix.xml (JUnit)", end="")


def main():
    options = arguments()
    options.output = options.output.resolve()
    if options.joined:
        write(options.output, rows := results.join([read(path) for path in options.joined]))
        print()
        return 1 if any(results.has_failed(row) for row in rows) else 0

    chosen = presets.rows(ROOT, options.tier, options.only)
    if options.list:
        for row in chosen:
            lack = row.missing()
            print(f"{row.preset:24}{row.backend:10}{row.compiler:16}{row.build:10}{'not here: ' + lack if lack else ''}".rstrip())
        return 0
    result = {"format": results.FORMAT, "rows": runner.Runner(ROOT, options.output, chosen, options.name, version()).run()}
    (options.output / "result.json").write_text(json.dumps(result, indent=0))
    write(options.output, rows := results.join([result]))
    print(", result.json (for --from)")
    return 1 if any(results.has_failed(row) for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
