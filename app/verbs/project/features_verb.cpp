#include "app/reports/report_table.h"
#include "app/services/features/feature_table.h"
#include "app/verbs/base/verb.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace app {

namespace {

/// Lists what works, each with commands to paste and what to do in the window.
class FeaturesVerb final : public Verb {
public:
    void addOptions(CLI::App&) override {}

    core::Result<Report> run(const VerbContext&) override {
        Report report;
        report.json = reportJson("features");
        ReportTable features({{"id"}, {"title"}, {"shown_by"}});
        ReportTable lines({ReportTable::textColumn("id"),
                           ReportTable::textColumn("title"),
                           {"kind"},
                           {"text", ReportTable::Align::Left, "shown_by"}});
        for (const Feature& feature : featureTable()) {
            report.text += fmt::format("{:<4} {}\n", feature.id, feature.title);
            const auto add = [&](std::string_view kind, const std::string& text) {
                lines.add({feature.id, feature.title, kind, text});
                report.text += fmt::format("       {:<8} {}\n", kind, text);
            };
            if (!feature.how.empty())
                add("window", std::string(feature.how));
            for (const std::string& command : feature.commands)
                add("command", fmt::format("ipu-workbench {}", command));
            if (!feature.except.empty())
                add("except", std::string(feature.except));
            features.add({feature.id, feature.title, lines.takeJson()});
        }
        report.json["features"] = features.takeJson();
        report.csv = lines.csv();
        return report;
    }
};

} // namespace

VerbDefinition featuresVerb() {
    return {.name = "features",
            .summary = "What works, each with a command to paste and what to do in the window",
            .examples = {"features", "features --json", "features --csv -o features.csv"},
            .make = makeVerb<FeaturesVerb>,
            .hasCsv = true};
}

} // namespace app
