#include "views/inspector/declared_shape.h"

#include "core/base/diagnostic.h"
#include "core/model/graph/layer_catalogue.h"

#include <QCoreApplication>
#include <limits>

namespace views {

namespace {

using core::Json;

QString declaredText(const char* text) {
    return QCoreApplication::translate("views::DeclaredShape", text);
}

/// With its batch axis; null where there is none.
Json declaredShape(const core::Layer& layer) {
    for (const char* name : {"batch_input_shape", "batch_shape"}) {
        const auto shape = layer.config.find(name);
        if (shape != layer.config.end() && shape->is_array())
            return *shape;
    }
    return nullptr;
}

Json withoutBatch(const Json& shape) {
    Json sample = Json::array();
    for (std::size_t axis = 1; axis < shape.size(); ++axis)
        sample.push_back(shape[axis]);
    return sample;
}

constexpr const char* shapeId = "opaque.output_shape";
constexpr const char* parametersId = "opaque.parameters";
constexpr const char* flopsId = "opaque.flops";

Property line(const char* id, const QString& label, const QString& documentation, PropertyEditor editor,
              Json value) {
    Property property;
    property.id = id;
    property.label = label;
    property.documentation = documentation;
    property.editor = editor;
    property.value = std::move(value);
    return property;
}

tl::unexpected<core::Diagnostics> refusal(const std::string& layer, std::string message, std::string hint) {
    return core::failure(core::makeError(core::Trouble::Input, "edit/attribute", {{}, layer},
                                         std::move(message), {std::move(hint)}));
}

/// With a batch axis of any extent before what was typed.
core::Result<core::Shape> shapeOf(const std::string& layer, const Json& typed) {
    core::Shape shape;
    shape.dimensions.push_back(core::Dimension{});
    Json sample = typed.is_array() ? typed : Json::array({typed});
    if (!sample.empty() && sample[0].is_null())
        sample.erase(0);
    for (const Json& extent : sample) {
        const bool isExtent = extent.is_number_integer() && extent.get<std::int64_t>() >= 1 &&
                              extent.get<std::int64_t>() <= std::numeric_limits<std::int32_t>::max();
        if (!isExtent)
            return refusal(layer, "an output shape holds whole numbers from 1", "784, or 28 × 28 × 1");
        shape.dimensions.emplace_back(extent.get<std::int64_t>());
    }
    return shape;
}

} // namespace

Property inputShapeProperty(const core::Layer& layer) {
    Property property;
    property.id = "batch_input_shape";
    property.label = declaredText("shape");
    property.documentation =
        declaredText("Extents of one sample, without the batch: 784, or 28 × 28 × 1 for pictures.");
    property.editor = PropertyEditor::Tuple;
    property.accepted = declaredText("whole numbers from 1, such as 28 × 28 × 1");
    const Json declared = declaredShape(layer);
    const Json sample = withoutBatch(declared);
    property.value = declared.is_null()                           ? Json()
                     : sample.size() == 1 && !sample[0].is_null() ? sample[0]
                                                                  : sample;
    return property;
}

tl::expected<Json, QString> batchShapeOf(const core::Layer& layer, const Json& typed) {
    Json sample = typed.is_array() ? typed : Json::array({typed});
    const Json declared = declaredShape(layer);
    const std::size_t before = declared.is_null() ? 0 : withoutBatch(declared).size();
    Json batch = declared.is_null() || declared.empty() ? Json() : declared[0];
    if (!sample.empty() && sample[0].is_null() && sample.size() != before)
        sample.erase(0);
    for (const Json& extent : sample) {
        const bool isFree = extent.is_null() && sample.size() == before;
        if (!isFree && (!extent.is_number_integer() || extent.get<std::int64_t>() < 1))
            return tl::unexpected(
                declaredText("write the extents of one sample as whole numbers from 1, such as "
                             "28 × 28 × 1"));
    }
    Json shape = Json::array({std::move(batch)});
    for (const Json& extent : sample)
        shape.push_back(extent);
    return shape;
}

std::vector<Property> opaqueProperties(const core::Project& project, const std::string& layer) {
    const auto known = project.opaqueLayers.find(layer);
    const bool isDeclared = known != project.opaqueLayers.end();
    Json sample;
    if (isDeclared) {
        sample = Json::array();
        for (std::size_t axis = 1; axis < known->second.outputShape.dimensions.size(); ++axis) {
            const core::Dimension& extent = known->second.outputShape.dimensions[axis];
            sample.push_back(extent ? Json(*extent) : Json());
        }
        if (sample.size() == 1 && !sample[0].is_null())
            sample = Json(sample[0]);
    }
    Property shape =
        line(shapeId, declaredText("output shape"),
             declaredText("What the layer answers for one sample, without the batch: 784, or 28 × 28 × 1."),
             PropertyEditor::Tuple, std::move(sample));
    shape.accepted = declaredText("whole numbers from 1, such as 28 × 28 × 1");
    Property parameters =
        line(parametersId, declaredText("parameters"), declaredText("Numbers of its weights."),
             PropertyEditor::Integer, isDeclared ? Json(known->second.parameters) : Json());
    Property flops = line(flopsId, declaredText("FLOPs"),
                          declaredText("Floating point operations of one sample, forwards."),
                          PropertyEditor::Integer, isDeclared ? Json(known->second.flops) : Json());
    return {std::move(shape), std::move(parameters), std::move(flops)};
}

bool isOpaqueProperty(const std::string& id) {
    return id == shapeId || id == parametersId || id == flopsId;
}

core::Result<core::Project> withOpaqueProperty(const core::Project& project,
                                               const std::vector<std::string>& layers, const std::string& id,
                                               const Json& value) {
    core::Project next = project;
    for (const std::string& layer : layers) {
        if (id == shapeId) {
            const auto shape = shapeOf(layer, value);
            if (!shape)
                return core::failure(shape.error());
            next.opaqueLayers[layer].outputShape = *shape;
            continue;
        }
        const auto known = next.opaqueLayers.find(layer);
        if (known == next.opaqueLayers.end())
            return refusal(layer, "the layer has no output shape yet", "write its output shape first");
        if (!value.is_number_integer() || value.get<std::int64_t>() < 0)
            return refusal(layer, "this is a whole number from 0", "0, or 1000000");
        (id == parametersId ? known->second.parameters : known->second.flops) = value.get<std::int64_t>();
    }
    return next;
}

} // namespace views
