// Functions of arrays that are about their axes. One row per function.
#include "core/interchange/python/apis/data/shape_functions.h"

#include "core/interchange/python/apis/data/data_methods.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/sample_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace core {

namespace {

Json shapeAt(const PythonApiCall& call, const char* name, std::size_t position) {
    const PythonValue* given = call.arguments.find(name, position);
    return given == nullptr ? Json() : shapeOf(*given);
}

std::optional<std::int64_t> wholeAt(const PythonApiCall& call, const char* name, std::size_t position) {
    constexpr std::int64_t most = std::int64_t{1} << 31;
    const PythonValue* given = call.arguments.find(name, position);
    return given != nullptr && given->isWhole()
               ? std::optional(std::clamp(given->constant().get<std::int64_t>(), -most, most))
               : std::nullopt;
}

bool isGiven(const PythonApiCall& call, const char* name, std::size_t position) {
    return call.arguments.given(name, position) != nullptr;
}

Json axesOfFlat(const PythonApiCall& call) {
    const Json shape = firstShape(call);
    return Json::array({flatExtent(shape)});
}

/// Along an axis; without one, of all numbers in a row.
Json axesOfUnlessFlat(const PythonApiCall& call) {
    const PythonValue* axis = call.arguments.find("axis", 1);
    const bool isFlat = axis == nullptr ? !call.path.starts_with("tf.") : axis->isNone();
    return isFlat ? axesOfFlat(call) : firstShape(call);
}

/// sort() and argsort(): along the last axis unless it is None.
Json axesOfSorted(const PythonApiCall& call) {
    const PythonValue* axis = call.arguments.find("axis", 1);
    return axis != nullptr && axis->isNone() ? axesOfFlat(call) : firstShape(call);
}

Json axesOfExchanged(const PythonApiCall& call) {
    Json shape = firstShape(call);
    const auto one = axisAt(call.arguments.find("axis1", 1), shape.size());
    const auto other = axisAt(call.arguments.find("axis2", 2), shape.size());
    if (!one || !other)
        return nullptr;
    std::swap(shape[*one], shape[*other]);
    return shape;
}

Json axesOfMoved(const PythonApiCall& call) {
    const Json shape = firstShape(call);
    const PythonValue* source = call.arguments.find("source", 1);
    const PythonValue* target = call.arguments.find("destination", 2);
    if (!shape.is_array() || source == nullptr || target == nullptr)
        return nullptr;
    const auto axes = [](const PythonValue& value) {
        return value.is<PythonList>() ? value.items() : PythonValues{value};
    };
    const PythonValues from = axes(*source);
    const PythonValues to = axes(*target);
    std::vector<std::optional<std::size_t>> order(shape.size());
    std::vector<bool> isTaken(shape.size(), false);
    for (std::size_t i = 0; i < from.size(); ++i) {
        const auto origin = axisAt(&from[i], shape.size());
        const auto place = i < to.size() ? axisAt(&to[i], shape.size()) : std::nullopt;
        if (!origin || !place)
            return nullptr;
        order[*place] = *origin;
        isTaken[*origin] = true;
    }
    Json made = Json::array();
    std::size_t next = 0;
    for (const auto& origin : order) {
        while (!origin && next < shape.size() && isTaken[next])
            ++next;
        made.push_back(shape[origin ? *origin : next++]);
    }
    return made;
}

Json axesOfRolledAxis(const PythonApiCall& call) {
    Json shape = firstShape(call);
    const auto axis = axisAt(call.arguments.find("axis", 1), shape.size());
    const auto start = wholeAt(call, "start", 2).value_or(0);
    if (!axis || start < 0 || start > static_cast<std::int64_t>(shape.size()))
        return nullptr;
    const Json extent = shape[*axis];
    shape.erase(*axis);
    const auto at = static_cast<std::int64_t>(*axis) < start ? start - 1 : start;
    shape.insert(shape.begin() + at, extent);
    return shape;
}

Json axesOfTurned(const PythonApiCall& call) {
    Json shape = firstShape(call);
    const std::int64_t times = wholeAt(call, "k", 1).value_or(1);
    const PythonValue* axes = call.arguments.find("axes", 2);
    if (!shape.is_array() || shape.size() < 2 || (isGiven(call, "k", 1) && !wholeAt(call, "k", 1)))
        return nullptr;
    std::size_t one = 0;
    std::size_t other = 1;
    if (call.path.starts_with("tf.image.")) {
        one = shape.size() - 3;
        other = shape.size() - 2;
        if (shape.size() < 3)
            return nullptr;
    } else if (axes != nullptr) {
        const PythonValues given = axes->items();
        const auto first = given.size() == 2 ? axisAt(given.data(), shape.size()) : std::nullopt;
        const auto second = given.size() == 2 ? axisAt(&given[1], shape.size()) : std::nullopt;
        if (!first || !second)
            return nullptr;
        one = *first;
        other = *second;
    }
    if (times % 2 != 0)
        std::swap(shape[one], shape[other]);
    return shape;
}

Json axesOfRepeated(const PythonApiCall& call) {
    Json shape = firstShape(call);
    const PythonValue* times = call.arguments.find("repeats", 1);
    const PythonValue* axis = call.arguments.find("axis", 2);
    if (!shape.is_array() || times == nullptr)
        return nullptr;
    const auto at = flatUnlessAxis(shape, axis);
    if (!at)
        return nullptr;
    Json& extent = shape[*at];
    const Json counts = times->isWhole() ? times->constant() : writtenShape(*times);
    if (counts.is_array() && counts.size() == 1) {
        extent = productOfExtents(extent, counts[0]);
    } else if (counts.is_array()) {
        Json sum = 0;
        for (const Json& count : counts)
            sum = sumOfExtents(sum, count);
        extent = sum;
    } else {
        extent = productOfExtents(extent, counts);
    }
    return shape;
}

/// What pad() adds before and behind each axis; null: it is not written.
Json padding(const PythonValue& written, std::size_t rank) {
    if (written.isWhole())
        return Json(rank, Json::array({written.constant(), written.constant()}));
    if (const auto array = written.is<PythonData>() ? arrayOf(written) : nullptr)
        return array->extents.empty() ? padding(numberOfArray(*array, 0), rank)
                                      : padding(listOfArray(*array), rank);
    const PythonValues& items = written.items();
    const bool areNumbers = !items.empty() && std::ranges::all_of(items, &PythonValue::isWhole);
    if (areNumbers && items.size() <= 2)
        return Json(rank, Json::array({items.front().constant(), items.back().constant()}));
    Json made = Json::array();
    for (const PythonValue& item : items) {
        const Json pair = writtenShape(item);
        const bool isPair = pair.is_array() && !pair.empty() && pair.size() <= 2;
        made.push_back(isPair ? Json::array({pair.front(), pair.back()}) : Json::array({nullptr, nullptr}));
    }
    if (made.size() == 1)
        return Json(rank, made[0]);
    return made.size() == rank ? made : Json();
}

Json axesOfPadded(const PythonApiCall& call) {
    Json shape = firstShape(call);
    const PythonValue* width =
        call.arguments.find(call.path.starts_with("tf.") ? "paddings" : "pad_width", 1);
    const Json added = shape.is_array() && width != nullptr ? padding(*width, shape.size()) : Json();
    if (!added.is_array())
        return nullptr;
    for (std::size_t i = 0; i < shape.size(); ++i)
        shape[i] = sumOfExtents(sumOfExtents(shape[i], added[i][0]), added[i][1]);
    return shape;
}

/// diag(): a vector as a matrix, the diagonal of a matrix. TensorFlow's takes the last axis of many.
Json axesOfDiagonal(const PythonApiCall& call) {
    Json shape = firstShape(call);
    const std::string name = call.name();
    const bool isFlat = name == "diagflat";
    const PythonValue* offset = call.arguments.find("k", 1);
    if (!shape.is_array() || shape.empty() || (offset != nullptr && !offset->isWhole()))
        return nullptr;
    const std::int64_t off = wholeAt(call, "k", 1).value_or(0);
    if (isFlat || call.path.starts_with("tf.") || shape.size() == 1) {
        if (isFlat)
            shape = Json::array({flatExtent(shape)});
        shape.back() = sumOfExtents(shape.back(), std::abs(off));
        shape.push_back(Json(shape.back()));
        return shape;
    }
    const bool isKnown = shape.size() == 2 && shape[0].is_number_integer() && shape[1].is_number_integer();
    if (!isKnown)
        return nullptr;
    const std::int64_t rows = shape[0].get<std::int64_t>() + std::min<std::int64_t>(off, 0);
    const std::int64_t columns = shape[1].get<std::int64_t>() - std::max<std::int64_t>(off, 0);
    return Json::array({std::max<std::int64_t>(std::min(rows, columns), 0)});
}

/// diagonal() and diag_part(): of the first two axes, of the last two.
Json axesOfDiagonalPart(const PythonApiCall& call) {
    Json shape = firstShape(call);
    const bool isPlain = call.arguments.list.size() <= 1 && call.arguments.keywords.empty();
    if (!shape.is_array() || shape.size() < 2 || !isPlain)
        return nullptr;
    const std::size_t one = call.path.starts_with("tf.") ? shape.size() - 2 : 0;
    const Json rows = shape[one];
    const Json columns = shape[one + 1];
    shape.erase(one);
    shape.erase(one);
    const bool isKnown = rows.is_number_integer() && columns.is_number_integer();
    shape.push_back(isKnown ? Json(std::min(rows.get<std::int64_t>(), columns.get<std::int64_t>())) : Json());
    return shape;
}

/// A vector as a triangle is a matrix of it in each row.
Json axesOfTriangle(const PythonApiCall& call) {
    Json shape = firstShape(call);
    if (shape.is_array() && shape.size() == 1)
        shape.push_back(Json(shape[0]));
    return shape;
}

/// Extents that are asked for: resize(), broadcast_to().
Json axesAsAsked(const PythonApiCall& call) {
    const PythonValue* shape = call.arguments.find(call.name() == "resize" ? "new_shape" : "shape", 1);
    return shape == nullptr ? Json() : writtenShape(*shape);
}

Json axesOfSecond(const PythonApiCall& call) {
    return call.arguments.list.size() > 1 ? shapeOf(call.arguments.list[1]) : Json();
}

Json axesOfTaken(const PythonApiCall& call) {
    const bool isGather = call.name() == "gather";
    const Json shape = firstShape(call);
    const PythonValue* axis = call.arguments.find("axis", isGather ? 3 : 2);
    const Json picked = shapeAt(call, "indices", 1);
    if (!isGather && (axis == nullptr || axis->isNone()))
        return picked;
    const auto at =
        axis == nullptr || axis->isNone() ? std::optional<std::size_t>(0) : axisAt(axis, shape.size());
    if (!shape.is_array() || shape.empty() || !picked.is_array() || !at ||
        call.arguments.keyword("batch_dims") != nullptr)
        return nullptr;
    Json made(shape);
    made.erase(*at);
    made.insert(made.begin() + static_cast<std::ptrdiff_t>(*at), picked.begin(), picked.end());
    return made;
}

/// How many places an index names; null: not known.
Json placesIn(const PythonValue& index, const Json& extent) {
    if (index.isWhole())
        return 1;
    if (const auto* slice = index.as<PythonSlice>()) {
        const Json left = indexedShape(Json::array({extent}), *slice);
        return left.is_array() ? left[0] : Json();
    }
    const Json shape = shapeOf(index);
    if (!shape.is_array() || shape.size() != 1)
        return nullptr;
    const PythonValues& items = index.items();
    for (std::size_t i = 0; i < items.size(); ++i) // the same place twice is one
        for (std::size_t j = 0; j < i; ++j)
            if (areEqual(items[i], items[j]))
                return nullptr;
    return shape[0];
}

Json axesOfDeleted(const PythonApiCall& call) {
    Json shape = firstShape(call);
    const PythonValue* index = call.arguments.find("obj", 1);
    const PythonValue* axis = call.arguments.find("axis", 2);
    if (!shape.is_array() || index == nullptr)
        return nullptr;
    const auto at = flatUnlessAxis(shape, axis);
    if (!at)
        return nullptr;
    const Json gone = placesIn(*index, shape[*at]);
    shape[*at] = gone.is_number_integer() ? sumOfExtents(shape[*at], -gone.get<std::int64_t>()) : Json();
    return shape;
}

Json axesOfInserted(const PythonApiCall& call) {
    Json shape = firstShape(call);
    const PythonValue* index = call.arguments.find("obj", 1);
    const PythonValue* axis = call.arguments.find("axis", 3);
    if (!shape.is_array() || index == nullptr || axis == nullptr)
        return nullptr;
    const auto at = axisAt(axis, shape.size());
    if (!at)
        return nullptr;
    shape[*at] = sumOfExtents(shape[*at], placesIn(*index, Json()));
    return shape;
}

Json axesOfAppended(const PythonApiCall& call) {
    Json shape = firstShape(call);
    const Json more = shapeAt(call, "values", 1);
    const PythonValue* axis = call.arguments.find("axis", 2);
    if (axis == nullptr || axis->isNone())
        return Json::array({sumOfExtents(flatExtent(shape), flatExtent(more))});
    const auto at = axisAt(axis, shape.size());
    if (!shape.is_array() || !more.is_array() || more.size() != shape.size() || !at)
        return nullptr;
    shape[*at] = sumOfExtents(shape[*at], more[*at]);
    return shape;
}

/// diff(a, n, axis): one less each time.
Json axesOfDifferences(const PythonApiCall& call) {
    Json shape = firstShape(call);
    const auto at = axisAt(call.arguments.find("axis", 2), shape.size(), -1);
    const bool isPlain = call.arguments.keyword("prepend") == nullptr &&
                         call.arguments.keyword("append") == nullptr &&
                         (!isGiven(call, "n", 1) || wholeAt(call, "n", 1));
    if (!shape.is_array() || !at || !isPlain)
        return nullptr;
    shape[*at] = sumOfExtents(shape[*at], -wholeAt(call, "n", 1).value_or(1));
    return shape;
}

/// Parts of arrays one behind the other, after each was given the axes that it lacks.
Json axesOfStackedBehind(const PythonApiCall& call) {
    const std::string name = call.name();
    const PythonValue* list = shapedArgument(call);
    if (list == nullptr || !list->is<PythonList>() || manyIn(*list) != nullptr)
        return nullptr;
    const std::size_t axis = name == "dstack" ? 2 : name == "column_stack" ? 1 : 0;
    Json whole;
    for (const PythonValue& part : list->items()) {
        Json shape = shapeOf(part);
        if (!shape.is_array())
            return nullptr;
        if (shape.empty())
            shape.push_back(1);
        if (shape.size() == 1 && name == "column_stack")
            shape.push_back(1);
        else if (shape.size() == 1)
            shape.insert(shape.begin(), 1);
        if (shape.size() == 2 && name == "dstack")
            shape.push_back(1);
        if (!appendShape(whole, std::move(shape), axis))
            return nullptr;
    }
    return whole;
}

/// At least so many axes.
Json axesOfAtLeast(const PythonApiCall& call) {
    constexpr std::string_view stem = "atleast_";
    Json shape = firstShape(call);
    const auto wanted = static_cast<std::size_t>(call.name()[stem.size()] - '0');
    if (!shape.is_array() || call.arguments.list.size() > 1)
        return nullptr;
    if (shape.size() == 1 && wanted > 1)
        shape.insert(shape.begin(), 1);
    while (shape.size() < wanted)
        shape.push_back(1);
    return shape;
}

Json axesOfPowers(const PythonApiCall& call) {
    Json shape = firstShape(call);
    const PythonValue* count = call.arguments.given("N", 1);
    if (!shape.is_array() || shape.size() != 1)
        return nullptr;
    shape.push_back(count == nullptr ? Json(shape[0]) : count->isWhole() ? count->constant() : Json());
    return shape;
}

/// Functions of how many: identity(n), hanning(n), eye(n, m).
Json axesOfSquare(const PythonApiCall& call) {
    const PythonValue* rows = call.arguments.find(call.path.starts_with("tf.") ? "num_rows" : "N", 0);
    rows = rows == nullptr ? call.arguments.keyword("n") : rows;
    const PythonValue* columns = call.arguments.given(call.path.starts_with("tf.") ? "num_columns" : "M", 1);
    const auto extent = [](const PythonValue* value) {
        return value != nullptr && value->isWhole() ? value->constant() : Json();
    };
    const bool isSquare = columns == nullptr || call.name() == "identity";
    return Json::array({extent(rows), extent(isSquare ? rows : columns)});
}

Json axesOfWindow(const PythonApiCall& call) {
    const auto count = wholeAt(call, "M", 0);
    return Json::array({count ? Json(*count) : Json()});
}

/// Transforms keep their extents, except for those that are told another one, and those of real numbers.
Json axesOfTransformed(const PythonApiCall& call) {
    Json shape = firstShape(call);
    const std::string name = call.name();
    const bool isReal = name.starts_with("rfft") || name.starts_with("irfft");
    if (!shape.is_array() || shape.empty() ||
        (isReal && (isGiven(call, "axis", 2) || isGiven(call, "axes", 2))))
        return nullptr;
    const PythonValue* given = call.arguments.given(name.ends_with("fft") ? "n" : "s", 1);
    if (given == nullptr)
        given = call.arguments.keyword("fft_length");
    if (given != nullptr && name.ends_with("fft")) {
        const auto at = axisAt(call.arguments.find("axis", 2), shape.size(), -1);
        const Json length = given->isWhole() ? given->constant() : writtenShape(*given);
        if (!at)
            return nullptr;
        shape[*at] = length.is_array() && length.size() == 1 ? length[0]
                     : length.is_array()                     ? Json()
                                                             : length;
    } else if (given != nullptr) {
        return nullptr;
    }
    Json& last = shape.back();
    if (name.starts_with("rfft"))
        last = last.is_number_integer() ? Json(last.get<std::int64_t>() / 2 + 1) : Json();
    if (name.starts_with("irfft") && given == nullptr)
        last = productOfExtents(2, sumOfExtents(last, -1));
    return shape;
}

Json axesOfFrequencies(const PythonApiCall& call) {
    const auto count = wholeAt(call, "n", 0);
    return Json::array({!count ? Json() : call.name() == "rfftfreq" ? Json(*count / 2 + 1) : Json(*count)});
}

/// sliding_window_view(x, (3, 3)): how many windows there are along each axis, and then the window.
Json axesOfWindows(const PythonApiCall& call) {
    Json shape = firstShape(call);
    const PythonValue* given = call.arguments.find("window_shape", 1);
    const Json sizes = given == nullptr ? Json() : writtenShape(*given);
    const PythonValue* axis = call.arguments.given("axis", 2);
    if (!shape.is_array() || !sizes.is_array())
        return nullptr;
    const bool isOne = axis != nullptr && axis->isWhole() && sizes.size() == 1;
    if ((axis == nullptr && sizes.size() != shape.size()) || (axis != nullptr && !isOne))
        return nullptr;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto at = isOne ? axisAt(axis, shape.size()) : std::optional(i);
        if (!at || !sizes[i].is_number_integer() || sizes[i] < 1)
            return nullptr;
        shape[*at] = sumOfExtents(shape[*at], 1 - sizes[i].get<std::int64_t>());
    }
    shape.insert(shape.end(), sizes.begin(), sizes.end());
    return shape;
}

