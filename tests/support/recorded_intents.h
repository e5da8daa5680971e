#pragma once

#include "core/profile/analysis/run_search.h"
#include "views/document/view_intents.h"

#include <optional>
#include <string>
#include <vector>

namespace tests {

/// Keeps what a view asked for, in order.
class RecordedIntents final : public views::ViewIntents {
public:
    /// "run", "showSetting /pipeline/schedule", "addLayer Dense", …
    std::vector<QString> calls;
    std::optional<views::WorkspaceId> workspace;
    std::optional<core::SearchHit> hit;
    std::optional<views::PanelId> panel;
    std::optional<views::Picture> picture;
    QString table;
    std::string cells;
    std::vector<core::RunId> runs;
    QStringList recent;
    std::vector<core::NoteRecord> notes;
    std::vector<core::QueryRecord> queries;

    void run() override { calls.emplace_back("run"); }
    void cancelRun() override { calls.emplace_back("cancelRun"); }
    void showWorkspace(views::WorkspaceId id) override {
        calls.emplace_back("showWorkspace");
        workspace = id;
    }
    void showInTimeline(const core::SearchHit& place) override {
        calls.push_back(QStringLiteral("showInTimeline ") + QString::fromStdString(place.name));
        hit = place;
    }
    void showPanel(views::PanelId id) override {
        calls.emplace_back("showPanel");
        panel = id;
    }
    void showSetting(const QString& pointer) override { calls.push_back("showSetting " + pointer); }
    void showSelectedLayers() override { calls.emplace_back("showSelectedLayers"); }
    void openSolver() override { calls.emplace_back("openSolver"); }
    void addLayer(const QString& className) override { calls.push_back("addLayer " + className); }
    [[nodiscard]] QStringList recentLayers() const override { return recent; }
    void keepRecentLayers(const QStringList& classNames) override { recent = classNames; }
    void storeNotes(core::RunId, const std::vector<core::NoteRecord>& kept) override {
        calls.emplace_back("storeNotes");
        notes = kept;
    }
    void storeQueries(const std::vector<core::QueryRecord>& kept) override {
        calls.emplace_back("storeQueries");
        queries = kept;
    }
    void savePicture(const views::Picture& one) override {
        calls.emplace_back("savePicture");
        picture = one;
    }
    void saveTarget() override { calls.emplace_back("saveTarget"); }
    void saveScheduleTable(const std::string& text) override {
        calls.emplace_back("saveScheduleTable");
        cells = text;
    }
    void saveTable(const QString& name, const QString& csv) override {
        calls.push_back("saveTable " + name);
        table = csv;
    }
    void openReference() override { calls.emplace_back("openReference"); }
    void explainFigure(const std::string& metric) override {
        calls.push_back(QStringLiteral("explainFigure ") + QString::fromStdString(metric));
    }
    void compareRuns(const std::vector<core::RunId>& some) override {
        calls.emplace_back("compareRuns");
        runs = some;
    }
    void deleteRuns(const std::vector<core::RunId>& some) override {
        calls.emplace_back("deleteRuns");
        runs = some;
    }
    void restoreProjectOf(core::RunId run) override {
        calls.emplace_back("restoreProjectOf");
        runs = {run};
    }
    void openSweepPoint(std::int64_t sweep, std::int64_t point) override {
        calls.push_back(QStringLiteral("openSweepPoint %1 %2").arg(sweep).arg(point));
    }
    void compareSweepPoint(std::int64_t sweep, std::int64_t point) override {
        calls.push_back(QStringLiteral("compareSweepPoint %1 %2").arg(sweep).arg(point));
    }
    void notify(views::ChipTone, const QString& text) override { calls.push_back("notify " + text); }
};

} // namespace tests
