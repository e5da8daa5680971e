#pragma once

#include <QString>

class QAbstractItemModel;
class QAbstractItemView;
class QModelIndex;

namespace views {

/// A table as CSV (RFC 4180): header, then every row; numbers as they read but without thin spaces, and a
/// real minus. Children of a tree follow their parent, indented by a column "level".
[[nodiscard]] QString tableToCsv(const QAbstractItemModel& model);

/// The selected rows as tab-separated text on the clipboard (all rows when none is selected).
void copySelection(const QAbstractItemView& view);

/// What one cell says, unit included, in plain characters.
[[nodiscard]] QString plainCellText(const QModelIndex& index);

} // namespace views
