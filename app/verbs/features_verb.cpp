#include "app/reports/text_table.h"
#include "app/services/feature_table.h"
#include "app/verbs/verb.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace app {

namespace {

/// Lists what works, each with what shows it.
class FeaturesVerb final : public Verb {
public:
    void addOptions(CLI::App&) override {}

    core::Result<Report> run(const VerbContext&) override {
        Report report;
        report.json = reportJson("features");
        core::Json& rows = report.json["features"] = core::Json::array();
        TextTable table({{"id"}, {"title"}, {"kind"}, {"shown_by"}});
        for (const Feature& feature : featureTable()) {
            core::Json shown = core::Json::array();
            report.text += fmt::format("{:<4} {}\n", feature.id, feature.title);
            for (const FeatureEvidence& evidence : feature.evidence) {
                const std::string_view kind = toString(evidence.kind);
                shown.push_back({{"kind", kind}, {"text", evidence.text}});
                table.add({std::string(feature.id), std::string(feature.title), std::string(kind),
                           std::string(evidence.text)});
                report.text += fmt::format("       {:<8} {}\n", kind, evidence.text);
            }
            rows.push_back({{"id", feature.id}, {"title", feature.title}, {"shown_by", std::move(shown)}});
        }
        report.csv = table.csv();
        return report;
    }
};

} // namespace

VerbDefinition featuresVerb() {
    return {.name = "features",
            .summary = "What works, each with the command, project or test that shows it",
            .examples = {"features", "features --json", "features --csv -o features.csv"},
            .make = makeVerb<FeaturesVerb>,
            .hasCsv = true};
}

} // namespace app