/// tile(): the shorter of extents and repetitions gets axes in front.
Json axesOfTiled(const PythonApiCall& call) {
    const PythonValue* times = call.arguments.find(call.path.starts_with("tf.") ? "multiples" : "reps", 1);
    return productOfShapes(firstShape(call), times == nullptr ? Json() : writtenShape(*times));
}

/// percentile(a, q, axis): a value for each q.
Json axesOfPercentiles(const PythonApiCall& call) {
    const PythonValue* keeps = call.arguments.keyword("keepdims");
    const Json asked = shapeAt(call, "q", 1);
    const Json rest = reducedShape(firstShape(call), call.arguments.find("axis", 2),
                                   keeps != nullptr && keeps->constant() == true);
    if (!asked.is_array() || !rest.is_array())
        return nullptr;
    Json made = asked;
    made.insert(made.end(), rest.begin(), rest.end());
    return made;
}

Json axesOfChannels(const PythonApiCall& call) {
    Json shape = firstShape(call);
    if (shape.is_array() && !shape.empty())
        shape.back() = call.name() == "rgb_to_grayscale" ? 1 : 3;
    return shape;
}

/// Places of what is not 0, as rows.
Json axesOfRowsOfPlaces(const PythonApiCall& call) {
    const Json shape = firstShape(call);
    return shape.is_array() ? Json::array({nullptr, shape.size()}) : Json();
}

