#include "core/plan/prediction_interval.h"

#include <algorithm>
#include <string>

namespace core {

namespace {

/// Whether a layer of the model has a class whose name holds `part`.
bool hasLayer(const Json& value, std::string_view part) {
    if (value.is_object()) {
        const auto name = value.find("class_name");
        if (name != value.end() && name->is_string() &&
            name->get_ref<const std::string&>().find(part) != std::string::npos)
            return true;
    }
    return value.is_structured() &&
           std::ranges::any_of(value, [&](const Json& inner) { return hasLayer(inner, part); });
}

} // namespace

ProgramFamily programFamily(const Json& model) {
    return hasLayer(model, "Attention") ? ProgramFamily::Transformer
           : hasLayer(model, "Conv")    ? ProgramFamily::Convolutional
                                        : ProgramFamily::Other;
}

PredictionInterval throughputInterval(ProgramFamily family) {
    constexpr PredictionInterval transformer{0.877, 1.130};
    constexpr PredictionInterval convolutional{0.945, 1.112};
    return family == ProgramFamily::Convolutional ? convolutional : transformer;
}

PredictionInterval peakInterval() {
    return {0.951, 1.066};
}

} // namespace core
