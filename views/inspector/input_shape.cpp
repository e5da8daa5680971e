#include "views/inspector/input_shape.h"

#include "core/model/graph/layer_catalogue.h"

#include <QCoreApplication>

namespace views {

namespace {

using core::Json;

QString inputShapeText(const char* text) {
    return QCoreApplication::translate("views::InputShape", text);
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

} // namespace

Property inputShapeProperty(const core::Layer& layer) {
    Property property;
    property.id = "batch_input_shape";
    property.label = inputShapeText("shape");
    property.documentation =
        inputShapeText("Extents of one sample, without the batch: 784, or 28 × 28 × 1 for pictures.");
    property.editor = PropertyEditor::Tuple;
    property.accepted = inputShapeText("whole numbers from 1, such as 28 × 28 × 1");
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
                inputShapeText("write the extents of one sample as whole numbers from 1, such as "
                               "28 × 28 × 1"));
    }
    Json shape = Json::array({std::move(batch)});
    for (const Json& extent : sample)
        shape.push_back(extent);
    return shape;
}

} // namespace views
