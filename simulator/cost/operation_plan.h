#pragma once

#include "core/base/quantity.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace simulator {

/// How an operation is split over the tiles of one IPU, and what that costs.
struct OperationPlan {
    std::int64_t tilesUsed = 0;
    /// Sums over the operation's supersteps: the slowest tile's compute, exchange, and sync.
    core::Cycles compute;
    core::Cycles exchange;
    core::Cycles sync;
    /// The part of `sync` that is not the sync itself: set-up, path latency, control code, stragglers.
    core::Cycles overhead;
    /// Exchange-plus-compute supersteps.
    std::int64_t supersteps = 1;
    core::Flops flops;
    /// Bytes received over the internal exchange, all tiles together.
    core::Bytes exchangeBytes;
    /// Per tile, on the tiles used.
    core::Bytes temporaryPerTile;
    core::Bytes vertexCodePerTile;
    core::Bytes vertexStatePerTile;
    core::Bytes exchangeCodePerTile;
    core::Bytes controlCodePerTile;
    /// Codelet families whose code must be on the tile, counted once per tile whatever uses them
    /// (`codeletBytes`); `vertexCodePerTile` is their sum.
    std::vector<std::string> codelets;
    /// The split in PopLibs' words, for people: {"inChanParallelSplit", 4}, ….
    std::vector<std::pair<std::string, std::int64_t>> split;

    [[nodiscard]] core::Cycles total() const { return compute + exchange + sync; }
    bool operator==(const OperationPlan&) const = default;
};

} // namespace simulator
