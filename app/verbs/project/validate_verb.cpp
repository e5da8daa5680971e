#include "app/reports/diagnostic_json.h"
#include "app/verbs/base/project_argument.h"
#include "app/verbs/base/verb.h"

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
        auto outcome = m_project.validate(m_mode);
        if (!outcome)
            return core::failure(std::move(outcome.error()));
        Report report;
        report.diagnostics = std::move(outcome->findings);
        report.json = reportJson("validate");
        report.json["valid"] = outcome->project.has_value();
        report.json["diagnostics"] = toJson(report.diagnostics);
        const auto count = [&](core::Severity severity) {
            return std::ranges::count(report.diagnostics, severity, &core::Diagnostic::severity);
        };
        report.text = fmt::format("{}: {}; {}, {}\n", m_project.path().string(),
                                  outcome->project ? "valid" : "not valid",
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
