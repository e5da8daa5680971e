// Arrays whose numbers the program says, along their axes. One row per function.
#include "core/interchange/python/apis/data/constants/constant_order.h"

#include "core/interchange/python/draft/sample_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace core {

namespace {

using Array = std::shared_ptr<const PythonArray>;
using Numbers = std::vector<double>;

/// The array and one of its axes; without one it is flat.
struct AlongAxis {
    PythonArray array;
    std::size_t axis = 0;
};

/// What a function is about that is given no axis.
enum class WithoutAxis : std::uint8_t { Flat, First, Last };

std::optional<AlongAxis> alongAxis(const PythonApiCall& call, const PythonValue* axis,
                                   WithoutAxis otherwise) {
    const Array array = call.arguments.list.empty() ? nullptr : samplesArrayOf(call.arguments.list[0]);
    if (array == nullptr || array->extents.empty())
        return std::nullopt;
    const bool isFlat = axis == nullptr ? otherwise == WithoutAxis::Flat : axis->isNone();
    if (isFlat) {
        auto flat = reshapedArray(*array, {-1});
        return flat ? std::optional(AlongAxis{std::move(*flat), 0}) : std::nullopt;
    }
    const auto at = axisAt(axis, array->extents.size(), otherwise == WithoutAxis::Last ? -1 : 0);
    return at ? std::optional(AlongAxis{*array, *at}) : std::nullopt;
}

/// NumPy takes all numbers in a row there, TensorFlow the first axis.
WithoutAxis usualOf(const PythonApiCall& call) {
    return call.path.starts_with("tf.") ? WithoutAxis::First : WithoutAxis::Flat;
}

/// Every row along the axis as `change` makes it, all of one length.
std::optional<PythonArray> changedRows(const AlongAxis& along,
                                       const std::function<Numbers(const Numbers&)>& change) {
    const PythonArray& array = along.array;
    const auto length = static_cast<std::size_t>(array.extents[along.axis]);
    std::size_t behind = 1;
    for (std::size_t i = along.axis + 1; i < array.extents.size(); ++i)
        behind *= static_cast<std::size_t>(array.extents[i]);
    const std::size_t before = length * behind == 0 ? 0 : array.numbers.size() / (length * behind);
    if (before == 0)
        return std::nullopt;
    std::optional<PythonArray> made;
    std::size_t size = 0;
    for (std::size_t outer = 0; outer < before; ++outer)
        for (std::size_t inner = 0; inner < behind; ++inner) {
            Numbers row(length);
            for (std::size_t i = 0; i < length; ++i)
                row[i] = array.numbers[(outer * length + i) * behind + inner];
            row = change(row);
            if (!made) {
                size = row.size();
                std::vector<std::int64_t> extents = array.extents;
                extents[along.axis] = static_cast<std::int64_t>(size);
                made = filledArray(std::move(extents), 0);
                if (!made)
                    return std::nullopt;
            }
            for (std::size_t i = 0; i < size; ++i)
                made->numbers[(outer * size + i) * behind + inner] = row[i];
        }
    made->kind = array.kind;
    made->isTensor = array.isTensor;
    made->stage = array.stage;
    return made;
}

std::vector<std::size_t> orderOf(const Numbers& row) {
    std::vector<std::size_t> order(row.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return row[a] < row[b]; });
    return order;
}

std::optional<PythonArray> numbersSorted(const PythonApiCall& call) {
    const auto along = alongAxis(call, call.arguments.find("axis", 1), WithoutAxis::Last);
    if (!along || call.arguments.keyword("direction") != nullptr)
        return std::nullopt;
    const bool arePlaces = call.name() == "argsort";
    auto made = changedRows(*along, [&](const Numbers& row) {
        Numbers result;
        for (const std::size_t place : orderOf(row))
            result.push_back(arePlaces ? static_cast<double>(place) : row[place]);
        return result;
    });
    if (made && arePlaces)
        made->kind = PythonArray::Kind::Whole;
    return made;
}

std::optional<PythonArray> numbersAddedUp(const PythonApiCall& call) {
    const auto along = alongAxis(call, call.arguments.find("axis", 1), usualOf(call));
    const bool isPlain =
        call.arguments.keyword("exclusive") == nullptr && call.arguments.keyword("reverse") == nullptr;
    if (!along || !isPlain)
        return std::nullopt;
    const bool multiplies = call.name() == "cumprod";
    auto made = changedRows(*along, [&](Numbers row) {
        for (std::size_t i = 1; i < row.size(); ++i)
            row[i] = multiplies ? row[i] * row[i - 1] : row[i] + row[i - 1];
        return row;
    });
    if (made)
        made->kind = joinedKind(made->kind, made->kind);
    return made;
}

