#include "core/interchange/keras/keras_inbound.h"

#include "core/model/attribute_definition.h"

namespace core {

namespace {

constexpr int deepest = 64;
constexpr const char* constantName = "_CONSTANT_VALUE";

bool isTensorObject(const Json& value) {
    return value.is_object() && value.contains("class_name") && value["class_name"] == "__keras_tensor__";
}

bool isTensorList(const Json& value) {
    return value.is_array() && (value.size() == 3 || value.size() == 4) && value[0].is_string() &&
           value[1].is_number_integer() && value[2].is_number_integer() &&
           (value.size() == 3 || value[3].is_object());
}

bool isConstant(const Json& value) {
    return value.is_array() && value.size() >= 3 && value[0] == constantName;
}

/// Collects the tensors of one call and replaces each by its place among them.
class CallReader {
public:
    explicit CallReader(const IsLayer& isLayer)
        : m_isLayer(isLayer) {}

    KerasCall call;

    /// The structure of the positional inputs; nothing when it holds something else than tensors.
    std::optional<Json> positional(const Json& value, int depth = 0) {
        if (depth > deepest)
            return std::nullopt;
        if ((isConstant(value) || isTensorList(value)) && value.size() == 4 && m_settings.is_null() &&
            value[3].is_object() && !value[3].empty())
            m_settings = value[3];
        if (isConstant(value))
            return Json{{"$constant", value[2]}};
        if (isTensorList(value)) {
            return reference(*historyFromJson(value));
        }
        if (!value.is_structured())
            return std::nullopt;
        Json copy = value.is_array() ? Json::array() : Json::object();
        for (const auto& [key, entry] : value.items()) {
            const auto inner = positional(entry, depth + 1);
            if (!inner)
                return std::nullopt;
            if (value.is_array())
                copy.push_back(*inner);
            else
                copy[key] = *inner;
        }
        return copy;
    }

    /// Arguments of any shape with the tensors among them replaced.
    Json replaced(const Json& value, bool isKeras3, int depth = 0) {
        if (depth > deepest)
            return value;
        if (isKeras3 ? isTensorObject(value)
                     : (isTensorList(value) && m_isLayer(value[0].get<std::string>()))) {
            if (const auto history = historyFromJson(value))
                return reference(*history);
        }
        if (!value.is_structured())
            return value;
        Json copy = value.is_array() ? Json::array() : Json::object();
        for (const auto& [key, entry] : value.items()) {
            if (value.is_array())
                copy.push_back(replaced(entry, isKeras3, depth + 1));
            else
                copy[key] = replaced(entry, isKeras3, depth + 1);
        }
        return copy;
    }

    [[nodiscard]] const Json& settings() const { return m_settings; }

private:
    Json reference(KerasHistory history) {
        call.tensors.push_back(std::move(history));
        return {{"$input", call.tensors.size() - 1}};
    }

