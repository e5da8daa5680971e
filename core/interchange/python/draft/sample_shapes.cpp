#include "core/interchange/python/draft/sample_shapes.h"

#include "core/interchange/python/draft/constant_array.h"
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

/// How many places of an axis a slice takes; nothing: it is no slice, and the axis goes.
std::optional<Json> takenOf(const Json& extent, const PythonValue& entry) {
    const auto* slice = entry.as<PythonSlice>();
    if (slice != nullptr) {
        const bool isWhole =
            std::ranges::all_of(*slice->bounds, [](const auto& bound) { return bound.isNone(); });
        if (isWhole)
            return extent;
        if (std::ranges::any_of(*slice->bounds,
                                [](const auto& bound) { return bound.template is<PythonData>(); })) {
            const bool isLess = slice->length &&
                                (!extent.is_number_integer() || *slice->length <= extent.get<std::int64_t>());
            return isLess ? Json(*slice->length) : Json();
        }
        return extent.is_number_integer() && extent.get<std::int64_t>() >= 0
                   ? Json(countOfPlaces(extent.get<std::int64_t>(), *slice))
                   : Json();
    }
    return std::nullopt;
}

/// What an entry of an index picks that is an array of places, or a mask.
struct PickedPlaces {
    Json shape;
    std::size_t axes = 1; ///< how many it takes the place of; 0: whether it is a mask is not known
};

bool isNumberOfRun(const PythonValue& entry) {
    const auto* data = entry.as<PythonData>();
    return data != nullptr && data->shape.is_array() && data->shape.empty();
}

