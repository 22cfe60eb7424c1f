# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the figures of several ranks are fractions of, for tables.py: contenders of one case, found by their names."""

import statistics


def bare_link(one, peers):
    """By the transport that the name ends with; a transport that has none stands beside MPI's."""
    links = {peer.who.rpartition(", ")[2]: peer for peer in peers if peer.who.startswith("bare link")}
    return links.get(one.who.rpartition(", ")[2], links.get("mpi"))


def rank_fraction(one, peers):
    """What is reached of what there is to reach; nothing for who is the measure."""
    if one.fractions:  # of what was timed right before and after
        return statistics.median(one.fractions)
    if one.who == "alone" or one.who.startswith("bare link"):
        return None
    if "floor_s" in one.more:
        return one.more["floor_s"] / one.time
    alone = next((peer for peer in peers if peer.who == "alone"), None)
    if alone:
        return one.rate / alone.rate
    link = bare_link(one, peers)
    return link and link.time / one.time


def modelled(one, peers):
    """P. Micikevicius (2009), section 4: the message travels while the interior is computed, and the boundary waits for both."""
    alone = next((peer for peer in peers if peer.who == "alone"), None)
    if not alone or "message_s" not in one.more:
        return None
    work, boundary = one.rate * one.time, one.more["boundary"]
    compute = work / alone.rate
    return compute / (max(compute * (1 - boundary), one.more["message_s"]) + compute * boundary)
