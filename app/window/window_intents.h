#pragma once

#include "core/base/result.h"
#include "views/document/document.h"
#include "views/document/view_intents.h"

#include <filesystem>
#include <optional>
#include <string>

namespace app {

class MainWindow;
struct PointOfSweep;

/// What the window does when a view asks for it.
class WindowIntents final : public views::ViewIntents {
public:
    /// Nothing of the window is touched before a view asks.
    explicit WindowIntents(MainWindow& window)
        : m_window(window) {}

    void run() override;
    void cancelRun() override;
    void showWorkspace(views::WorkspaceId workspace) override;
    void showInTimeline(const core::SearchHit& place) override;
    void showPanel(views::PanelId panel) override;
    void showSetting(const QString& pointer) override;
    void showSelectedLayers() override;
    void openSolver() override;
    void addLayer(const QString& className) override;
    [[nodiscard]] QStringList recentLayers() const override;
    void keepRecentLayers(const QStringList& classNames) override;
    void savePicture(const views::Picture& picture) override;
    void saveTarget() override;
    void saveScheduleTable(const std::string& cells) override;
    void saveTable(const QString& name, const QString& csv) override;
    void openReference() override;
    void explainFigure(const std::string& metric) override;
    void compareRuns(const std::vector<core::RunId>& runs) override;
    void deleteRuns(const std::vector<core::RunId>& runs) override;
    void restoreProjectOf(core::RunId run) override;
    void openSweepPoint(std::int64_t sweep, std::int64_t point) override;
    void compareSweepPoint(std::int64_t sweep, std::int64_t point) override;
    void storeNotes(core::RunId run, const std::vector<core::NoteRecord>& notes) override;
    void storeQueries(const std::vector<core::QueryRecord>& queries) override;
    void notify(views::ChipTone tone, const QString& text) override;

private:
    /// Asks for a file, in the project's folder first; empty where the user leaves it.
    [[nodiscard]] std::filesystem::path chooseBesideProject(const QString& title, const QString& name,
                                                            const QString& filter) const;
    /// Writes the file and makes the edit that uses it; `use` is the step of the history, %1 the file's name.
    void saveForProject(const std::filesystem::path& file, const core::Result<std::string>& text,
                        const QString& trouble, const QString& use, const views::ProjectEdit& edit);

    /// The point's project; nothing, with a message, where it cannot be made.
    [[nodiscard]] std::optional<PointOfSweep> readPoint(std::int64_t sweep, std::int64_t point) const;

    MainWindow& m_window;
};

} // namespace app
