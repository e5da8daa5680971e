#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>

namespace core {

/// Where `model.losses` comes from: the regularizers of layers, which a project has already.
inline constexpr const char* regularizers = "the losses of layers";

/// tape.gradient(loss, …): the gradients of a loss that is read, else samples.
[[nodiscard]] PythonValue takeGradients(const PythonApiCall& call);
/// A class of the program that says what a step of training does: followed on samples; where it applies the
/// gradients of a loss, what it does with them is its optimizer's.
void followOwnStep(const PythonApiCall& call, PythonModelName model, const PythonValue& samples);
/// The loss and the optimizer that compile() was given, for such a step; nothing where there is none.
[[nodiscard]] PythonValue compiledLoss(const PythonApiCall& call, PythonModelName model);
[[nodiscard]] PythonValue compiledOptimizer(const PythonProgramBuilder& builder, PythonModelName model);
/// The optimizer applies the gradients of the last loss to its model; nothing where there is none. Gradients
/// that are not those of the loss are refused.
void applyGradients(const PythonApiCall& call, const PythonConfigured& optimizer);
/// The model's optimizer, losses and outputs.
void takeTrainingStep(PythonProgramBuilder& builder, PythonModel& model, const PythonTrainingStep& step,
                      const std::vector<PythonLoss>& losses);
/// An operator on a loss that a program computes by itself; nothing where neither is one.
[[nodiscard]] std::optional<PythonValue> lossOperation(const PythonProgramBuilder& builder,
                                                       const std::string& operation, const PythonValue& left,
                                                       const PythonValue& right, PythonPlace place);
/// The same of tf.multiply() and its like; nothing for other calls.
[[nodiscard]] std::optional<PythonValue> lossArithmetic(const PythonApiCall& call);
/// strategy.run(function, args, kwargs): one execution on the device.
PythonValue runOnDevice(const PythonApiCall& call);

/// Counts the updates of what is called while it lives as those of one execution.
class PythonExecution {
public:
    explicit PythonExecution(PythonProgramBuilder& builder)
        : m_builder(builder) {
        m_builder.tally.beginExecution();
    }
    ~PythonExecution() { m_builder.tally.endExecution(); }
    PythonExecution(const PythonExecution&) = delete;
    PythonExecution& operator=(const PythonExecution&) = delete;

private:
    PythonProgramBuilder& m_builder;
};

} // namespace core
