#include "views/inspector/setting_rows.h"

#include "core/config/dataset_catalogue.h"
#include "core/config/keras_catalogue.h"
#include "core/interchange/project/project_file.h"
#include "core/model/graph/model_builder.h"
#include "core/project/options/option_table.h"
#include "core/project/project_setting.h"
#include "views/common/text/number_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>

namespace views {

namespace {

using core::Json;
using Editor = PropertyEditor;

QString settingText(const char* text) {
    return QCoreApplication::translate("views::SettingRows", text);
}

/// The project file without the model: what options can be read from and written to quickly.
core::Project withoutModel(const core::Project& project) {
    static const core::ModelGraph smallest =
        core::sequentialModel("options", {1}, {{"Dense", "dense", {{"units", 1}}}});
    core::Project options = project;
    options.model = smallest;
    options.assignment = {};
    options.opaqueLayers.clear();
    options.canvas = {};
    return options;
}

const Json* valueAt(const Json& document, const std::string& path) {
    const Json* at = &document;
    std::size_t from = 0;
    while (from <= path.size()) {
        const std::size_t dot = std::min(path.find('.', from), path.size());
        if (!at->is_object())
            return nullptr;
        const auto found = at->find(path.substr(from, dot - from));
        if (found == at->end())
            return nullptr;
        at = &*found;
        from = dot + 1;
    }
    return at;
}

Editor editorOf(core::ProjectOptionType type) {
    switch (type) {
    case core::ProjectOptionType::Switch:
        return Editor::Switch;
    case core::ProjectOptionType::OptionalSwitch:
        return Editor::OptionalSwitch;
    case core::ProjectOptionType::Integer:
        return Editor::Integer;
    case core::ProjectOptionType::Number:
        return Editor::Number;
    case core::ProjectOptionType::Text:
        return Editor::Text;
    case core::ProjectOptionType::Choice:
        return Editor::Choice;
    case core::ProjectOptionType::OpenChoice:
        return Editor::OpenChoice;
    case core::ProjectOptionType::Integers:
        return Editor::Tuple;
    case core::ProjectOptionType::Json:
        return Editor::Json;
    }
    return Editor::Json;
}

Property propertyOf(const core::ProjectOption& option, const core::Project& project) {
    Property property;
    property.id = option.path;
    property.label = toQString(option.label);
    property.documentation = settingText(std::string(option.documentation).c_str()) + QStringLiteral("\n\n") +
                             toQString(option.path);
    property.editor = editorOf(option.type);
    property.defaultValue = core::defaultValue(option);
    property.value = core::valueIn(project, option);
    property.isNullable = property.defaultValue.is_null();
    for (const std::string_view choice : option.range.choices)
        property.choices.emplace_back(choice);
    return property;
}

/// A heading of the option table with its options.
PropertySection sectionOf(std::string_view title, const core::Project& project, bool isOpen = true) {
    PropertySection section{settingText(std::string(title).c_str()), {}, isOpen};
    for (const core::ProjectOption& option : core::projectOptions()) {
        if (option.section == title)
            section.properties.push_back(propertyOf(option, project));
    }
    return section;
}

Editor editorOf(const core::KerasParameter& parameter, const Json& value) {
    switch (parameter.type) {
    case core::KerasParameterType::Number:
        return Editor::Number;
    case core::KerasParameterType::Integer:
        return Editor::Integer;
    case core::KerasParameterType::Switch:
        return Editor::Switch;
    case core::KerasParameterType::Text:
        return Editor::Text;
    case core::KerasParameterType::Choice:
        return Editor::Choice;
    case core::KerasParameterType::NumberOrSchedule:
        return value.is_number() ? Editor::Number : Editor::Json;
    case core::KerasParameterType::Numbers:
    case core::KerasParameterType::Axes:
    case core::KerasParameterType::Optimizer:
    case core::KerasParameterType::Model:
        return Editor::Json;
    }
    return Editor::Json;
}

/// A Keras object: its class, and each key of its config.
PropertySection objectSection(const QString& title, const std::string& path, const core::KerasObject& object,
                              const core::KerasCatalogue& catalogue) {
    PropertySection section{title, {}, true};
    Property which;
    which.id = path;
    which.label = QStringLiteral("class_name");
    which.editor = Editor::Choice;
    which.value = object.className;
    for (const core::KerasClass& known : catalogue.classes)
        which.choices.emplace_back(known.className);
    section.properties.push_back(std::move(which));
    const core::KerasClass* known = catalogue.find(object.className);
    if (known == nullptr)
        return section;
    const Json config = core::resolvedConfig(object, catalogue);
    std::vector<const core::KerasParameter*> parameters;
    for (const core::KerasParameter& parameter : known->parameters)
        parameters.push_back(&parameter);
    for (const core::KerasParameter* parameter : parameters) {
        Property property;
        const auto value = config.find(std::string(parameter->name));
        property.id = path + ".config." + std::string(parameter->name);
        property.label = toQString(parameter->name);
        property.value = value != config.end() ? *value : Json(nullptr);
        property.editor = editorOf(*parameter, property.value);
        property.defaultValue =
            parameter->defaultText.empty() ? Json(nullptr) : Json::parse(parameter->defaultText);
        property.isNullable = property.defaultValue.is_null();
        for (const std::string_view choice : parameter->choices)
            property.choices.emplace_back(choice);
        section.properties.push_back(std::move(property));
    }
    return section;
}

Property jsonProperty(const char* path, const char* label, const char* documentation, const Json& document) {
    Property property;
    property.id = path;
    property.label = QString::fromUtf8(label);
    property.documentation = settingText(documentation) + QStringLiteral("\n\n") + QString::fromUtf8(path);
    property.editor = Editor::Json;
    const Json* value = valueAt(document, path);
    property.value = value != nullptr ? *value : Json(nullptr);
    property.isNullable = true;
    return property;
}

/// The dataset at `path`, which may be nothing.
PropertySection datasetSection(const QString& title, const char* path, const char* documentation,
                               const std::optional<core::DatasetSpec>& dataset, const Json& document,
                               bool isOpen) {
    PropertySection section{title, {}, isOpen};
    Property kind;
    kind.id = path;
    kind.label = QStringLiteral("kind");
    kind.documentation = settingText(documentation);
    kind.editor = Editor::Choice;
    kind.choices.emplace_back("none");
    for (const core::DatasetKind& known : core::datasetKinds())
        kind.choices.emplace_back(known.name);
    kind.value = dataset ? Json(dataset->kind) : Json("none");
    kind.defaultValue = "none";
    section.properties.push_back(std::move(kind));
    if (!dataset)
        return section;
    std::vector<core::DatasetKey> keys;
    for (const core::DatasetKind& known : core::datasetKinds()) {
        if (known.name == dataset->kind)
            keys = known.keys;
    }
    keys.insert(keys.end(), core::commonDatasetKeys().begin(), core::commonDatasetKeys().end());
    for (const core::DatasetKey& key : keys) {
        Property property;
        property.id = std::string(path) + '.' + std::string(key.name);
        property.label = toQString(key.name);
        property.documentation = toQString(key.meaning);
        const Json* value = valueAt(document, property.id);
        property.value = value != nullptr ? *value : Json(nullptr);
        property.isNullable = true;
        property.editor = key.type == core::DatasetKeyType::Integer    ? Editor::Integer
                          : key.type == core::DatasetKeyType::Number   ? Editor::Number
                          : key.type == core::DatasetKeyType::Integers ? Editor::Tuple
                          : key.type == core::DatasetKeyType::Switch   ? Editor::OptionalSwitch
                          : key.type == core::DatasetKeyType::Choice   ? Editor::Choice
                          : key.type == core::DatasetKeyType::Paths ||
                                  key.type == core::DatasetKeyType::Texts ||
                                  key.type == core::DatasetKeyType::Numbers
                              ? Editor::Json
                              : Editor::Text;
        for (const std::string_view choice : key.choices)
            property.choices.emplace_back(choice);
        section.properties.push_back(std::move(property));
    }
    return section;
}

/// A whole object where the form only gives its class or kind.
Json completed(const std::string& path, const Json& value) {
    if (path == "training.optimizer" && value.is_string())
        return {{"class_name", value}};
    if ((path == "training.dataset" || path == "training.validation_dataset") && value.is_string())
        return value == "none" ? Json(nullptr) : Json{{"kind", value}};
    return value;
}

} // namespace

std::vector<PropertySection> pipelineSections(const core::Project& project) {
    // What few people set begins folded.
    constexpr std::array<std::string_view, 2> folded{"Outfeed", "Poplar options"};
    std::vector<PropertySection> sections;
    for (const std::string_view title : core::projectOptionSections()) {
        const auto inside = [&](const core::ProjectOption& option) {
            return option.section == title && option.parent() == "pipeline";
        };
        if (std::ranges::any_of(core::projectOptions(), inside))
            sections.push_back(sectionOf(title, project, std::ranges::find(folded, title) == folded.end()));
    }
    return sections;
}

std::vector<PropertySection> trainingSections(const core::Project& project) {
    const Json document = core::toJson(withoutModel(project));
    PropertySection loss{settingText("Loss and metrics"), {}, true};
    loss.properties.push_back(jsonProperty(
        "training.loss", "loss", "A loss, or one per output: \"mse\" or {\"class_name\": …}.", document));
    loss.properties.push_back(jsonProperty("training.loss_weights", "loss_weights",
                                           "What the loss of each output counts for, such as [1, 0.5].",
                                           document));
    loss.properties.push_back(
        jsonProperty("training.metrics", "metrics", "A list such as [\"accuracy\"].", document));
    PropertySection callbacks{settingText("Callbacks"), {}, !project.training.callbacks.empty()};
    callbacks.properties.push_back(
        jsonProperty("training.callbacks", "callbacks",
                     "What fit calls at the ends of batches and epochs, such as "
                     "[{\"class_name\": \"EarlyStopping\", \"config\": {\"patience\": 3}}].",
                     document));
    const bool hasValidation = project.training.validationDataset.has_value();
    return {sectionOf("Fit", project),
            datasetSection(settingText("Dataset"), "training.dataset",
                           "Where samples come from. Without a dataset a run has a profile and no loss.",
                           project.training.dataset, document, true),
            datasetSection(settingText("Validation dataset"), "training.validation_dataset",
                           "Other samples, on which every epoch is measured.",
                           project.training.validationDataset, document, hasValidation),
            objectSection(settingText("Optimizer"), "training.optimizer", core::optimizerOf(project.training),
                          core::optimizerCatalogue()),
            std::move(loss),
            std::move(callbacks),
            sectionOf("Host queues", project, false)};
}

std::vector<PropertySection> systemSections(const core::Project& project) {
    PropertySection system = sectionOf("System", project);
    // Figures of the target that the project sets by itself.
    for (const auto& [name, value] : project.system.other.items()) {
        Property figure;
        figure.id = "system." + name;
        figure.label = toQString(name);
        figure.documentation =
            settingText("A figure of the target that this project sets. Empty: the target's own.");
        figure.editor = value.is_boolean()          ? Editor::OptionalSwitch
                        : value.is_number_integer() ? Editor::Integer
                                                    : Editor::Number;
        figure.value = value;
        figure.isNullable = true;
        system.properties.push_back(std::move(figure));
    }
    return {std::move(system)};
}

core::Result<core::Project> withSetting(const core::Project& project, const std::string& path,
                                        const Json& value) {
    const core::ProjectSetting setting{path, completed(path, value)};
    core::Project options = withoutModel(project);
    // The form shows the optimizer that Keras would take; an edit of its keys makes it the project's own.
    if (path.starts_with("training.optimizer."))
        options.training.optimizer = core::optimizerOf(project.training);
    const core::Result<core::SettingsApplied> applied = core::withSettings(core::toJson(options), {setting});
    if (!applied)
        return core::failure(applied.error());
    core::Result<core::ProjectFile> read = core::readProjectDocument(applied->project, {});
    if (!read)
        return core::failure(core::withSettingPlaces(read.error(), {setting}, applied->pointers));
    core::Project next = std::move(read->project);
    next.model = project.model;
    next.assignment = project.assignment;
    next.opaqueLayers = project.opaqueLayers;
    next.canvas = project.canvas;
    return next;
}

} // namespace views
