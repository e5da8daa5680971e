#include "core/interchange/project/project_file.h"

#include "core/base/file_limit.h"
#include "core/base/object_reader.h"
#include "core/config/ipu_config/ipu_config_json.h"
#include "core/interchange/keras/keras_json.h"
#include "core/plan/stage_assignment_json.h"
#include "core/project/options/option_sections.h"
#include "core/project/project_sections.h"

#include <fmt/format.h>
#include <optional>
#include <set>

namespace core {

namespace {

constexpr std::string_view formatName = "ipu-workbench-project";

/// Turns a document of version k (its place in the list, counted from 1) into one of version k + 1.
using Migration = void (*)(Json& document);
const std::vector<Migration>& migrations() {
    static const std::vector<Migration> steps;
    return steps;
}

/// Reads one document and collects what is wrong with it.
class ProjectReader {
public:
    ProjectReader(const Json& document, const std::string& file)
        : m_file(file)
        , m_reader(document, file, "", m_findings) {}

    /// `known` is the model of a document without one.
    Result<ProjectFile> read(const ModelGraph* known = nullptr) {
        if (!readHeader())
            return failure(std::move(m_findings));
        if (known == nullptr)
            readModel();
        const ModelGraph& model = known != nullptr ? *known : m_project.model;
        m_project.name = m_reader.readText("name").value_or(model.name);
        readPipeline(known != nullptr || m_hasModel ? &model : nullptr);
        if (const Json* training = m_reader.readObject("training"))
            readTrainingOptions(*training, outputNames(model), m_file, "/training", m_findings, m_project);
        readProjectOptions(m_reader, m_project);
        if (const Json* system = m_reader.readObject("system"))
            readSystemOptions(*system, m_file, "/system", m_findings, m_project);
        if (const Json* config = m_reader.readObject("ipu_config"))
            m_project.ipuConfig = readIpuConfig(*config, m_file, "/ipu_config", m_findings);
        if (const Json* layers = m_reader.readObject("opaque_layers"))
            m_project.opaqueLayers = readOpaqueLayers(*layers, m_file, "/opaque_layers", m_findings);
        forgetDeclared(model);
        if (const Json* canvas = m_reader.readObject("canvas"))
            m_project.canvas = readCanvas(*canvas, m_file, "/canvas", m_findings);
        m_reader.finish();
        if (hasErrors(m_findings))
            return failure(std::move(m_findings));
        return ProjectFile{std::move(m_project), std::move(m_findings), {}};
    }

private:
    /// Layers of classes that the catalogue does not know, but whose shapes and costs the project declares,
    /// are nothing to be warned of.
    void forgetDeclared(const ModelGraph& model) {
        std::set<std::string> open;
        collectUndeclared(model, "", open);
        std::erase_if(m_findings, [&](const Diagnostic& finding) {
            const bool isUnknown =
                finding.code == "keras/unknown-layer" || finding.code == "keras/opaque-layer";
            return isUnknown && finding.severity == Severity::Warning &&
                   std::ranges::none_of(open, [&](const std::string& className) {
                       return finding.message.find("unknown class \"" + className + '"') !=
                                  std::string::npos ||
                              finding.message.starts_with(className + ' ');
                   });
        });
    }

    void collectUndeclared(const ModelGraph& model, const std::string& path,
                           std::set<std::string>& open) const {
        for (const Layer& layer : model.layers) {
            if (layer.model != nullptr)
                collectUndeclared(*layer.model, path + layer.name + "/", open);
            else if (!m_project.opaqueLayers.contains(path + layer.name))
                open.insert(layer.className);
        }
    }

    /// False when the document is no project at all, so that nothing else of it is worth reading.
    bool readHeader() {
        const auto format = m_reader.readText("format");
        if (!format || *format != formatName) {
            const bool isModel = m_reader.has("class_name") || m_reader.has("model_config");
            m_reader.refuse(
                "format", "project/format",
                format ? fmt::format("the format is \"{}\", not \"{}\"", format->substr(0, 80), formatName)
                       : fmt::format("this is no project: \"format\" is not \"{}\"", formatName),
                {isModel ? "this is a Keras model; `ipu-workbench import` makes a project of it"
                         : "start a project with `ipu-workbench new` or `ipu-workbench import`"});
            return false;
        }
        m_reader.require("version");
        const auto version = m_reader.readInteger("version", 1, projectFileVersion);
        return version.has_value();
    }

