#include "core/interchange/keras/keras_json.h"

#include "core/interchange/keras/keras_reader.h"
#include "core/interchange/keras/keras_writer.h"

#include <fmt/format.h>

namespace core {

namespace {

/// Strings holding JSON, and wrappers around the model, opened; refuses more than a few layers of them.
Result<Json> openDocument(Json document, std::string_view file, std::string& pointer) {
    constexpr int deepest = 4;
    for (int depth = 0; depth < deepest; ++depth) {
        if (document.is_string()) {
            auto inner = parseJson(document.get<std::string>(), file);
            if (!inner)
                return inner;
            document = std::move(*inner);
            continue;
        }
        const char* wrapper = nullptr;
        for (const char* key : {"modelTopology", "model_config", "architecture"}) {
            if (document.is_object() && document.contains(key) && !document.contains("class_name"))
                wrapper = key;
        }
        if (wrapper == nullptr)
            return document;
        pointer = childPointer(pointer, wrapper);
        Json inner = std::move(document[wrapper]);
        document = std::move(inner);
    }
    return failure(makeError(Trouble::Input, "keras/structure", {std::string(file), pointer},
                             "the model is wrapped in too many layers of text",
                             {"give the text that model.to_json() answers"}));
}

/// `model.get_config()` instead of `model.to_json()`: the class follows from the keys.
void addClassName(Json& document) {
    if (!document.is_object() || document.contains("class_name") || !document.contains("layers"))
        return;
    const bool isFunctional = document.contains("input_layers");
    document = Json{{"class_name", isFunctional ? "Functional" : "Sequential"}, {"config", document}};
}

Result<ModelGraph> readDocument(Json document, std::string_view file, Diagnostics& warnings,
                                std::string_view pointer) {
    std::string place(pointer);
    Result<Json> opened = openDocument(std::move(document), file, place);
    if (!opened)
        return failure(opened.error());
    addClassName(*opened);
    if (!opened->is_object())
        return failure(makeError(Trouble::Input, "keras/structure", {std::string(file), place},
                                 fmt::format("a model must be an object, not {}", typeName(*opened)),
                                 {"give the text that model.to_json() answers"}));
    Diagnostics findings;
    KerasWarnings noted;
    std::optional<ModelGraph> graph = KerasReader(file, findings, noted).readModel(*opened, place, 0);
    noted.appendTo(warnings, file);
    if (!graph)
        return failure(std::move(findings));
    return std::move(*graph);
}

} // namespace

Result<ModelGraph> readKerasModel(const Json& document, std::string_view file, Diagnostics& warnings,
                                  std::string_view pointer) {
    return readDocument(document, file, warnings, pointer);
}

Result<ModelGraph> readKerasModelText(std::string_view text, std::string_view file, Diagnostics& warnings) {
    Result<Json> document = parseJson(text, file);
    if (!document)
        return failure(document.error());
    return readDocument(std::move(*document), file, warnings, "");
}

Json writeKerasModel(const ModelGraph& graph) {
    return kerasModelToJson(graph);
}

} // namespace core
