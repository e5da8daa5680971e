#include "app/services/plan/alternatives_finder.h"

#include "simulator/compiler/planning/compile_options.h"
#include "simulator/engine/clock/program_alternatives.h"
#include "views/plan/alternatives_view.h"

namespace app {

AlternativesFinder::AlternativesFinder(views::Document& document, ProjectChecks& checks,
                                       views::AlternativesView& view)
    : QObject(&view)
    , m_document(document)
    , m_checks(checks)
    , m_view(view)
    , m_cache(std::make_shared<simulator::CompilationCache>()) {
    connect(&view, &views::AlternativesView::alternativesWanted, this, &AlternativesFinder::find);
}

void AlternativesFinder::find() {
    struct Answer {
        core::Result<core::ProgramAlternatives> alternatives;
        double clockHz = 0;
    };
    m_view.setBusy();
    m_runner.request([this, snapshot = m_document.snapshot(), file = m_document.path().string(),
                      folder = m_document.folder(),
                      cache = m_cache](const core::JobContext& job) -> views::LatestRunner::Deliver {
        auto answer = std::make_shared<Answer>();
        const auto check = m_checks.check(snapshot, file, folder);
        if (const auto& project = check->outcome.project; !project) {
            answer->alternatives = core::failure(check->outcome.findings);
        } else {
            answer->alternatives = simulator::programAlternatives(*project, *cache, job, folder);
            if (const auto system = simulator::systemOf(*project, folder))
                answer->clockHz = static_cast<double>(system->target.clockHz);
        }
        return [this, snapshot, answer] {
            if (snapshot != m_document.snapshot())
                return;
            if (answer->alternatives)
                m_view.setAlternatives(std::move(*answer->alternatives), answer->clockHz);
            else
                m_view.setTrouble(answer->alternatives.error());
        };
    });
}

} // namespace app
