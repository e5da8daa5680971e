#pragma once

#include "core/interchange/python/draft/program_builder.h"

#include <string>

namespace core {

/// What a person meant by the name of an argument that is not among the known ones, where it differs by a few
/// letters.
[[nodiscard]] std::optional<std::string> misspeltName(const std::string& name,
                                                      const std::vector<std::string>& known);

/// A layer of a class of the catalogue, with Keras' name for it. Positional arguments are its attributes in
/// their order.
[[nodiscard]] PythonLayerName makeLayer(PythonProgramBuilder& builder, const std::string& className,
                                        const PythonArguments& arguments);
/// The tensor that tf.keras.Input() answers.
[[nodiscard]] PythonTensor makeInput(PythonProgramBuilder& builder, const PythonArguments& arguments);
/// The tensor, or the list of tensors, that a layer answers.
PythonValue callLayer(PythonProgramBuilder& builder, PythonLayerName layer, PythonArguments& arguments);
/// In TensorFlow 1 a layer computes in the type of what it is called on first, where it is told no other.
void takeTypeOfInput(PythonProgramBuilder& builder, PythonLayerName layer, const PythonTensor& input);
/// JSON of an argument of a call, in which every tensor is a reference.
[[nodiscard]] Json callStructure(PythonProgramBuilder& builder, const PythonValue& value, PythonCall& call,
                                 PythonPlace place);

/// [extents…], or one extent, as a list with the batch axis before it.
[[nodiscard]] Json shapeWithBatch(const Json& shape, const Json& batch);

} // namespace core
