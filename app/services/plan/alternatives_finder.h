#pragma once

#include "app/services/run/project_check.h"
#include "simulator/compiler/compilation_cache.h"
#include "views/document/document.h"
#include "views/document/latest_runner.h"

#include <QObject>
#include <memory>

namespace views {
class AlternativesView;
}

namespace app {

/// Works out what a view of alternatives asks for, on a thread of its own; only the latest snapshot matters.
class AlternativesFinder final : public QObject {
    Q_OBJECT

public:
    AlternativesFinder(views::Document& document, ProjectChecks& checks, views::AlternativesView& view);

private:
    void find();

    views::Document& m_document;
    ProjectChecks& m_checks;
    views::AlternativesView& m_view;
    /// Used by one job at a time: jobs of one runner never overlap.
    std::shared_ptr<simulator::CompilationCache> m_cache;
    views::LatestRunner m_runner;
};

} // namespace app
