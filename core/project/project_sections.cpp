#include "core/project/project_sections.h"

#include "core/base/whole_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace core {

namespace {

/// What the canvas keeps beside the positions.
constexpr std::array<std::string_view, 9> canvasKeys{"frames", "comments", "groups",  "collapsed", "pinned",
                                                     "locked", "muted",    "repeats", "view"};

Shape readShape(ObjectReader& reader) {
    Shape shape;
    const Json* list = reader.readList("output_shape");
    if (list == nullptr)
        return shape;
    for (const Json& item : *list) {
        const bool isExtent = item.is_number_integer() && item.get<std::int64_t>() >= 1 &&
                              item.get<std::int64_t>() <= std::numeric_limits<std::int32_t>::max();
        if (!item.is_null() && !isExtent) {
            reader.refuse("output_shape", "project/wrong-type",
                          fmt::format("output_shape holds {}, not only extents",
                                      item.is_number() ? toText(item, -1) : std::string(typeName(item))),
                          {"write whole numbers, null for the batch axis: [null, 10]"});
            return {};
        }
        shape.dimensions.push_back(item.is_null() ? Dimension{} : Dimension{item.get<std::int64_t>()});
    }
    return shape;
}

Json toJson(const Shape& shape) {
    Json list = Json::array();
    for (const Dimension& extent : shape.dimensions)
        list.push_back(extent ? Json(*extent) : Json());
    return list;
}

/// [{"text": "…", "layers": ["…"], "colour": 1}].
std::vector<CanvasNote> readCanvasNotes(const Json& list, const std::string& file, const std::string& pointer,
                                        Diagnostics& findings) {
    std::vector<CanvasNote> notes;
    for (std::size_t i = 0; i < list.size(); ++i) {
        ObjectReader reader(list[i], file, fmt::format("{}/{}", pointer, i), findings);
        reader.require("text");
        reader.require("layers");
        CanvasNote note;
        note.text = reader.readText("text").value_or("").substr(0, longestNote);
        note.layers = reader.readTexts("layers").value_or(std::vector<std::string>());
        std::ranges::sort(note.layers);
        const auto repeats = std::ranges::unique(note.layers);
        note.layers.erase(repeats.begin(), repeats.end());
        note.colour = reader.readInteger("colour", 0, noteColours - 1).value_or(0);
        reader.finish();
        if (!note.layers.empty() && !note.text.empty())
            notes.push_back(std::move(note));
    }
    return notes;
}

Json toJson(const std::vector<CanvasNote>& notes) {
    Json list = Json::array();
    for (const CanvasNote& note : notes) {
        Json row{{"text", note.text}, {"layers", note.layers}};
        if (note.colour != 0)
            row["colour"] = note.colour;
        list.push_back(std::move(row));
    }
    return list;
}

} // namespace

std::map<std::string, OpaqueLayer> readOpaqueLayers(const Json& object, const std::string& file,
                                                    const std::string& pointer, Diagnostics& findings) {
    std::map<std::string, OpaqueLayer> layers;
    for (const auto& [name, value] : object.items()) {
        ObjectReader reader(value, file, childPointer(pointer, name), findings);
        OpaqueLayer layer;
        reader.require("output_shape");
        layer.outputShape = readShape(reader);
        layer.parameters = reader.readInteger("parameters", 0, anyHigh).value_or(0);
        layer.flops = reader.readInteger("flops", 0, anyHigh).value_or(0);
        reader.finish();
        layers.emplace(name, std::move(layer));
    }
    return layers;
}

Json toJson(const std::map<std::string, OpaqueLayer>& layers) {
    Json object = Json::object();
    for (const auto& [name, layer] : layers) {
        Json& row = object[name];
        row["output_shape"] = toJson(layer.outputShape);
        if (layer.parameters != 0)
            row["parameters"] = layer.parameters;
        if (layer.flops != 0)
            row["flops"] = layer.flops;
    }
    return object;
}

CanvasLayout readCanvas(const Json& object, const std::string& file, const std::string& pointer,
                        Diagnostics& findings) {
    CanvasLayout canvas;
    ObjectReader reader(object, file, pointer, findings);
    if (const Json* positions = reader.readObject("positions")) {
        for (const auto& [name, value] : positions->items()) {
            const bool isPoint =
                value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number();
            if (isPoint)
                canvas.positions[name] = {value[0].get<double>(), value[1].get<double>()};
            else
                findings.push_back(
                    makeError(Trouble::Input, "project/wrong-type",
                              {file, childPointer(reader.pointerTo("positions"), name)},
                              fmt::format("the position of {} must be two numbers", name.substr(0, 80)),
                              {"write [x, y], for example [120, 80]"}));
        }
    }
    if (const Json* notes = reader.readList("notes"))
        canvas.notes = readCanvasNotes(*notes, file, reader.pointerTo("notes"), findings);
    for (const std::string_view key : canvasKeys) {
        if (const Json* value = reader.readValue(key))
            canvas.other[std::string(key)] = *value;
    }
    reader.finish();
    return canvas;
}

Json toJson(const CanvasLayout& canvas) {
    Json object = Json::object();
    const auto number = [](double value) {
        const bool isWhole = std::floor(value) == value && std::abs(value) < 9e15;
        return isWhole ? Json(static_cast<std::int64_t>(value)) : Json(value);
    };
    // Names of a map differ, so they need no search; thousands of layers would make it slow.
    Json positions = Json::object();
    auto& members = static_cast<Json::object_t::Container&>(positions.get_ref<Json::object_t&>());
    for (const auto& [name, position] : canvas.positions)
        members.emplace_back(name, Json{number(position.x), number(position.y)});
    if (!positions.empty())
        object["positions"] = std::move(positions);
    if (!canvas.notes.empty())
        object["notes"] = toJson(canvas.notes);
    object.update(canvas.other);
    return object;
}

} // namespace core
