#include "core/interchange/python/apis/data/constants/constant_algebra.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace core {

namespace {

using Array = std::shared_ptr<const PythonArray>;

Array operandAt(const PythonApiCall& call, std::size_t position) {
    return position < call.arguments.list.size() ? samplesArrayOf(call.arguments.list[position]) : nullptr;
}

/// A vector as the diagonal of a matrix, and the diagonal of a matrix.
std::optional<PythonArray> diagonal(const PythonApiCall& call) {
    const Array array = operandAt(call, 0);
    const PythonValue* offset = call.arguments.find("k", 1);
    if (array == nullptr || (offset != nullptr && offset->constant() != 0))
        return std::nullopt;
    if (array->extents.size() == 1) {
        const std::int64_t size = array->extents[0];
        auto made = filledArray({size, size}, 0);
        if (made)
            made->kind = array->kind;
        for (std::int64_t i = 0; made && i < size; ++i)
            made->numbers[static_cast<std::size_t>(i * size + i)] =
                array->numbers[static_cast<std::size_t>(i)];
        return made;
    }
    if (array->extents.size() != 2)
        return std::nullopt;
    auto made = filledArray({std::min(array->extents[0], array->extents[1])}, 0);
    if (made)
        made->kind = array->kind;
    for (std::size_t i = 0; made && i < made->numbers.size(); ++i)
        made->numbers[i] = array->numbers[i * static_cast<std::size_t>(array->extents[1]) + i];
    return made;
}

std::optional<PythonArray> matrixProduct(const PythonApiCall& call) {
    const Array a = operandAt(call, 0);
    const Array b = operandAt(call, 1);
    if (a == nullptr || b == nullptr || !call.arguments.keywords.empty())
        return std::nullopt;
    return productOfArrays(*a, *b);
}

std::optional<PythonArray> outerProduct(const PythonApiCall& call) {
    const Array a = operandAt(call, 0);
    const Array b = operandAt(call, 1);
    if (a == nullptr || b == nullptr)
        return std::nullopt;
    const auto column = reshapedArray(*a, {-1, 1});
    const auto row = reshapedArray(*b, {1, -1});
    auto made = column && row ? combinedArrays(*column, *row, [](double x, double y) { return x * y; })
                              : std::nullopt;
    if (made)
        made->kind = joinedKind(a->kind, b->kind);
    return made;
}

/// What a reduction computes of the numbers along an axis, one after the other.
struct ArrayReduction {
    std::string_view name;
    double first;
    double (*join)(double, double);
    bool isMean = false;
    bool isTruth = false;
};
constexpr double withoutBound = std::numeric_limits<double>::infinity();
constexpr std::array arrayReductions{
    ArrayReduction{"sum", 0, [](double a, double b) { return a + b; }},
    ArrayReduction{"mean", 0, [](double a, double b) { return a + b; }, true},
    ArrayReduction{"max", -withoutBound, [](double a, double b) { return std::max(a, b); }},
    ArrayReduction{"min", withoutBound, [](double a, double b) { return std::min(a, b); }},
    ArrayReduction{"prod", 1, [](double a, double b) { return a * b; }},
    ArrayReduction{"any", 0, [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }, false, true},
    ArrayReduction{"all", 1, [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }, false, true},
    ArrayReduction{"count_nonzero", 0, [](double a, double b) { return a + (b != 0 ? 1 : 0); }},
    ArrayReduction{"amax", -withoutBound, [](double a, double b) { return std::max(a, b); }},
    ArrayReduction{"amin", withoutBound, [](double a, double b) { return std::min(a, b); }},
};

std::optional<PythonArray> reducedOverAxis(const PythonArray& array, const ArrayReduction& reduction,
                                           std::int64_t axis, bool keeps) {
    const auto rank = static_cast<std::int64_t>(array.extents.size());
    const std::int64_t at = axis < 0 ? axis + rank : axis;
    if (at < 0 || at >= rank || array.extents[static_cast<std::size_t>(at)] == 0)
        return std::nullopt;
    std::vector<std::int64_t> extents = array.extents;
    std::int64_t behind = 1;
    for (std::int64_t i = at + 1; i < rank; ++i)
        behind *= extents[static_cast<std::size_t>(i)];
    const std::int64_t size = extents[static_cast<std::size_t>(at)];
    extents[static_cast<std::size_t>(at)] = 1;
    auto made = filledArray(extents, reduction.first);
    if (made)
        made->kind = reduction.isMean    ? PythonArray::Kind::Real
                     : reduction.isTruth ? PythonArray::Kind::Truth
                                         : joinedKind(array.kind, array.kind);
    for (std::size_t i = 0; made && i < array.numbers.size(); ++i) {
        const auto place = static_cast<std::int64_t>(i);
        double& total =
            made->numbers[static_cast<std::size_t>(place / (behind * size) * behind + place % behind)];
        total = reduction.join(total, array.numbers[i]);
    }
    if (made && reduction.isMean)
        for (double& number : made->numbers)
            number /= static_cast<double>(size);
    if (!made || keeps)
        return made;
    made->extents.erase(made->extents.begin() + at);
    return made;
}

std::optional<PythonArray> reduced(const PythonApiCall& call, const ArrayReduction& reduction) {
    const Array array = operandAt(call, 0);
    const PythonValue* axis = call.arguments.find("axis", 1);
    const PythonValue* keeps = call.arguments.keyword("keepdims");
    const bool areKept = keeps != nullptr && keeps->constant() == true;
    if (array == nullptr || array->extents.empty())
        return std::nullopt;
    if (axis != nullptr && axis->isWhole())
        return reducedOverAxis(*array, reduction, axis->constant().get<std::int64_t>(), areKept);
    if (axis != nullptr && !axis->isNone())
        return std::nullopt;
    const auto flat = reshapedArray(*array, {-1});
    auto made = flat ? reducedOverAxis(*flat, reduction, 0, false) : std::nullopt;
    if (made && areKept)
        made->extents.assign(array->extents.size(), 1);
    return made;
}

/// linspace(start, stop, num), logspace() and geomspace(): with the end, unless endpoint=False.
std::optional<PythonArray> evenlySpaced(const PythonApiCall& call, const std::string& name) {
    const PythonValue* bounds[]{call.arguments.find("start", 0), call.arguments.find("stop", 1),
                                call.arguments.find("num", 2)};
    constexpr std::int64_t byDefault = 50;
    const std::int64_t count = bounds[2] == nullptr   ? byDefault
                               : bounds[2]->isWhole() ? bounds[2]->constant().get<std::int64_t>()
                                                      : -1;
    const PythonValue* end = call.arguments.find("endpoint", 3);
    const bool hasEnd = end == nullptr || end->constant() != false;
    const PythonValue* given = call.arguments.find("base", 4);
    const bool isLogarithmic = name == "logspace";
    const bool hasBase = isLogarithmic && given != nullptr && given->isNumber();
    const std::size_t known = 3 + (end == nullptr ? 0 : 1) + (hasBase ? 1 : 0);
    const bool isPlain = call.arguments.list.size() + call.arguments.keywords.size() <= known;
    if (bounds[0] == nullptr || bounds[1] == nullptr || !bounds[0]->isNumber() || !bounds[1]->isNumber() ||
        count < (hasEnd ? 2 : 1) || !isPlain)
        return std::nullopt;
    const double start = bounds[0]->constant().get<double>();
    const double stop = bounds[1]->constant().get<double>();
    const bool isGeometric = name == "geomspace";
    if (isGeometric && !(start > 0 && stop > 0))
        return std::nullopt;
    const double first = isGeometric ? std::log(start) : start;
    const double step =
        ((isGeometric ? std::log(stop) : stop) - first) / static_cast<double>(hasEnd ? count - 1 : count);
    constexpr double ten = 10;
    const double base = hasBase ? given->constant().get<double>() : ten;
    auto made = filledArray({count}, 0);
    for (std::size_t i = 0; made && i < made->numbers.size(); ++i) {
        const double number = first + step * static_cast<double>(i);
        made->numbers[i] = isGeometric ? std::exp(number) : isLogarithmic ? std::pow(base, number) : number;
    }
    if (made && isGeometric) { // without the error of the logarithms
        made->numbers.front() = start;
        if (hasEnd)
            made->numbers.back() = stop;
    }
    return made;
}

} // namespace

