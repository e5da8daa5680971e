#pragma once

#include "core/profile/analysis/run_verdict.h"
#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/profile/profile_query.h"
#include "views/profile/profile_source.h"

#include <QFrame>
#include <functional>
#include <optional>
#include <vector>

class QToolButton;

namespace views {

class VerdictButton;
class ViewIntents;

/// Selects the evidence of a clause of a run's verdict and shows the view that it is in.
void followClause(const core::VerdictClause& clause, core::RunId run, Selection& selection,
                  ViewIntents& intents);

/// The best change that was simulated, or why there is none.
struct VerdictAdvice {
    QString headline;
    QString detail;
    /// Makes the change; null where there is none.
    std::function<void()> apply;
};

/// The strip over the views of a run: what sets the step, where idle time goes, what fills the memory, what
/// the run changed, and the best simulated change with a button that tries it. A click on a clause selects
/// its evidence and shows the view that it is in. Headlines are never cut: what does not fit side by side
/// goes into a second row; figures behind them give way, and the tool tip has all. In a low window they are
/// left to the tool tip altogether, and where it may have one row only, clauses without room go into a menu.
class VerdictStrip final : public QFrame {
    Q_OBJECT

public:
    VerdictStrip(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                 QWidget* parent = nullptr);

    /// About the project as it is; nothing while it is looked for.
    void setAdvice(std::optional<VerdictAdvice> advice);

    /// In a low window it takes one row: the view below needs the height.
    void setOneRow(bool isOneRow);

    /// What it says, a line for each clause, for tests and assistive tools.
    [[nodiscard]] QString text() const;
    [[nodiscard]] bool hasVerdict() const { return m_verdict.has_value(); }
    /// A button for each clause, the advice last.
    [[nodiscard]] const std::vector<VerdictButton*>& clauses() const { return m_buttons; }

signals:
    /// It has something else to say, or nothing any more.
    void verdictChanged();
    /// The advice, where all of it is listed.
    void adviceRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void reload();
    void show(std::optional<core::RunVerdict> verdict);
    void rebuild();
    void layOut();
    /// How many clauses stand before the advice in a row of so much space.
    [[nodiscard]] std::size_t clausesThatFit(const std::vector<int>& widths, int space) const;
    void openMore();
    void tryAdvice();

    Document& m_document;
    Selection& m_selection;
    ProfileSource& m_source;
    ViewIntents& m_intents;
    std::optional<core::RunVerdict> m_verdict;
    std::optional<VerdictAdvice> m_advice;
    std::vector<VerdictButton*> m_buttons;
    bool m_isOneRow = false;
    QToolButton* m_try = nullptr;
    QToolButton* m_more = nullptr;
    ProfileQuery m_query;
};

} // namespace views
