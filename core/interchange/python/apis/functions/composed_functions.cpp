#include "core/interchange/python/apis/functions/composed_functions.h"

#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/draft/tensor_functions.h"
#include "core/interchange/python/draft/tensor_shape.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numbers>

namespace core {

namespace {

/// The terms that formulas consist of.
class Formula {
public:
    explicit Formula(const PythonApiCall& call)
        : m_call(call) {}

    PythonValue operate(const char* operation, const PythonValue& left, const PythonValue& right) const {
        return m_call.interpreter.operation(operation, left, right, m_call.place());
    }
    PythonValue sum(const PythonValue& left, const PythonValue& right) const {
        return operate("+", left, right);
    }
    PythonValue difference(const PythonValue& left, const PythonValue& right) const {
        return operate("-", left, right);
    }
    PythonValue product(const PythonValue& left, const PythonValue& right) const {
        return operate("*", left, right);
    }
    PythonValue apply(const char* function, const PythonValue& value,
                      std::vector<std::pair<std::string, PythonValue>> keywords = {}) const {
        PythonArguments arguments{{value}, std::move(keywords), m_call.place()};
        return m_call.interpreter.call(PythonLibraryName{function}, arguments);
    }

private:
    const PythonApiCall& m_call;
};

/// An argument that the function cannot do without.
const PythonValue& needed(const PythonApiCall& call, const char* name, std::size_t position) {
    const PythonValue* given = call.arguments.find(name, position);
    if (given == nullptr)
        call.refuse("python/value", fmt::format("{}() lacks its argument \"{}\"", call.name(), name),
                    {fmt::format("write {}=", name)});
    return *given;
}

/// (1 - labels) * logits + (1 + (weight - 1) * labels) * log(1 + exp(-logits)).
PythonValue weightedCrossEntropy(const PythonApiCall& call) {
    const Formula f(call);
    const PythonValue* older = call.arguments.keyword("targets");
    const PythonValue labels = older == nullptr ? needed(call, "labels", 0) : *older;
    const PythonValue logits = needed(call, "logits", 1);
    const PythonValue one = pythonConstant(1.0);
    const PythonValue factor = f.difference(needed(call, "pos_weight", 2), one);
    const PythonValue negative = f.product(f.difference(one, labels), logits);
    const PythonValue penalty = f.apply("tf.math.softplus", f.product(logits, pythonConstant(-1.0)));
    return f.sum(negative, f.product(f.sum(f.product(labels, factor), one), penalty));
}

/// The element type that numbers beside a tensor have.
std::string typeBeside(const PythonApiCall& call, const PythonTensor& tensor) {
    return call.builder.computesLoss ? "float32" : tensorType(call.builder, tensor); // of losses
}

/// exp(c) - z * c; the full loss adds Stirling's approximation of log(z!) where z is above 1.
PythonValue logPoisson(const PythonApiCall& call) {
    const Formula f(call);
    const PythonValue targets = needed(call, "targets", 0);
    const PythonValue logarithm = needed(call, "log_input", 1);
    const PythonValue* full = call.arguments.find("compute_full_loss", 2);
    const PythonValue rate = f.apply("tf.math.exp", logarithm);
    PythonValue loss = f.difference(rate, f.product(logarithm, targets));
    if (full == nullptr || full->constant() != true)
        return loss;
    const PythonValue one = pythonConstant(1.0);
    const auto* beside = (targets.is<PythonTensor>() ? targets : logarithm).as<PythonTensor>();
    const std::string type = beside == nullptr ? "float32" : typeBeside(call, *beside);
    const PythonValue above = f.apply("tf.math.maximum", targets, {{"y", one}});
    const PythonValue root = f.product(
        f.apply("tf.math.log", f.product(above, pythonConstant(2 * std::numbers::pi))), pythonConstant(0.5));
    const PythonValue stirling =
        f.sum(f.difference(f.product(above, f.apply("tf.math.log", above)), above), root);
    const PythonValue isAbove =
        f.apply("tf.cast", f.operate(">", targets, one), {{"dtype", pythonText(type)}});
    return f.sum(loss, f.product(stirling, isAbove));
}

/// Half the sum of all squares.
PythonValue halfOfSquares(const PythonApiCall& call) {
    const Formula f(call);
    const PythonValue sum = f.apply("tf.reduce_sum", f.apply("tf.math.square", needed(call, "t", 0)));
    return f.product(sum, pythonConstant(0.5)); // NOLINT(readability-magic-numbers): the half of its name
}

/// 1 on the diagonal of a matrix and 0 beside it. One of samples by samples has an extent that a run alone
/// knows: its rows and columns are counted.
PythonValue unitLike(const PythonApiCall& call, const PythonTensor& matrix, const Json& shape) {
    const Formula f(call);
    const std::size_t rank = shape.size();
    if (rank > 2 && shape[rank - 1].is_number_integer())
        return f.apply("tf.eye", pythonConstant(shape[rank - 1]));
    const PythonValue ones = f.apply("tf.ones_like", matrix);
    const auto counted = [&](int axis) {
        return f.apply("tf.cumsum", ones, {{"axis", pythonConstant(axis)}});
    };
    const PythonValue row = counted(-2);
    const PythonValue isDiagonal = f.apply("tf.math.equal", row, {{"y", counted(-1)}});
    return f.apply("tf.cast", isDiagonal, {{"dtype", pythonText(typeBeside(call, matrix))}});
}

/// The diagonals of square matrices: what the unit matrix leaves of each, summed over the columns.
PythonValue diagonalOf(const PythonApiCall& call) {
    const Formula f(call);
    const PythonValue input = needed(call, "input", 0);
    const auto* matrix = input.as<PythonTensor>();
    const Json shape = matrix == nullptr ? Json() : tensorShape(call.builder, *matrix);
    const std::size_t rank = shape.is_array() ? shape.size() : 0;
    const bool isSquare = rank >= 2 && shape[rank - 1] == shape[rank - 2];
    const bool isMain = call.arguments.list.size() + call.arguments.keywords.size() == 1;
    if (!isSquare || !isMain)
        call.refuse("python/unsupported",
                    fmt::format("{}() is read as the main diagonal of square matrices", call.name()),
                    {"multiply by a mask of zeros and ones, and sum over the last axis"});
    const PythonValue kept = f.product(input, unitLike(call, *matrix, shape));
    return f.apply("tf.reduce_sum", kept, {{"axis", pythonConstant(-1)}});
}

/// scale * (x - mean) / sqrt(variance + epsilon) + offset.
PythonValue normalized(const PythonApiCall& call) {
    const Formula f(call);
    const PythonValue variance = needed(call, "variance", 2);
    const PythonValue* scale = call.arguments.given("scale", 4);
    const PythonValue* offset = call.arguments.given("offset", 3);
    PythonValue factor = f.apply("tf.math.rsqrt", f.sum(variance, needed(call, "variance_epsilon", 5)));
    PythonValue made = f.product(f.difference(needed(call, "x", 0), needed(call, "mean", 1)), factor);
    if (scale != nullptr)
        made = f.product(made, *scale);
    return offset == nullptr ? made : f.sum(made, *offset);
}

/// x @ weights + biases.
PythonValue productAndSum(const PythonApiCall& call) {
    const Formula f(call);
    return f.sum(f.operate("@", needed(call, "x", 0), needed(call, "weights", 1)), needed(call, "biases", 2));
}

/// The product of matrices and vectors.
PythonValue matrixByVector(const PythonApiCall& call) {
    const Formula f(call);
    const PythonValue column =
        f.apply("tf.expand_dims", needed(call, "b", 1), {{"axis", pythonConstant(-1)}});
    std::vector<std::pair<std::string, PythonValue>> keywords{{"b", column}};
    if (const PythonValue* turned = call.arguments.given("transpose_a", 2))
        keywords.emplace_back("transpose_a", *turned);
    return f.apply("tf.squeeze", f.apply("tf.linalg.matmul", needed(call, "a", 0), std::move(keywords)),
                   {{"axis", pythonConstant(-1)}});
}

/// tensordot(a, b, axes) as einsum(): axes that are summed have one letter in both.
PythonValue summedOverAxes(const PythonApiCall& call) {
    const PythonValue* axes = call.arguments.find("axes", 2);
    const PythonValue first = needed(call, "a", 0);
    const PythonValue second = needed(call, "b", 1);
    const auto shapeOfOperand = [&](const PythonValue& value) {
        const auto* tensor = value.as<PythonTensor>();
        return tensor == nullptr ? Json() : tensorShape(call.builder, *tensor);
    };
    const Json a = shapeOfOperand(first);
    const Json b = shapeOfOperand(second);
    Json summed = axes == nullptr ? Json() : call.builder.json(*axes, call.place());
    constexpr std::size_t most = 12;
    if (summed.is_number_integer() && a.is_array() && summed.get<std::int64_t>() <= std::int64_t(most)) {
        // the last ones of a, the first ones of b
        Json last = Json::array();
        Json front = Json::array();
        for (std::int64_t i = 0; i < summed.get<std::int64_t>(); ++i) {
            last.push_back(static_cast<std::int64_t>(a.size()) - summed.get<std::int64_t>() + i);
            front.push_back(i);
        }
        summed = {last, front};
    }
    const auto listed = [](const Json& one) { return one.is_array() ? one : Json::array({one}); };
    const bool isKnown = a.is_array() && b.is_array() && a.size() <= most && b.size() <= most &&
                         summed.is_array() && summed.size() == 2 &&
                         listed(summed[0]).size() == listed(summed[1]).size();
    if (!isKnown)
        call.refuse("python/unsupported", "this call of tensordot() is not read",
                    {"give it two tensors whose number of axes is known, and axes=[[…], […]]",
                     "use matmul() or einsum()"});
    std::string left;
    std::string right;
    for (std::size_t i = 0; i < a.size(); ++i)
        left += static_cast<char>('a' + i);
    for (std::size_t i = 0; i < b.size(); ++i)
        right += static_cast<char>('m' + i);
    std::string kept = left + right;
    for (std::size_t i = 0; i < listed(summed[0]).size(); ++i) {
        const auto place = [&](const Json& axis, std::size_t rank) {
            const auto at = axis.get<std::int64_t>();
            return static_cast<std::size_t>(at < 0 ? at + static_cast<std::int64_t>(rank) : at);
        };
        const std::size_t of = place(listed(summed[0])[i], a.size());
        const std::size_t with = place(listed(summed[1])[i], b.size());
        if (of >= left.size() || with >= right.size())
            call.refuse("python/value", "tensordot() names an axis that its operand does not have",
                        {"count axes from 0"});
        std::erase(kept, left[of]);
        std::erase(kept, right[with]);
        right[with] = left[of];
    }
    PythonArguments product{{pythonText(left + "," + right + "->" + kept), first, second}, {}, call.place()};
    return call.interpreter.call(PythonLibraryName{"tf.einsum"}, product);
}

/// resize_nearest_neighbor() and its like of TensorFlow 1.
PythonValue resizedOlder(const PythonApiCall& call) {
    const Formula f(call);
    const bool isNearest = call.name() == "resize_nearest_neighbor";
    return f.apply(
        "tf.image.resize", needed(call, "images", 0),
        {{"size", needed(call, "size", 1)}, {"method", pythonText(isNearest ? "nearest" : "bilinear")}});
}

/// tf.slice(x, begin, size): x[b : b + s, …], to the end where a size is −1.
PythonValue sliced(const PythonApiCall& call) {
    const auto* tensor = needed(call, "input_", 0).as<PythonTensor>();
    const PythonValues begin = needed(call, "begin", 1).items();
    const PythonValues size = needed(call, "size", 2).items();
    const Json extents = tensor == nullptr ? Json() : tensorShape(call.builder, *tensor);
    PythonValues index;
    for (std::size_t axis = 0; axis < std::min(begin.size(), size.size()); ++axis) {
        const bool isRead = begin[axis].isWhole() && size[axis].isWhole();
        if (!isRead)
            break;
        const auto first = begin[axis].constant().get<std::int64_t>();
        const auto extent = size[axis].constant().get<std::int64_t>();
        const Json whole = extents.is_array() && axis < extents.size() ? extents[axis] : Json();
        if (whole.is_number_integer() &&
            first + std::max<std::int64_t>(extent, 0) > whole.get<std::int64_t>())
            call.refuse("value-error/slice",
                        fmt::format("the slice ends at place {} of axis {}, which has {}",
                                    first + std::max<std::int64_t>(extent, 0), axis,
                                    whole.get<std::int64_t>()),
                        {"take no more than the axis has", "write -1 for all that is left"});
        index.push_back(PythonSlice{std::make_shared<const PythonValues>(
            PythonValues{pythonConstant(first), extent < 0 ? PythonValue() : pythonConstant(first + extent),
                         PythonValue()})});
    }
    if (tensor == nullptr || index.size() != begin.size() || index.size() != size.size())
        call.refuse("python/unsupported", "this slice is not read",
                    {"give begin and size as lists of numbers", "write x[:, a:b]"});
    return sliceTensor(call.builder, *tensor, pythonList(std::move(index), true), call.place());
}

/// tf.linalg.normalize(tensor, ord, axis): the tensor divided by its norm, and the norm.
PythonValue dividedByNorm(const PythonApiCall& call) {
    const Formula f(call);
    const PythonValue tensor = needed(call, "tensor", 0);
    const PythonValue* order = call.arguments.given("ord", 1);
    const PythonValue* axis = call.arguments.given("axis", 2);
    if (axis == nullptr || (order != nullptr && order->constant() != "euclidean" && order->constant() != 2))
        call.refuse("python/unsupported", "normalize() is read of the Euclidean norm along an axis",
                    {"write tf.linalg.normalize(x, axis=-1)"});
    const PythonValue norm =
        f.apply("tf.sqrt", f.apply("tf.reduce_sum", f.apply("tf.square", tensor),
                                   {{"axis", *axis}, {"keepdims", pythonConstant(true)}}));
    return pythonList({f.operate("/", tensor, norm), norm}, true);
}

/// boolean_mask(tensor, mask, axis=2) of a mask whose values the program says, along an axis of each sample:
/// the places that it keeps. Nothing for other calls.
std::optional<PythonValue> placesKept(const PythonApiCall& call) {
    const PythonValue* tensor = call.arguments.find("tensor", 0);
    const PythonValue* mask = call.arguments.find("mask", 1);
    const PythonValue* axis = call.arguments.given("axis", 3);
    const bool isAlongAxis = axis != nullptr && axis->isWhole() && axis->constant() != 0;
    if (call.name() != "boolean_mask" || tensor == nullptr || mask == nullptr || !isAlongAxis)
        return std::nullopt;
    const auto array = arrayOf(*mask);
    if (array == nullptr || array->isOpen || array->extents.size() != 1)
        return std::nullopt;
    PythonValues places;
    for (std::size_t i = 0; i < array->numbers.size(); ++i)
        if (array->numbers[i] != 0)
            places.push_back(pythonConstant(static_cast<std::int64_t>(i)));
    return Formula(call).apply("tf.gather", *tensor,
                               {{"indices", pythonList(std::move(places))}, {"axis", *axis}});
}

/// extract_patches() of patches that lie side by side: blocks of the image as channels, which
/// space_to_depth() answers in the same order.
PythonValue patchesSideBySide(const PythonApiCall& call) {
    const PythonValue images = needed(call, "images", 0);
    const PythonValue* older = call.arguments.keyword("ksizes");
    const Json sizes = writtenShape(older == nullptr ? needed(call, "sizes", 1) : *older);
    const Json strides = writtenShape(needed(call, "strides", 2));
    const Json rates = writtenShape(needed(call, "rates", 3));
    const Json extents =
        images.is<PythonTensor>() ? tensorShape(call.builder, *images.as<PythonTensor>()) : Json();
    constexpr std::size_t rank = 4;
    const bool isKnown = sizes.is_array() && sizes.size() == rank && extents.is_array() &&
                         extents.size() == rank && sizes[1].is_number_integer();
    const std::int64_t side = isKnown ? sizes[1].get<std::int64_t>() : 0;
    const auto isWhole = [&](std::size_t axis) {
        return extents[axis].is_number_integer() && extents[axis].get<std::int64_t>() % side == 0;
    };
    const bool areBlocks = side > 0 && sizes == strides && sizes[0] == 1 && sizes[3] == 1 &&
                           sizes[1] == sizes[2] && rates == Json::array({1, 1, 1, 1}) && isWhole(1) &&
                           isWhole(2);
    if (!areBlocks)
        call.refuse(
            "python/unsupported",
            fmt::format("{}() is read of square patches side by side that fill the image", call.name()),
            {"give strides as large as sizes, rates of 1, and an image that they divide",
             "use a Conv2D layer with such strides, as its kernel multiplies the patches"});
    return Formula(call).apply("tf.nn.space_to_depth", images, {{"block_size", pythonConstant(side)}});
}

struct ComposedFunction {
    std::string_view name;
    PythonValue (*make)(const PythonApiCall&);
};
constexpr std::array<ComposedFunction, 15> composedFunctions{{
    {"slice", sliced},
    {"normalize", dividedByNorm},
    {"extract_patches", patchesSideBySide},
    {"extract_image_patches", patchesSideBySide},
    {"batch_normalization", normalized},
    {"xw_plus_b", productAndSum},
    {"matvec", matrixByVector},
    {"tensordot", summedOverAxes},
    {"resize_nearest_neighbor", resizedOlder},
    {"resize_bilinear", resizedOlder},
    {"weighted_cross_entropy_with_logits", weightedCrossEntropy},
    {"log_poisson_loss", logPoisson},
    {"l2_loss", halfOfSquares},
    {"diag_part", diagonalOf},
    {"matrix_diag_part", diagonalOf},
}};

} // namespace

std::optional<PythonValue> composedFunction(const PythonApiCall& call) {
    if (auto kept = placesKept(call))
        return kept;
    const std::string name = call.name();
    const auto* const row = std::ranges::find(composedFunctions, name, &ComposedFunction::name);
    if (row == composedFunctions.end() || call.builder.scope.isHost)
        return std::nullopt;
    const auto isTensor = [](const PythonValue& value) { return value.is<PythonTensor>(); };
    const bool takesTensor = std::ranges::any_of(call.arguments.list, isTensor) ||
                             std::ranges::any_of(call.arguments.keywords,
                                                 [&](const auto& entry) { return isTensor(entry.second); });
    return takesTensor ? std::optional(row->make(call)) : std::nullopt;
}

} // namespace core
