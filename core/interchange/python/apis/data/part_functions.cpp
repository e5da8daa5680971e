// Functions that answer several arrays, and what makes arrays of places. One row per function.
#include "core/interchange/python/apis/data/part_functions.h"

#include "core/interchange/python/apis/data/data_methods.h"
#include "core/interchange/python/apis/data/shape_functions.h"
#include "core/interchange/python/draft/sample_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace core {

namespace {

PythonValue ofShape(Json shape) {
    return arrayOfShape(std::move(shape));
}

PythonValue placesOfShape(Json shape) {
    PythonData made = arrayOfShape(std::move(shape));
    made.areWhole = true;
    return made;
}

/// split(a, 3) and split(a, [2, 5]); TensorFlow's list says how long each part is.
PythonValue axesOfParted(const PythonApiCall& call) {
    const std::string name = call.name();
    const PythonValue* array = shapedArgument(call);
    const PythonValue* sections =
        call.arguments.find(call.path.starts_with("tf.") ? "num_or_size_splits" : "indices_or_sections", 1);
    const PythonValue* axis = call.arguments.find("axis", 2);
    const Json shape = firstShape(call);
    const auto rank = shape.size();
    const auto at = name == "vsplit"   ? std::optional<std::size_t>(0)
                    : name == "hsplit" ? std::optional<std::size_t>(rank > 1 ? 1 : 0)
                    : name == "dsplit" ? std::optional<std::size_t>(2)
                                       : axisAt(axis, rank, 0);
    if (array == nullptr || sections == nullptr)
        return samplesOfArguments(call.arguments);
    const bool isKnown = shape.is_array() && at && *at < rank;
    const Json extent = isKnown ? shape[*at] : Json();
    std::vector<Json> lengths;
    if (sections->isWhole()) {
        constexpr std::int64_t most = 100000;
        const auto count = sections->constant().get<std::int64_t>();
        if (count < 1 || count > most)
            return samplesOfArguments(call.arguments);
        const std::int64_t whole = extent.is_number_integer() ? extent.get<std::int64_t>() : -1;
        for (std::int64_t i = 0; i < count; ++i) // array_split() gives the first ones what is left over
            lengths.push_back(whole < 0 ? Json() : Json(whole / count + (i < whole % count ? 1 : 0)));
    } else {
        const Json given = writtenShape(*sections);
        if (!given.is_array())
            return samplesOfArguments(call.arguments);
        Json before = 0;
        for (const Json& one : given) {
            const bool isPlain = one.is_number_integer() && one >= 0 && before.is_number_integer();
            lengths.push_back(call.path.starts_with("tf.") ? one
                              : isPlain                    ? sumOfExtents(one, -before.get<std::int64_t>())
                                                           : Json());
            before = one.is_number_integer() && one >= 0 ? one : Json();
        }
        if (!call.path.starts_with("tf."))
            lengths.push_back(before.is_number_integer() ? sumOfExtents(extent, -before.get<std::int64_t>())
                                                         : Json());
        if (call.path.starts_with("tf."))
            for (Json& length : lengths)
                if (length == -1)
                    length = nullptr;
    }
    PythonValues parts;
    for (const Json& length : lengths) {
        Json own = isKnown ? shape : Json();
        if (isKnown)
            own[*at] = length;
        parts.push_back(likeArray(*array, std::move(own)));
    }
    return pythonList(std::move(parts));
}

/// unstack(a, axis): its rows.
PythonValue axesOfUnstacked(const PythonApiCall& call) {
    Json shape = firstShape(call);
    const auto at = axisAt(call.arguments.find("axis", 2), shape.size(), 0);
    constexpr std::int64_t most = 100000;
    if (!shape.is_array() || !at || !shape[*at].is_number_integer() || shape[*at] > most)
        return samplesOfArguments(call.arguments);
    const auto count = shape[*at].get<std::size_t>();
    shape.erase(*at);
    return pythonList(PythonValues(count, likeArray(*shapedArgument(call), shape)));
}

/// meshgrid(x, y): the extents of all of them, those of the first two in turn.
PythonValue axesOfMesh(const PythonApiCall& call) {
    const PythonValue* indexing = call.arguments.keyword("indexing");
    const PythonValue* isSparse = call.arguments.keyword("sparse");
    Json shape = Json::array();
    for (const PythonValue& axis : call.arguments.list)
        shape.push_back(flatExtent(shapeOf(axis)));
    if (isSparse != nullptr && isSparse->constant() != false)
        return pythonList(PythonValues(call.arguments.list.size(), PythonValue(PythonData())));
    if (shape.size() > 1 && (indexing == nullptr || indexing->constant() == "xy"))
        std::swap(shape[0], shape[1]);
    PythonValues parts;
    for (const PythonValue& axis : call.arguments.list)
        parts.push_back(likeArray(axis, shape));
    return pythonList(std::move(parts));
}

/// indices((4, 6)): the places of each axis.
PythonValue axesOfPlaces(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.find("dimensions", 0);
    const Json shape = given == nullptr ? Json() : writtenShape(*given);
    if (!shape.is_array())
        return samplesOfArguments(call.arguments);
    Json whole = Json::array({shape.size()});
    whole.insert(whole.end(), shape.begin(), shape.end());
    return placesOfShape(std::move(whole));
}

/// fromfunction(f, (4, 6)): f on the places of each axis.
PythonValue axesOfFunction(const PythonApiCall& call) {
    const PythonValue* function = call.arguments.find("function", 0);
    const PythonValue* given = call.arguments.find("shape", 1);
    const Json shape = given == nullptr ? Json() : writtenShape(*given);
    if (function == nullptr || !shape.is_array())
        return samplesOfArguments(call.arguments);
    PythonArguments all{PythonValues(shape.size(), placesOfShape(shape)), {}, call.place()};
    const PythonValue callee = *function;
    return call.interpreter.call(callee, all);
}

/// where(condition, a, b); of a condition alone it is its places.
PythonValue axesOfChosen(const PythonApiCall& call) {
    const PythonValue* condition = call.arguments.find("condition", 0);
    const PythonValue* first = call.arguments.find("x", 1);
    const PythonValue* second = call.arguments.find("y", 2);
    const Json shape = condition == nullptr ? Json() : shapeOf(*condition);
    if (first != nullptr && second != nullptr)
        return likeArray(first->is<PythonData>() ? *first : *second,
                         broadcastShapes(shape, broadcastShapes(shapeOf(*first), shapeOf(*second))));
    if (!shape.is_array())
        return samplesOfArguments(call.arguments);
    if (call.path.starts_with("tf."))
        return placesOfShape(Json::array({nullptr, shape.size()}));
    return pythonList(PythonValues(shape.size(), placesOfShape(Json::array({nullptr}))), true);
}

PythonValue axesOfPlacesNotZero(const PythonApiCall& call) {
    const Json shape = firstShape(call);
    return shape.is_array()
               ? pythonList(PythonValues(shape.size(), placesOfShape(Json::array({nullptr}))), true)
               : PythonValue(samplesOfArguments(call.arguments));
}

/// histogram(a, bins): how many are in each, and their bounds.
PythonValue axesOfHistogram(const PythonApiCall& call) {
    const PythonValue* bins = call.arguments.find("bins", 1);
    constexpr int byDefault = 10;
    const Json bounds = bins != nullptr && !bins->isWhole() ? shapeOf(*bins) : Json();
    const Json count = bins == nullptr      ? Json(byDefault)
                       : bins->isWhole()    ? bins->constant()
                       : bounds.size() == 1 ? sumOfExtents(bounds[0], -1)
                                            : Json();
    return pythonList({ofShape(Json::array({count})), ofShape(Json::array({sumOfExtents(count, 1)}))}, true);
}

struct PartsFunction {
    std::string_view name;
    PythonValue (*meaning)(const PythonApiCall&);
};
constexpr std::array partsFunctions{
    PartsFunction{"split", axesOfParted},        PartsFunction{"array_split", axesOfParted},
    PartsFunction{"vsplit", axesOfParted},       PartsFunction{"hsplit", axesOfParted},
    PartsFunction{"dsplit", axesOfParted},       PartsFunction{"unstack", axesOfUnstacked},
    PartsFunction{"meshgrid", axesOfMesh},       PartsFunction{"indices", axesOfPlaces},
    PartsFunction{"where", axesOfChosen},        PartsFunction{"nonzero", axesOfPlacesNotZero},
    PartsFunction{"histogram", axesOfHistogram}, PartsFunction{"fromfunction", axesOfFunction},
};

/// Extent of one axis of mgrid: a step that is an imaginary number says how many.
Json gridExtent(const PythonValue& entry) {
    const auto* slice = entry.as<PythonSlice>();
    if (slice == nullptr)
        return nullptr;
    const auto bound = [&](std::size_t which, double byDefault) -> std::optional<double> {
        const PythonValue& value = slice->bounds->at(which);
        if (value.isNone())
            return byDefault;
        return value.isNumber() ? std::optional(value.constant().get<double>()) : std::nullopt;
    };
    const auto begin = bound(0, 0);
    const auto end = bound(1, 0);
    const auto step = bound(2, 1);
    if (!begin || !end || !step || *step == 0)
        return nullptr;
    constexpr double most = 1e9;
    return static_cast<std::int64_t>(std::clamp(std::ceil((*end - *begin) / *step), 0.0, most));
}

} // namespace

