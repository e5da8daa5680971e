#pragma once

#include <QString>

class QLineEdit;

namespace views {

/// Makes a line edit that narrows what is below it: with an icon, a cross that clears it, and `name` as its
/// placeholder and for screen readers.
void makeFilter(QLineEdit& edit, const QString& name, const QString& iconName = QStringLiteral("filter"));

} // namespace views
