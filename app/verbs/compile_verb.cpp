#include "app/verbs/project_argument.h"
#include "app/verbs/verb.h"
#include "core/config/device_connection.h"
#include "simulator/compiler/compile.h"
#include "simulator/compiler/executable_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace app {

namespace {

/// Saves the executable of a project. Needs no device, so every connection type can be compiled for.
class CompileVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        m_project.addOptions(command);
        addModeOption(command, m_mode);
    }

    core::Result<Report> run(const VerbContext& context) override {
        if (context.output.file.empty())
            return core::failure(usageError("usage/missing-option", "--output",
                                            "an executable is a binary file and needs a place",
                                            "write -o NAME.ipuexe, or -o - for stdout"));
        auto outcome = m_project.validate(m_mode);
        if (!outcome)
            return core::failure(std::move(outcome.error()));
        Report report;
        report.diagnostics = std::move(outcome->findings);
        if (!outcome->project)
            return core::failure(std::move(report.diagnostics));
        const auto executable =
            simulator::compile(*outcome->project, context.job, nullptr, m_project.folder());
        if (!executable)
            return core::failure(executable.error());
        report.content = simulator::writeExecutable(*executable);
        describe(*executable, report);
        return report;
    }

private:
    static void describe(const simulator::Executable& executable, Report& report) {
        report.json = reportJson("compile");
        report.json["mode"] = core::toString(executable.project.mode());
        report.json["target"] = executable.system.target.name;
        report.json["stages"] = executable.stages.size();
        report.json["operations"] = executable.staged.graph.operations.size();
        report.json["bytes"] = report.content->size();
        report.json["fits"] = executable.memory.fits();
        const core::DeviceConnection connection =
            core::deviceConnection(executable.project.project().ipuConfig);
        report.json["connection"] = {{"type", connection.type},
                                     {"attaches", connection.moment()},
                                     {"remote_memory", executable.project.hasRemoteMemory()}};
        for (core::Diagnostic finding : executable.memory.findings) {
            // A program that does not fit is the answer, not a failure of the program.
            finding.trouble = core::Trouble::Negative;
            report.diagnostics.push_back(std::move(finding));
        }
        report.isNegative = !executable.memory.fits();
    }

    ProjectArgument m_project;
    core::RunMode m_mode = core::RunMode::Train;
};

} // namespace

VerbDefinition compileVerb() {
    return {.name = "compile",
            .summary = "Save the executable of a project, which `run --executable` uses",
            .examples = {"compile net.ipuproj -o net.ipuexe",
                         "compile net.ipuproj --mode predict -o predict.ipuexe --force"},
            .make = makeVerb<CompileVerb>};
}

} // namespace app
