#include "core/interchange/python/draft/sample_shapes.h"

#include "core/interchange/python/language/operators.h"

#include <algorithm>

namespace core {

namespace {

/// Longer axes than any memory holds are open, so that products of a few extents stay within their range.
constexpr std::int64_t mostExtent = std::int64_t{1} << 31;

/// Product of all extents; nothing where one is open.
std::optional<std::int64_t> countElements(const Json& shape) {
    std::int64_t count = 1;
    for (const Json& extent : shape) {
        if (!extent.is_number_integer() || __builtin_mul_overflow(count, extent.get<std::int64_t>(), &count))
            return std::nullopt;
    }
    return count;
}

/// How many places of an axis one entry of an index takes; nothing: the axis goes.
std::optional<Json> takenOf(const Json& extent, const PythonValue& entry) {
    const auto* slice = entry.as<PythonSlice>();
    if (slice != nullptr) {
        const bool isWhole =
            std::ranges::all_of(*slice->bounds, [](const auto& bound) { return bound.isNone(); });
        if (isWhole)
            return extent;
        if (std::ranges::any_of(*slice->bounds,
                                [](const auto& bound) { return bound.template is<PythonData>(); }))
            return Json();
        const PythonValues& bounds = *slice->bounds;
        constexpr std::int64_t most = 1 << 20;
        if (extent.is_number_integer() && extent.get<std::int64_t>() >= 0 &&
            extent.get<std::int64_t>() <= most)
            return Json(sliceOfPlaces(extent.get<std::size_t>(), *slice).items().size());
        const bool isFirst = (bounds[0].isNone() || bounds[0].constant() == 0) && bounds[1].isWhole() &&
                             bounds[1].constant().get<std::int64_t>() >= 0;
        return isFirst && extent.is_number_integer()
                   ? Json(std::min(extent.get<std::int64_t>(), bounds[1].constant().get<std::int64_t>()))
                   : Json();
    }
    if (entry.isWhole())
        return std::nullopt;
    if (const auto* list = entry.as<PythonList>())
        return Json(list->items->size());
    const auto* data = entry.as<PythonData>(); // places, or a mask
    return data != nullptr && data->shape.is_array() && data->shape.empty() ? std::nullopt
                                                                            : std::optional(Json());
}

} // namespace

PythonData arrayOfShape(Json shape) {
    PythonData data;
    data.shape = std::move(shape);
    return data;
}

PythonData samplesFrom(std::string origin) {
    PythonData data;
    data.origin = std::move(origin);
    return data;
}

Json shapeOf(const PythonValue& value) {
    if (const auto* data = value.as<PythonData>())
        return data->element == nullptr && data->placeholder == 0 ? data->shape : Json();
    if (value.isNumber() || value.constant().is_boolean())
        return Json::array();
    const auto* list = value.as<PythonList>();
    if (list == nullptr || list->isSet || list->isIterator || list->items->empty())
        return nullptr;
    if (manyIn(value) != nullptr)
        return nullptr;
    const Json inner = shapeOf(list->items->front());
    if (inner.is_null())
        return nullptr;
    Json shape = Json::array({list->items->size()});
    shape.insert(shape.end(), inner.begin(), inner.end());
    return shape;
}

Json writtenShape(const PythonValue& value) {
    if (value.isWhole())
        return Json::array({value.constant()});
    const auto* list = value.as<PythonList>();
    if (list == nullptr)
        return nullptr;
    Json shape = Json::array();
    for (const PythonValue& extent : *list->items) {
        if (!extent.isWhole() && !extent.isNone() && !extent.is<PythonData>())
            return nullptr;
        const bool isSize = extent.isWhole() && extent.constant().get<std::int64_t>() < mostExtent;
        shape.push_back(isSize ? extent.constant() : Json());
    }
    return shape;
}

Json broadcastShapes(const Json& a, const Json& b) {
    if (!a.is_array() || !b.is_array())
        return nullptr;
    const Json& longer = a.size() >= b.size() ? a : b;
    const Json& shorter = a.size() >= b.size() ? b : a;
    Json shape = longer;
    for (std::size_t i = 0; i < shorter.size(); ++i) {
        Json& extent = shape[longer.size() - shorter.size() + i];
        const Json& other = shorter[i];
        if (extent == 1 || (extent.is_null() && other != 1))
            extent = Json(other);
    }
    return shape;
}

Json productShape(const Json& a, const Json& b) {
    constexpr std::size_t matrix = 2;
    if (!a.is_array() || !b.is_array() || a.size() < matrix || b.size() < matrix)
        return nullptr;
    Json shape = a.size() >= b.size() ? a : b; // the axes before the matrices
    shape[shape.size() - 2] = a[a.size() - 2];
    shape[shape.size() - 1] = b[b.size() - 1];
    return shape;
}

Json reshapedShape(const Json& shape, const Json& target) {
    if (!target.is_array())
        return nullptr;
    Json made = target;
    std::int64_t known = 1;
    Json* open = nullptr;
    for (Json& extent : made) {
        if (extent == -1)
            open = &extent;
        else if (!extent.is_number_integer() ||
                 __builtin_mul_overflow(known, extent.get<std::int64_t>(), &known))
            known = 0;
    }
    if (open == nullptr)
        return made;
    const auto whole = shape.is_array() ? countElements(shape) : std::nullopt;
    *open = whole && known > 0 && *whole % known == 0 ? Json(*whole / known) : Json();
    return made;
}

Json indexedShape(const Json& shape, const PythonValue& index) {
    if (!shape.is_array())
        return nullptr;
    const auto* tuple = index.as<PythonList>();
    const PythonValues entries = tuple != nullptr && tuple->isTuple ? *tuple->items : PythonValues{index};
    const auto takesAxis = [](const PythonValue& entry) {
        return !entry.isNone() && !entry.is<PythonEllipsis>();
    };
    const auto named = static_cast<std::size_t>(std::ranges::count_if(entries, takesAxis));
    if (named > shape.size())
        return nullptr;
    Json made = Json::array();
    std::size_t axis = 0;
    for (const PythonValue& entry : entries) {
        if (entry.isNone()) {
            made.push_back(1);
        } else if (entry.is<PythonEllipsis>()) {
            for (std::size_t i = named; i < shape.size(); ++i)
                made.push_back(shape[axis++]);
        } else if (axis < shape.size()) {
            if (auto extent = takenOf(shape[axis++], entry))
                made.push_back(std::move(*extent));
        }
    }
    while (axis < shape.size())
        made.push_back(shape[axis++]);
    return made;
}

Json reducedShape(const Json& shape, const PythonValue* axis, bool keepsAxis) {
    if (axis == nullptr || axis->isNone())
        return Json::array();
    if (!shape.is_array())
        return nullptr;
    const PythonValues given = axis->is<PythonList>() ? axis->items() : PythonValues{*axis};
    Json made = Json::array();
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const bool goes = std::ranges::any_of(given, [&](const PythonValue& one) {
            if (!one.isWhole())
                return false;
            const auto at = one.constant().get<std::int64_t>();
            return at == static_cast<std::int64_t>(i) ||
                   at + static_cast<std::int64_t>(shape.size()) == static_cast<std::int64_t>(i);
        });
        if (!goes)
            made.push_back(shape[i]);
        else if (keepsAxis)
            made.push_back(1);
    }
    return made;
}

