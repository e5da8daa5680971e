#include "app/verbs/batch.h"

#include "app/reports/diagnostic_json.h"
#include "app/reports/exit_code.h"
#include "app/reports/version_text.h"
#include "app/verbs/base/common_options.h"
#include "app/verbs/base/interruption.h"
#include "app/verbs/base/parse_failure.h"
#include "app/verbs/verb_table.h"
#include "core/profile/writer/reading_trouble.h"
#include "core/text/nearest_name.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <new>

namespace app {

namespace {

constexpr std::string_view programName = "ipu-workbench";

bool has(const std::vector<std::string>& arguments, std::string_view flag) {
    return std::ranges::find(arguments, flag) != arguments.end();
}

/// The verb: the first argument that is no flag.
std::vector<std::string>::const_iterator verbOf(const std::vector<std::string>& arguments) {
    return std::ranges::find_if(arguments, [](const std::string& text) { return !text.starts_with('-'); });
}

std::string generalHelp() {
    std::string text =
        fmt::format("Plan, simulate, train and profile pipelined Keras models on IPU systems.\n\n"
                    "Examples:\n"
                    "  {0} new mlp -o mlp.ipuproj\n"
                    "  {0} validate mlp.ipuproj\n"
                    "  {0} run mlp.ipuproj --json\n\n"
                    "Usage:\n"
                    "  {0} [PROJECT]        open the window\n"
                    "  {0} VERB [OPTIONS]   run without a display\n\n"
                    "Verbs:\n",
                    programName);
    for (const VerbDefinition& verb : verbTable())
        text += fmt::format("  {:<10} {}\n", verb.name, verb.summary);
    text += fmt::format("\n{} VERB --help tells more. --version prints the versions.\n", programName);
    return text;
}

std::string helpOf(const VerbDefinition& verb, const CLI::App& command) {
    std::string text = "Examples:\n";
    for (const std::string_view example : verb.examples)
        text += fmt::format("  {} {}\n", programName, example);
    return text + "\n" + command.help();
}

/// "wrote net.ipuproj, and beside it net.data.npz"
std::string filesText(const std::string& file, const std::vector<Report::FileBeside>& beside) {
    std::string names;
    for (const Report::FileBeside& one : beside)
        names += (names.empty() ? "" : ", ") + one.path.string();
    return fmt::format("wrote {}, and beside it {}", file, names);
}

core::Diagnostics internalError(const char* what) {
    return {core::makeError(core::Trouble::Internal, "internal/exception", {},
                            fmt::format("the program failed: {}", what),
                            {"please report this with the command line and its files"})};
}

/// One verb from its command line to its exit code.
class VerbRun {
public:
    explicit VerbRun(const VerbDefinition& definition)
        : m_definition(definition)
        , m_verb(definition.make())
        , m_command(std::string(definition.summary), fmt::format("{} {}", programName, definition.name)) {}

    ExitCode run(std::vector<std::string> arguments) {
        m_output.json = has(arguments, "--json");
        const bool isAskingForHelp = has(arguments, "--help") || has(arguments, "-h");
        m_verb->addOptions(m_command);
        addCommonOptions(m_command, m_definition.hasCsv, m_common);
        if (isAskingForHelp)
            return finish(writeToStdout(helpOf(m_definition, m_command)));
        try {
            std::ranges::reverse(arguments); // CLI11 takes them last first
            m_command.parse(std::move(arguments));
        } catch (const CLI::ParseError& error) {
            return fail({parseFailure(m_command, error)});
        }
        m_console.setVerbosity(m_common.quiet     ? Verbosity::Quiet
                               : m_common.verbose ? Verbosity::Verbose
                                                  : Verbosity::Normal);
        if (m_output.json && m_output.csv)
            return fail({usageError("usage/arguments", "--csv", "--json and --csv exclude each other",
                                    "keep one of the two")});
        if (m_definition.ownsOutput)
            return work();
        if (auto checked = checkOutput(m_output); !checked)
            return fail(checked.error());
        return work();
    }

private:
    ExitCode work() {
        const Interruption interruption;
        const VerbContext context{{interruption.token(), m_console.progress()}, m_console, m_output};
        core::Result<Report> report = answer(context);
        m_console.endProgress();
        if (!report)
            return fail(report.error());
        // Whoever went on without what could not be read has said so, or his report passes for a whole one.
        const auto isTold = [](const core::Diagnostic& told) { return told.trouble == core::Trouble::World; };
        if (const auto trouble = core::readingTrouble();
            trouble && std::ranges::none_of(report->diagnostics, isTold))
            return fail({*trouble});
        m_console.print(report->diagnostics);
        const ExitCode code = report->diagnostics.empty() ? ExitCode::Done : exitCodeOf(report->diagnostics);
        if (code != ExitCode::Done && code != ExitCode::Negative)
            return failWith(*report);
        OutputOptions output = m_output;
        if (m_definition.ownsOutput)
            output.file.clear();
        if (auto written = write(*report, output); !written)
            return fail(written.error());
        if (!report->filesBeside.empty())
            m_console.note(filesText(output.file, report->filesBeside));
        return report->isNegative ? ExitCode::Negative : code;
    }