    void readModel() {
        m_reader.require("model");
        const Json* document = m_reader.readValue("model");
        if (document == nullptr)
            return;
        auto model = readKerasModel(*document, m_file, m_findings, "/model");
        if (model)
            m_project.model = std::move(*model);
        else
            m_findings.insert(m_findings.end(), model.error().begin(), model.error().end());
        m_hasModel = model.has_value();
    }

    /// Without a model there is nothing to assign.
    void readPipeline(const ModelGraph* model) {
        const Json* object = m_reader.readObject("pipeline");
        if (object == nullptr)
            return;
        ObjectReader reader(*object, m_file, "/pipeline", m_findings);
        readAssignment(reader, model);
        readPipelineOptions(reader, m_project);
        reader.finish();
    }

    /// A model has stages, or shards, or neither.
    void readAssignment(ObjectReader& reader, const ModelGraph* model) {
        const bool hasStages = reader.readValue("stages") != nullptr;
        const bool hasShards = reader.readValue("sharding") != nullptr;
        if (hasStages && hasShards)
            reader.refuse("sharding", "value-error/sharding",
                          "a model has pipeline stages or shards, not both",
                          {"keep stages for a pipeline, sharding for a model that runs IPU after IPU"});
        else if (model != nullptr)
            m_project.assignment = hasShards ? readSharding(reader, *model) : readStages(reader, *model);
    }

    const std::string& m_file;
    Diagnostics m_findings;
    ObjectReader m_reader;
    Project m_project;
    bool m_hasModel = false;
};

/// The document in the present version, or as it is where its version cannot be read.
Json migrated(Json document) {
    const auto version = document.is_object() ? document.find("version") : document.end();
    if (version == document.end() || !version->is_number_integer())
        return document;
    for (std::int64_t from = version->get<std::int64_t>(); from >= 1 && from < projectFileVersion; ++from) {
        migrations()[static_cast<std::size_t>(from - 1)](document);
        document["version"] = from + 1;
    }
    return document;
}

} // namespace

Result<ProjectFile> readProjectDocument(const Json& document, const std::string& file) {
    return ProjectReader(document, file).read();
}

Result<ProjectFile> readProjectDocument(const Json& document, const std::string& file,
                                        const ModelGraph& model) {
    return ProjectReader(document, file).read(&model);
}

Result<ProjectFile> readProject(std::string_view text, const std::string& file) {
    auto document = parseJson(text, file);
    if (!document)
        return failure(std::move(document.error()));
    return readProjectDocument(migrated(std::move(*document)), file);
}

Result<ProjectFile> loadProject(const std::filesystem::path& path,
                                const std::vector<ProjectSetting>& settings) {
    tidyBeside(path);
    const auto text = readFile(path, FileLimit::project);
    if (!text)
        return failure(text.error());
    return readProject(*text, path.string(), settings);
}

Result<ProjectFile> readProject(std::string_view text, const std::string& file,
                                const std::vector<ProjectSetting>& settings) {
    auto document = parseJson(text, file);
    if (!document)
        return failure(std::move(document.error()));
    auto applied = withSettings(migrated(std::move(*document)), settings);
    if (!applied) {
        for (Diagnostic& finding : applied.error())
            finding.location.file = file;
        return failure(std::move(applied.error()));
    }
    auto project = readProjectDocument(applied->project, file);
    if (!project)
        return failure(withSettingPlaces(std::move(project.error()), settings, applied->pointers));
    project->warnings = withSettingPlaces(std::move(project->warnings), settings, applied->pointers);
    project->settingPointers = std::move(applied->pointers);
    return project;
}

Json toJson(const Project& project) {
    Json document = {{"format", formatName},
                     {"version", projectFileVersion},
                     {"name", project.name},
                     {"model", writeKerasModel(project.model)}};
    Json pipeline = Json::object();
    if (!project.assignment.stages.empty())
        pipeline[project.assignment.isSharding ? "sharding" : "stages"] =
            toJson(project.assignment, project.model);
    writePipelineOptions(project, pipeline);
    const auto put = [&](const char* key, Json section) {
        if (!section.empty())
            document[key] = std::move(section);
    };
    put("pipeline", std::move(pipeline));
    put("training", trainingSection(project));
    writeProjectOptions(project, document);
    put("system", systemSection(project));
    put("ipu_config", toJson(project.ipuConfig));
    put("opaque_layers", toJson(project.opaqueLayers));
    put("canvas", toJson(project.canvas));
    return document;
}

std::string writeProject(const Project& project) {
    return toText(toJson(project));
}

Result<void> saveProject(const Project& project, const std::filesystem::path& path, Overwrite overwrite) {
    return writeFileAtomically(path, writeProject(project), overwrite);
}

} // namespace core
