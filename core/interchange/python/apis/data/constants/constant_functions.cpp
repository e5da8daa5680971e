// Functions on arrays whose numbers the program says. One row per function.
#include "core/interchange/python/apis/data/constants/constant_functions.h"

#include "core/interchange/python/apis/data/constants/constant_algebra.h"
#include "core/interchange/python/apis/data/constants/constant_order.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/draft/tensor_functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace core {

namespace {

using Array = std::shared_ptr<const PythonArray>;

Array arrayArgument(const PythonApiCall& call, std::size_t position) {
    return position < call.arguments.list.size() ? samplesArrayOf(call.arguments.list[position]) : nullptr;
}

std::optional<PythonArray> filled(const PythonApiCall& call, double value) {
    const PythonValue* shape =
        call.arguments.find(call.arguments.keyword("dims") != nullptr ? "dims" : "shape", 0);
    auto extents = writtenExtents(shape);
    return extents ? filledArray(std::move(*extents), value) : std::nullopt;
}
std::optional<PythonArray> zeros(const PythonApiCall& call) {
    return filled(call, 0);
}
std::optional<PythonArray> ones(const PythonApiCall& call) {
    return filled(call, 1);
}
std::optional<PythonArray> full(const PythonApiCall& call) {
    const PythonValue* value = call.arguments.find(call.name() == "full" ? "fill_value" : "value", 1);
    if (value == nullptr || !value->isNumber())
        return std::nullopt;
    auto made = filled(call, value->constant().get<double>());
    if (made && value->isWhole())
        made->kind = PythonArray::Kind::Whole;
    return made;
}
std::optional<PythonArray> filledAlike(const PythonApiCall& call) {
    const Array array = arrayArgument(call, 0);
    return array == nullptr ? std::nullopt : filledArray(array->extents, call.name() == "ones_like" ? 1 : 0);
}
std::optional<PythonArray> eye(const PythonApiCall& call) {
    const PythonValue* rows = call.arguments.list.empty() ? nullptr : call.arguments.list.data();
    const PythonValue* columns = call.arguments.list.size() > 1 ? &call.arguments.list[1] : rows;
    if (rows == nullptr || !rows->isWhole() || !columns->isWhole())
        return std::nullopt;
    const auto width = columns->constant().get<std::int64_t>();
    auto made = filledArray({rows->constant().get<std::int64_t>(), width}, 0);
    for (std::int64_t i = 0; made && i < std::min(made->extents[0], width); ++i)
        made->numbers[static_cast<std::size_t>(i * width + i)] = 1;
    return made;
}
/// identity(n) of NumPy; TensorFlow's hands its argument on.
std::optional<PythonArray> identity(const PythonApiCall& call) {
    if (!call.path.starts_with("tf."))
        return eye(call);
    const Array array = arrayArgument(call, 0);
    return array == nullptr || array->extents.empty() ? std::nullopt : std::optional(*array);
}
std::optional<PythonArray> range(const PythonApiCall& call) {
    const PythonValues& given = call.arguments.list;
    const bool areNumbers =
        !given.empty() && given.size() <= 3 && std::ranges::all_of(given, &PythonValue::isNumber);
    if (!areNumbers)
        return std::nullopt;
    const auto number = [&](std::size_t at) { return given[at].constant().get<double>(); };
    const double start = given.size() > 1 ? number(0) : 0;
    const double step = given.size() > 2 ? number(2) : 1;
    const double count = step == 0 ? 0 : std::ceil((number(given.size() > 1 ? 1 : 0) - start) / step);
    if (!(count >= 0 && count <= static_cast<double>(mostArrayNumbers)))
        return std::nullopt;
    auto made = filledArray({static_cast<std::int64_t>(count)}, 0);
    if (made && std::ranges::all_of(given, &PythonValue::isWhole))
        made->kind = PythonArray::Kind::Whole;
    for (std::size_t i = 0; made && i < made->numbers.size(); ++i)
        made->numbers[i] = start + step * static_cast<double>(i);
    return made;
}

/// What lies between two diagonals of the last two axes; −1: all on that side.
std::optional<PythonArray> band(const PythonArray& array, std::int64_t below, std::int64_t above) {
    if (array.extents.size() < 2)
        return std::nullopt;
    const std::int64_t columns = array.extents.back();
    const std::int64_t rows = array.extents[array.extents.size() - 2];
    PythonArray made = array;
    for (std::size_t i = 0; i < made.numbers.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        const std::int64_t row = at / columns % rows;
        const std::int64_t column = at % columns;
        const bool isIn = (below < 0 || row - column <= below) && (above < 0 || column - row <= above);
        made.numbers[i] = isIn ? made.numbers[i] : 0;
    }
    return made;
}
std::optional<std::int64_t> wholeArgument(const PythonApiCall& call, const char* name, std::size_t position) {
    const PythonValue* value = call.arguments.find(name, position);
    return value != nullptr && value->isWhole() ? std::optional(value->constant().get<std::int64_t>())
                                                : std::nullopt;
}
std::optional<PythonArray> bandPart(const PythonApiCall& call) {
    const Array array = arrayArgument(call, 0);
    const auto below = wholeArgument(call, "num_lower", 1);
    const auto above = wholeArgument(call, "num_upper", 2);
    return array != nullptr && below && above ? band(*array, *below, *above) : std::nullopt;
}
std::optional<PythonArray> triangle(const PythonApiCall& call) {
    const Array array = arrayArgument(call, 0);
    const std::int64_t diagonal = wholeArgument(call, "k", 1).value_or(0);
    if (array == nullptr || array->extents.size() < 2)
        return std::nullopt;
    PythonArray made = *array;
    const std::int64_t columns = made.extents.back();
    const std::int64_t rows = made.extents[made.extents.size() - 2];
    const bool isLower = call.name() == "tril";
    for (std::size_t i = 0; i < made.numbers.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        const std::int64_t off = at % columns - at / columns % rows;
        made.numbers[i] = (isLower ? off <= diagonal : off >= diagonal) ? made.numbers[i] : 0;
    }
    return made;
}

/// constant(), array(), cast(): the same numbers, whole ones where the type says so.
std::optional<PythonArray> retyped(const PythonApiCall& call) {
    const Array array = arrayArgument(call, 0);
    const PythonValue* shape = call.arguments.given("shape", 2);
    if (array != nullptr && shape != nullptr && call.path.starts_with("tf.") && call.name() == "constant") {
        auto extents = writtenExtents(shape);
        if (!extents)
            return std::nullopt;
        return array->numbers.size() == 1 ? filledArray(std::move(*extents), array->numbers.front())
                                          : reshapedArray(*array, std::move(*extents));
    }
    if (array == nullptr || array->extents.empty())
        return std::nullopt;
    const std::string type = typeNamed(call.arguments.find("dtype", 1));
    return arrayOfType(*array, type.empty() ? call.name() : type);
}
std::optional<PythonArray> reshaped(const PythonApiCall& call) {
    const Array array = arrayArgument(call, 0);
    const PythonValue* shape = call.arguments.find(call.path.starts_with("tf.") ? "shape" : "newshape", 1);
    auto extents = writtenExtents(shape);
    return array != nullptr && extents ? reshapedArray(*array, std::move(*extents)) : std::nullopt;
}
std::optional<PythonArray> expanded(const PythonApiCall& call) {
    const Array array = arrayArgument(call, 0);
    const auto axis = wholeArgument(call, "axis", 1);
    if (array == nullptr || !axis)
        return std::nullopt;
    std::vector<std::int64_t> extents = array->extents;
    const auto rank = static_cast<std::int64_t>(extents.size());
    const std::int64_t at = *axis < 0 ? *axis + rank + 1 : *axis;
    if (at < 0 || at > rank)
        return std::nullopt;
    extents.insert(extents.begin() + at, 1);
    return reshapedArray(*array, std::move(extents));
}
std::optional<PythonArray> transposed(const PythonApiCall& call) {
    const Array array = arrayArgument(call, 0);
    if (array == nullptr)
        return std::nullopt;
    const PythonValue* given = call.arguments.find(call.path.starts_with("tf.") ? "perm" : "axes", 1);
    std::vector<std::int64_t> order(array->extents.size());
    std::iota(order.rbegin(), order.rend(), 0);
    if (given != nullptr)
        order = writtenExtents(given).value_or(std::vector<std::int64_t>{});
    return transposedArray(*array, order);
}

/// concatenate() of arrays that differ in one axis only.
std::optional<PythonArray> concatenated(const PythonApiCall& call) {
    const PythonValue* parts = call.arguments.list.empty() ? nullptr : call.arguments.list.data();
    const std::int64_t given = wholeArgument(call, "axis", 1).value_or(0);
    if (parts == nullptr || !parts->is<PythonList>() || parts->items().empty())
        return std::nullopt;
    std::vector<Array> arrays;
    for (const PythonValue& part : parts->items())
        arrays.push_back(samplesArrayOf(part));
    const auto isMissing = [](const Array& array) { return array == nullptr || array->extents.empty(); };
    if (std::ranges::any_of(arrays, isMissing))
        return std::nullopt;
    const auto rank = static_cast<std::int64_t>(arrays.front()->extents.size());
    const auto axis = static_cast<std::size_t>(given < 0 ? given + rank : given);
    std::vector<std::int64_t> extents = arrays.front()->extents;
    if (axis >= extents.size())
        return std::nullopt;
    extents[axis] = 0;
    for (const Array& array : arrays) {
        std::vector<std::int64_t> own = array->extents;
        if (own.size() != extents.size())
            return std::nullopt;
        extents[axis] += std::exchange(own[axis], extents[axis]);
        own[axis] = extents[axis];
        if (own != extents)
            return std::nullopt;
    }
    auto made = filledArray(extents, 0);
    if (made)
        made->kind = std::accumulate(arrays.begin(), arrays.end(), arrays.front()->kind,
                                     [](PythonArray::Kind kind, const Array& one) {
                                         return kind == one->kind ? kind : joinedKind(kind, one->kind);
                                     });
    std::int64_t begin = 0;
    for (std::size_t i = 0; made && i < arrays.size(); ++i) {
        std::vector<PythonArrayAxis> axes;
        for (std::size_t at = 0; at < extents.size(); ++at)
            axes.push_back({at == axis ? begin : 0, 1, arrays[i]->extents[at], true, false});
        begin += arrays[i]->extents[axis];
        if (!assignArray(*made, axes, *arrays[i]))
            return std::nullopt;
    }
    return made;
}

/// Where numbers belong in a sorted list: before its equals, or behind them (side="right").
std::optional<PythonArray> searched(const PythonApiCall& call) {
    const Array sorted = arrayArgument(call, 0);
    const Array wanted = arrayArgument(call, 1);
    const PythonValue* side = call.arguments.find("side", 2);
    if (sorted == nullptr || wanted == nullptr || sorted->extents.size() != 1)
        return std::nullopt;
    const bool isRight = side != nullptr && side->constant() == "right";
    PythonArray made = *wanted;
    made.kind = PythonArray::Kind::Whole;
    for (double& number : made.numbers) {
        const auto place = isRight ? std::ranges::upper_bound(sorted->numbers, number)
                                   : std::ranges::lower_bound(sorted->numbers, number);
        number = static_cast<double>(place - sorted->numbers.begin());
    }
    return made;
}

/// one_hot(places, depth), of 0 and 1.
std::optional<PythonArray> oneHotArray(const PythonApiCall& call) {
    const Array places = arrayArgument(call, 0);
    const PythonValue* depth = call.arguments.find("depth", 1);
    const bool saysMore =
        call.arguments.list.size() > 2 || std::ranges::any_of(call.arguments.keywords, [](const auto& entry) {
            return entry.first != "indices" && entry.first != "depth" && entry.first != "dtype";
        });
    if (places == nullptr || depth == nullptr || !depth->isWhole() || saysMore)
        return std::nullopt;
    const auto count = depth->constant().get<std::int64_t>();
    std::vector<std::int64_t> extents = places->extents;
    extents.push_back(count);
    auto made = count > 0 ? filledArray(std::move(extents), 0) : std::nullopt;
    for (std::size_t i = 0; made && i < places->numbers.size(); ++i)
        if (const double place = places->numbers[i]; place >= 0 && place < static_cast<double>(count))
            made->numbers[i * static_cast<std::size_t>(count) + static_cast<std::size_t>(place)] = 1;
    return made;
}

/// unique(a): its numbers once each, in their order.
std::optional<PythonArray> uniqueNumbers(const PythonApiCall& call) {
    const Array given = arrayArgument(call, 0);
    if (given == nullptr || call.path.starts_with("tf.") || call.arguments.list.size() != 1 ||
        !call.arguments.keywords.empty())
        return std::nullopt;
    PythonArray made = *given;
    std::ranges::sort(made.numbers);
    const auto rest = std::ranges::unique(made.numbers);
    made.numbers.erase(rest.begin(), rest.end());
    made.extents = {static_cast<std::int64_t>(made.numbers.size())};
    return made;
}

/// bincount(a): how often 0, 1, 2, … are among its numbers.
std::optional<PythonArray> countsOfNumbers(const PythonApiCall& call) {
    const Array given = arrayArgument(call, 0);
    constexpr double most = 100000;
    if (given == nullptr || call.arguments.list.size() != 1 || !call.arguments.keywords.empty() ||
        given->kind != PythonArray::Kind::Whole || given->numbers.empty() ||
        std::ranges::any_of(given->numbers, [](double one) { return one < 0 || one > most; }))
        return std::nullopt;
    auto made = filledArray({static_cast<std::int64_t>(std::ranges::max(given->numbers)) + 1}, 0);
    for (const double one : given->numbers)
        if (made)
            made->numbers[static_cast<std::size_t>(one)] += 1;
    if (made)
        made->kind = PythonArray::Kind::Whole;
    return made;
}

struct ConstantFunction {
    std::string_view name;
    std::optional<PythonArray> (*meaning)(const PythonApiCall&);
};
constexpr std::array constantFunctions{ConstantFunction{"zeros", zeros},
                                       ConstantFunction{"ones", ones},
                                       ConstantFunction{"full", full},
                                       ConstantFunction{"fill", full},
                                       ConstantFunction{"zeros_like", filledAlike},
                                       ConstantFunction{"ones_like", filledAlike},
                                       ConstantFunction{"eye", eye},
                                       ConstantFunction{"identity", identity},
                                       ConstantFunction{"arange", range},
                                       ConstantFunction{"range", range},
                                       ConstantFunction{"band_part", bandPart},
                                       ConstantFunction{"matrix_band_part", bandPart},
                                       ConstantFunction{"tril", triangle},
                                       ConstantFunction{"triu", triangle},
                                       ConstantFunction{"constant", retyped},
                                       ConstantFunction{"array", retyped},
                                       ConstantFunction{"asarray", retyped},
                                       ConstantFunction{"convert_to_tensor", retyped},
                                       ConstantFunction{"cast", retyped},
                                       ConstantFunction{"astype", retyped},
                                       ConstantFunction{"float32", retyped},
                                       ConstantFunction{"float64", retyped},
                                       ConstantFunction{"int32", retyped},
                                       ConstantFunction{"int64", retyped},
                                       ConstantFunction{"reshape", reshaped},
                                       ConstantFunction{"expand_dims", expanded},
                                       ConstantFunction{"transpose", transposed},
                                       ConstantFunction{"concatenate", concatenated},
                                       ConstantFunction{"concat", concatenated},
                                       ConstantFunction{"searchsorted", searched},
                                       ConstantFunction{"unique", uniqueNumbers},
                                       ConstantFunction{"bincount", countsOfNumbers},
                                       ConstantFunction{"one_hot", oneHotArray}};

struct ConstantOfOne {
    std::string_view name;
    double (*meaning)(double);
};
constexpr std::array constantsOfOne{
    ConstantOfOne{"sin", [](double x) { return std::sin(x); }},
    ConstantOfOne{"cos", [](double x) { return std::cos(x); }},
    ConstantOfOne{"exp", [](double x) { return std::exp(x); }},
    ConstantOfOne{"log", [](double x) { return std::log(x); }},
    ConstantOfOne{"log1p", [](double x) { return std::log1p(x); }},
    ConstantOfOne{"expm1", [](double x) { return std::expm1(x); }},
    ConstantOfOne{"log2", [](double x) { return std::log2(x); }},
    ConstantOfOne{"log10", [](double x) { return std::log10(x); }},
    ConstantOfOne{"tanh", [](double x) { return std::tanh(x); }},
    ConstantOfOne{"tan", [](double x) { return std::tan(x); }},
    ConstantOfOne{"ceil", [](double x) { return std::ceil(x); }},
    ConstantOfOne{"sign", [](double x) { return x > 0   ? 1.0
                                                : x < 0 ? -1.0
                                                        : 0.0; }},
    ConstantOfOne{"absolute", [](double x) { return std::abs(x); }},
    ConstantOfOne{"sqrt", [](double x) { return std::sqrt(x); }},
    ConstantOfOne{"square", [](double x) { return x * x; }},
    ConstantOfOne{"abs", [](double x) { return std::abs(x); }},
    ConstantOfOne{"floor", [](double x) { return std::floor(x); }},
    ConstantOfOne{"negative", [](double x) { return -x; }},
    ConstantOfOne{"logical_not", [](double x) { return x == 0 ? 1.0 : 0.0; }},
};

/// What a function of each number makes of their kind.
PythonArray::Kind kindAfter(std::string_view name, PythonArray::Kind kind) {
    constexpr std::array<std::string_view, 5> same{"square", "abs", "absolute", "negative", "sign"};
    if (name == "logical_not")
        return PythonArray::Kind::Truth;
    return std::ranges::find(same, name) != same.end() ? joinedKind(kind, kind) : PythonArray::Kind::Real;
}

struct ConstantOfTwo {
    std::string_view name;
    std::string_view operation;
    double (*meaning)(double, double);
};
double flooredQuotient(double a, double b) {
    return std::floor(a / b);
}
/// Of whole numbers and truth values.
template <class Operation>
double ofBits(double a, double b) {
    constexpr double most = 1e15;
    return static_cast<double>(Operation()(static_cast<std::int64_t>(std::clamp(a, -most, most)),
                                           static_cast<std::int64_t>(std::clamp(b, -most, most))));
}
constexpr std::array constantsOfTwo{
    ConstantOfTwo{"add", "+", [](double a, double b) { return a + b; }},
    ConstantOfTwo{"subtract", "-", [](double a, double b) { return a - b; }},
    ConstantOfTwo{"multiply", "*", [](double a, double b) { return a * b; }},
    ConstantOfTwo{"divide", "/", [](double a, double b) { return a / b; }},
    ConstantOfTwo{"truediv", "/", [](double a, double b) { return a / b; }},
    ConstantOfTwo{"floordiv", "//", flooredQuotient},
    ConstantOfTwo{"floor_divide", "//", flooredQuotient},
    ConstantOfTwo{"mod", "%", [](double a, double b) { return a - b * std::floor(a / b); }},
    ConstantOfTwo{"pow", "**", [](double a, double b) { return std::pow(a, b); }},
    ConstantOfTwo{"power", "**", [](double a, double b) { return std::pow(a, b); }},
    ConstantOfTwo{"bitwise_and", "&", ofBits<std::bit_and<std::int64_t>>},
    ConstantOfTwo{"bitwise_or", "|", ofBits<std::bit_or<std::int64_t>>},
    ConstantOfTwo{"bitwise_xor", "^", ofBits<std::bit_xor<std::int64_t>>},
    ConstantOfTwo{"maximum", "", [](double a, double b) { return std::max(a, b); }},
    ConstantOfTwo{"minimum", "", [](double a, double b) { return std::min(a, b); }},
    ConstantOfTwo{"logical_and", "", [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }},
    ConstantOfTwo{"logical_or", "", [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }},
    ConstantOfTwo{"true_divide", "/", [](double a, double b) { return a / b; }},
    ConstantOfTwo{"greater", ">", [](double a, double b) { return a > b ? 1.0 : 0.0; }},
    ConstantOfTwo{"greater_equal", ">=", [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
    ConstantOfTwo{"less", "<", [](double a, double b) { return a < b ? 1.0 : 0.0; }},
    ConstantOfTwo{"less_equal", "<=", [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
    ConstantOfTwo{"equal", "==", [](double a, double b) { return a == b ? 1.0 : 0.0; }},
    ConstantOfTwo{"not_equal", "!=", [](double a, double b) { return a != b ? 1.0 : 0.0; }},
};

/// The function of two arrays; whole where both are and its numbers are.
std::optional<PythonArray> ofTwo(const ConstantOfTwo& function, const PythonArray& a, const PythonArray& b) {
    const bool isOfBits = function.name.starts_with("bitwise_");
    const bool areTruths = a.kind == PythonArray::Kind::Truth && b.kind == PythonArray::Kind::Truth;
    if (isOfBits && !areTruths && (a.kind != PythonArray::Kind::Whole || b.kind != PythonArray::Kind::Whole))
        return std::nullopt;
    auto made = combinedArrays(a, b, function.meaning);
    constexpr std::array<std::string_view, 6> truths{">", ">=", "<", "<=", "==", "!="};
    const bool isTruth = std::ranges::find(truths, function.operation) != truths.end() ||
                         function.name.starts_with("logical_") || (isOfBits && areTruths);
    if (made && isTruth)
        made->kind = PythonArray::Kind::Truth;
    else if (made && function.operation != "/" &&
             std::ranges::all_of(made->numbers, [](double one) { return one == std::trunc(one); }))
        made->kind = joinedKind(a.kind, b.kind);
    return made;
}

/// An array that no project can hold is none: infinite numbers have no JSON.
std::optional<PythonValue> finished(std::optional<PythonArray> array) {
    if (!array || !std::ranges::all_of(array->numbers, [](double number) { return std::isfinite(number); }))
        return std::nullopt;
    return pythonArray(std::move(*array));
}

/// A number that NumPy computes of all those of an array.
std::optional<PythonValue> numberAlone(const PythonArray& array) {
    return std::isfinite(array.numbers.front()) ? std::optional(numberOfArray(array, 0)) : std::nullopt;
}

std::optional<PythonArray> madeBy(const PythonApiCall& call, const std::string& name) {
    if (const auto row = std::ranges::find(constantFunctions, name, &ConstantFunction::name);
        row != constantFunctions.end())
        return row->meaning(call);
    if (auto made = constantAlgebra(call, name))
        return made;
    if (auto made = constantOrder(call, name))
        return made;
    const Array first = arrayArgument(call, 0);
    const Array second = arrayArgument(call, 1);
    const bool hasAxes =
        (first != nullptr && !first->extents.empty()) || (second != nullptr && !second->extents.empty());
    if (!hasAxes)
        return std::nullopt;
    if (const auto row = std::ranges::find(constantsOfOne, name, &ConstantOfOne::name);
        first != nullptr && row != constantsOfOne.end()) {
        PythonArray made = *first;
        std::ranges::transform(made.numbers, made.numbers.begin(), row->meaning);
        made.kind = kindAfter(name, made.kind);
        return made;
    }
    const auto row = std::ranges::find(constantsOfTwo, name, &ConstantOfTwo::name);
    if (first == nullptr || second == nullptr || row == constantsOfTwo.end())
        return std::nullopt;
    return ofTwo(*row, *first, *second);
}

} // namespace

std::optional<std::vector<std::int64_t>> writtenExtents(const PythonValue* value) {
    const Json shape = value == nullptr ? Json() : writtenShape(*value);
    if (!shape.is_array())
        return std::nullopt;
    std::vector<std::int64_t> extents;
    for (const Json& extent : shape) {
        if (!extent.is_number_integer())
            return std::nullopt;
        extents.push_back(extent.get<std::int64_t>());
    }
    return extents;
}

void markTensor(const PythonApiCall& call, PythonArray& made) {
    if (!call.path.starts_with("tf."))
        return;
    made.isTensor = true;
    made.stage = call.builder.scope.stage;
}

std::optional<PythonValue> constantFunction(const PythonApiCall& call) {
    if (auto places = constantPlaces(call))
        return places;
    auto made = madeBy(call, call.name());
    if (made)
        markTensor(call, *made);
    if (made && call.name() == "searchsorted" && made->extents.empty())
        return pythonConstant(static_cast<std::int64_t>(made->numbers.front()));
    if (made && made->extents.empty() && call.path.starts_with("np.")) // a reduction of all numbers
        return numberAlone(*made);
    return finished(std::move(made));
}

std::optional<PythonValue> constantOperation(const std::string& operation, const PythonValue& left,
                                             const PythonValue& right) {
    const auto isArray = [](const PythonValue& value) {
        const auto* data = value.as<PythonData>();
        return data != nullptr && data->array != nullptr;
    };
    if (!isArray(left) && !isArray(right))
        return std::nullopt;
    const Array a = samplesArrayOf(left);
    const Array b = samplesArrayOf(right);
    const auto row = std::ranges::find(constantsOfTwo, operation, &ConstantOfTwo::operation);
    if (a != nullptr && b != nullptr && operation == "@")
        return finished(productOfArrays(*a, *b));
    if (a == nullptr || b == nullptr || row == constantsOfTwo.end())
        return std::nullopt;
    return finished(ofTwo(*row, *a, *b));
}

std::optional<PythonValue> constantMethod(const PythonApiCall& call, const PythonValue& owner) {
    const Array array = samplesArrayOf(owner);
    if (array == nullptr)
        return std::nullopt;
    const std::string name = call.name();
    PythonArguments whole = call.arguments;
    if (name == "reshape" && (whole.list.size() != 1 || whole.list[0].isWhole()))
        whole.list = {pythonList(whole.list, true)};
    if (name == "numpy")
        return owner;
    if (name == "copy")
        return pythonArray(*array);
    if (name == "tolist" || name == "item")
        return array->extents.empty() || (name == "item" && array->numbers.size() == 1 && whole.list.empty())
                   ? numberOfArray(*array, 0)
               : name == "tolist" ? std::optional(listOfArray(*array))
                                  : std::nullopt;
    if (name == "flatten" || name == "ravel")
        return finished(reshapedArray(*array, {-1}));
    constexpr std::array<std::string_view, 21> known{
        "reshape", "astype",  "transpose", "sum",    "mean",     "max",   "min",
        "dot",     "argmax",  "argmin",    "cumsum", "cumprod",  "prod",  "any",
        "all",     "argsort", "repeat",    "take",   "swapaxes", "round", "clip"};
    if (std::ranges::find(known, name) == known.end())
        return std::nullopt;
    whole.list.insert(whole.list.begin(), owner);
    auto made = madeBy(PythonApiCall{call.builder, call.interpreter, call.path, whole}, name);
    if (made && made->extents.empty() && !made->isTensor)
        return numberAlone(*made);
    return finished(std::move(made));
}

std::optional<PythonValue> chosenByMask(const PythonApiCall& call) {
    constexpr std::size_t operands = 3;
    const PythonValue* mask = call.arguments.find("condition", 0);
    const PythonValue* first = call.arguments.find("x", 1);
    const PythonValue* second = call.arguments.find("y", 2);
    const Array array = mask == nullptr || mask->is<PythonTensor>() ? nullptr : samplesArrayOf(*mask);
    if (call.name() != "where" || array == nullptr || array->extents.empty() || first == nullptr ||
        second == nullptr || call.arguments.list.size() + call.arguments.keywords.size() != operands)
        return std::nullopt;
    const auto kept = [&](const PythonValue& value, double wanted) {
        const auto ones = combinedArrays(*array, *filledArray({}, wanted),
                                         [](double a, double b) { return (a != 0) == (b != 0) ? 1.0 : 0.0; });
        return call.interpreter.operation("*", value, pythonArray(*ones), call.place());
    };
    return call.interpreter.operation("+", kept(*first, 1), kept(*second, 0), call.place());
}

} // namespace core
