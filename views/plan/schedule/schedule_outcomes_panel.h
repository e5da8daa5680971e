#pragma once

#include "core/base/diagnostic.h"
#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/plan/schedule_outcome.h"
#include "core/project/project.h"
#include "views/common/widgets/picture_export.h"
#include "views/profile/tables/table_content.h"

#include <QString>
#include <QWidget>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

class QScrollArea;

namespace views {

class StripsCanvas;
class TablePanel;

/// A project under every schedule of the catalogue. Called on a worker.
using ScheduleOutcomesSource = std::function<core::Result<std::vector<core::ScheduleOutcome>>(
    const core::Project&, const std::string& file, const std::filesystem::path& folder,
    const core::JobContext& job)>;

/// Schedules as rows: samples per second, update, idle share, fullest IPU, and what keeps one from running.
[[nodiscard]] TableContent outcomesTable(const std::vector<core::ScheduleOutcome>& outcomes,
                                         const Units& units);

/// Every schedule on the same stage programs and rules of memory: what the IPUs do under one another on one
/// axis of time, and the figures as a table.
class ScheduleOutcomesPanel final : public QWidget {
    Q_OBJECT

public:
    explicit ScheduleOutcomesPanel(QWidget* parent = nullptr);

    void setOutcomes(std::vector<core::ScheduleOutcome> outcomes, const QString& subject);
    void setUnits(const Units& units);
    [[nodiscard]] StripsCanvas& canvas() const { return *m_canvas; }
    [[nodiscard]] TablePanel& table() const { return *m_table; }
    [[nodiscard]] Picture picture() const;
    /// The schedule that the user chose; empty for none.
    [[nodiscard]] std::string chosen() const;

signals:
    void chosenChanged();
    /// To be looked at by itself.
    void activated(const std::string& schedule);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void choose(std::size_t outcome);

    QScrollArea* m_scroll;
    StripsCanvas* m_canvas;
    TablePanel* m_table;
};

} // namespace views
