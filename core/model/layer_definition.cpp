#include "core/model/layer_definition.h"

#include <algorithm>
#include <array>
#include <utility>

namespace core {

namespace {

constexpr std::array<std::pair<LayerCategory, std::string_view>, 14> categoryNames{{
    {LayerCategory::Core, "Core"},
    {LayerCategory::Activation, "Activation"},
    {LayerCategory::Convolution, "Convolution"},
    {LayerCategory::Pooling, "Pooling"},
    {LayerCategory::Normalization, "Normalization"},
    {LayerCategory::Regularization, "Regularization"},
    {LayerCategory::Recurrent, "Recurrent"},
    {LayerCategory::Attention, "Attention"},
    {LayerCategory::Merging, "Merging"},
    {LayerCategory::Reshaping, "Reshaping"},
    {LayerCategory::Preprocessing, "Preprocessing"},
    {LayerCategory::Wrapper, "Wrapper"},
    {LayerCategory::Operation, "Operation"},
    {LayerCategory::Ipu, "IPU"},
}};

constexpr auto categories = [] {
    std::array<LayerCategory, categoryNames.size()> list{};
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i] = categoryNames[i].first;
    return list;
}();

std::vector<AttributeDefinition> makeCommonAttributes() {
    using namespace attribute;
    return {
        text("name", "Name of the layer, unique in its model.").nullable(),
        boolean("trainable", true, "Whether training changes the layer's weights."),
        any(AttributeKind::DataType, "dtype",
            "Element type or precision policy of the layer; \"float32\" is what the run's precision is, a "
            "policy "
            "{\"class_name\": \"Policy\", \"config\": {\"name\": \"float32\"}} is float32 in any run.")
            .defaults("float32")
            .nullable(),
        any(AttributeKind::Shape, "batch_input_shape",
            "Shape of the input with its batch axis; counts only on the first layer of a Sequential model.")
            .between(0, largestExtent)
            .nullable()
            .alias("batch_shape"),
        json("input_dtype", nullptr, "Bookkeeping of old editions."),
        json("dynamic", nullptr, "Bookkeeping of old editions."),
        json("autocast", nullptr, "Bookkeeping of newer editions."),
        json("build_input_shape", nullptr, "Bookkeeping of newer editions."),
        json("quantization_config", nullptr, "Bookkeeping of newer editions."),
    };
}

bool answersTo(const AttributeDefinition& attribute, std::string_view name) {
    return attribute.name == name ||
           std::find(attribute.aliases.begin(), attribute.aliases.end(), name) != attribute.aliases.end();
}

const AttributeDefinition* findIn(const std::vector<AttributeDefinition>& attributes, std::string_view name) {
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const auto& attribute) { return answersTo(attribute, name); });
    return found == attributes.end() ? nullptr : &*found;
}

} // namespace

std::string_view toString(LayerCategory category) {
    return categoryNames[static_cast<std::size_t>(category)].second;
}

std::span<const LayerCategory> layerCategories() {
    return categories;
}

const std::vector<AttributeDefinition>& commonAttributes() {
    static const std::vector<AttributeDefinition> attributes = makeCommonAttributes();
    return attributes;
}

const AttributeDefinition* LayerDefinition::findAttribute(std::string_view name) const {
    const AttributeDefinition* own = findIn(attributes, name);
    return own != nullptr ? own : findIn(commonAttributes(), name);
}

} // namespace core
