#include "app/verbs/base/project_argument.h"
#include "app/verbs/base/verb.h"
#include "core/config/device_connection.h"
#include "core/profile/records/run_records.h"
#include "core/text/nearest_name.h"
#include "simulator/compiler/compile.h"
#include "simulator/compiler/executable_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace app {

namespace {

/// Saves the executable of a project, or shows what a pass of its compilation gives. Needs no device, so
/// every connection type can be compiled for.
class CompileVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        m_project.addOptions(command);
        addModeOption(command, m_mode);
        std::string description = "Print what this pass gives, as text:";
        for (const simulator::CompilerPass& pass : simulator::compilerPasses())
            description += fmt::format("\n  {:<10}{}", pass.name, pass.promise);
        command.add_option("--dump-after", m_dumpAfter, description)->type_name("PASS");
    }

    core::Result<Report> run(const VerbContext& context) override {
        if (auto refused = refusal(context.output))
            return core::failure(std::move(*refused));
        auto outcome = m_project.validate(m_mode);
        if (!outcome)
            return core::failure(std::move(outcome.error()));
        Report report;
        report.diagnostics = std::move(outcome->findings);
        if (!outcome->project)
            return core::failure(std::move(report.diagnostics));
        report.json = reportJson("compile");
        auto executable =
            simulator::compile(*outcome->project, context.job, nullptr, m_project.folder(), dumpInto(report));
        if (!executable && report.text.empty())
            return core::failure(std::move(executable.error()));
        if (!executable) {
            // The pass asked for has an answer; a later one refused.
            for (core::Diagnostic& finding : executable.error())
                report.diagnostics.push_back(std::move(finding));
            return report;
        }
        if (!context.output.file.empty())
            report.content = simulator::writeExecutable(*executable);
        describe(*executable, report);
        return report;
    }

private:
    [[nodiscard]] std::optional<core::Diagnostic> refusal(const OutputOptions& output) const {
        if (!m_dumpAfter.empty() && simulator::findCompilerPass(m_dumpAfter) == nullptr) {
            std::vector<std::string> known;
            for (const simulator::CompilerPass& pass : simulator::compilerPasses())
                known.emplace_back(pass.name);
            const auto near = core::nearestName(m_dumpAfter, known);
            return usageError("usage/unknown-pass", "--dump-after",
                              fmt::format("there is no pass \"{}\"; the passes are {}",
                                          m_dumpAfter.substr(0, 80), simulator::compilerPassNames()),
                              near ? fmt::format("did you mean \"{}\"?", *near)
                                   : "name one of them, as in --dump-after routed");
        }
        if (!m_dumpAfter.empty() && output.file == "-" && !output.json)
            return usageError("usage/arguments", "--dump-after",
                              "the text and the executable cannot both go to stdout",
                              "write the executable to a file, or leave -o out");
        if (m_dumpAfter.empty() && output.file.empty())
            return usageError("usage/missing-option", "--output",
                              "an executable is a binary file and needs a place",
                              "write -o NAME.ipuexe, or -o - for stdout");
        return std::nullopt;
    }

    /// Keeps the text of the pass that was asked for.
    [[nodiscard]] simulator::PassObserver dumpInto(Report& report) const {
        if (m_dumpAfter.empty())
            return {};
        return [this, &report](const simulator::PassProduct& product) {
            if (simulator::passOf(product).name != m_dumpAfter)
                return;
            report.text = report.besideContent = simulator::productText(product);
            report.json["dump"] = {{"pass", m_dumpAfter}, {"text", report.text}};
        };
    }

    static void describe(const simulator::Executable& executable, Report& report) {
        report.json["mode"] = core::toString(executable.project.mode());
        report.json["target"] = executable.system.target.name;
        report.json["stages"] = executable.stages.size();
        report.json["operations"] = executable.graph.operations.size();
        if (report.content)
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
    std::string m_dumpAfter;
};

} // namespace

VerbDefinition compileVerb() {
    return {.name = "compile",
            .summary = "Save the executable of a project, which `run --executable` uses",
            .examples = {"compile net.ipuproj -o net.ipuexe",
                         "compile net.ipuproj --mode predict -o predict.ipuexe --force",
                         "compile net.ipuproj --dump-after routed"},
            .make = makeVerb<CompileVerb>};
}

} // namespace app
