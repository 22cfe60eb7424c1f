# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch and JAX beside Keramos: the same work in the same session, in another process.

peers.py RESULT.json OUT.json   reads what keramos_cuda_transpose_benchmark wrote a moment ago on this GPU, does the cases that PyTorch and JAX
                                have a call for, and writes all of them as tables.py keeps them

Their answers are compared with each other. PyTorch is timed by events, JAX by the clock over a batch of calls, long enough that issuing
them does not show; both beside a copy of 1 GiB by cudaMemcpy before and after each repetition. Who has no memory for a case is left out.
"""

import os
import re
import sys
import time

from tables import kept, kept_text, read

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
try:
    import jax
    import jax.numpy as jnp
    import torch
except ImportError as error:
    sys.exit(f"peers.py: expected PyTorch and JAX in this Python: {error}")

jax.config.update("jax_enable_x64", True)

FAMILY = "cuda_transpose"
REPETITIONS, ENOUGH_SECONDS = 7, 0.01
TYPES = {"f16": torch.float16, "f32": torch.float32, "f64": torch.float64, "c64": torch.complex64, "c128": torch.complex128,
         "i8": torch.int8, "i16": torch.int16}
TURN = (1, 0)


def timed_by_events(call, calls):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(calls):
        call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) * 1e-3 / calls


def timed_by_clock(call, calls):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(calls):
        result = call()
    result.block_until_ready()
    return (time.perf_counter() - begin) / calls


class Copy:
    """Bytes read and written a second by cudaMemcpy."""

    def __init__(self):
        self.from_, self.to = (torch.empty(1 << 28, device="cuda") for _ in range(2))

    def rate(self):
        return 2 * 4 * self.from_.numel() / timed_by_events(lambda: self.to.copy_(self.from_), 3)


def entry(name, of, call, timed, yardstick):
    """A contender as tables.py keeps it; `of` is Keramos' entry of the case."""
    once = max(timed(call, 1) for _ in range(2))
    calls = max(1, min(200, round(ENOUGH_SECONDS / once)))
    before, seconds, after = [], [], []
    for _ in range(REPETITIONS):
        before.append(yardstick())
        seconds.append(timed(call, calls))
        after.append(yardstick())
    return {"name": name, "label": "", "work": of["work"], "more": {}, "seconds": seconds, "need": of["need"], "before": before,
            "after": after}


def random(shape, dtype):
    if dtype in (torch.int8, torch.int16):
        return torch.randint(-100, 100, shape, dtype=dtype, device="cuda")
    return torch.randn(shape, dtype=dtype, device="cuda")


MOVE = re.compile(r"(?P<what>scaled transpose|conjugate transpose|transpose|permute \((?P<axes>[\d ]+)\)|B \+= transpose of A) "
                  r"(?P<type>\w+)(?: to (?P<out>\w+))? (?P<shape>\d+(?:x\d+)+)(?:, from memory)?$")


def move_calls(case):
    """Of a case of moves: (PyTorch's call, its output, JAX's call on a jax array, the input), or nothing."""
    match = MOVE.match(case)
    if not match or match["type"] not in TYPES or (match["out"] or match["type"]) not in TYPES:
        return None
    shape = [int(extent) for extent in match["shape"].split("x")]
    axes = tuple(map(int, match["axes"].split())) if match["axes"] else TURN
    from_, to = TYPES[match["type"]], TYPES[match["out"] or match["type"]]
    data = random(shape, from_)
    out = torch.zeros([shape[k] for k in axes], dtype=to, device="cuda")
    turned = data.permute(axes)
    jax_type = jnp.dtype(str(to).removeprefix("torch."))
    if match["what"] == "scaled transpose":
        return lambda: torch.mul(turned, 0.5, out=out), out, lambda x: jnp.transpose(x, axes) * jnp.asarray(0.5, x.dtype), data
    if match["what"] == "conjugate transpose":
        return lambda: out.copy_(turned.conj()), out, lambda x: jnp.conj(jnp.transpose(x, axes)), data
    if match["what"].startswith("B +="):
        return lambda: out.add_(turned), out, None, data
    return lambda: out.copy_(turned), out, lambda x: jnp.transpose(x, axes).astype(jax_type), data


def peers_of_move(case, of, copy):
    calls = move_calls(case)
    if calls is None or of["need"] < 256e6:  # what stays in a cache of 60 MB is not compared
        return
    call, out, of_jax, data = calls
    call()
    right = out.clone()
    yield entry(f"{FAMILY}/{case}/PyTorch", of, call, timed_by_events, copy.rate)
    if of_jax is None:
        return
    compiled, there = jax.jit(of_jax), jax.dlpack.from_dlpack(data)
    result = compiled(there).block_until_ready()
    if not torch.equal(torch.from_dlpack(result), right):
        raise SystemExit(f"{case}: JAX and PyTorch differ")
    yield entry(f"{FAMILY}/{case}/JAX", of, lambda: compiled(there), timed_by_clock, copy.rate)


def peers(case, of, copy):
    found = []
    try:
        for one in peers_of_move(case, of, copy):
            found.append(one)
    except (torch.OutOfMemoryError, jax.errors.JaxRuntimeError) as error:
        print(f"{case}: {str(error).splitlines()[0]}", file=sys.stderr)
    torch.cuda.empty_cache()
    return found


def main(result, out):
    document = kept(read(result))
    document["context"]["peers"] = f"PyTorch {torch.__version__}, JAX {jax.__version__}"
    copy, contenders = Copy(), document["contenders"]
    for one in [one for one in contenders if one["name"].endswith("/Keramos") and "seconds" in one]:
        case = one["name"].removesuffix("/Keramos").removeprefix(f"{FAMILY}/")
        last = max(n for n, other in enumerate(contenders) if other["name"].startswith(f"{FAMILY}/{case}/"))
        contenders[last + 1:last + 1] = peers(case, one, copy)
    with open(out, "w", encoding="utf-8") as file:
        file.write(kept_text(document))


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) == 3 else sys.exit(__doc__)