    core::Result<Report> answer(const VerbContext& context) {
        try {
            return m_verb->run(context);
        } catch (const std::bad_alloc&) {
            return core::failure(core::makeError(
                core::Trouble::World, "memory/exhausted", {}, "there is not enough memory for this",
                {"use a smaller model, fewer micro-batches or a machine with more"}));
        } catch (const std::exception& error) {
            return core::failure(internalError(error.what()));
        }
    }

    /// A failure that has something to tell beside its diagnostics.
    ExitCode failWith(Report& report) {
        core::Json json = errorJson(report.diagnostics);
        for (const auto& [key, value] : report.json.items()) {
            if (!json.contains(key))
                json[key] = value;
        }
        (void)writeToStdout(m_output.json ? core::toText(json) : report.text);
        return exitCodeOf(report.diagnostics);
    }

    ExitCode finish(const core::Result<void>& written) {
        return written ? ExitCode::Done : fail(written.error());
    }

    ExitCode fail(const core::Diagnostics& diagnostics) {
        m_console.print(diagnostics);
        const ExitCode code = exitCodeOf(diagnostics);
        if (m_output.json && code != ExitCode::Negative)
            (void)writeToStdout(core::toText(errorJson(diagnostics)));
        return code;
    }

    const VerbDefinition& m_definition;
    std::unique_ptr<Verb> m_verb;
    CLI::App m_command;
    Console m_console;
    CommonOptions m_common;
    OutputOptions& m_output = m_common.output;
};

int failOutsideOfVerb(const std::vector<std::string>& arguments, const core::Diagnostics& diagnostics) {
    Console console;
    console.print(diagnostics);
    if (has(arguments, "--json"))
        (void)writeToStdout(core::toText(errorJson(diagnostics)));
    return static_cast<int>(exitCodeOf(diagnostics));
}

int unknownVerb(const std::vector<std::string>& arguments, const std::string& name) {
    std::vector<std::string> known;
    for (const VerbDefinition& verb : verbTable())
        known.emplace_back(verb.name);
    const auto near = core::nearestName(name, known);
    return failOutsideOfVerb(
        arguments,
        {usageError("usage/unknown-verb", "", fmt::format("there is no verb \"{}\"", name.substr(0, 80)),
                    near ? fmt::format("did you mean \"{}\"?", *near)
                         : fmt::format("{} --help lists the verbs", programName))});
}

/// Help and versions.
int answerWithoutVerb(const std::vector<std::string>& arguments) {
    const bool isHelp = has(arguments, "--help") || has(arguments, "-h");
    if (!isHelp && !has(arguments, "--version"))
        return failOutsideOfVerb(arguments, {usageError("usage/arguments", arguments.front().substr(0, 80),
                                                        "is no option of the program itself",
                                                        fmt::format("see {} --help", programName))});
    const auto written = writeToStdout(isHelp ? generalHelp() : versionText(has(arguments, "--json")));
    return written ? 0 : failOutsideOfVerb(arguments, written.error());
}

} // namespace

core::Diagnostic usageError(std::string code, std::string place, std::string message, std::string hint) {
    return core::makeError(core::Trouble::Usage, std::move(code), {"", std::move(place)}, std::move(message),
                           {std::move(hint)});
}

bool isBatch(const std::vector<std::string>& arguments) {
    const auto verb = verbOf(arguments);
    if (verb == arguments.end())
        return !arguments.empty();
    // A word that is no file name is a verb, known or not.
    return verb->find_first_of("./\\") == std::string::npos || findVerb(*verb) != nullptr;
}

int runBatch(const std::vector<std::string>& arguments) {
    const auto verb = verbOf(arguments);
    if (verb == arguments.end())
        return answerWithoutVerb(arguments);
    const VerbDefinition* definition = findVerb(*verb);
    if (definition == nullptr)
        return unknownVerb(arguments, *verb);
    std::vector<std::string> rest(arguments.begin(), verb);
    rest.insert(rest.end(), verb + 1, arguments.end());
    core::watchReading();
    try {
        return static_cast<int>(VerbRun(*definition).run(std::move(rest)));
    } catch (const std::exception& error) {
        return failOutsideOfVerb(arguments, internalError(error.what()));
    }
}

int reportFailure(const std::vector<std::string>& arguments, std::string code, std::string place,
                  std::string message, std::string hint) {
    core::Diagnostic diagnostic = usageError(std::move(code), "", std::move(message), std::move(hint));
    diagnostic.trouble = core::Trouble::World;
    diagnostic.location.file = std::move(place);
    return failOutsideOfVerb(arguments, {diagnostic});
}

} // namespace app
