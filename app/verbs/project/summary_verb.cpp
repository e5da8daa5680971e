#include "app/reports/model_report.h"
#include "app/verbs/base/project_argument.h"
#include "app/verbs/base/verb.h"

#include <CLI/CLI.hpp>

namespace app {

namespace {

class SummaryVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override { m_project.addOptions(command); }

    core::Result<Report> run(const VerbContext&) override {
        auto file = m_project.load();
        if (!file)
            return core::failure(std::move(file.error()));
        auto report = modelReport(file->project, m_project.path().string());
        if (report)
            report->diagnostics = std::move(file->warnings);
        return report;
    }

private:
    ProjectArgument m_project;
};

} // namespace

VerbDefinition summaryVerb() {
    return {.name = "summary",
            .summary = "Layers, output shapes, parameters, FLOPs and stages of a project's model",
            .examples = {"summary net.ipuproj", "summary net.ipuproj --json",
                         "summary net.ipuproj --csv -o layers.csv"},
            .make = makeVerb<SummaryVerb>,
            .hasCsv = true};
}

} // namespace app
