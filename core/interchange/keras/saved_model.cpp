#include "core/interchange/keras/saved_model.h"

#include "core/base/json.h"
#include "core/interchange/archive/wire_reader.h"

#include <fmt/format.h>
#include <optional>

namespace core {

namespace {

using FieldType = WireField::Type;

/// What is read of the message SavedObject.
struct SavedObject {
    std::string_view path;
    std::string_view identifier;
    std::string_view metadata;
};

/// Nothing where the bytes are no such message.
std::optional<SavedObject> savedObject(std::string_view bytes) {
    SavedObject object;
    WireReader reader(bytes);
    while (const auto field = reader.next()) {
        if (field->type != FieldType::Bytes)
            continue;
        if (field->number == 3)
            object.path = field->bytes;
        else if (field->number == 4)
            object.identifier = field->bytes;
        else if (field->number == 5)
            object.metadata = field->bytes;
    }
    return reader.isDamaged() ? std::nullopt : std::optional(object);
}

Diagnostic refuse(std::string code, std::string_view file, std::size_t place, std::string message,
                  std::string hint) {
    return makeError(Trouble::Input, std::move(code), {std::string(file), fmt::format("byte {}", place)},
                     std::move(message), {std::move(hint)});
}

} // namespace

bool isSavedModelMetadata(std::string_view bytes) {
    WireReader reader(bytes);
    const auto field = reader.next();
    if (!field || field->number != 1 || field->type != FieldType::Bytes)
        return false;
    const auto object = savedObject(field->bytes);
    return object && object->identifier.starts_with("_tf_keras_");
}

Result<std::string> savedModelText(std::string_view bytes, std::string_view file) {
    WireReader reader(bytes);
    std::size_t place = 0;
    while (const auto field = reader.next()) {
        place = static_cast<std::size_t>(field->bytes.data() - bytes.data());
        if (field->number != 1 || field->type != FieldType::Bytes)
            continue;
        const auto object = savedObject(field->bytes);
        if (!object)
            break;
        if (object->path != "root")
            continue;
        auto document = parseJson(object->metadata, file);
        if (!document)
            return failure(std::move(document.error()));
        if (!document->is_object() || !document->contains("config") || !document->contains("class_name"))
            return failure(
                refuse("saved-model/no-model", file, place,
                       "the root object of the SavedModel says no configuration: its class is code",
                       "import the Python program that makes the model"));
        Json model{{"class_name", (*document)["class_name"]},
                   {"config", (*document)["config"]},
                   {"keras_version", document->value("keras_version", Json("2.6.0"))}};
        if (const auto training = document->find("training_config"); training != document->end())
            model["training_config"] = *training;
        return toText(model, -1);
    }
    if (reader.isAtEnd() && !reader.isDamaged())
        return failure(refuse("saved-model/no-model", file, 0, "the metadata has no root object",
                              "give the file keras_metadata.pb of a SavedModel that model.save() made"));
    return failure(refuse("saved-model/damaged", file, place, "the metadata is damaged from here on",
                          "save the model again"));
}

} // namespace core
