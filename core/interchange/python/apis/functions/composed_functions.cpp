#include "core/interchange/python/apis/functions/composed_functions.h"

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

struct ComposedFunction {
    std::string_view name;
    PythonValue (*make)(const PythonApiCall&);
};
constexpr std::array<ComposedFunction, 5> composedFunctions{{
    {"weighted_cross_entropy_with_logits", weightedCrossEntropy},
    {"log_poisson_loss", logPoisson},
    {"l2_loss", halfOfSquares},
    {"diag_part", diagonalOf},
    {"matrix_diag_part", diagonalOf},
}};

} // namespace

std::optional<PythonValue> composedFunction(const PythonApiCall& call) {
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
