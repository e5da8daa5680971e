#pragma once

#include "tests/app/window_bench.h"
#include "tests/support/shared_data.h"
#include "views/common/theme/widget_theme.h"

#include <QPainter>
#include <filesystem>

namespace tests {

/// A window whose project has just run.
struct RanWindow {
    /// Empty: a small made-up project.
    explicit RanWindow(const char* example = nullptr) {
        bench.window->show();
        std::filesystem::path project;
        if (example != nullptr) {
            project = bench.folder.filePath("example.ipuproj").toStdString();
            std::filesystem::copy_file(projectRoot() / "projects" / example, project);
        } else {
            project = bench.writeProject();
        }
        isReady = bench.window->files().open(project) && bench.waitForEstimate() && bench.run();
    }

    /// Saves the window as NAME-THEME-WIDTH.png where IPU_WORKBENCH_PICTURES names a folder: for looking.
    void takePictures(const QString& name) const {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            return;
        for (const auto& [theme, width, height] :
             {std::tuple(views::ThemeKind::Light, 1280, 800), std::tuple(views::ThemeKind::Dark, 1280, 800),
              std::tuple(views::ThemeKind::HighContrast, 1280, 800),
              std::tuple(views::ThemeKind::Light, 2560, 1440),
              std::tuple(views::ThemeKind::Dark, 2560, 1440)}) {
            views::applyTheme(*qApp, views::Theme(theme));
            bench.window->resize(width, height);
            QTest::qWait(400);
            bench.window->grab().save(
                QStringLiteral("%1/%2-%3-%4.png").arg(folder, name, views::themeName(theme)).arg(width));
        }
        views::applyTheme(*qApp, views::Theme(views::ThemeKind::Light));
    }

    WindowBench bench;
    bool isReady = false;
};

} // namespace tests