/// argmax() and argmin(): the first place of it.
std::optional<PythonArray> numbersPlaceOfMost(const PythonApiCall& call) {
    const auto along = alongAxis(call, call.arguments.find("axis", 1), usualOf(call));
    if (!along || call.arguments.keyword("keepdims") != nullptr)
        return std::nullopt;
    const bool isMost = call.name() == "argmax";
    auto made = changedRows(*along, [&](const Numbers& row) {
        const auto at = isMost ? std::ranges::max_element(row) : std::ranges::min_element(row);
        return Numbers{static_cast<double>(at - row.begin())};
    });
    if (!made)
        return std::nullopt;
    made->kind = PythonArray::Kind::Whole;
    made->extents.erase(made->extents.begin() + static_cast<std::ptrdiff_t>(along->axis));
    return made;
}

std::optional<PythonArray> numbersReversed(const PythonApiCall& call) {
    const std::string name = call.name();
    const PythonValue own = pythonConstant(name == "fliplr" ? 1 : 0);
    const PythonValue* axis = name == "flip" ? call.arguments.given("axis", 1) : &own;
    const auto along = alongAxis(call, axis, WithoutAxis::Flat);
    const Array array = call.arguments.list.empty() ? nullptr : samplesArrayOf(call.arguments.list[0]);
    if (!along)
        return std::nullopt;
    auto made = changedRows(*along, [](Numbers row) {
        std::ranges::reverse(row);
        return row;
    });
    return made ? reshapedArray(*made, array->extents) : std::nullopt; // every axis is one of all numbers
}

std::optional<PythonArray> numbersRolled(const PythonApiCall& call) {
    const Array array = call.arguments.list.empty() ? nullptr : samplesArrayOf(call.arguments.list[0]);
    const PythonValue* shift = call.arguments.find("shift", 1);
    const auto along = alongAxis(call, call.arguments.find("axis", 2), WithoutAxis::Flat);
    if (!along || shift == nullptr || !shift->isWhole())
        return std::nullopt;
    const auto by = shift->constant().get<std::int64_t>();
    auto made = changedRows(*along, [&](Numbers row) {
        const auto size = static_cast<std::int64_t>(row.size());
        const std::int64_t back = (size - (by % size + size) % size) % size;
        std::ranges::rotate(row, row.begin() + back);
        return row;
    });
    return made ? reshapedArray(*made, array->extents) : std::nullopt;
}

std::optional<PythonArray> numbersRepeated(const PythonApiCall& call) {
    const PythonValue* times = call.arguments.find("repeats", 1);
    const auto along = alongAxis(call, call.arguments.find("axis", 2), WithoutAxis::Flat);
    if (!along || times == nullptr || !times->isWhole() || times->constant() < 1 ||
        times->constant() > mostArrayNumbers)
        return std::nullopt;
    const auto count = times->constant().get<std::int64_t>();
    if (static_cast<std::int64_t>(along->array.numbers.size()) * count > mostArrayNumbers)
        return std::nullopt;
    return changedRows(*along, [&](const Numbers& row) {
        Numbers result;
        for (const double number : row)
            result.insert(result.end(), static_cast<std::size_t>(count), number);
        return result;
    });
}

std::optional<PythonArray> numbersExchanged(const PythonApiCall& call) {
    const Array array = call.arguments.list.empty() ? nullptr : samplesArrayOf(call.arguments.list[0]);
    if (array == nullptr)
        return std::nullopt;
    const auto one = axisAt(call.arguments.find("axis1", 1), array->extents.size());
    const auto other = axisAt(call.arguments.find("axis2", 2), array->extents.size());
    if (!one || !other)
        return std::nullopt;
    std::vector<std::int64_t> order(array->extents.size());
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[*one], order[*other]);
    return transposedArray(*array, order);
}

