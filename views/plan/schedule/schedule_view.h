#pragma once

#include "views/common/widgets/picture_export.h"
#include "views/document/document.h"
#include "views/document/latest_runner.h"
#include "views/document/selection.h"
#include "views/plan/schedule/schedule_outcomes_panel.h"
#include "views/plan/schedule/schedule_source.h"

#include <QWidget>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QPushButton;
class QSplitter;
class QStackedWidget;

namespace views {

class EmptyView;
class NoticeBar;
class FilterChips;
class ScheduleCanvas;
class SegmentedControl;
class TablePanel;
class ViewBar;
class ViewIntents;

/// Which stage does what in which slot: of the open project, as it is being edited and without a run. Another
/// schedule can be looked at and then taken, or all of them side by side. Work that is moved to another slot
/// makes a table of one's own, which is saved when the user says so.
class ScheduleView final : public QWidget {
    Q_OBJECT

public:
    /// Without `outcomes` there is nothing to put side by side, without `mover` no work can be moved.
    ScheduleView(Document& document, Selection& selection, ViewIntents& intents, ScheduleSource source,
                 ScheduleOutcomesSource outcomes = {}, ScheduleMover mover = {}, QWidget* parent = nullptr);

    [[nodiscard]] ScheduleCanvas& canvas() const { return *m_canvas; }
    /// What is shown: the project's own schedule until another is looked at.
    [[nodiscard]] std::string shownSchedule() const;
    /// Looks at a schedule; the project stays as it is.
    void lookAt(std::string schedule);
    /// Puts all schedules side by side, or goes back to the slots of one.
    void compareAll(bool isOn);
    [[nodiscard]] bool isComparing() const;
    [[nodiscard]] ScheduleOutcomesPanel& outcomes() const { return *m_outcomes; }
    [[nodiscard]] NoticeBar& notice() const { return *m_notice; }
    [[nodiscard]] bool isBusy() const { return m_runner.isBusy() || m_moves.isBusy(); }

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using Answer = core::Result<ScheduleChart>;

    ViewBar* buildBar();
    QWidget* buildTable();
    void request();
    void requestOutcomes();
    /// The open project with the schedule that is shown.
    [[nodiscard]] core::Project shownProject() const;
    void move(const ScheduleCellId& cell, std::size_t slot);
    void takeMove(core::Result<core::Project> moved);
    void undoMove();
    void discardMoves();
    void showDraft();
    void addDraftButtons();
    void take(Answer answer);
    void takeOutcomes(core::Result<std::vector<core::ScheduleOutcome>> outcomes);
    /// What "Use" takes; empty for nothing.
    [[nodiscard]] std::string offered() const;
    void explain(const core::Diagnostics& refusal);
    void followSelection();
    void showChoices();
    void showChips();
    void showRoom();
    void applyShown();

    Document& m_document;
    Selection& m_selection;
    ViewIntents& m_intents;
    ScheduleSource m_source;
    ScheduleOutcomesSource m_outcomesSource;
    ScheduleMover m_mover;
    /// Cells after each move; what they were moved from.
    std::vector<std::string> m_drafts;
    std::string m_draftedFrom;
    std::optional<std::string> m_lookedAt;
    std::string m_projectSchedule;
    SegmentedControl* m_schedule = nullptr;
    SegmentedControl* m_mode = nullptr;
    FilterChips* m_chips = nullptr;
    QPushButton* m_all = nullptr;
    QPushButton* m_apply = nullptr;
    ScheduleOutcomesPanel* m_outcomes = nullptr;
    NoticeBar* m_notice = nullptr;
    QStackedWidget* m_stack = nullptr;
    EmptyView* m_empty = nullptr;
    QSplitter* m_content = nullptr;
    ScheduleCanvas* m_canvas = nullptr;
    QWidget* m_list = nullptr;
    TablePanel* m_table = nullptr;
    QString m_setting;
    /// The chart on the screen is older than the project; it is made when the view is next seen.
    bool m_isStale = true;
    /// The user moved the line between picture and table.
    bool m_isDivided = false;
    LatestRunner m_moves;
    LatestRunner m_runner;
};

} // namespace views
