#pragma once

#include "views/common/theme/widget_theme.h"

#include <QApplication>
#include <QPixmap>
#include <QWidget>
#include <QtTest/QTest>
#include <tuple>

namespace tests {

/// Whether pictures are wanted: IPU_WORKBENCH_PICTURES names the folder for them.
[[nodiscard]] inline bool wantsPictures() {
    return qEnvironmentVariableIsSet("IPU_WORKBENCH_PICTURES");
}

/// Saves a widget as NAME-THEME-WIDTH.png in every theme at the least and at a large size: for looking.
inline void takePictures(QWidget& widget, const QString& name) {
    if (!wantsPictures())
        return;
    for (const views::ThemeKind kind :
         {views::ThemeKind::Light, views::ThemeKind::Dark, views::ThemeKind::HighContrast}) {
        views::applyTheme(*qApp, views::Theme(kind));
        for (const QSize size : {QSize(1280, 800), QSize(2560, 1440)}) {
            widget.resize(size);
            QTest::qWait(300);
            widget.grab().save(
                QStringLiteral("%1/%2-%3-%4.png")
                    .arg(qEnvironmentVariable("IPU_WORKBENCH_PICTURES"), name, views::themeName(kind))
                    .arg(size.width()));
        }
    }
    views::applyTheme(*qApp, views::Theme(views::ThemeKind::Light));
}

} // namespace tests
