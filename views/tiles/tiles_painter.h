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
    std::optional<std::size_t> selected;
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

    [[nodiscard]] double px(double size) const { return size * scale; }
    [[nodiscard]] QRectF title() const;
    [[nodiscard]] TileGrid grid(std::size_t tiles) const;
    [[nodiscard]] QRectF histogram(std::size_t tiles) const;
    [[nodiscard]] QRectF figures(std::size_t tiles) const;
};

/// Map, histogram with the limit, figures, and the selected (or worst) tile by category.
void paintTiles(QPainter& painter, const TilesScene& scene, const TilesLayout& layout, const Theme& theme);

/// The tile map of an IPU (nothing: the one with the worst tile) for a file; an empty size takes 480 × 620.
[[nodiscard]] core::Result<Picture> tilesPicture(const core::ProfileDatabase& database, core::RunId run,
                                                 const Theme& theme, const QSizeF& size = {},
                                                 std::optional<core::IpuId> ipu = {},
                                                 const Units& units = {});

} // namespace views
