#include "core/model/tensor_indexing.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

/// Keras 3 keeps what Keras 2 writes beside it in "config".
const Json& fieldsOf(const Json& slice) {
    const auto config = slice.find("config");
    return config != slice.end() && config->is_object() ? *config : slice;
}

std::optional<std::int64_t> bound(const Json& slice, const char* name) {
    const Json& fields = fieldsOf(slice);
    const auto found = fields.find(name);
    return found != fields.end() && found->is_number_integer() ? std::optional(found->get<std::int64_t>())
                                                               : std::nullopt;
}

bool isOfClass(const Json& entry, const char* name) {
    const auto className = entry.find("class_name");
    return className != entry.end() && *className == name;
}

bool isEllipsis(const Json& entry) {
    return isOfClass(entry, "__ellipsis__");
}

bool isSlice(const Json& entry) {
    if (!entry.is_object())
        return false;
    const Json& fields = fieldsOf(entry);
    return fields.contains("start") || fields.contains("stop") || fields.contains("step") ||
           isOfClass(entry, "slice");
}

} // namespace

AxisRange AxisRange::of(const Json& slice, std::int64_t extent) {
    const std::int64_t step = bound(slice, "step").value_or(1);
    const std::int64_t low = step > 0 ? 0 : -1;
    const std::int64_t high = step > 0 ? extent : extent - 1;
    const auto place = [&](std::optional<std::int64_t> given, std::int64_t fallback) {
        if (!given)
            return fallback;
        return std::min(std::max(*given < 0 ? *given + extent : *given, low), high);
    };
    const std::int64_t begin = place(bound(slice, "start"), step > 0 ? 0 : extent - 1);
    const std::int64_t stop = place(bound(slice, "stop"), step > 0 ? extent : -1);
    const std::int64_t distance = step > 0 ? stop - begin : begin - stop;
    const std::int64_t stride = step > 0 ? step : -step;
    return {begin, step, distance <= 0 ? 0 : (distance - 1) / stride + 1};
}

RuleResult<std::vector<IndexedAxis>> indexedAxes(const Json& given, std::size_t rank) {
    Json spec = given;
    if (spec.is_null())
        spec = Json::array();
    if (!spec.is_array())
        spec = Json::array({spec});
    const auto takesAxis = [](const Json& entry) { return !entry.is_null() && !isEllipsis(entry); };
    std::vector<IndexedAxis> axes;
    std::size_t axis = 0;
    bool hasEllipsis = false;
    for (auto entry = spec.begin(); entry != spec.end(); ++entry) {
        if (entry->is_null()) {
            axes.push_back({});
            continue;
        }
        if (isEllipsis(*entry)) {
            if (hasEllipsis)
                return refuse("has two ellipses in its brackets", "an index may have one");
            hasEllipsis = true;
            const auto rest = static_cast<std::size_t>(std::count_if(entry, spec.end(), takesAxis));
            while (axis + rest < rank)
                axes.push_back({axis++, {}, {}});
            continue;
        }
        if (axis >= rank)
            return refuse(fmt::format("takes more axes than the {} of its input", rank),
                          "write at most one entry per axis");
        if (entry->is_number_integer()) {
            axes.push_back({axis++, {}, entry->get<std::int64_t>()});
        } else if (isSlice(*entry)) {
            if (bound(*entry, "step") == 0)
                return refuse("has a slice with step 0", "a step is any other whole number");
            axes.push_back({axis++, *entry, {}});
        } else {
            return refuse("is indexed by something else than whole numbers and slices",
                          "use tf.gather to read the places that a tensor names");
        }
    }
    while (axis < rank)
        axes.push_back({axis++, {}, {}});
    return axes;
}

} // namespace core
