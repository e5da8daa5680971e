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

/// Extents of an input with the samples' axis, which may be null; null where the model does not say the
/// others.
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
                return *shape;
    }
    return nullptr;
}

/// The same without that axis.
Json extentsOfSample(const Json* config, std::size_t input) {
    Json extents = inputExtents(config, input);
    if (extents.is_array())
        extents.erase(0);
    return extents;
}

} // namespace

std::optional<std::vector<std::int64_t>> ownLabelExtents(const Json& model, bool areClasses) {
    const Json* config = member(&model, "config");
    const Json labels = extentsOfSample(config, 0);
    const Json predictions = extentsOfSample(config, 1);
    Json following = predictions;
    if (areClasses && following.is_array() && !following.empty())
        following.erase(following.size() - 1);
    if (!labels.is_array() || !following.is_array() || labels == following || labels == predictions)
        return std::nullopt;
    return labels.get<std::vector<std::int64_t>>();
}

std::optional<std::int64_t> ownLabelCount(const Json& model) {
    const Json extents = inputExtents(member(&model, "config"), 0);
    return extents.is_array() && extents[0].is_number_integer()
               ? std::optional(extents[0].get<std::int64_t>())
               : std::nullopt;
}

} // namespace core
