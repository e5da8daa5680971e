#pragma once

#include "core/interchange/python/draft/program_builder.h"

#include <string>

namespace core {

/// Model(inputs, outputs). Arguments that are not Keras' own are options of its pipeline, as the classes of
/// TensorFlow 2.1 take them.
PythonModelName makeFunctionalModel(PythonProgramBuilder& builder, const PythonArguments& arguments);
/// Sequential(layers); a pipelined one of TensorFlow 2.1 has a list of layers for each stage.
PythonModelName makeSequentialModel(PythonProgramBuilder& builder, const PythonArguments& arguments,
                                    bool isPipelined);
/// The JSON of a network that a template of this program with these parameters makes.
[[nodiscard]] Json templateDocument(const PythonProgramBuilder& builder, const std::string& templateName,
                                    const Json& parameters, PythonPlace place);
/// A network that comes with Keras, by its JSON: a Functional model, as if the program had made its layers.
PythonModelName makeDocumentModel(PythonProgramBuilder& builder, const Json& document, PythonPlace place);
/// A model whose class builds it in call(): it has no layers here.
PythonModelName makeSubclassModel(PythonProgramBuilder& builder, const std::string& className,
                                  PythonPlace place);

/// The layer that a value is: a layer, an input, or a model that another one calls.
[[nodiscard]] PythonLayerName asLayer(PythonProgramBuilder& builder, const PythonValue& value,
                                      PythonPlace place);
void addToSequential(PythonProgramBuilder& builder, PythonModel& model, const PythonValue& layer,
                     PythonPlace place);
/// The shape that a sequence takes, with the batch axis, where its first layer does not say one.
void setInputShape(PythonProgramBuilder& builder, PythonModel& model, const Json& shape);
[[noreturn]] void refuseSubclass(const PythonProgramBuilder& builder, const std::string& className,
                                 PythonPlace place);

} // namespace core
