#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>
#include <string>

namespace core {

// What a program adds to its loss for the weights themselves: wd * tf.add_n([tf.nn.l2_loss(w) for w in
// model.trainable_weights if "bias" not in w.name]). A project holds it as the regularizers of layers, for
// each kind of weight: d(wd * l2_loss(w))/dw = wd * w is the gradient of the regularizer L2(wd / 2).

/// What a loop over the weights of a model meets: one weight of each kind, which says its name and rank.
/// Nothing: these are no weights, or it is one of a kind.
[[nodiscard]] std::optional<PythonValues> weightsByKind(const PythonValue& value);

/// name, shape, … of one of them.
[[nodiscard]] std::optional<PythonValue> attributeOfWeight(const PythonData& weight, const std::string& name);

/// A function of weights or of such sums: l2_loss, square, reduce_sum, add_n.
[[nodiscard]] std::optional<PythonValue> penaltyFunction(const PythonApiCall& call);

/// Sums and multiples of them. Added to a loss they become regularizers at the program's end, once for each
/// place of the program, and the loss is left.
[[nodiscard]] std::optional<PythonValue> penaltyOperation(PythonProgramBuilder& builder,
                                                          const std::string& operation,
                                                          const PythonValue& left, const PythonValue& right,
                                                          PythonPlace place);

/// A regularizer as a project holds it; a function of the program is asked for the sum of squares that it is.
[[nodiscard]] Json regularizerJson(const PythonApiCall& call, const PythonValue& regularizer);

/// Puts the regularizers into the layers.
void settlePenalties(PythonProgramBuilder& builder);

} // namespace core