std::optional<PythonValue> partsOfArray(const PythonApiCall& call, const std::string& name) {
    const auto row = std::ranges::find(partsFunctions, name, &PartsFunction::name);
    return row == partsFunctions.end() ? std::nullopt : std::optional(row->meaning(call));
}

std::optional<PythonValue> indexedMaker(const std::string& path, const PythonValue& index) {
    const auto* tuple = index.as<PythonList>();
    const PythonValues entries = tuple != nullptr && tuple->isTuple ? *tuple->items : PythonValues{index};
    if (path == "np.mgrid" || path == "np.ogrid") {
        Json shape = Json::array();
        for (const PythonValue& entry : entries)
            shape.push_back(gridExtent(entry));
        if (path == "np.ogrid") {
            PythonValues axes;
            for (std::size_t i = 0; i < shape.size(); ++i) {
                Json own(shape.size(), 1);
                own[i] = shape[i];
                axes.push_back(ofShape(std::move(own)));
            }
            return axes.size() == 1 ? axes.front() : pythonList(std::move(axes));
        }
        if (tuple != nullptr && tuple->isTuple)
            shape.insert(shape.begin(), Json(shape.size()));
        return placesOfShape(std::move(shape));
    }
    if (path != "np.c_" && path != "np.r_")
        return std::nullopt;
    Json whole;
    const std::size_t axis = path == "np.c_" ? 1 : 0;
    for (const PythonValue& entry : entries) {
        Json shape = entry.is<PythonSlice>() ? Json::array({gridExtent(entry)}) : shapeOf(entry);
        if (shape.is_array() && shape.empty())
            shape.push_back(1);
        if (shape.is_array() && shape.size() == 1 && axis == 1)
            shape.push_back(1);
        if (!appendShape(whole, std::move(shape), axis))
            return PythonData();
    }
    return likeArray(entries.empty() ? PythonValue() : entries.front(), std::move(whole));
}

} // namespace core
