#pragma once

#include <QString>

namespace views {

/// What the palette of layers drags: the class name as UTF-8.
inline const QString layerMimeType = QStringLiteral("application/x-ipu-workbench-layer");

} // namespace views
