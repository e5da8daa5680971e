#pragma once

#include "simulator/planner/search/ranked_advice.h"
#include "views/document/document.h"
#include "views/profile/verdict_strip.h"

#include <QObject>
#include <optional>
#include <vector>

namespace views {
class DiagnosticsView;
}

namespace app {

/// Says in the panel of problems and in the strip of verdicts what advice was found, and applies it.
class AdviceDisplay final : public QObject {
    Q_OBJECT

public:
    explicit AdviceDisplay(views::Document& document, QObject* parent = nullptr);

    /// Where it is said; before anything is.
    void setPlaces(views::DiagnosticsView& problems, views::VerdictStrip& verdict) {
        m_problems = &problems;
        m_verdict = &verdict;
    }
    void show(const views::ProjectSnapshot& of, const std::vector<simulator::Advice>& advice);
    /// The same in other units.
    void showAgain();
    /// Of another project: nothing yet.
    void clear();
    /// The best change in a sentence; nothing while it is looked for.
    [[nodiscard]] const std::optional<views::VerdictAdvice>& best() const { return m_best; }

signals:
    void bestChanged();

private:
    void setBest(std::optional<views::VerdictAdvice> best);

    [[nodiscard]] views::VerdictAdvice clause(const views::ProjectSnapshot& of,
                                              const std::vector<simulator::Advice>& advice);

    views::Document& m_document;
    views::DiagnosticsView* m_problems = nullptr;
    views::VerdictStrip* m_verdict = nullptr;
    /// The last advice, and what it is about.
    std::optional<views::VerdictAdvice> m_best;
    views::ProjectSnapshot m_of;
    std::vector<simulator::Advice> m_advice;
};

} // namespace app
