// Optimizers of the set ai.onnx.preview.training: rate, step number, then for all tensors their values,
// gradients and states.
#include "simulator/compiler/lowering/onnx/onnx_call.h"

#include <array>

namespace simulator {
namespace {

using core::DataType;
using core::TensorId;

/// What every one of these operations has.
class OptimizerCall {
public:
    /// `states`: tensors of state for each weight.
    OptimizerCall(OnnxCall& call, std::size_t states)
        : m_call(call)
        , m_count((call.inputs.size() - 2) / (2 + states)) {}

    [[nodiscard]] static bool fits(const OnnxCall& call, std::size_t states) {
        return call.inputs.size() >= 4 + states && (call.inputs.size() - 2) % (2 + states) == 0;
    }

    [[nodiscard]] std::size_t count() const { return m_count; }
    [[nodiscard]] TensorId rate() const { return m_call.input(0); }
    [[nodiscard]] TensorId step() const { return m_call.build.cast(m_call.input(1), DataType::Float32); }
    [[nodiscard]] TensorId value(std::size_t i) const { return m_call.input(2 + i); }
    [[nodiscard]] TensorId plainGradient(std::size_t i) const { return m_call.input(2 + m_count + i); }
    [[nodiscard]] TensorId state(std::size_t which, std::size_t i) const {
        return m_call.input(2 + (2 + which) * m_count + i);
    }
    /// With the penalty on the weight's square.
    [[nodiscard]] TensorId gradient(std::size_t i) const {
        return sum(m_call.build.scaleShift(value(i), number("norm_coefficient", 0)), plainGradient(i));
    }
    [[nodiscard]] double number(const char* name, double byDefault) const {
        return m_call.node.number(name, byDefault);
    }

    [[nodiscard]] TensorId sum(TensorId a, TensorId b) const { return binary(BinaryFunction::Add, a, b); }
    [[nodiscard]] TensorId difference(TensorId a, TensorId b) const {
        return binary(BinaryFunction::Subtract, a, b);
    }
    [[nodiscard]] TensorId product(TensorId a, TensorId b) const {
        return binary(BinaryFunction::Multiply, a, b);
    }
    [[nodiscard]] TensorId quotient(TensorId a, TensorId b) const {
        return binary(BinaryFunction::Divide, a, b);
    }
    [[nodiscard]] TensorId scaled(TensorId x, double scale, double shift = 0) const {
        return m_call.build.scaleShift(x, scale, shift);
    }
    [[nodiscard]] TensorId square(TensorId x) const { return m_call.build.unary(UnaryFunction::Square, x); }
    [[nodiscard]] TensorId root(TensorId x) const { return m_call.build.unary(UnaryFunction::SquareRoot, x); }
    /// base^step, and `later` after the first step, `first` in it.
    [[nodiscard]] TensorId power(double base) const {
        return binary(BinaryFunction::Power, m_call.build.constant(base, {}, DataType::Float32), step());
    }
    [[nodiscard]] TensorId fromSecondStep(TensorId later, TensorId first) const {
        const TensorId isLater =
            binary(BinaryFunction::Greater, step(), m_call.build.constant(0, {}, DataType::Float32));
        return m_call.build.add(Select{}, {isLater, later, first}, "");
    }
    [[nodiscard]] TensorId constant(double value) const {
        return m_call.build.constant(value, {}, DataType::Float32);
    }

private:
    [[nodiscard]] TensorId binary(BinaryFunction function, TensorId a, TensorId b) const {
        return m_call.build.binary(function, a, b);
    }

    OnnxCall& m_call;
    std::size_t m_count;
};

OnnxOutputs refuseCount() {
    return refuseOnnx("has another number of inputs than its weights need");
}

OnnxOutputs adagrad(OnnxCall& call) {
    if (!OptimizerCall::fits(call, 1))
        return refuseCount();
    const OptimizerCall update(call, 1);
    const TensorId rate =
        update.quotient(update.rate(), update.scaled(update.step(), update.number("decay_factor", 0), 1));
    std::vector<TensorId> values;
    std::vector<TensorId> squares;
    for (std::size_t i = 0; i < update.count(); ++i) {
        const TensorId gradient = update.gradient(i);
        squares.push_back(update.sum(update.state(0, i), update.square(gradient)));
        const TensorId bound = update.scaled(update.root(squares.back()), 1, update.number("epsilon", 1e-6));
        values.push_back(
            update.difference(update.value(i), update.quotient(update.product(rate, gradient), bound)));
    }
    values.insert(values.end(), squares.begin(), squares.end());
    return values;
}

OnnxOutputs adam(OnnxCall& call) {
    if (!OptimizerCall::fits(call, 2))
        return refuseCount();
    const OptimizerCall update(call, 2);
    const double alpha = update.number("alpha", 0.9);
    const double beta = update.number("beta", 0.999);
    const TensorId corrected =
        update.product(update.rate(), update.quotient(update.root(update.scaled(update.power(beta), -1, 1)),
                                                      update.scaled(update.power(alpha), -1, 1)));
    const TensorId rate = update.fromSecondStep(corrected, update.rate());
    std::vector<TensorId> values;
    std::vector<TensorId> means;
    std::vector<TensorId> squares;
    for (std::size_t i = 0; i < update.count(); ++i) {
        const TensorId gradient = update.gradient(i);
        means.push_back(
            update.sum(update.scaled(update.state(0, i), alpha), update.scaled(gradient, 1 - alpha)));
        squares.push_back(update.sum(update.scaled(update.state(1, i), beta),
                                     update.scaled(update.square(gradient), 1 - beta)));
        const TensorId bound = update.scaled(update.root(squares.back()), 1, update.number("epsilon", 1e-6));
        const TensorId moved =
            update.difference(update.value(i), update.quotient(update.product(rate, means.back()), bound));
        values.push_back(update.scaled(moved, 1 - update.number("norm_coefficient_post", 0)));
    }
    values.insert(values.end(), means.begin(), means.end());
    values.insert(values.end(), squares.begin(), squares.end());
    return values;
}

OnnxOutputs momentum(OnnxCall& call) {
    if (!OptimizerCall::fits(call, 1))
        return refuseCount();
    const OptimizerCall update(call, 1);
    const double alpha = update.number("alpha", 0.9);
    const bool isNesterov = call.node.text("mode", "standard") == "nesterov";
    const TensorId share =
        update.fromSecondStep(update.constant(update.number("beta", 1)), update.constant(1));
    std::vector<TensorId> values;
    std::vector<TensorId> moments;
    for (std::size_t i = 0; i < update.count(); ++i) {
        const TensorId gradient = update.gradient(i);
        moments.push_back(
            update.sum(update.scaled(update.state(0, i), alpha), update.product(share, gradient)));
        const TensorId direction =
            isNesterov ? update.sum(gradient, update.scaled(moments.back(), alpha)) : moments.back();
        values.push_back(update.difference(update.value(i), update.product(update.rate(), direction)));
    }
    values.insert(values.end(), moments.begin(), moments.end());
    return values;
}

constexpr OnnxEntry optimizerNodes[]{
    {"Adagrad", adagrad},
    {"Adam", adam},
    {"Momentum", momentum},
};

} // namespace

std::span<const OnnxEntry> onnxOptimizers() {
    return optimizerNodes;
}

} // namespace simulator
