#pragma once

#include "views/document/document.h"

#include <QObject>

namespace views {

/// What plans would cost that somebody hesitates between: one question at a time, of which only the last
/// matters. Someone else simulates them; where nobody does, nothing is answered.
class TrialPlans final : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    void ask(const ProjectSnapshot& plan);
    /// Nothing is wanted any longer.
    void leave();
    /// Ignored unless it is of the plan that was asked for last.
    void answer(const ProjectSnapshot& plan, const core::PlanEstimate& estimate);

signals:
    /// Null: nothing.
    void wanted(const views::ProjectSnapshot& plan);
    void answered(const core::PlanEstimate& estimate);

private:
    ProjectSnapshot m_asked;
};

} // namespace views
