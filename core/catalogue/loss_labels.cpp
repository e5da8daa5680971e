#include "core/catalogue/loss_labels.h"

#include <algorithm>

namespace core {

namespace {

/// Null: the model does not say it.
const Json* member(const Json* value, const char* key) {
    if (value == nullptr || !value->is_object())
        return nullptr;
    const auto found = value->find(key);
    return found == value->end() ? nullptr : &*found;
}

/// Extents of an input behind the samples' axis; null where the model does not say them all.
Json inputExtents(const Json* config, std::size_t input) {
    const Json* inputs = member(config, "input_layers");
    const Json* layers = member(config, "layers");
    const bool isNamed = inputs != nullptr && inputs->is_array() && input < inputs->size() &&
                         (*inputs)[input].is_array() && !(*inputs)[input].empty();
    if (!isNamed || layers == nullptr || !layers->is_array())
        return nullptr;
    for (const Json& layer : *layers) {
        const Json* own = member(&layer, "config");
        const Json* name = member(own, "name");
        if (name == nullptr || *name != (*inputs)[input][0])
            continue;
        for (const char* key : {"batch_input_shape", "batch_shape"})
            if (const Json* shape = member(own, key);
                shape != nullptr && shape->is_array() && !shape->empty() &&
                std::all_of(shape->begin() + 1, shape->end(), [](const Json& extent) {
                    return extent.is_number_integer() && extent.get<std::int64_t>() >= 0;
                }))
                return Json(shape->begin() + 1, shape->end());
    }
    return nullptr;
}

} // namespace

std::optional<std::vector<std::int64_t>> ownLabelExtents(const Json& model, bool areClasses) {
    const Json* config = member(&model, "config");
    const Json labels = inputExtents(config, 0);
    const Json predictions = inputExtents(config, 1);
    Json following = predictions;
    if (areClasses && following.is_array() && !following.empty())
        following.erase(following.size() - 1);
    if (!labels.is_array() || !following.is_array() || labels == following || labels == predictions)
        return std::nullopt;
    return labels.get<std::vector<std::int64_t>>();
}

} // namespace core
