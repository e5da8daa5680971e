#pragma once

#include "views/common/theme/theme.h"
#include "views/common/widgets/picture_export.h"
#include "views/tiles/tile_map.h"

#include <QPainter>

namespace views {

/// What the user has chosen in the tile map.
struct TilesState {
    Units units;
    std::optional<core::MemoryCategory> category;
    /// Tiles that are compared, in the order of their numbers.
    std::vector<std::size_t> chosen;

    /// The tile that figures are of: the first chosen one, else the worst.
    [[nodiscard]] std::size_t shown(const TileStatistics& statistics) const {
        return chosen.empty() ? statistics.worst : chosen.front();
    }
};

struct TilesScene {
    std::shared_ptr<const TileData> data;
    TilesState state;
};

/// Positions of the parts.
struct TilesLayout {
    double width = 0;
    double height = 0;
    double scale = 1;
    /// The program's steps are known, and have a strip of their own.
    bool hasSteps = false;

    [[nodiscard]] double px(double size) const { return size * scale; }
    [[nodiscard]] QRectF title() const;
    /// The fullest tile over the steps of the program.
    [[nodiscard]] QRectF steps(std::size_t tiles) const;
    [[nodiscard]] double stepX(std::size_t tiles, const TileHistory& history, std::int64_t step) const;
    /// The step at a place of the strip, clamped.
    [[nodiscard]] std::int64_t stepAt(std::size_t tiles, const TileHistory& history, double x) const;
    [[nodiscard]] TileGrid grid(std::size_t tiles) const;
    [[nodiscard]] QRectF histogram(std::size_t tiles) const;
    [[nodiscard]] QRectF figures(std::size_t tiles) const;
};

/// "Tile 17", "Tile 17, the worst".
[[nodiscard]] QString tileName(std::size_t tile, const TileStatistics& statistics);

/// Map, histogram with the limit, figures, the chosen (or worst) tile by category, and where in the program
/// this is.
void paintTiles(QPainter& painter, const TilesScene& scene, const TilesLayout& layout, const Theme& theme);

/// The tile map of an IPU (nothing: the one with the worst tile) for a file; an empty size takes 480 × 620.
/// `step`: of its program; nothing: the one at which the worst tile has most. Errors beside those of
/// `loadTiles`: "run/no-tile-steps" (Trouble::Input) where the run does not say where its blocks lie.
[[nodiscard]] core::Result<Picture> tilesPicture(const core::ProfileDatabase& database, core::RunId run,
                                                 const Theme& theme, const QSizeF& size = {},
                                                 std::optional<core::IpuId> ipu = {},
                                                 std::optional<std::int64_t> step = {},
                                                 const Units& units = {});

} // namespace views
