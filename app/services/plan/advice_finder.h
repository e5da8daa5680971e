#pragma once

#include "app/services/run/project_check.h"
#include "simulator/planner/search/ranked_advice.h"
#include "views/document/document.h"
#include "views/document/latest_runner.h"

#include <QObject>
#include <QTimer>
#include <memory>
#include <vector>

namespace app {

/// Looks for advice about the open project in the background, some time after the last edit.
class AdviceFinder final : public QObject {
    Q_OBJECT

public:
    AdviceFinder(views::Document& document, ProjectChecks& checks, QObject* parent = nullptr);

signals:
    void found(const views::ProjectSnapshot& of, const simulator::Recommendations& recommended);

private:
    void look();
    void tellEarly(const views::ProjectSnapshot& of, const simulator::Recommendations& early);

    views::Document& m_document;
    ProjectChecks& m_checks;
    QTimer m_timer;
    views::ProjectSnapshot m_askedOf;
    std::shared_ptr<simulator::CompilationCache> m_cache;
    views::LatestRunner m_runner;
};

} // namespace app