std::optional<PythonArray> productOfArrays(const PythonArray& a, const PythonArray& b) {
    constexpr std::int64_t mostSteps = std::int64_t{1} << 24;
    const bool isVector = b.extents.size() == 1;
    if (a.extents.size() != 2 || (!isVector && b.extents.size() != 2) || a.extents[1] != b.extents[0])
        return std::nullopt;
    const std::int64_t rows = a.extents[0];
    const std::int64_t inner = a.extents[1];
    const std::int64_t columns = isVector ? 1 : b.extents[1];
    auto made = filledArray(isVector ? std::vector{rows} : std::vector{rows, columns}, 0);
    if (!made || rows * inner * columns > mostSteps)
        return std::nullopt;
    made->kind = joinedKind(a.kind, b.kind);
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t k = 0; k < inner; ++k)
            for (std::int64_t j = 0; j < columns; ++j)
                made->numbers[static_cast<std::size_t>(i * columns + j)] +=
                    a.numbers[static_cast<std::size_t>(i * inner + k)] *
                    b.numbers[static_cast<std::size_t>(k * columns + j)];
    return made;
}

std::optional<PythonArray> constantAlgebra(const PythonApiCall& call, const std::string& name) {
    if (name == "diag")
        return diagonal(call);
    if (name == "matmul" || name == "dot")
        return matrixProduct(call);
    if (name == "outer")
        return outerProduct(call);
    if (name == "linspace" || (call.path.starts_with("np.") && (name == "logspace" || name == "geomspace")))
        return evenlySpaced(call, name);
    const std::string plain = name.starts_with("reduce_") ? name.substr(name.find('_') + 1) : name;
    const auto row = std::ranges::find(arrayReductions, plain, &ArrayReduction::name);
    return row == arrayReductions.end() ? std::nullopt : reduced(call, *row);
}

} // namespace core
