#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>

namespace core {

/// optimizer.compute_gradients(loss) of a graph: pairs of gradients and variables.
[[nodiscard]] PythonValue gradientsOfGraph(const PythonApiCall& call, const PythonValue& loss,
                                           PythonValues variables, std::vector<std::int64_t> untrained);
/// optimizer.apply_gradients() of such pairs: what trains the graph; nothing where they are others.
[[nodiscard]] std::optional<PythonTrainingStep> stepOfGradients(const PythonApiCall& call,
                                                                const PythonConfigured& optimizer);
/// The step of training that a call makes. An optimizer of null: the loss is measured alone.
[[nodiscard]] PythonTrainingStep trainingStep(const PythonApiCall& call, Json optimizer,
                                              const PythonValue& loss,
                                              std::vector<std::int64_t> untrained = {});
/// The step of training of a graph. A graph that is trained in parts by one kind of optimizer is trained by
/// one; by several it is what no project holds.
PythonTrainingStep stepBeside(const PythonApiCall& call, PythonTrainingStep step);
/// weight.assign_sub(rate * gradient), weight.assign(weight - rate * gradient): a step of SGD. What else a
/// program makes of a weight itself is left out, as a warning says where the weight is one of a model.
[[nodiscard]] PythonValue updateByHand(const PythonApiCall& call, const PythonValue& weight,
                                       const PythonValue* value);
/// Arithmetic on gradients: what they are multiplied by, how their variables decay by them, or that they are
/// computed further. Nothing where neither operand is a gradient, nor a multiple of weights.
[[nodiscard]] std::optional<PythonValue> gradientOperation(const PythonProgramBuilder& builder,
                                                           const std::string& operation,
                                                           const PythonValue& left, const PythonValue& right);
/// tf.add(x, y) and its like, and what operator they stand for; nothing for other calls.
struct PythonArithmetic {
    const char* operation;
    const PythonValue& x;
    const PythonValue& y;
};
[[nodiscard]] std::optional<PythonArithmetic> arithmeticOf(const PythonApiCall& call);
/// The same of tf.add() and its like; and tf.assign() of a weight. Nothing for other calls.
[[nodiscard]] std::optional<PythonValue> gradientFunction(const PythonApiCall& call);
/// tf.clip_by_norm(gradient, 1.0) and its like: an option of the optimizer of Keras that will apply them.
/// Nothing where no gradients were taken.
[[nodiscard]] std::optional<PythonValue> clipGradients(const PythonApiCall& call);
/// Puts into an optimizer what a program makes of gradients before it applies them; null: nothing.
void takeGradientOptions(const PythonApiCall& call, const PythonData* gradients, Json& optimizer);
/// What an optimizer makes of gradients that are multiplied by a number, as options of it: gradient descent
/// has another rate, and optimizers that divide by the size of gradients keep more or less of it from being
/// zero. False: it has no such options.
[[nodiscard]] bool multiplyGradients(Json& optimizer, double factor);
/// Gradients that the program added up over the replicas, and divided by their number, or averaged itself:
/// the optimizer does so. True: the number that they were multiplied by is thereby taken.
[[nodiscard]] bool takeReplicas(const PythonData& gradients, bool isClipped, Json& optimizer);
/// Gradients that are multiplied by one over a whole number, which may be how many replicas there are: the
/// optimizer divides them by it. False: it is no such number, or clipping comes between.
[[nodiscard]] bool divideByReplicas(std::optional<double> factor, bool isClipped, Json& optimizer);
/// The bounds to which an optimizer clips gradients, for gradients that are so many times as large.
void multiplyClipping(Json& optimizer, double factor);
/// What decays the weights, as a part of gradients that were multiplied otherwise since.
void multiplyDecay(Json& optimizer, double factor);
/// A loss that the program multiplies by a number, and whose gradients it divides by it: the optimizer with
/// that loss scale. Numbers up to 1 are none.
void scaleLoss(Json& optimizer, double scale);

} // namespace core
