#include "views/common/text/layer_texts.h"

#include "core/model/graph/layer_catalogue.h"
#include "views/common/text/number_text.h"

#include <QStringList>
#include <array>

namespace views {

namespace {

using core::Json;
using core::LayerCategory;

/// Drawings of single classes come before those of their category.
constexpr std::array<std::pair<std::string_view, const char*>, 6> classIcons{{
    {"InputLayer", "input"},
    {"Embedding", "embed"},
    {"ZeroPadding1D", "pad"},
    {"ZeroPadding2D", "pad"},
    {"ZeroPadding3D", "pad"},
    {"Dense", "dense"},
}};

const char* categoryIcon(LayerCategory category) {
    switch (category) {
    case LayerCategory::Core:
        return "dense";
    case LayerCategory::Activation:
        return "act";
    case LayerCategory::Convolution:
        return "conv";
    case LayerCategory::Pooling:
        return "pool";
    case LayerCategory::Normalization:
        return "norm";
    case LayerCategory::Regularization:
        return "drop";
    case LayerCategory::Recurrent:
        return "rnn";
    case LayerCategory::Attention:
        return "target";
    case LayerCategory::Merging:
        return "merge";
    case LayerCategory::Reshaping:
    case LayerCategory::Preprocessing:
        return "reshape";
    case LayerCategory::Wrapper:
        return "group";
    case LayerCategory::Operation:
        return "explain";
    case LayerCategory::Ipu:
        return "ipu";
    }
    return "dense";
}

/// Whether a list repeats one value: [3, 3], [[1, 1], [1, 1]].
bool repeatsOne(const Json& value) {
    return value.is_array() && !value.empty() &&
           std::all_of(value.begin(), value.end(), [&](const Json& e) { return e == value[0]; });
}

/// "3×3" from [3, 3], "3" from 3; a padding [[1, 2], [1, 2]] gives "1+2", [[3, 3], [3, 3]] just "3".
QString tupleText(const Json& value) {
    if (value.is_number_integer())
        return QString::number(value.get<std::int64_t>());
    if (!value.is_array())
        return {};
    const bool isPadding = !value.empty() && value[0].is_array();
    if (isPadding && repeatsOne(value))
        return repeatsOne(value[0]) ? tupleText(value[0][0])
                                    : tupleText(value[0]).replace(QChar(0x00D7), u'+');
    QStringList parts;
    for (const Json& element : value)
        parts.append(isPadding ? tupleText(element).replace(QChar(0x00D7), u'+') : tupleText(element));
    return parts.join(QChar(0x00D7));
}

bool isAllOnes(const Json& value) {
    if (value.is_number_integer())
        return value == 1;
    return value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& e) { return e == 1; });
}

QString strideText(const Json& value) {
    if (isAllOnes(value))
        return {};
    const bool isEven = value.is_array() &&
                        std::all_of(value.begin(), value.end(), [&](const Json& e) { return e == value[0]; });
    return u'/' + tupleText(isEven && !value.empty() ? value[0] : value);
}

QString valueText(std::string_view name, const Json& value) {
    if (value.is_null())
        return {};
    if (name == "strides")
        return strideText(value);
    if (name == "dilation_rate")
        return isAllOnes(value) ? QString() : QStringLiteral("d") + tupleText(value);
    if (name == "padding" && value.is_string())
        return {};
    if (name == "activation") {
        if (value.is_string())
            return value == "linear" ? QString() : toQString(value.get_ref<const std::string&>());
        return value.is_object() && value.contains("class_name") && value["class_name"].is_string()
                   ? toQString(value["class_name"].get_ref<const std::string&>())
                   : QString();
    }
    if (value.is_number_float())
        return compactText(value.get<double>());
    if (value.is_string())
        return toQString(value.get_ref<const std::string&>());
    return tupleText(value);
}

/// In the order in which they are read.
constexpr std::array<std::string_view, 20> telling{
    "kernel_size",   "pool_size", "size",         "padding",  "cropping",     "input_dim", "output_dim",
    "filters",       "units",     "num_heads",    "key_dim",  "groups_count", "rate",      "strides",
    "dilation_rate", "axis",      "target_shape", "function", "activation",   "n"};

} // namespace

QString layerIcon(std::string_view className) {
    for (const auto& [name, icon] : classIcons) {
        if (name == className)
            return QString::fromUtf8(icon);
    }
    const core::LayerDefinition* definition = core::findLayerDefinition(className);
    return QString::fromUtf8(definition != nullptr ? categoryIcon(definition->category) : "group");
}

QString layerAttributes(std::string_view className, const Json& config) {
    if (!config.is_object())
        return {};
    const bool isNormalization = className.find("Normalization") != std::string_view::npos;
    // Strides that equal the window are what a pooling layer does anyway.
    const bool isPool = config.contains("pool_size") && config.contains("strides") &&
                        config["pool_size"] == config["strides"];
    QStringList parts;
    for (const std::string_view name : telling) {
        const auto found = config.find(std::string(name));
        if (found == config.end() || (name == "axis" && isNormalization) || (name == "strides" && isPool))
            continue;
        const QString text = valueText(name, *found);
        if (!text.isEmpty())
            parts.append(text);
    }
    return parts.join(QStringLiteral(", "));
}

bool isFollowerClass(std::string_view className) {
    const core::LayerDefinition* definition = core::findLayerDefinition(className);
    if (definition == nullptr || definition->maximumInputs != 1)
        return false;
    switch (definition->category) {
    case LayerCategory::Activation:
    case LayerCategory::Normalization:
    case LayerCategory::Regularization:
        return true;
    default:
        return className == "Activation" || className.ends_with("Normalization");
    }
}

} // namespace views
