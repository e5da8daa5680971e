#include "app/services/catalogue/run_advice.h"

#include "app/services/run/project_check.h"
#include "core/interchange/project/project_file.h"
#include "core/profile/queries/run_queries.h"
#include "simulator/planner/estimate.h"
#include "views/common/text/number_text.h"

namespace app {

using views::toQString;

RunAdvice runAdvice(const core::RunProvenance& from, const std::filesystem::path& folder) {
    const auto file = core::readProject(from.projectText, from.projectName);
    if (!file)
        return {{}, "The stored project cannot be read, so nothing is suggested."};
    DatasetFactsCache datasets;
    const ProjectCheck check = checkProject(file->project, from.projectName, folder, datasets);
    if (!check.outcome.project)
        return {{}, "The project's data is not at hand, so nothing is suggested."};
    simulator::CompilationCache cache;
    const core::PlanEstimate present = simulator::estimate(*check.outcome.project, cache, {}, folder);
    return {simulator::rankedAdvice({file->project, present, check.facts, from.projectName, folder}, cache),
            {}};
}

views::SummaryAdvice summaryAdvice(const core::ProfileDatabase& database, core::RunId run) {
    const auto from = core::loadProvenance(database, run);
    if (!from)
        return {QStringLiteral("Nothing was tried"), toQString(from.error().front().message), false};
    const RunAdvice found = runAdvice(*from, database.path().parent_path());
    if (!found.trouble.empty())
        return {QStringLiteral("Nothing was tried"), toQString(found.trouble), false};
    if (found.advice.empty())
        return {
            QStringLiteral("No single change is faster"),
            QStringLiteral("splits, schedules, micro-batches, recomputation and offloading were simulated"),
            false};
    const simulator::Advice& best = found.advice.front();
    const QString peak = views::bytesText(best.peak, views::ByteUnit::KiB).joined();
    return {toQString(best.text),
            best.repairs ? QStringLiteral("it fits then: peak %1, simulated").arg(peak)
                         : QStringLiteral("%1 % samples/s, peak %2, simulated")
                               .arg(views::signedText(best.gain * 100, 1), peak),
            true};
}

} // namespace app
