#pragma once

#include "simulator/planner/search/ranked_advice.h"
#include "views/document/document.h"
#include "views/profile/verdict_strip.h"

#include <QObject>
#include <optional>
#include <vector>

namespace views {
class DiagnosticsView;
class ProfileSource;
} // namespace views

namespace app {

/// Says in the panel of problems, in the strip of verdicts and beside the peak of memory what was found, and
/// applies it.
class AdviceDisplay final : public QObject {
    Q_OBJECT

public:
    explicit AdviceDisplay(views::Document& document, QObject* parent = nullptr);

    /// Where it is said; before anything is.
    void setPlaces(views::DiagnosticsView& problems, views::VerdictStrip& verdict,
                   views::ProfileSource& source) {
        m_problems = &problems;
        m_verdict = &verdict;
        m_source = &source;
    }
    void show(const views::ProjectSnapshot& of, const simulator::Recommendations& recommended);
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

    void showRemedies();
    [[nodiscard]] views::VerdictAdvice clause() const;
    /// Makes a change, as long as the project is the one that it was found for.
    [[nodiscard]] std::function<void()> applying(const simulator::Advice& advice) const;

    views::Document& m_document;
    views::DiagnosticsView* m_problems = nullptr;
    views::VerdictStrip* m_verdict = nullptr;
    views::ProfileSource* m_source = nullptr;
    std::optional<views::VerdictAdvice> m_best;
    /// What was found last, and what it is about.
    views::ProjectSnapshot m_of;
    simulator::Recommendations m_found;
};

} // namespace app
