#include "app/reports/model_report.h"
#include "app/services/run/stored_data.h"
#include "app/services/run/system_findings.h"
#include "app/verbs/base/verb.h"
#include "app/verbs/base/verb_input.h"
#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "core/interchange/importer_catalogue.h"
#include "core/interchange/onnx/input_values.h"
#include "core/interchange/onnx/onnx_file.h"
#include "core/interchange/project/project_file.h"
#include "core/platform/work_scope.h"
#include "simulator/engine/replica/training_weights.h"

#include <CLI/CLI.hpp>
#include <QProcess>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>

namespace app {

namespace {

/// Makes a project of a model in another program's format.
class ImportVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command
            .add_option("FILE", m_file,
                        fmt::format("A model of one of these: {}; - reads the standard input",
                                    core::importableFiles()))
            ->required();
        command.add_flag("--summary", m_summary, "Print the summary of the model instead of a project");
        command.add_option("--name", m_name, "Name of the project; the model's otherwise");
        command.add_option("--model", m_model,
                           "Which model of a program that makes several; without it they are listed");
        command.add_option("--arguments", m_arguments,
                           "The command line that a program is started with, such as \"--batch-size 8\"; "
                           "without it its arguments have their defaults");
        command
            .add_option("--value", m_values,
                        "Value of an input of an ONNX model that a program cannot be fed, such as a shape: "
                        "NAME=2,-1 or NAME=tensor.pb; can be repeated")
            ->type_name("NAME=VALUE");
    }

    core::Result<Report> run(const VerbContext& context) override {
        core::Result<std::string> bytes;
        core::Result<core::ProjectFile> file;
        {
            // A program may take long to follow; what is written comes after it.
            const core::ReadingScope reading;
            bytes = readInput(m_file, core::FileLimit::weights);
            m_file = inputName(m_file);
            if (!bytes)
                return core::failure(std::move(bytes.error()));
            if (isProject(*bytes))
                return core::failure(core::makeError(core::Trouble::Input, "import/is-a-project",
                                                     {m_file, "1:1"},
                                                     "this is a project already, not a model",
                                                     {"`validate`, `summary` and `run` take it as it is"}));
            if (auto valued = giveValues(*bytes); !valued)
                return core::failure(std::move(valued.error()));
            core::ImportChoice wanted = choice();
            if (!m_summary && context.output.keepsFile()) {
                wanted.data = &m_data;
                wanted.digits = digitsFolder();
            }
            file = core::importProject(*bytes, m_file, wanted);
        }
        if (!file)
            return core::failure(std::move(file.error()));
        core::Project& project = file->project;
        if (!m_name.empty())
            project.name = m_name;
        auto report = modelReport(project, m_file);
        if (!report && m_summary)
            return report;
        if (!report) { // a model whose input shape is still open is a project all the same
            for (core::Diagnostic& diagnostic : report.error())
                diagnostic.severity = core::Severity::Warning;
            file->warnings.insert(file->warnings.end(), report.error().begin(), report.error().end());
            report = Report();
        }
        if (!m_summary) {
            if (auto kept = keepWeights(*bytes, context.output, *file, *report); !kept)
                return core::failure(std::move(kept.error()));
            if (auto kept = keepData(context.output, project, *report); !kept)
                return core::failure(std::move(kept.error()));
            report->content = core::writeProject(project);
            report->json = importJson(*report, project);
        }
        report->diagnostics = std::move(file->warnings);
        return report;
    }

private:
    core::ImportChoice choice() const {
        core::ImportChoice choice;
        choice.model = m_model;
        choice.systemFindings = [this](const core::Project& project) {
            return systemFindings(project, m_file, std::filesystem::path(m_file).parent_path());
        };
        for (const QString& word : QProcess::splitCommand(QString::fromStdString(m_arguments)))
            choice.commandLine.push_back(word.toStdString());
        return choice;
    }

    /// Whether the bytes begin as a project file does.
    static bool isProject(const std::string& bytes) {
        constexpr std::size_t head = 200;
        return bytes.starts_with('{') &&
               bytes.substr(0, head).find("\"ipu-workbench-project\"") != std::string::npos;
    }

