#pragma once

#include "core/profile/analysis/roofline.h"
#include "views/common/text/number_text.h"
#include "views/common/widgets/tooltip_card.h"
#include "views/profile/tables/table_content.h"

#include <cstdint>
#include <vector>

namespace views {

/// What a point of the roofline stands for.
enum class RooflineGrouping : std::uint8_t { Operation, Layer, Stage };
inline constexpr std::size_t rooflineGroupingCount = 3;

[[nodiscard]] const std::vector<core::RooflinePoint>& pointsOf(const core::Roofline& roofline,
                                                               RooflineGrouping grouping);

/// "250.3 TFLOP/s" of so many FLOP in a second.
[[nodiscard]] NumberText flopRateText(double flopsPerSecond);

/// The points of these indices, a row each, with their sum below.
[[nodiscard]] TableContent rooflineTable(const core::Roofline& roofline, RooflineGrouping grouping,
                                         const std::vector<std::size_t>& rows, const Units& units);
/// "MFU 4.3 % · 12 of 312 without FLOPs": the run, and what the plane cannot show.
[[nodiscard]] QString rooflineFigures(const core::Roofline& roofline, RooflineGrouping grouping);
[[nodiscard]] ToolTipContent rooflineToolTip(const core::Roofline& roofline, const core::RooflinePoint& point,
                                             const Units& units);

} // namespace views