/// take() of rows; without an axis, of all numbers.
std::optional<PythonArray> numbersTaken(const PythonApiCall& call) {
    const bool isGather = call.name() == "gather";
    const PythonValue* axis = call.arguments.find("axis", isGather ? 3 : 2);
    const PythonValue* places = call.arguments.find("indices", 1);
    const Array array = call.arguments.list.empty() ? nullptr : samplesArrayOf(call.arguments.list[0]);
    const bool isFlat = !isGather && (axis == nullptr || axis->isNone());
    const bool isFirst = isFlat || axis == nullptr || axis->constant() == 0;
    if (array == nullptr || places == nullptr || !isFirst || places->is<PythonConstant>())
        return std::nullopt;
    const auto flat = isFlat ? reshapedArray(*array, {-1}) : std::optional(*array);
    return flat ? rowsOfArray(*flat, *places) : std::nullopt;
}

/// pad() with one number.
std::optional<PythonArray> numbersFramed(const PythonApiCall& call) {
    const bool isTensor = call.path.starts_with("tf.");
    const Array array = call.arguments.list.empty() ? nullptr : samplesArrayOf(call.arguments.list[0]);
    const PythonValue* mode = call.arguments.find("mode", 2);
    const PythonValue* value = call.arguments.find("constant_values", 3);
    const PythonValue* written = call.arguments.find(isTensor ? "paddings" : "pad_width", 1);
    const auto added =
        written == nullptr || written->is<PythonConstant>() ? nullptr : samplesArrayOf(*written);
    const bool isConstant =
        mode == nullptr || mode->constant() == "constant" || mode->constant() == "CONSTANT";
    const bool isNumber = value == nullptr || value->isNumber();
    if (array == nullptr || array->extents.empty() || !isConstant || !isNumber ||
        (added == nullptr && (written == nullptr || !written->isWhole())))
        return std::nullopt;
    const std::size_t rank = array->extents.size();
    std::vector<std::int64_t> before(rank, 0);
    std::vector<std::int64_t> extents = array->extents;
    if (added != nullptr && added->kind != PythonArray::Kind::Whole)
        return std::nullopt;
    if (added != nullptr && added->extents != std::vector<std::int64_t>{static_cast<std::int64_t>(rank), 2})
        return std::nullopt;
    for (std::size_t i = 0; i < rank; ++i) {
        const double ends[]{added == nullptr ? written->constant().get<double>() : added->numbers[2 * i],
                            added == nullptr ? written->constant().get<double>() : added->numbers[2 * i + 1]};
        if (ends[0] < 0 || ends[1] < 0 || ends[0] + ends[1] > static_cast<double>(mostArrayNumbers))
            return std::nullopt;
        before[i] = static_cast<std::int64_t>(ends[0]);
        extents[i] += before[i] + static_cast<std::int64_t>(ends[1]);
    }
    auto made = filledArray(extents, value == nullptr ? 0 : value->constant().get<double>());
    std::vector<PythonArrayAxis> axes;
    for (std::size_t i = 0; i < rank; ++i)
        axes.push_back({before[i], 1, array->extents[i], true, false});
    if (!made || !assignArray(*made, axes, *array))
        return std::nullopt;
    made->kind = array->kind;
    return made;
}

/// digitize(x, bins, right): behind how many of the bounds a number is. Bounds that fall are not read.
std::optional<PythonArray> numbersOfBins(const PythonApiCall& call) {
    const PythonValue* given[]{call.arguments.find("x", 0), call.arguments.find("bins", 1)};
    const Array numbers = given[0] == nullptr ? nullptr : samplesArrayOf(*given[0]);
    const Array bins = given[1] == nullptr ? nullptr : samplesArrayOf(*given[1]);
    const PythonValue* right = call.arguments.find("right", 2);
    const bool isRight = right != nullptr && right->constant() == true;
    if (numbers == nullptr || bins == nullptr || bins->extents.size() != 1 ||
        !std::ranges::is_sorted(bins->numbers))
        return std::nullopt;
    PythonArray made = *numbers;
    made.kind = PythonArray::Kind::Whole;
    for (double& number : made.numbers) {
        const auto place = isRight ? std::ranges::lower_bound(bins->numbers, number)
                                   : std::ranges::upper_bound(bins->numbers, number);
        number = static_cast<double>(place - bins->numbers.begin());
    }
    return made;
}

