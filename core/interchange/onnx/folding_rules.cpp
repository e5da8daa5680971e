// Folding of arithmetic, and the table of all rules.
#include "core/interchange/onnx/folding_rules.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace core {

namespace {

using Folded = std::optional<KnownValue>;
using KnownInputs = std::vector<const KnownValue*>;
using FoldedNumber = std::optional<BatchNumber>;

// ---- two numbers: what depends on the batch is added, and multiplied by what does not
// ----------------------

FoldedNumber sum(BatchNumber a, BatchNumber b) {
    return BatchNumber{a.value + b.value, a.perSample + b.perSample};
}
FoldedNumber difference(BatchNumber a, BatchNumber b) {
    return BatchNumber{a.value - b.value, a.perSample - b.perSample};
}
FoldedNumber product(BatchNumber a, BatchNumber b) {
    if (!a.isConstant() && !b.isConstant())
        return std::nullopt;
    return BatchNumber{a.value * b.value, a.perSample * b.value + a.value * b.perSample};
}
FoldedNumber quotient(BatchNumber a, BatchNumber b) {
    if (!b.isConstant() || b.value == 0)
        return std::nullopt;
    return BatchNumber{a.value / b.value, a.perSample / b.value};
}
/// Towards zero; of what depends on the batch only where nothing is cut off.
FoldedNumber wholeQuotient(BatchNumber a, BatchNumber b) {
    const FoldedNumber exact = quotient(a, b);
    if (!exact)
        return exact;
    const BatchNumber cut{std::trunc(exact->value), std::trunc(exact->perSample)};
    return a.isConstant() || cut == *exact ? FoldedNumber(cut) : std::nullopt;
}

template <double (*Function)(double, double)>
FoldedNumber ofConstants(BatchNumber a, BatchNumber b) {
    if (!a.isConstant() || !b.isConstant())
        return std::nullopt;
    const double value = Function(a.value, b.value);
    return std::isnan(value) ? std::nullopt : FoldedNumber(BatchNumber{value, 0});
}

double modulo(double a, double b) {
    return a - b * std::floor(a / b);
}
double power(double a, double b) {
    return std::pow(a, b);
}
double larger(double a, double b) {
    return std::max(a, b);
}
double smaller(double a, double b) {
    return std::min(a, b);
}
double equal(double a, double b) {
    return a == b ? 1 : 0;
}
double less(double a, double b) {
    return a < b ? 1 : 0;
}
double greater(double a, double b) {
    return a > b ? 1 : 0;
}
double both(double a, double b) {
    return a != 0 && b != 0 ? 1 : 0;
}
double either(double a, double b) {
    return a != 0 || b != 0 ? 1 : 0;
}
double pickedWhere(double condition, double a) {
    return condition != 0 ? a : 0;
}
double pickedElsewhere(double condition, double b) {
    return condition != 0 ? 0 : b;
}

// ---- tensors -------------------------------------------------------------------------------------------

using NumberRule = FoldedNumber (*)(BatchNumber, BatchNumber);

std::int64_t countOf(const std::vector<std::int64_t>& extents) {
    std::int64_t count = 1;
    for (const std::int64_t extent : extents) {
        if (extent < 0 || (extent > 0 && count > longestKnownValue / extent))
            return -1;
        count *= extent;
    }
    return count;
}

/// NumPy's common extents; nothing where they do not fit.
std::optional<std::vector<std::int64_t>> broadcastExtentsOf(const KnownValue& a, const KnownValue& b) {
    auto extents = a.extents.size() >= b.extents.size() ? a.extents : b.extents;
    for (std::size_t back = 1; back <= extents.size(); ++back) {
        std::int64_t& extent = extents[extents.size() - back];
        for (const KnownValue* value : {&a, &b}) {
            if (back > value->extents.size())
                continue;
            const std::int64_t own = value->extents[value->extents.size() - back];
            if (own != extent && own != 1 && extent != 1)
                return std::nullopt;
            extent = extent == 1 ? own : extent;
        }
    }
    return countOf(extents) < 0 ? std::nullopt : std::optional(std::move(extents));
}

/// The element of a tensor at a row-major position among its broadcast extents.
BatchNumber elementAt(const KnownValue& value, const std::vector<std::int64_t>& extents,
                      std::int64_t position) {
    std::int64_t index = 0;
    std::int64_t stride = 1;
    for (std::size_t back = 1; back <= extents.size(); ++back) {
        const std::int64_t extent = extents[extents.size() - back];
        const std::int64_t place = position % extent;
        position /= extent;
        if (back > value.extents.size())
            continue;
        const std::int64_t own = value.extents[value.extents.size() - back];
        index += own == 1 ? 0 : place * stride;
        stride *= own;
    }
    return value.elements[static_cast<std::size_t>(index)];
}

Folded combined(const KnownValue& a, const KnownValue& b, NumberRule rule, OnnxType type) {
    auto extents = broadcastExtentsOf(a, b);
    if (!extents)
        return std::nullopt;
    KnownValue result{std::move(*extents), type, {}};
    const std::int64_t count = countOf(result.extents);
    for (std::int64_t i = 0; i < count; ++i) {
        const FoldedNumber number = rule(elementAt(a, result.extents, i), elementAt(b, result.extents, i));
        if (!number)
            return std::nullopt;
        result.elements.push_back(*number);
    }
    return result;
}

template <NumberRule Rule>
Folded binary(const OnnxNode&, const KnownInputs& in) {
    return in.size() == 2 ? combined(*in[0], *in[1], Rule, in[0]->type) : std::nullopt;
}
template <NumberRule Rule>
Folded comparison(const OnnxNode&, const KnownInputs& in) {
    return in.size() == 2 ? combined(*in[0], *in[1], Rule, OnnxType::Bool) : std::nullopt;
}
Folded division(const OnnxNode& node, const KnownInputs& in) {
    return isFloating(in[0]->type) ? binary<quotient>(node, in) : binary<wholeQuotient>(node, in);
}

template <double (*Function)(double)>
Folded unary(const OnnxNode&, const KnownInputs& in) {
    if (in[0]->dependsOnBatch())
        return std::nullopt;
    KnownValue result = *in[0];
    for (BatchNumber& element : result.elements)
        element.value = Function(element.value);
    return result;
}
double isNot(double x) {
    return x == 0 ? 1 : 0;
}
double magnitude(double x) {
    return std::abs(x);
}
double roundedDown(double x) {
    return std::floor(x);
}
double roundedUp(double x) {
    return std::ceil(x);
}
double rounded(double x) {
    return std::nearbyint(x);
}
double root(double x) {
    return std::sqrt(x);
}

Folded negated(const OnnxNode&, const KnownInputs& in) {
    KnownValue result = *in[0];
    for (BatchNumber& element : result.elements)
        element = {-element.value, -element.perSample};
    return result;
}

Folded unchanged(const OnnxNode&, const KnownInputs& in) {
    return *in[0];
}

/// Shapes are lists: reduced along their only axis.
template <NumberRule Rule>
Folded reduced(const OnnxNode& node, const KnownInputs& in) {
    if (in[0]->extents.size() > 1 || in[0]->elements.empty())
        return std::nullopt;
    FoldedNumber total = in[0]->elements.front();
    for (std::size_t i = 1; total && i < in[0]->elements.size(); ++i)
        total = Rule(*total, in[0]->elements[i]);
    const bool keeps = node.integer("keepdims", 1) != 0 && in[0]->extents.size() == 1;
    const std::vector<std::int64_t> extents(keeps ? 1 : 0, 1);
    return total ? Folded(KnownValue{extents, in[0]->type, {*total}}) : std::nullopt;
}

Folded numberRange(const OnnxNode&, const KnownInputs& in) {
    if (in.size() != 3)
        return std::nullopt;
    for (const KnownValue* value : in) {
        if (value->elements.size() != 1 || value->dependsOnBatch())
            return std::nullopt;
    }
    const double start = in[0]->elements[0].value;
    const double step = in[2]->elements[0].value;
    const double count = std::ceil((in[1]->elements[0].value - start) / step);
    if (!(count <= static_cast<double>(longestKnownValue)))
        return std::nullopt;
    KnownValue result{{static_cast<std::int64_t>(std::max(0.0, count))}, in[0]->type, {}};
    for (std::int64_t i = 0; i < result.extents[0]; ++i)
        result.elements.push_back({start + static_cast<double>(i) * step, 0});
    return result;
}

/// Of extents that a known list gives.
Folded filled(const KnownValue& extents, OnnxType type, BatchNumber number) {
    if (extents.dependsOnBatch())
        return std::nullopt;
    KnownValue result{{}, type, {}};
    for (const BatchNumber& element : extents.elements)
        result.extents.push_back(static_cast<std::int64_t>(std::clamp(element.value, -1.0, 9e15)));
    const std::int64_t count = countOf(result.extents);
    if (count < 0)
        return std::nullopt;
    result.elements.assign(static_cast<std::size_t>(count), number);
    return result;
}

Folded expanded(const OnnxNode&, const KnownInputs& in) {
    const Folded zeros = in.size() == 2 ? filled(*in[1], in[0]->type, {}) : std::nullopt;
    return zeros ? combined(*in[0], *zeros, sum, in[0]->type) : std::nullopt;
}

Folded constantOfShape(const OnnxNode& node, const KnownInputs& in) {
    const OnnxAttribute* given = node.attribute("value");
    if (given == nullptr || !given->tensor)
        return filled(*in[0], OnnxType::Float, {});
    const std::vector<double> numbers = numbersOf(*given->tensor);
    return filled(*in[0], given->tensor->type, {numbers.empty() ? 0 : numbers[0], 0});
}

Folded cast(const OnnxNode& node, const KnownInputs& in) {
    KnownValue result = *in[0];
    result.type = static_cast<OnnxType>(std::clamp<std::int64_t>(node.integer("to", 1), 0, 255));
    if (result.type != OnnxType::Bool && isFloating(result.type))
        return result;
    for (BatchNumber& element : result.elements) {
        const bool isWhole = element.isConstant() || (element.value == std::trunc(element.value) &&
                                                      element.perSample == std::trunc(element.perSample));
        if (!isWhole || (result.type == OnnxType::Bool && !element.isConstant()))
            return std::nullopt;
        if (result.type == OnnxType::Bool)
            element.value = element.value != 0 ? 1 : 0;
        else
            element.value = std::trunc(element.value);
    }
    return result;
}

Folded where(const OnnxNode&, const KnownInputs& in) {
    if (in.size() != 3)
        return std::nullopt;
    const Folded picked = combined(*in[0], *in[1], ofConstants<pickedWhere>, in[1]->type);
    const Folded other = combined(*in[0], *in[2], ofConstants<pickedElsewhere>, in[1]->type);
    return picked && other ? combined(*picked, *other, sum, in[1]->type) : std::nullopt;
}

struct FoldingRow {
    std::string_view operation;
    FoldingRule rule;
};

constexpr std::array foldingRows{
    FoldingRow{"Abs", unary<magnitude>},
    FoldingRow{"Add", binary<sum>},
    FoldingRow{"And", comparison<ofConstants<both>>},
    FoldingRow{"Cast", cast},
    FoldingRow{"Ceil", unary<roundedUp>},
    FoldingRow{"Concat", foldConcat},
    FoldingRow{"ConstantOfShape", constantOfShape},
    FoldingRow{"Div", division},
    FoldingRow{"Equal", comparison<ofConstants<equal>>},
    FoldingRow{"Expand", expanded},
    FoldingRow{"Floor", unary<roundedDown>},
    FoldingRow{"Gather", foldGather},
    FoldingRow{"Greater", comparison<ofConstants<greater>>},
    FoldingRow{"Identity", unchanged},
    FoldingRow{"Less", comparison<ofConstants<less>>},
    FoldingRow{"Max", binary<ofConstants<larger>>},
    FoldingRow{"Min", binary<ofConstants<smaller>>},
    FoldingRow{"Mod", binary<ofConstants<modulo>>},
    FoldingRow{"Mul", binary<product>},
    FoldingRow{"Neg", negated},
    FoldingRow{"Not", unary<isNot>},
    FoldingRow{"Or", comparison<ofConstants<either>>},
    FoldingRow{"Pow", binary<ofConstants<power>>},
    FoldingRow{"Range", numberRange},
    FoldingRow{"ReduceMax", reduced<ofConstants<larger>>},
    FoldingRow{"ReduceMin", reduced<ofConstants<smaller>>},
    FoldingRow{"ReduceProd", reduced<product>},
    FoldingRow{"ReduceSum", reduced<sum>},
    FoldingRow{"Reshape", foldReshape},
    FoldingRow{"Round", unary<rounded>},
    FoldingRow{"Slice", foldSlice},
    FoldingRow{"Sqrt", unary<root>},
    FoldingRow{"Squeeze", foldSqueeze},
    FoldingRow{"Sub", binary<difference>},
    FoldingRow{"Transpose", foldTranspose},
    FoldingRow{"Unsqueeze", foldUnsqueeze},
    FoldingRow{"Where", where},
};

} // namespace

FoldingRule findFoldingRule(std::string_view operation) {
    const auto* found = std::ranges::find(foldingRows, operation, &FoldingRow::operation);
    return found == foldingRows.end() ? nullptr : found->rule;
}

} // namespace core