    const IsLayer& m_isLayer;
    Json m_settings;
};

Json referenceTo(std::size_t input) {
    return {{"$input", input}};
}

/// What Keras 2 writes for `count` inputs: a list of them.
Json plainList(std::size_t count) {
    Json list = Json::array();
    for (std::size_t i = 0; i < count; ++i)
        list.push_back(referenceTo(i));
    return list;
}

/// What Keras 3 writes: one input by itself, several as one list.
Json plainArguments(std::size_t count) {
    return count == 1 ? plainList(1) : (count == 0 ? Json::array() : Json::array({plainList(count)}));
}

std::optional<KerasCall> readKeras2(const Json& node, const IsLayer& isLayer) {
    CallReader reader(isLayer);
    const auto structure = reader.positional(node);
    if (!structure)
        return std::nullopt;
    const std::size_t count = reader.call.tensors.size();
    if (reader.settings().is_object()) {
        for (const auto& [key, value] : reader.settings().items())
            reader.call.arguments[key] = reader.replaced(value, false);
    }
    if (*structure != plainList(count))
        reader.call.arguments["$args"] = *structure;
    return std::move(reader.call);
}

std::optional<KerasCall> readKeras3(const Json& node, const IsLayer& isLayer) {
    const auto args = node.find("args");
    if (args == node.end() || !args->is_array())
        return std::nullopt;
    CallReader reader(isLayer);
    const Json structure = reader.replaced(*args, true);
    const std::size_t count = reader.call.tensors.size();
    const auto settings = node.find("kwargs");
    if (settings != node.end() && settings->is_object()) {
        for (const auto& [key, value] : settings->items())
            reader.call.arguments[key] = reader.replaced(value, true);
    }
    if (structure != plainArguments(count))
        reader.call.arguments["$args"] = structure;
    return std::move(reader.call);
}

/// Puts the tensors back in place of their references.
Json restored(const Json& value, const std::function<Json(std::size_t)>& tensor, int depth = 0) {
    if (!value.is_structured() || depth > deepest)
        return value;
    if (value.is_object() && value.size() == 1 && value.contains("$input")) {
        const auto input = wholeNumber(value["$input"]);
        return input && *input >= 0 ? tensor(static_cast<std::size_t>(*input)) : Json(nullptr);
    }
    Json copy = value.is_array() ? Json::array() : Json::object();
    for (const auto& [key, entry] : value.items()) {
        if (value.is_array())
            copy.push_back(restored(entry, tensor, depth + 1));
        else
            copy[key] = restored(entry, tensor, depth + 1);
    }
    return copy;
}

std::size_t countReferences(const Json& value, int depth = 0) {
    if (!value.is_structured() || depth > deepest)
        return 0;
    if (value.is_object() && value.size() == 1 && value.contains("$input"))
        return 1;
    std::size_t count = 0;
    for (const Json& entry : value)
        count += countReferences(entry, depth + 1);
    return count;
}

Json withConstants(const Json& value, const Json& settings, int depth = 0) {
    if (!value.is_structured() || depth > deepest)
        return value;
    if (value.is_object() && value.size() == 1 && value.contains("$constant"))
        return Json::array({constantName, -1, value["$constant"], settings});
    Json copy = value.is_array() ? Json::array() : Json::object();
    for (const auto& [key, entry] : value.items()) {
        if (value.is_array())
            copy.push_back(withConstants(entry, settings, depth + 1));
        else
            copy[key] = withConstants(entry, settings, depth + 1);
    }
    return copy;
}

} // namespace

std::optional<KerasHistory> historyFromJson(const Json& value) {
    if (isTensorList(value))
        return KerasHistory{value[0].get<std::string>(), value[1].get<std::int64_t>(),
                            value[2].get<std::int64_t>()};
    if (!isTensorObject(value) || !value.contains("config") || !value["config"].is_object())
        return std::nullopt;
    const auto history = value["config"].find("keras_history");
    return history != value["config"].end() && isTensorList(*history) ? historyFromJson(*history)
                                                                      : std::nullopt;
}

std::optional<KerasCall> callFromJson(const Json& node, const IsLayer& isLayer) {
    return node.is_object() && node.contains("args") ? readKeras3(node, isLayer) : readKeras2(node, isLayer);
}

Json callToJson(const LayerInvocation& invocation, KerasDialect dialect, const WriteTensor& write) {
    const auto tensor = [&](std::size_t input) {
        return input < invocation.inputs.size() ? write(invocation.inputs[input]) : Json(nullptr);
    };
    Json settings = Json::object();
    for (const auto& [key, value] : invocation.arguments.items()) {
        if (key != "$args")
            settings[key] = restored(value, tensor);
    }
    Json structure;
    if (invocation.arguments.contains("$args")) {
        structure = invocation.arguments["$args"];
    } else {
        std::size_t named = 0;
        for (const auto& [key, value] : invocation.arguments.items())
            named += countReferences(value);
        const std::size_t count = invocation.inputs.size() > named ? invocation.inputs.size() - named : 0;
        structure = dialect == KerasDialect::Keras3 ? plainArguments(count) : plainList(count);
    }
    if (dialect == KerasDialect::Keras3)
        return {{"args", restored(structure, tensor)}, {"kwargs", settings}};
    // Keras 2 hangs the arguments on every tensor.
    const auto withSettings = [&](std::size_t input) {
        Json entry = tensor(input);
        if (entry.is_array())
            entry.push_back(settings);
        return entry;
    };
    return restored(withConstants(structure, settings), withSettings);
}

} // namespace core
