#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>

namespace core {

/// Whether calls of an object of a class with that base run its function call(): a layer of the program.
[[nodiscard]] bool isLayerBase(const std::string& base);
/// The name of an object of a layer class of the program; nothing before it is known.
[[nodiscard]] std::optional<PythonValue> nameOfLayer(const PythonInstance& object);
/// mixed_precision.Policy("mixed_float16"): an object that says its types.
[[nodiscard]] PythonValue policyNamed(const std::string& name);
/// What the attributes compute_dtype, variable_dtype and dtype of such an object answer; nothing for others.
[[nodiscard]] std::optional<PythonValue>
typeOfLayer(const PythonProgramBuilder& builder, const PythonInstance& object, const std::string& attribute);
/// Whether objects of a class with that base are models.
[[nodiscard]] bool isModelBase(const std::string& base);

/// Whether objects of a class with that base are modules of TensorFlow: __call__() computes what they answer.
/// One that is called on samples, or asked for its weights, is a model.
[[nodiscard]] bool isModuleBase(const std::string& base);
/// Makes a model of a module that is asked for an attribute of models.
void beginModule(PythonProgramBuilder& builder, const PythonInstance& object, const std::string& attribute);

/// What `training` is while a model is built: something, which layers are not told.
[[nodiscard]] PythonValue trainingFlag();
[[nodiscard]] bool isTrainingFlag(const PythonValue& value);

/// An object of a class of the program that is derived from a model gets its model.
void beginModelObject(PythonProgramBuilder& builder, const PythonInstance& object, PythonPlace place);
/// A layer or model of the program that is called; nothing for other objects.
std::optional<PythonValue> callModelObject(const PythonApiCall& call, const PythonInstance& object);
/// A function that its class inherits from Keras.
std::optional<PythonValue> callInheritedFunction(const PythonApiCall& call, const PythonInstance& object);
/// The model of an object; nothing: it has none.
[[nodiscard]] std::optional<PythonModelName> modelOfObject(const PythonInstance& object);

/// A Sequential model with layers of the program in it: its layers are followed where its input is known.
PythonModelName makeComputedSequential(PythonProgramBuilder& builder, const PythonValues& layers,
                                       const std::string& name, PythonPlace place);
/// Turns a Sequential model into such a one, so that it takes such layers.
void computeSequential(PythonProgramBuilder& builder, PythonModelName model);
/// Follows what a model computes, once its samples say which shape its input has; `samples` null: the model
/// itself says. False: neither does.
bool buildModel(const PythonApiCall& call, PythonModelName model, const PythonValue* samples);
/// A model called on samples answers samples that know the model.
PythonValue callModelOnSamples(const PythonApiCall& call, PythonModelName model);
/// Features of what fit() is given, with their batch axis.
[[nodiscard]] PythonValue featuresOf(const PythonValue& given);
/// At the program's end: models that were never built are built, or refused where they were used.
void settleModels(PythonInterpreter& interpreter, PythonProgramBuilder& builder);

} // namespace core
