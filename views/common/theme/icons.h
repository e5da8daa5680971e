#pragma once

#include "views/common/theme/theme.h"

#include <QIcon>
#include <QPixmap>
#include <QString>
#include <QStringList>

class QPainter;
class QRectF;
class QWidget;

namespace views {

/// Names of the drawings in resources/icons, without ".svg".
[[nodiscard]] QStringList iconNames();

/// One drawing in one colour. An unknown name gives an empty pixmap. Cached.
[[nodiscard]] QPixmap iconPixmap(const QString& name, const QColor& color, int size, double devicePixelRatio);

/// Draws the icon into `rect` (a square), as vectors.
void paintIcon(QPainter& painter, const QRectF& rect, const QString& name, const QColor& color);

/// An icon that recolours itself: `role` normally, Role::Disabled when disabled, `roleOn` when checked. It
/// asks for the theme of `widget` (null: the application's) each time it is drawn, so a change of theme needs
/// no new icon.
[[nodiscard]] QIcon icon(const QWidget* widget, const QString& name, Role role = Role::Text2);
[[nodiscard]] QIcon icon(const QWidget* widget, const QString& name, Role role, Role roleOn);

/// The mark of the program, in its own colours.
[[nodiscard]] QIcon programIcon();

} // namespace views
