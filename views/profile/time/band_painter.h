#pragma once

#include "core/profile/queries/schedule_bands.h"
#include "views/common/theme/theme.h"

#include <QPainter>
#include <QRectF>

namespace views {

/// A part of an update (ramp-up, main, ramp-down, update) above the time or the slots it takes; its name
/// where it fits.
void paintBand(QPainter& painter, const QRectF& rect, core::ScheduleBand band, const Theme& theme);

} // namespace views