/// clip(a, low, high), each of them a number or None.
std::optional<PythonArray> numbersClipped(const PythonApiCall& call) {
    const Array array = call.arguments.list.empty() ? nullptr : samplesArrayOf(call.arguments.list[0]);
    const PythonValue* low = call.arguments.find("a_min", 1);
    const PythonValue* high = call.arguments.find("a_max", 2);
    const auto isBound = [](const PythonValue* bound) {
        return bound == nullptr || bound->isNone() || bound->isNumber();
    };
    if (array == nullptr || array->extents.empty() || call.path.starts_with("tf.") || !isBound(low) ||
        !isBound(high))
        return std::nullopt;
    PythonArray made = *array;
    bool isWhole = made.kind == PythonArray::Kind::Whole;
    for (const auto& [bound, isLow] : {std::pair{low, true}, std::pair{high, false}}) {
        if (bound == nullptr || bound->isNone())
            continue;
        isWhole = isWhole && bound->isWhole();
        const auto number = bound->constant().get<double>();
        for (double& one : made.numbers)
            one = isLow ? std::max(one, number) : std::min(one, number);
    }
    made.kind = isWhole ? PythonArray::Kind::Whole : PythonArray::Kind::Real;
    return made;
}

/// where(condition, x, y): with broadcasting.
std::optional<PythonArray> numbersChosen(const PythonApiCall& call) {
    const PythonValue* given[]{call.arguments.find("condition", 0), call.arguments.find("x", 1),
                               call.arguments.find("y", 2)};
    if (call.path.starts_with("tf.") || std::ranges::any_of(given, [](const auto* one) { return !one; }))
        return std::nullopt;
    const Array mask = samplesArrayOf(*given[0]);
    const Array first = samplesArrayOf(*given[1]);
    const Array second = samplesArrayOf(*given[2]);
    if (mask == nullptr || first == nullptr || second == nullptr)
        return std::nullopt;
    const auto taken =
        combinedArrays(*mask, *first, [](double choice, double one) { return choice != 0 ? one : 0; });
    const auto left =
        combinedArrays(*mask, *second, [](double choice, double one) { return choice != 0 ? 0 : one; });
    auto made = taken && left ? combinedArrays(*taken, *left, [](double a, double b) { return a + b; })
                              : std::nullopt;
    if (made)
        made->kind = first->kind == second->kind ? first->kind : joinedKind(first->kind, second->kind);
    return made;
}

/// round(a, decimals): halves to even.
std::optional<PythonArray> numbersRounded(const PythonApiCall& call) {
    const Array array = call.arguments.list.empty() ? nullptr : samplesArrayOf(call.arguments.list[0]);
    const PythonValue* decimals = call.arguments.find("decimals", 1);
    if (array == nullptr || array->extents.empty() || (decimals != nullptr && !decimals->isWhole()))
        return std::nullopt;
    constexpr double ten = 10;
    const double scale = std::pow(ten, decimals == nullptr ? 0.0 : decimals->constant().get<double>());
    PythonArray made = *array;
    for (double& one : made.numbers)
        one = std::nearbyint(one * scale) / scale;
    return made;
}

struct OrderFunction {
    std::string_view name;
    std::optional<PythonArray> (*meaning)(const PythonApiCall&);
};
constexpr std::array orderFunctions{
    OrderFunction{"sort", numbersSorted},        OrderFunction{"argsort", numbersSorted},
    OrderFunction{"cumsum", numbersAddedUp},     OrderFunction{"cumprod", numbersAddedUp},
    OrderFunction{"argmax", numbersPlaceOfMost}, OrderFunction{"argmin", numbersPlaceOfMost},
    OrderFunction{"flip", numbersReversed},      OrderFunction{"fliplr", numbersReversed},
    OrderFunction{"flipud", numbersReversed},    OrderFunction{"roll", numbersRolled},
    OrderFunction{"repeat", numbersRepeated},    OrderFunction{"swapaxes", numbersExchanged},
    OrderFunction{"take", numbersTaken},         OrderFunction{"gather", numbersTaken},
    OrderFunction{"pad", numbersFramed},         OrderFunction{"digitize", numbersOfBins},
    OrderFunction{"clip", numbersClipped},       OrderFunction{"round", numbersRounded},
    OrderFunction{"around", numbersRounded},     OrderFunction{"rint", numbersRounded},
    OrderFunction{"where", numbersChosen},
};

} // namespace

std::optional<PythonArray> constantOrder(const PythonApiCall& call, const std::string& name) {
    const auto row = std::ranges::find(orderFunctions, name, &OrderFunction::name);
    return row == orderFunctions.end() ? std::nullopt : row->meaning(call);
}

} // namespace core
