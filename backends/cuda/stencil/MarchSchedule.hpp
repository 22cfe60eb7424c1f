// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the tiles of a march are cut along it into the chunks of blocks.
#pragma once

#include "Tuning.hpp"

#include <algorithm>
#include <cstdint>

namespace Keramos::cuda::stencil {

/// Tiles that are left when the others have filled all multiprocessors once, or several times, with chunks as long as can be. Their blocks come
/// last and have shorter chunks.
struct MarchRest {
  unsigned first_block, first_tile;
  std::int64_t chunk; ///< planes; 0: there are none
};

struct MarchSchedule {
  std::int64_t chunk, blocks; ///< planes of a block
  MarchRest rest;
  std::int64_t in_turn; ///< planes, with their ramps, of the blocks that run one after the other

  std::int64_t longest() const { return std::max(chunk, rest.chunk); }
};

/// What a block marches through: a chunk of so many planes of a tile.
struct MarchPart {
  unsigned tile, chunk;
  std::int64_t length;
};

KOKKOS_FUNCTION inline MarchPart part_of(unsigned block, unsigned tiles, std::int64_t length, const MarchRest& rest)
{
  if (rest.chunk == 0) return {block % tiles, block / tiles, length};
  const unsigned whole = rest.first_tile, others = tiles - whole;
  if (block < rest.first_block) return {block % whole, block / whole, length};
  return {whole + (block - rest.first_block) % others, (block - rest.first_block) / others, rest.chunk};
}

/// All tiles in chunks of one length, of the planes of a march, `together` blocks at once; a chunk costs its planes and `ramp` planes more.
inline MarchSchedule even_schedule(std::int64_t planes, std::int64_t tiles, std::int64_t together, std::int64_t ramp,
                                   int max_length)
{
  const std::int64_t chunk = chunk_length(planes, tiles, together, ramp, max_length);
  const std::int64_t blocks = tiles * core::ceil_div(planes, chunk);
  return {chunk, blocks, {}, core::ceil_div(blocks, together) * (chunk + ramp)};
}

/// The same with a rest where that takes less time. 140 tiles of 509 planes, 132 at once: 16 chunks of 32 planes of the last eight come behind whole
/// marches of the others, 557 planes in turn with their ramps, where seven chunks of all take 648.
inline MarchSchedule schedule_with_rest(std::int64_t planes, std::int64_t tiles, std::int64_t together,
                                        std::int64_t ramp, int max_length)
{
  const MarchSchedule even = even_schedule(planes, tiles, together, ramp, max_length);
  const std::int64_t whole = tiles / together * together, others = tiles - whole;
  if (whole == 0 || others == 0) return even;
  const std::int64_t chunks = core::ceil_div(planes, max_length), chunk = core::ceil_div(planes, chunks);
  const MarchSchedule rest = even_schedule(planes, others, together, ramp, max_length);
  const std::int64_t in_turn = core::ceil_div(whole * chunks, together) * (chunk + ramp) + rest.in_turn;
  if (in_turn >= even.in_turn) return even;
  return {chunk,
          whole * chunks + rest.blocks,
          {static_cast<unsigned>(whole * chunks), static_cast<unsigned>(whole), rest.chunk},
          in_turn};
}

/// The part of the time of `together` blocks in which planes come that they store: not ramps, nor waiting for the last ones.
inline double marching_part(const MarchSchedule& schedule, std::int64_t planes, std::int64_t tiles,
                            std::int64_t together)
{
  return static_cast<double>(planes * tiles) / static_cast<double>(schedule.in_turn * together);
}

} // namespace Keramos::cuda::stencil
