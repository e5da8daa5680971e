#pragma once

#include "core/interchange/python/apis/models/model_call.h"

namespace core {

// What compile(), fit(), evaluate() and predict() say of the training of a model.
PythonValue compileModel(const ModelCall& call);
PythonValue fitModel(const ModelCall& call);
/// evaluate() and predict() build a model like fit(), and say its batch where nothing else does.
PythonValue takeSamples(const ModelCall& call);

/// What a model was told behind its last fit(), for evaluation or prediction, is not the project's.
void keepTraining(PythonModel& model);
/// Puts what classes count for into the dataset that the program names, at its end. Those of samples that a
/// model is given wait for the dataset that the project makes of them.
void settleClassWeights(PythonProgramBuilder& builder);
/// What is said where no dataset takes them, and how a person gives them to one.
inline constexpr std::string_view classWeightsLeftOut =
    "fit's \"class_weight\" is left out: the project has no dataset yet that could say it";
[[nodiscard]] std::string cureOfClassWeights(const Json& weights);

/// A loss that the program computes by itself, as it was given to compile(), is followed; `labels`: what
/// fit() is given, null where it is not known.
void settleOwnLoss(PythonProgramBuilder& builder, PythonInterpreter& interpreter, PythonModelName model,
                   const PythonValue* labels);

} // namespace core
