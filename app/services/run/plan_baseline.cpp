#include "app/services/run/plan_baseline.h"

#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "core/base/object_reader.h"

#include <algorithm>
#include <array>
#include <limits>

namespace app {

namespace {

constexpr const char* formatName = "ipu-workbench-baseline";
constexpr std::int64_t formatVersion = 1;

/// A figure of the file.
struct BaselineKey {
    const char* name;
    double PlanBaseline::*figure;
};
constexpr std::array keys{BaselineKey{"samples_per_second", &PlanBaseline::samplesPerSecond},
                          BaselineKey{"peak_fraction", &PlanBaseline::peakFraction}};

bool isBaseline(const core::Json& document) {
    return document.is_object() && document.value("format", core::Json()) == formatName;
}

} // namespace

double peakFraction(const core::RunSummary& summary) {
    double largest = 0;
    for (const core::IpuMemorySummary& memory : summary.memory)
        largest = std::max(largest, ratio(memory.peak, memory.limit));
    return largest;
}

PlanBaseline baselineOf(const core::RunSummary& summary) {
    return {summary.samplesPerSecond, peakFraction(summary)};
}

core::Result<PlanBaseline> loadBaseline(const std::filesystem::path& path) {
    const auto text = core::readFile(path, core::FileLimit::project);
    if (!text) {
        core::Diagnostics trouble = text.error();
        if (!trouble.empty() && trouble.front().code == "file/missing")
            trouble.front().hints = {"--update-baseline writes it"};
        return core::failure(std::move(trouble));
    }
    const std::string file = path.string();
    const auto document = core::parseJson(*text, file);
    if (!document)
        return core::failure(document.error());
    if (!isBaseline(*document))
        return core::failure(core::makeError(core::Trouble::Input, "baseline/format", {file, "/format"},
                                             "this is no baseline", {"--update-baseline writes one"}));
    core::Diagnostics findings;
    core::ObjectReader reader(*document, file, "", findings);
    static_cast<void>(reader.readValue("format"));
    static_cast<void>(reader.readInteger("version", formatVersion, formatVersion));
    PlanBaseline baseline;
    for (const BaselineKey& key : keys) {
        reader.require(key.name);
        if (const auto value = reader.readNumber(key.name, 0, std::numeric_limits<double>::max()))
            baseline.*key.figure = *value;
    }
    reader.finish();
    return findings.empty() ? core::Result<PlanBaseline>(baseline) : core::failure(std::move(findings));
}

core::Result<void> mayReplace(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        return {};
    const auto text = core::readFile(path, core::FileLimit::project);
    const auto document = text ? core::parseJson(*text, path.string()) : core::failure(text.error());
    if (document && isBaseline(*document))
        return {};
    return core::failure(core::makeError(core::Trouble::World, "file/exists", {path.string(), ""},
                                         "the file exists and is no baseline",
                                         {"name another file, or replace it with --force"}));
}

core::Result<void> saveBaseline(const PlanBaseline& baseline, const std::filesystem::path& path) {
    core::Json document{{"format", formatName}, {"version", formatVersion}};
    for (const BaselineKey& key : keys)
        document[key.name] = baseline.*key.figure;
    return core::writeFileAtomically(path, core::toText(document), core::Overwrite::Replace);
}

} // namespace app
