#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>

namespace core {

/// The code of a refusal that says, in the place of a message, where a weight is made that a program uses in
/// several ways.
inline constexpr const char* pythonSecondUse = "python/second-use";

/// A weight without shape yet, made where the call is.
[[nodiscard]] PythonLibraryObject newWeight(const PythonApiCall& call);
[[nodiscard]] PythonLibraryObject weightMadeAt(const PythonProgramBuilder& builder, PythonPlace place);
/// A weight is that of a layer.
void becomePart(const PythonLibraryObject& weight, PythonLayerName layer);
/// Says of which type it is; numbers of 16 bits are kept by the layer that it becomes part of.
void setTypeOfWeight(PythonProgramBuilder& builder, const PythonLibraryObject& weight,
                     const std::string& type);
/// A weight becomes part of a layer that has weights of its own and begins as the weight does. One that is a
/// part of another layer already stays that, as a warning says: the layer has a copy.
void giveWeight(const PythonApiCall& call, const PythonValue& value, PythonLayerName layer,
                const char* initializer);
/// add_weight() of a layer of the program: a weight that becomes part of a layer where it meets a tensor.
PythonValue makeWeight(const PythonApiCall& call);
/// tf.get_variable(): a weight where it is a matrix or a bias; else what it holds is not known, but its
/// shape.
PythonValue variableOfProgram(const PythonApiCall& call);
/// Extents of a weight, or of a variable whose shape alone is known; null for other values.
[[nodiscard]] Json shapeOfVariable(const PythonValue& value);
/// ipu.embedding_ops.embedding_lookup(): an Embedding whose table is a variable of the program, with its
/// shape.
PythonValue lookupInVariable(const PythonApiCall& call);
[[nodiscard]] bool isWeight(const PythonValue& value);
[[nodiscard]] bool isHalfWeight(const PythonValue& value);
/// The layer that a weight became a part of, and the option of that layer that regularizes it; nothing where
/// the weight is used nowhere.
[[nodiscard]] std::optional<std::pair<PythonLayerName, std::string>>
regularizedPart(const PythonProgramBuilder& builder, const PythonValue& weight);
/// x @ w, x + b and the like: a Dense layer where they are one, else a Variable beside the tensor; nothing
/// where no weight is among them.
[[nodiscard]] std::optional<PythonValue> weightOperation(PythonProgramBuilder& builder,
                                                         const std::string& operation,
                                                         const PythonValue& left, const PythonValue& right,
                                                         PythonPlace place);
/// w[:n]: rows of a weight as a tensor of its own, beside what the program made last; nothing where it made
/// none, or for other values.
[[nodiscard]] std::optional<PythonValue> partOfWeight(PythonProgramBuilder& builder, const PythonValue& value,
                                                      const PythonValue& index, PythonPlace place);
/// Weights among the arguments of a call become tensors of their own where a tensor is among them.
void weightsBesideTensors(const PythonApiCall& call);
/// `weightOperation` of a function of TensorFlow; other weights among its arguments become tensors.
[[nodiscard]] std::optional<PythonValue> weightFunction(const PythonApiCall& call);

/// tf.random.normal() of the extents of the tensor that a layer of the program is called on: noise around 0,
/// which a project draws in training only, as a warning says. Nothing for other calls.
[[nodiscard]] std::optional<PythonValue> noiseOfLayer(const PythonApiCall& call);

} // namespace core
