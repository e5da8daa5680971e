// Places of arrays whose numbers the program says: of triangles, of what is not zero, of grids.
#include "core/interchange/python/apis/data/constants/constant_order.h"

#include "core/interchange/python/apis/data/constants/constant_functions.h"
#include "core/interchange/python/draft/sample_shapes.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace core {

namespace {

using Array = std::shared_ptr<const PythonArray>;
using PlacesByAxis = std::vector<std::vector<double>>; // by axis

std::optional<std::int64_t> wholeOf(const PythonValue* value, std::optional<std::int64_t> otherwise) {
    if (value == nullptr)
        return otherwise;
    return value->isWhole() ? std::optional(value->constant().get<std::int64_t>()) : std::nullopt;
}

PythonValue wholeArray(const PythonApiCall& call, std::vector<std::int64_t> extents,
                       std::vector<double> numbers) {
    PythonArray made;
    made.extents = std::move(extents);
    made.numbers = std::move(numbers);
    made.kind = PythonArray::Kind::Whole;
    markTensor(call, made);
    return pythonArray(std::move(made));
}

/// One array for each axis.
PythonValue arraysOfAxes(const PythonApiCall& call, PlacesByAxis places) {
    PythonValues arrays;
    for (std::vector<double>& axis : places) {
        const auto count = static_cast<std::int64_t>(axis.size());
        arrays.push_back(wholeArray(call, {count}, std::move(axis)));
    }
    return pythonList(std::move(arrays), true);
}

/// tril_indices(n, k, m) and triu_indices(n, k, m), and those of an array's last axes.
std::optional<PythonValue> placesOfTriangle(const PythonApiCall& call, const std::string& name) {
    const bool isOfArray = name.ends_with("_from");
    std::optional<std::int64_t> rows;
    std::optional<std::int64_t> columns;
    if (isOfArray) {
        const PythonValue* given = call.arguments.find("arr", 0);
        const Json shape = given == nullptr ? Json() : shapeOf(*given);
        if (!shape.is_array() || shape.size() != 2 || !shape[0].is_number_integer() ||
            !shape[1].is_number_integer())
            return std::nullopt;
        rows = shape[0].get<std::int64_t>();
        columns = shape[1].get<std::int64_t>();
    } else {
        rows = wholeOf(call.arguments.given("n", 0), std::nullopt);
        columns = wholeOf(call.arguments.given("m", 2), rows);
    }
    const auto diagonal = wholeOf(call.arguments.given("k", 1), 0);
    std::int64_t all = 0;
    if (!rows || !columns || !diagonal || *rows < 0 || *columns < 0 ||
        __builtin_mul_overflow(*rows, *columns, &all) || all > mostArrayNumbers)
        return std::nullopt;
    const bool isLower = name.starts_with("tril");
    PlacesByAxis places(2);
    for (std::int64_t row = 0; row < *rows; ++row)
        for (std::int64_t column = 0; column < *columns; ++column)
            if (isLower ? column - row <= *diagonal : column - row >= *diagonal) {
                places[0].push_back(static_cast<double>(row));
                places[1].push_back(static_cast<double>(column));
            }
    return arraysOfAxes(call, std::move(places));
}

/// The places of an array's numbers that are not zero, by axis.
PlacesByAxis placesNotZero(const PythonArray& array) {
    PlacesByAxis places(array.extents.size());
    for (std::size_t i = 0; i < array.numbers.size(); ++i) {
        if (array.numbers[i] == 0)
            continue;
        auto rest = static_cast<std::int64_t>(i);
        for (std::size_t axis = array.extents.size(); axis > 0; --axis) {
            places[axis - 1].push_back(static_cast<double>(rest % array.extents[axis - 1]));
            rest /= array.extents[axis - 1];
        }
    }
    return places;
}

/// nonzero(a), where(a), argwhere(a) and flatnonzero(a).
std::optional<PythonValue> placesOfChosen(const PythonApiCall& call, const std::string& name) {
    const bool isOne = call.arguments.list.size() + call.arguments.keywords.size() == 1;
    const Array array =
        !isOne || call.arguments.list.empty() ? nullptr : samplesArrayOf(call.arguments.list[0]);
    if (array == nullptr || array->extents.empty())
        return std::nullopt;
    if (name == "flatnonzero") {
        const auto flat = reshapedArray(*array, {-1});
        PlacesByAxis places = flat ? placesNotZero(*flat) : PlacesByAxis();
        if (places.empty())
            return std::nullopt;
        const auto count = static_cast<std::int64_t>(places[0].size());
        return wholeArray(call, {count}, std::move(places[0]));
    }
    PlacesByAxis places = placesNotZero(*array);
    if (name != "argwhere" && !call.path.starts_with("tf."))
        return arraysOfAxes(call, std::move(places));
    std::vector<double> rows;
    for (std::size_t i = 0; i < places[0].size(); ++i)
        for (const std::vector<double>& axis : places)
            rows.push_back(axis[i]);
    return wholeArray(call,
                      {static_cast<std::int64_t>(places[0].size()), static_cast<std::int64_t>(places.size())},
                      std::move(rows));
}

/// An array of these extents that has along one axis the numbers of a row.
std::optional<PythonArray> spreadAlong(const std::vector<std::int64_t>& extents, std::size_t axis,
                                       const PythonArray& row) {
    auto made = filledArray(extents, 0);
    std::int64_t behind = 1;
    for (std::size_t i = axis + 1; i < extents.size(); ++i)
        behind *= extents[i];
    for (std::size_t i = 0; made && i < made->numbers.size(); ++i)
        made->numbers[i] =
            row.numbers[static_cast<std::size_t>(static_cast<std::int64_t>(i) / behind % extents[axis])];
    if (made)
        made->kind = row.kind;
    return made;
}

/// meshgrid(x, y, indexing=…): the first two axes change places where it is "xy".
std::optional<PythonValue> placesOfMesh(const PythonApiCall& call, const std::string&) {
    const PythonValue* indexing = call.arguments.keyword("indexing");
    const PythonValue* sparse = call.arguments.keyword("sparse");
    std::vector<PythonArray> rows;
    for (const PythonValue& given : call.arguments.list) {
        const Array array = samplesArrayOf(given);
        auto flat = array == nullptr ? std::nullopt : reshapedArray(*array, {-1});
        if (!flat)
            return std::nullopt;
        rows.push_back(std::move(*flat));
    }
    if (rows.empty() || (sparse != nullptr && sparse->constant() != false))
        return std::nullopt;
    const bool isTurned = rows.size() > 1 && (indexing == nullptr || indexing->constant() == "xy");
    const auto axisOf = [&](std::size_t row) { return isTurned && row < 2 ? 1 - row : row; };
    std::vector<std::int64_t> extents(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        extents[axisOf(i)] = rows[i].extents[0];
    PythonValues arrays;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto made = spreadAlong(extents, axisOf(i), rows[i]);
        if (!made)
            return std::nullopt;
        markTensor(call, *made);
        arrays.push_back(pythonArray(std::move(*made)));
    }
    return pythonList(std::move(arrays));
}

/// indices((4, 6)): an array of the places along each axis, one behind the other.
std::optional<PythonValue> placesOfExtents(const PythonApiCall& call, const std::string&) {
    auto written = writtenExtents(call.arguments.find("dimensions", 0));
    const bool isPlain = call.arguments.list.size() + call.arguments.keywords.size() == 1;
    if (!written || written->empty() || std::ranges::min(*written) < 1 || !isPlain)
        return std::nullopt;
    std::vector<std::int64_t> extents = std::move(*written);
    std::vector<double> numbers;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        PythonArray row;
        for (std::int64_t i = 0; i < std::min(extents[axis], mostArrayNumbers); ++i)
            row.numbers.push_back(static_cast<double>(i));
        const auto made = spreadAlong(extents, axis, row);
        if (!made || numbers.size() + made->numbers.size() > static_cast<std::size_t>(mostArrayNumbers))
            return std::nullopt;
        numbers.insert(numbers.end(), made->numbers.begin(), made->numbers.end());
    }
    extents.insert(extents.begin(), static_cast<std::int64_t>(extents.size()));
    return wholeArray(call, std::move(extents), std::move(numbers));
}

struct PlacesFunction {
    std::string_view name;
    std::optional<PythonValue> (*meaning)(const PythonApiCall&, const std::string&);
};
constexpr std::array placesFunctions{
    PlacesFunction{"tril_indices", placesOfTriangle}, PlacesFunction{"tril_indices_from", placesOfTriangle},
    PlacesFunction{"triu_indices", placesOfTriangle}, PlacesFunction{"triu_indices_from", placesOfTriangle},
    PlacesFunction{"nonzero", placesOfChosen},        PlacesFunction{"where", placesOfChosen},
    PlacesFunction{"argwhere", placesOfChosen},       PlacesFunction{"flatnonzero", placesOfChosen},
    PlacesFunction{"meshgrid", placesOfMesh},         PlacesFunction{"indices", placesOfExtents},
};

} // namespace

std::optional<PythonValue> constantPlaces(const PythonApiCall& call) {
    const std::string name = call.name();
    const auto row = std::ranges::find(placesFunctions, name, &PlacesFunction::name);
    return row == placesFunctions.end() ? std::nullopt : row->meaning(call, name);
}

} // namespace core
