#include "app/services/alternatives_finder.h"

#include "app/services/dataset_facts.h"
#include "core/project/validate.h"
#include "simulator/compiler/planning/compile_options.h"
#include "simulator/engine/clock/program_alternatives.h"
#include "views/plan/alternatives_view.h"

namespace app {

AlternativesFinder::AlternativesFinder(views::Document& document, views::AlternativesView& view)
    : QObject(&view)
    , m_document(document)
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
        const auto facts = datasetFacts(*snapshot, core::RunMode::Train, folder);
        const auto validated =
            core::validate(*snapshot, core::RunMode::Train, facts ? *facts : std::nullopt, file);
        if (!validated) {
            answer->alternatives = core::failure(validated.error());
        } else {
            answer->alternatives = simulator::programAlternatives(*validated, *cache, job, folder);
            if (const auto system = simulator::systemOf(*validated, folder))
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
