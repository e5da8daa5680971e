#pragma once

#include "core/base/file.h"
#include "tests/app/window_bench.h"
#include "tests/support/shared_data.h"
#include "views/common/theme/widget_theme.h"

#include <QPainter>
#include <filesystem>

namespace tests {

/// A training of one execution: its profile is that of all.
inline core::Project trainedShortly(core::Project project) {
    project.training.epochs = 1;
    project.training.stepsPerEpoch = project.training.stepsPerExecution * project.replicas.value_or(1);
    return project;
}

/// A window whose project has just run.
struct RanWindow {
    /// Empty: a small made-up project. `change` is made before it is opened.
    explicit RanWindow(const char* example = nullptr, const views::ProjectEdit& change = {}) {
        bench.window->show();
        std::filesystem::path project;
        if (example != nullptr) {
            // Beside its data, as it is bundled.
            const std::filesystem::path folder = bench.folder.path().toStdString();
            std::filesystem::create_directory(folder / "projects");
            std::filesystem::copy(projectRoot() / "projects" / "data", folder / "data",
                                  std::filesystem::copy_options::recursive);
            project = folder / "projects" / "example.ipuproj";
            std::filesystem::copy_file(projectRoot() / "projects" / example, project);
        } else {
            project = bench.writeProject();
        }
        isReady = (!change || rewrite(project, change)) && bench.window->files().open(project) &&
                  bench.waitForEstimate() && bench.run() &&
                  std::filesystem::exists(bench.window->source().path());
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

private:
    static bool rewrite(const std::filesystem::path& path, const views::ProjectEdit& change) {
        const auto file = core::readProject(core::readFile(path).value(), path.string());
        const auto changed = file ? change(file->project) : core::failure(file.error());
        return changed && core::saveProject(*changed, path, core::Overwrite::Replace);
    }
};

} // namespace tests