PythonValue mapSamples(const PythonValue& structure,
                       const std::function<PythonData(const PythonData&)>& change) {
    if (const auto* data = structure.as<PythonData>())
        return change(*data);
    if (const auto* list = structure.as<PythonList>()) {
        PythonValues items;
        for (const PythonValue& item : *list->items)
            items.push_back(mapSamples(item, change));
        return pythonList(std::move(items), list->isTuple);
    }
    if (const auto* dictionary = structure.as<PythonDictionary>()) {
        std::vector<std::pair<PythonValue, PythonValue>> entries;
        for (const auto& [key, value] : *dictionary->entries)
            entries.emplace_back(key, mapSamples(value, change));
        return pythonDictionary(std::move(entries));
    }
    return structure;
}

const PythonData* firstSamples(const PythonValue& structure) {
    if (const auto* data = structure.as<PythonData>())
        return data;
    for (const PythonValue& item : structure.items())
        if (const PythonData* data = firstSamples(item))
            return data;
    if (const auto* dictionary = structure.as<PythonDictionary>())
        for (const auto& entry : *dictionary->entries)
            if (const PythonData* data = firstSamples(entry.second))
                return data;
    return nullptr;
}

PythonValue oneSample(const PythonValue& structure) {
    return mapSamples(structure, [](const PythonData& array) {
        PythonData row = array;
        row.shape = array.shape.is_array() && !array.shape.empty()
                        ? Json(array.shape.begin() + 1, array.shape.end())
                        : Json();
        row.array = nullptr;
        return row;
    });
}

std::int64_t countSamples(const PythonValue& structure) {
    const PythonData* first = firstSamples(structure);
    const bool isKnown = first != nullptr && first->shape.is_array() && !first->shape.empty() &&
                         first->shape[0].is_number_integer();
    return isKnown ? first->shape[0].get<std::int64_t>() : PythonData::unknownCount;
}

} // namespace core
