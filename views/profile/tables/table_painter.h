#pragma once

#include "views/common/theme/theme.h"
#include "views/profile/tables/table_content.h"

#include <QPainter>
#include <QRectF>

namespace views {

/// A table in a picture for a file: header, rows and footer from the top of the rectangle; what does not fit
/// below is counted in a last line, columns that do not fit at the right are left out whole.
void paintTable(QPainter& painter, const QRectF& rect, const TableContent& content, const Theme& theme);

/// Height of a table of that many rows with its header.
[[nodiscard]] double tableHeight(std::size_t rows, const Theme& theme);

} // namespace views