/// Nothing: it is a slice, a number, None or an ellipsis.
std::optional<PickedPlaces> pickedBy(const PythonValue& entry) {
    const auto* data = entry.as<PythonData>();
    const auto* list = entry.as<PythonList>();
    if ((data == nullptr && list == nullptr) || isNumberOfRun(entry))
        return std::nullopt;
    if (const auto array = arrayOf(entry)) {
        if (array->kind == PythonArray::Kind::Truth)
            return PickedPlaces{
                Json::array({std::ranges::count_if(array->numbers, [](double one) { return one != 0; })}),
                array->extents.size()};
        return PickedPlaces{array->extents, 1};
    }
    if (list != nullptr) {
        const auto length = lengthOf(*list);
        return PickedPlaces{Json::array({length ? Json(*length) : Json()}), 1};
    }
    if (data->areWhole && data->shape.is_array())
        return PickedPlaces{data->shape, 1};
    const bool mayBeBoth = data->shape.is_array() && data->shape.size() > 1;
    return PickedPlaces{Json::array({nullptr}), mayBeBoth ? 0U : 1U};
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

PythonData arrayOfList(const PythonValue& list) {
    PythonData data = arrayOfShape(shapeOf(list));
    const auto* values = list.as<PythonList>();
    const auto length = values == nullptr ? std::nullopt : lengthOf(*values);
    if (!data.shape.is_array() && length && *length > 0)
        data.count = *length;
    return data;
}

bool areWholeNumbers(const PythonValue& value) {
    const auto* data = value.as<PythonData>();
    return data != nullptr ? data->areWhole : value.isWhole();
}

PythonData likeArray(const PythonValue& source, Json shape) {
    PythonData made;
    if (const auto* data = source.as<PythonData>())
        made = *data;
    made.array = nullptr;
    made.placeholder = 0;
    made.element = nullptr;
    made.whole = nullptr;
    made.count = PythonData::unknownCount;
    made.shape = std::move(shape);
    return made;
}

std::optional<std::size_t> axisAt(const PythonValue* axis, std::size_t rank) {
    if (axis == nullptr || !axis->isWhole())
        return std::nullopt;
    const auto at = axis->constant().get<std::int64_t>();
    const std::int64_t place = at < 0 ? at + static_cast<std::int64_t>(rank) : at;
    return place >= 0 && place < static_cast<std::int64_t>(rank)
               ? std::optional(static_cast<std::size_t>(place))
               : std::nullopt;
}

std::optional<std::size_t> axisAt(const PythonValue* axis, std::size_t rank, std::int64_t otherwise) {
    const PythonValue usual = pythonConstant(otherwise);
    return axisAt(axis == nullptr ? &usual : axis, rank);
}

std::optional<std::size_t> flatUnlessAxis(Json& shape, const PythonValue* axis) {
    if (axis != nullptr && !axis->isNone())
        return axisAt(axis, shape.size());
    shape = Json::array({flatExtent(shape)});
    return 0;
}

Json shapeOf(const PythonValue& value) {
    if (const auto* data = value.as<PythonData>())
        return data->element == nullptr && data->placeholder == 0 ? data->shape : Json();
    if (value.isNumber() || value.constant().is_boolean())
        return Json::array();
    const auto* list = value.as<PythonList>();
    if (list == nullptr || list->isSet || list->isIterator || list->items->empty())
        return nullptr;
    const auto length = lengthOf(*list);
    const auto* many = list->items->front().as<PythonData>();
    const bool isMany = many != nullptr && many->standsForMany && many->element != nullptr;
    const Json inner = !length ? Json() : shapeOf(isMany ? *many->element : list->items->front());
    if (inner.is_null())
        return nullptr;
    Json shape = Json::array({*length});
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

Json productOfExtents(const Json& a, const Json& b) {
    std::int64_t product = 0;
    const bool isKnown = a.is_number_integer() && b.is_number_integer() &&
                         !__builtin_mul_overflow(a.get<std::int64_t>(), b.get<std::int64_t>(), &product);
    return isKnown ? Json(product) : Json();
}

Json sumOfExtents(const Json& a, std::int64_t b) {
    std::int64_t sum = 0;
    const bool isKnown = a.is_number_integer() && !__builtin_add_overflow(a.get<std::int64_t>(), b, &sum);
    return isKnown && sum >= 0 ? Json(sum) : Json();
}

Json sumOfExtents(const Json& a, const Json& b) {
    return b.is_number_integer() ? sumOfExtents(a, b.get<std::int64_t>()) : Json();
}

Json flatExtent(const Json& shape) {
    const auto count = shape.is_array() ? countElements(shape) : std::nullopt;
    return count ? Json(*count) : Json();
}

Json productOfShapes(Json a, Json b) {
    if (!a.is_array() || !b.is_array())
        return nullptr;
    Json& shorter = a.size() < b.size() ? a : b;
    shorter.insert(shorter.begin(), std::max(a.size(), b.size()) - shorter.size(), 1);
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = productOfExtents(a[i], b[i]);
    return a;
}

bool appendShape(Json& whole, Json shape, std::size_t axis) {
    if (!shape.is_array() || shape.size() <= axis || (!whole.is_null() && whole.size() != shape.size()))
        return false;
    if (whole.is_null())
        whole = std::move(shape);
    else
        whole[axis] = sumOfExtents(whole[axis], shape[axis]);
    return true;
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
    const bool areNames =
        index.isText() || std::ranges::any_of(index.items(), [](const auto& item) { return item.isText(); });
    if (!shape.is_array() || areNames) // columns of a table
        return nullptr;
    const auto* tuple = index.as<PythonList>();
    const PythonValues entries = tuple != nullptr && tuple->isTuple ? *tuple->items : PythonValues{index};
    std::vector<std::optional<PickedPlaces>> picks;
    std::size_t named = 0;
    bool arePicked = false;
    for (const PythonValue& entry : entries) {
        picks.push_back(pickedBy(entry));
        if (picks.back() && picks.back()->axes == 0)
            return nullptr;
        arePicked = arePicked || picks.back();
        named += picks.back() ? picks.back()->axes : !entry.isNone() && !entry.is<PythonEllipsis>() ? 1U : 0U;
    }
    if (named > shape.size())
        return nullptr;
    Json made = Json::array();
    Json picked = Json::array();
    std::optional<std::size_t> pickedAt;
    bool wasPick = false;
    std::size_t axis = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const PythonValue& entry = entries[i];
        // Numbers beside arrays of places are such arrays.
        if (picks[i] || (arePicked && (entry.isWhole() || isNumberOfRun(entry)))) {
            if (picks[i])
                picked = broadcastShapes(picked, picks[i]->shape);
            axis += picks[i] ? picks[i]->axes : 1;
            // Between others they stand where the first is; apart from each other they come first.
            pickedAt = !pickedAt ? made.size() : wasPick ? *pickedAt : 0;
            wasPick = true;
            continue;
        }
        wasPick = false;
        if (entry.isNone()) {
            made.push_back(1);
        } else if (entry.is<PythonEllipsis>()) {
            for (std::size_t j = named; j < shape.size(); ++j)
                made.push_back(shape[axis++]);
        } else if (axis < shape.size()) {
            if (auto extent = takenOf(shape[axis++], entry))
                made.push_back(std::move(*extent));
        }
    }
    while (axis < shape.size())
        made.push_back(shape[axis++]);
    if (pickedAt)
        made.insert(made.begin() + static_cast<std::ptrdiff_t>(*pickedAt), picked.begin(), picked.end());
    return made;
}

Json withoutBatch(Json shape) {
    if (shape.is_array() && !shape.empty())
        shape.erase(0);
    return shape;
}

Json reducedShape(const Json& shape, const PythonValue* axis, bool keepsAxis) {
    const bool isAll = axis == nullptr || axis->isNone();
    if (isAll && !keepsAxis)
        return Json::array();
    if (!shape.is_array())
        return nullptr;
    if (isAll)
        return Json(shape.size(), 1);
    const PythonValues given = axis->is<PythonList>() ? axis->items() : PythonValues{*axis};
    if (!std::ranges::all_of(given, &PythonValue::isWhole))
        return nullptr;
    Json made = Json::array();
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const bool goes = std::ranges::any_of(given, [&](const PythonValue& one) {
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
        row.count = array.element == nullptr ? PythonData::unknownCount : array.count;
        return row;
    });
}

std::int64_t countSamples(const PythonValue& structure) {
    std::int64_t count = PythonData::unknownCount;
    static_cast<void>(mapSamples(structure, [&](const PythonData& array) {
        const bool isKnown =
            array.shape.is_array() && !array.shape.empty() && array.shape[0].is_number_integer();
        const std::int64_t own = isKnown ? array.shape[0].get<std::int64_t>()
                                 : array.shape.is_array() || array.element != nullptr
                                     ? PythonData::unknownCount
                                     : array.count;
        count = count < 0 ? own : count;
        return array;
    }));
    return count < 0 ? PythonData::unknownCount : count;
}

} // namespace core
