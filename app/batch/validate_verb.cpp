#include "app/batch/dataset_facts.h"
#include "app/batch/diagnostic_json.h"
#include "app/batch/project_argument.h"
#include "app/batch/verb.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace app {

namespace {

/// Everything that is wrong with a project, and what is odd about it.
class ValidateVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        m_project.addOptions(command);
        addModeOption(command, m_mode);
    }

    core::Result<Report> run(const VerbContext&) override {
        auto file = m_project.load();
        if (!file)
            return core::failure(std::move(file.error()));
        const auto facts = datasetFacts(file->project, m_mode, m_project.folder());
        if (!facts)
            return core::failure(facts.error());
        auto outcome = core::validateAll(file->project, m_mode, *facts, m_project.path().string());
        Report report;
        report.diagnostics = std::move(file->warnings);
        report.diagnostics.insert(report.diagnostics.end(), outcome.findings.begin(), outcome.findings.end());
        report.diagnostics = m_project.withSettingPlaces(std::move(report.diagnostics));
        report.json = reportJson("validate");
        report.json["valid"] = outcome.project.has_value();
        report.json["diagnostics"] = toJson(report.diagnostics);
        const auto count = [&](core::Severity severity) {
            return std::ranges::count(report.diagnostics, severity, &core::Diagnostic::severity);
        };
        report.text = fmt::format("{}: {}; {}, {}\n", m_project.path().string(),
                                  outcome.project ? "valid" : "not valid",
                                  counted(count(core::Severity::Error), "error"),
                                  counted(count(core::Severity::Warning), "warning"));
        return report;
    }

private:
    ProjectArgument m_project;
    core::RunMode m_mode = core::RunMode::Train;
};

} // namespace

VerbDefinition validateVerb() {
    return {.name = "validate",
            .summary = "All findings of a project: everything that breaks a rule, with place and cure",
            .examples = {"validate net.ipuproj", "validate net.ipuproj --mode predict --json",
                         "validate net.ipuproj --set pipeline.schedule=Interleaved"},
            .make = makeVerb<ValidateVerb>};
}

} // namespace app
