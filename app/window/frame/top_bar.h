#pragma once

#include "simulator/planner/plan_choices.h"
#include "views/document/document.h"
#include "views/document/view_intents.h"

#include <QToolBar>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QToolButton;

namespace views {
class SegmentedControl;
class ToolTipCard;
} // namespace views

namespace app {

class ActionSet;
class PlanFigures;

/// The bar below the menus: workspaces, undo, the choices one turns most often, the figures of the plan, Run.
class TopBar final : public QToolBar {
    Q_OBJECT

public:
    TopBar(views::Document& document, ActionSet& actions, QWidget* parent);
    TopBar(const TopBar&) = delete;
    TopBar& operator=(const TopBar&) = delete;
    TopBar(TopBar&&) = delete;
    TopBar& operator=(TopBar&&) = delete;
    /// A choice that loses the keyboard on the way out changes nothing any more.
    ~TopBar() override;

    void showWorkspace(views::WorkspaceId workspace);
    /// Run becomes Stop.
    void setRunning(bool isRunning);
    enum class Choice { Schedule, MicroBatches, Replicas, System };
    /// Leads the keyboard to a choice: its list opens, or its number waits to be typed over. Enter or Escape
    /// leads back to the view.
    void ask(Choice choice);
    /// Figures of a finished run, not of an estimate.
    void setMeasured(bool isMeasured);

signals:
    void workspaceChosen(views::WorkspaceId workspace);
    /// A choice was made or left.
    void left();

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QComboBox* addChoice(const QString& label, const QString& tip);
    void connectChoices();
    void refreshChoices();
    /// Shows why a choice was not taken right below it, and what stays.
    void complain(QComboBox* box, const QString& why);
    void refuse(QComboBox* box, const core::Result<void>& applied);
    void adapt();

    /// What the boxes offer and show.
    struct Choices {
        std::string schedule;
        bool isPipelined = false;
        std::vector<std::int64_t> microBatches;
        std::int64_t microBatch = 0;
        std::int64_t replicas = 0;
        std::vector<simulator::SystemChoice> systems;
        simulator::SystemChoice system;

        bool operator==(const Choices&) const = default;
    };
    [[nodiscard]] std::optional<Choices> choicesNow() const;
    void followProject();
    void followFigures();

    views::Document& m_document;
    ActionSet& m_actions;
    views::SegmentedControl* m_workspaces;
    std::vector<QLabel*> m_labels;
    QComboBox* m_schedule;
    QComboBox* m_microBatches;
    QComboBox* m_replicas;
    QComboBox* m_system;
    PlanFigures* m_figures;
    views::ToolTipCard* m_complaint = nullptr;
    QToolButton* m_run;
    std::vector<QMetaObject::Connection> m_runConnections;
    bool m_isRefreshing = false;
    std::optional<Choices> m_shown;
    /// Room of the figures that the bar has last been made to fit.
    int m_figuresWidth = 0;
};

} // namespace app