    /// Makes constants of the inputs that are named.
    core::Result<void> giveValues(std::string& bytes) const {
        if (m_values.empty())
            return {};
        const auto refuse = [&](std::string message, std::string hint) {
            return core::failure(core::makeError(core::Trouble::Input, "import/value", {m_file, "--value"},
                                                 std::move(message), {std::move(hint)}));
        };
        if (!core::isOnnx(bytes))
            return refuse("only inputs of ONNX models are given values", "leave --value out");
        const auto model = core::readOnnxModel(bytes, m_file);
        if (!model)
            return core::failure(model.error());
        std::map<std::string, core::OnnxTensor> values;
        for (const std::string& setting : m_values) {
            const std::string name = setting.substr(0, setting.find('='));
            const auto fed = model->graph.fedInputs();
            const auto input = std::ranges::find(fed, name, &core::OnnxValue::name);
            if (input == fed.end())
                return refuse(fmt::format("the model has no input \"{}\" that is fed", name),
                              "name an input of the graph");
            if (setting.size() == name.size())
                return refuse(fmt::format("\"{}\" has no value", name), "write NAME=2,-1 or NAME=tensor.pb");
            auto value = inputValue(**input, setting.substr(name.size() + 1));
            if (!value)
                return core::failure(std::move(value.error()));
            values[name] = std::move(*value);
        }
        bytes = core::withInputValues(bytes, values);
        return {};
    }

    static core::Result<core::OnnxTensor> inputValue(const core::OnnxValue& input, const std::string& text) {
        if (!text.ends_with(".pb"))
            return core::inputValue(input, text);
        const auto bytes = core::readFile(text, core::FileLimit::table);
        return bytes ? core::readOnnxTensor(*bytes, text) : core::failure(bytes.error());
    }

    /// Puts the values of the model's weights beside the project and names them there. A project without a
    /// file of its own takes them from the model's. Weights that cannot be read are a warning: the model is
    /// whole without them.
    core::Result<void> keepWeights(const std::string& bytes, const OutputOptions& output,
                                   core::ProjectFile& file, Report& report) const {
        const core::Importer* importer = core::findImporter(bytes, m_file);
        if (importer == nullptr || importer->readWeights == nullptr)
            return {};
        auto weights = importer->readWeights(bytes, m_file);
        if (!weights) {
            for (core::Diagnostic& diagnostic : weights.error()) {
                diagnostic.severity = core::Severity::Warning;
                file.warnings.push_back(std::move(diagnostic));
            }
            return {};
        }
        if (weights->empty())
            return {};
        if (!output.keepsFile()) {
            // With values given here the model's own file has other initializers.
            if (m_values.empty())
                file.project.training.weights = std::filesystem::absolute(m_file).string();
            return {};
        }
        const auto path = std::filesystem::path(output.file).replace_extension(".weights.npz");
        if (auto free = checkOutput({.file = path.string(), .force = output.force}); !free)
            return free;
        auto stored = simulator::weightFileBytes(path, *weights);
        if (!stored)
            return core::failure(std::move(stored.error()));
        file.project.training.weights = path.filename().string();
        report.filesBeside.push_back({path, std::move(*stored)});
        return {};
    }

    /// Puts the arrays of a program, which its model is given, beside the project and names them there.
    core::Result<void> keepData(const OutputOptions& output, core::Project& project, Report& report) const {
        std::string archive = dataArchive(m_data);
        if (archive.empty())
            return {};
        const auto path = std::filesystem::path(output.file).replace_extension(".data.npz");
        if (auto free = checkOutput({.file = path.string(), .force = output.force}); !free)
            return free;
        nameDataArchive(project, path.filename().string());
        report.filesBeside.push_back({path, std::move(archive)});
        return {};
    }

    static core::Json importJson(const Report& summary, const core::Project& project) {
        core::Json json = reportJson("import");
        json["name"] = project.name;
        json["weights"] = project.training.weights ? core::Json(*project.training.weights) : core::Json();
        for (const char* key : {"class_name", "layer_count", "total_parameters", "trainable_parameters"})
            json[key] = summary.json.is_object() ? summary.json.value(key, core::Json()) : core::Json();
        return json;
    }

    std::string m_file;
    std::string m_name;
    std::string m_model;
    std::string m_arguments;
    std::vector<std::string> m_values;
    std::vector<core::DataArray> m_data;
    bool m_summary = false;
};

} // namespace

VerbDefinition importVerb() {
    static const std::string summary = "A project from a model: " + core::importableFiles();
    return {.name = "import",
            .summary = summary,
            .examples = {"import model.json -o model.ipuproj", "import model.h5 --summary",
                         "import train.py -o train.ipuproj", "import train.py --model net -o net.ipuproj",
                         "import train.py --arguments \"--batch-size 8 --layers 12\" -o train.ipuproj",
                         "import model.onnx -o model.ipuproj",
                         "import reshape.onnx --value shape=2,-1 -o reshape.ipuproj",
                         "import model.keras --summary --json"},
            .make = makeVerb<ImportVerb>,
            .hasCsv = true};
}

} // namespace app
