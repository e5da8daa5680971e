#pragma once

#include "simulator/compiler/compilation_cache.h"
#include "views/document/document.h"
#include "views/document/latest_runner.h"

#include <QObject>
#include <QTimer>
#include <memory>
#include <vector>

namespace app {

/// A change that makes the plan better, and by how much: both plans were simulated.
struct Advice {
    /// "Use 16 micro-batches".
    std::string text;
    core::Project project;
    /// Relative gain of samples per second.
    double gain = 0;
    /// Peak of the fullest IPU with it.
    core::Bytes peak;
    /// The present plan does not fit into memory, this one does.
    bool repairs = false;
};

/// Every single change worth trying on a project, simulated; those that gain at least half a percent and fit,
/// best first. For a project that does not fit: those that do.
[[nodiscard]] std::vector<Advice> findAdvice(const core::Project& project, const core::PlanEstimate& present,
                                             const std::string& file, const std::filesystem::path& folder,
                                             simulator::CompilationCache& cache,
                                             const core::JobContext& job = {});

/// Looks for advice about the open project in the background, some time after the last edit.
class AdviceFinder final : public QObject {
    Q_OBJECT

public:
    explicit AdviceFinder(views::Document& document, QObject* parent = nullptr);

signals:
    void found(const views::ProjectSnapshot& of, const std::vector<app::Advice>& advice);

private:
    void look();

    views::Document& m_document;
    QTimer m_timer;
    views::ProjectSnapshot m_askedOf;
    std::shared_ptr<simulator::CompilationCache> m_cache;
    views::LatestRunner m_runner;
};

} // namespace app
