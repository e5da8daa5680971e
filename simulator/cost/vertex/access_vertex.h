#pragma once

#include <cstdint>

namespace simulator {

/// Vertices that move or select data within one tile.

/// Rows a tile looks up in its part of a table (poplibs, lib/popops/popopsCycleEstimators.cpp).
struct TileLookup {
    /// Indices that hit the tile's rows, and all others it searches through.
    std::int64_t inRange = 0;
    std::int64_t outOfRange = 0;
    /// Elements of a row, and of the vector or atom they move in.
    std::int64_t rowElements = 0;
    std::int64_t vector = 2;
    std::int64_t workers = 6;
};
/// (30 + inRange · (19 + 2 · vectors) + outOfRange · 8) · 6.
[[nodiscard]] double multiSliceCycles(const TileLookup& work);
/// (33 + inRange · (12 + 3 · (vectors − 1)) + 5 · outOfRange) · 6.
[[nodiscard]] double multiUpdateAddCycles(const TileLookup& work);

/// Windows a tile pools: 6 · (3 · window elements · vectors + 30 · rows); 5 per vector backwards through a
/// maximum (poplibs, lib/popnn).
struct TilePooling {
    std::int64_t vectors = 0;
    std::int64_t windowElements = 1;
    std::int64_t rows = 1;
    bool maximumGradient = false;
    std::int64_t workers = 6;
};
[[nodiscard]] double poolingCycles(const TilePooling& work);

/// Bytes one run of neighbouring elements lets a copy move at once decide its price per byte: 0.4404 for 8,
/// 3.125 for 4, 5.1484 for 2 and below (poplibs, transform regression).
[[nodiscard]] double relayoutCyclesPerByte(std::int64_t runBytes);

/// A plain copy on a tile: 288 cycles of call and 8 bytes per cycle.
[[nodiscard]] double tileCopyCycles(double bytes);

} // namespace simulator
