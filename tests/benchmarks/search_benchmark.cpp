/// Searches for the best plan of the published pipelines, with their IPUs and their batch: what the published
/// split gives, what the search finds, how much more is possible at most, and how long it took. Fails where a
/// published split is better than what the search finds.
///
/// search_benchmark [CASES.jsonl] [ID …]

#include "core/plan/schedule/schedule_catalogue.h"
#include "simulator/calibration/calibration_project.h"
#include "simulator/planner/estimate.h"
#include "simulator/planner/search/plan_search.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace simulator;

namespace {

double processorSeconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double numberOf(const CalibrationCase& item, const char* key) {
    return core::numberOr(item.description, key, 1);
}

/// Micro-batches per update that the published schedule takes: the measured number, or the next multiple of
/// its overlap below.
std::int64_t microBatchesOf(const core::Project& project, const CalibrationCase& item) {
    const auto multiple = core::scheduleDefinition(project.pipeline.schedule)
                              .multipleOf({.stages = project.assignment.stageCount()});
    const auto measured = static_cast<std::int64_t>(numberOf(item, "grad_accum"));
    return std::max<std::int64_t>(1, measured / multiple) * multiple;
}

/// False where the published split is better.
bool search(const CalibrationCase& item, const core::Project& project) {
    CompilationCache cache;
    const std::int64_t microBatches = microBatchesOf(project, item);
    const auto validated = validatedForCalibration(withMicroBatches(project, microBatches));
    if (!validated) {
        fmt::print("{:8} {}\n", item.id, validated.error().front().message);
        return true;
    }
    const core::PlanEstimate totals = estimateTotals(*validated, cache);
    const double published = totals.samplesPerSecond;
    const auto ipus = static_cast<std::int64_t>(numberOf(item, "ipus"));
    const auto batch =
        static_cast<std::int64_t>(numberOf(item, "micro_batch") * numberOf(item, "replicas")) * microBatches;
    const double before = processorSeconds();
    CompilationCache own;
    const PlanSearchRequest request{.project = project,
                                    .facts = {},
                                    .file = item.id,
                                    .folder = {},
                                    .ipus = ipus,
                                    .effectiveBatch = batch};
    const auto outcome = searchPlans(request, own);
    const double seconds = processorSeconds() - before;
    if (!outcome) {
        fmt::print("{:8} {}\n", item.id, outcome.error().front().message);
        return false;
    }
    const double found = outcome->front.empty() ? 0 : outcome->front.front().samplesPerSecond;
    const bool isBetter = found >= published || !totals.fits;
    fmt::print("{:8} {:>4} IPUs {:>6} batch  published {:>10.1f}{} found {:>10.1f} ({:+6.2f} %)  gap "
               "{:>6.2f} %  {:>4} "
               "plans {:>6} choices {:>6.2f} s{}\n",
               item.id, ipus, outcome->effectiveBatch, published, totals.fits ? " " : "!", found,
               100 * (found / published - 1), 100 * outcome->gap, outcome->simulated, outcome->choices,
               seconds, isBetter ? "" : "  WORSE");
    std::fflush(stdout);
    if (!outcome->front.empty()) {
        const PlanChoice& c = outcome->front.front().choice;
        fmt::print("         {} stages × {} replicas, {} of {}, {}, {}, {}, memory {}\n", c.stages,
                   c.replicas, c.accumulation, c.batchSize, c.schedule, c.recompute ? "recompute" : "stash",
                   toString(c.offload), c.memoryProportion.value_or(-1));
    }
    return isBetter;
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    std::vector<std::string> ids;
    std::vector<CalibrationCase> cases;
    for (const std::string& argument : arguments) {
        if (!argument.ends_with(".jsonl")) {
            ids.push_back(argument);
            continue;
        }
        std::ifstream stream(argument);
        const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
        auto read = readCalibrationCases(text, argument);
        if (!read) {
            fmt::print(stderr, "{}\n", core::toText(read.error().front()));
            return 1;
        }
        cases = *std::move(read);
    }
    if (cases.empty())
        cases.assign(publishedCases().begin(), publishedCases().end());
    bool isGood = true;
    for (const CalibrationCase& item : cases) {
        if (!ids.empty() && std::ranges::find(ids, item.id) == ids.end())
            continue;
        if (textOf(item.description, "mode") != "train" ||
            item.description.value("stage_split", core::Json()).is_null())
            continue;
        const auto project = calibrationProject(item);
        if (!project || project->assignment.stageCount() < 2)
            continue;
        isGood = search(item, *project) && isGood;
    }
    return isGood ? 0 : 1;
}
