#pragma once

#include "views/common/theme/widget_theme.h"

#include <QApplication>
#include <QPixmap>
#include <QWidget>
#include <QtTest/QTest>
#include <functional>
#include <tuple>

namespace tests {

/// Whether pictures are wanted: IPU_WORKBENCH_PICTURES names the folder for them.
[[nodiscard]] inline bool wantsPictures() {
    return qEnvironmentVariableIsSet("IPU_WORKBENCH_PICTURES");
}

/// Saves a widget as NAME-THEME-WIDTH.png in every theme at the least and at a large size: for looking.
/// `prepare`: what is to be done once it has a size.
inline void takePictures(QWidget& widget, const QString& name, const std::function<void()>& prepare = {}) {
    if (!wantsPictures())
        return;
    for (const views::ThemeKind kind :
         {views::ThemeKind::Light, views::ThemeKind::Dark, views::ThemeKind::HighContrast}) {
        views::applyTheme(*qApp, views::Theme(kind));
        for (const QSize size : {QSize(1280, 800), QSize(2560, 1440)}) {
            widget.resize(size);
            QTest::qWait(100);
            if (prepare)
                prepare();
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