struct AxisFunction {
    std::string_view name;
    Json (*shape)(const PythonApiCall&);
};
constexpr std::array axisFunctions{
    AxisFunction{"swapaxes", axesOfExchanged},
    AxisFunction{"moveaxis", axesOfMoved},
    AxisFunction{"rollaxis", axesOfRolledAxis},
    AxisFunction{"rot90", axesOfTurned},
    AxisFunction{"repeat", axesOfRepeated},
    AxisFunction{"tile", axesOfTiled},
    AxisFunction{"pad", axesOfPadded},
    AxisFunction{"diag", axesOfDiagonal},
    AxisFunction{"diagflat", axesOfDiagonal},
    AxisFunction{"diagonal", axesOfDiagonalPart},
    AxisFunction{"diag_part", axesOfDiagonalPart},
    AxisFunction{"triu", axesOfTriangle},
    AxisFunction{"tril", axesOfTriangle},
    AxisFunction{"band_part", firstShape},
    AxisFunction{"matrix_band_part", firstShape},
    AxisFunction{"ravel", axesOfFlat},
    AxisFunction{"cumsum", axesOfUnlessFlat},
    AxisFunction{"cumprod", axesOfUnlessFlat},
    AxisFunction{"nancumsum", axesOfUnlessFlat},
    AxisFunction{"sort", axesOfSorted},
    AxisFunction{"argsort", axesOfSorted},
    AxisFunction{"partition", firstShape},
    AxisFunction{"argpartition", firstShape},
    AxisFunction{"broadcast_to", axesAsAsked},
    AxisFunction{"take", axesOfTaken},
    AxisFunction{"gather", axesOfTaken},
    AxisFunction{"take_along_axis", axesOfSecond},
    AxisFunction{"searchsorted", axesOfSecond},
    AxisFunction{"polyval", axesOfSecond},
    AxisFunction{"digitize", firstShape},
    AxisFunction{"interp", firstShape},
    AxisFunction{"delete", axesOfDeleted},
    AxisFunction{"insert", axesOfInserted},
    AxisFunction{"append", axesOfAppended},
    AxisFunction{"diff", axesOfDifferences},
    AxisFunction{"dstack", axesOfStackedBehind},
    AxisFunction{"vstack", axesOfStackedBehind},
    AxisFunction{"row_stack", axesOfStackedBehind},
    AxisFunction{"column_stack", axesOfStackedBehind},
    AxisFunction{"atleast_1d", axesOfAtLeast},
    AxisFunction{"atleast_2d", axesOfAtLeast},
    AxisFunction{"atleast_3d", axesOfAtLeast},
    AxisFunction{"vander", axesOfPowers},
    AxisFunction{"eye", axesOfSquare},
    AxisFunction{"tri", axesOfSquare},
    AxisFunction{"hanning", axesOfWindow},
    AxisFunction{"hamming", axesOfWindow},
    AxisFunction{"blackman", axesOfWindow},
    AxisFunction{"bartlett", axesOfWindow},
    AxisFunction{"kaiser", axesOfWindow},
    AxisFunction{"fft", axesOfTransformed},
    AxisFunction{"ifft", axesOfTransformed},
    AxisFunction{"rfft", axesOfTransformed},
    AxisFunction{"irfft", axesOfTransformed},
    AxisFunction{"fft2", axesOfTransformed},
    AxisFunction{"ifft2", axesOfTransformed},
    AxisFunction{"rfft2", axesOfTransformed},
    AxisFunction{"irfft2", axesOfTransformed},
    AxisFunction{"fftn", axesOfTransformed},
    AxisFunction{"ifftn", axesOfTransformed},
    AxisFunction{"fftshift", firstShape},
    AxisFunction{"ifftshift", firstShape},
    AxisFunction{"fftfreq", axesOfFrequencies},
    AxisFunction{"rfftfreq", axesOfFrequencies},
    AxisFunction{"sliding_window_view", axesOfWindows},
    AxisFunction{"percentile", axesOfPercentiles},
    AxisFunction{"quantile", axesOfPercentiles},
    AxisFunction{"nanpercentile", axesOfPercentiles},
    AxisFunction{"nanquantile", axesOfPercentiles},
    AxisFunction{"rgb_to_grayscale", axesOfChannels},
    AxisFunction{"grayscale_to_rgb", axesOfChannels},
    AxisFunction{"argwhere", axesOfRowsOfPlaces},
};

} // namespace

const PythonValue* shapedArgument(const PythonApiCall& call) {
    if (!call.arguments.list.empty())
        return &call.arguments.list.front();
    for (const char* name :
         {"a", "x", "m", "arr", "ary", "array", "v", "tensor", "input", "value", "values", "params"})
        if (const PythonValue* given = call.arguments.keyword(name))
            return given;
    return nullptr;
}

Json firstShape(const PythonApiCall& call) {
    const PythonValue* given = shapedArgument(call);
    return given == nullptr ? Json() : shapeOf(*given);
}

std::optional<PythonValue> rearrangedArray(const PythonApiCall& call, const std::string& name) {
    if (name == "resize" && call.path.starts_with("np.") && shapedArgument(call) != nullptr)
        return likeArray(*shapedArgument(call), axesAsAsked(call));
    if (name == "identity" && call.path.starts_with("np."))
        return PythonValue(arrayOfShape(axesOfSquare(call)));
    const auto row = std::ranges::find(axisFunctions, name, &AxisFunction::name);
    if (row == axisFunctions.end())
        return std::nullopt;
    const PythonValue* source = shapedArgument(call);
    return likeArray(source == nullptr ? PythonValue() : *source, row->shape(call));
}

} // namespace core
