#pragma once

#include "core/base/result.h"
#include "core/config/training_options.h"
#include "core/model/typed_graph.h"
#include "simulator/catalogue/loss_formulas.h"
#include "simulator/catalogue/loss_settings.h"
#include "simulator/graph/graph_builder.h"

#include <memory>
#include <optional>

namespace simulator {

/// A loss and what it is computed from. Everything but the prediction comes from the host.
struct LossOperands {
    core::TensorId prediction;
    core::TensorId target;
    /// In the form of `weightExtents`.
    std::optional<core::TensorId> weight;
};

/// A Keras loss laid out for predictions of some extents: which axes it runs over, what it is compared with.
class LossLowering {
public:
    /// Refuses axes that the predictions do not have, and predictions that the loss cannot take.
    [[nodiscard]] static core::Result<LossLowering> make(const core::KerasObject& loss, Extents prediction);

    [[nodiscard]] const core::LossDefinition& definition() const { return *m_definition; }
    [[nodiscard]] const Loss& attributes() const { return m_loss; }
    /// The one axis of a loss that has an operation of its own.
    [[nodiscard]] std::size_t axis() const { return m_axes.front(); }
    /// The target that the host feeds.
    [[nodiscard]] TensorForm targetForm() const;
    /// One weight for each value of the loss before its reduction; the first axis is that of the samples.
    /// Nothing where the loss is one value of all samples together, whose weights are averaged.
    [[nodiscard]] std::optional<Extents> weightExtents() const;

    /// Adds the operations. `fromLogits`: the prediction is what a softmax or sigmoid would be taken of.
    /// Errors: those of the layers of a loss function.
    [[nodiscard]] core::Result<core::TensorId> add(GraphBuilder& build, const LossOperands& operands,
                                                   bool fromLogits) const;

private:
    /// How a loss without an operation of its own is made of others.
    using Composition = core::Result<core::TensorId> (LossLowering::*)(GraphBuilder& build,
                                                                       const LossOperands& operands) const;
    [[nodiscard]] Composition composition() const;
    [[nodiscard]] core::Result<void> takeFunction(const core::Json& model);
    [[nodiscard]] core::Result<core::TensorId> dice(GraphBuilder& build, const LossOperands& operands) const;
    [[nodiscard]] core::Result<core::TensorId> tversky(GraphBuilder& build,
                                                       const LossOperands& operands) const;
    [[nodiscard]] core::TensorId overlap(GraphBuilder& build, const LossOperands& operands,
                                         core::TensorId share) const;
    [[nodiscard]] core::Result<core::TensorId> circle(GraphBuilder& build,
                                                      const LossOperands& operands) const;
    [[nodiscard]] core::Result<core::TensorId> function(GraphBuilder& build,
                                                        const LossOperands& operands) const;
    [[nodiscard]] core::TensorId reduced(GraphBuilder& build, core::TensorId values,
                                         std::optional<core::TensorId> weight) const;
    [[nodiscard]] bool coversSamples() const { return m_axes.front() == 0; }
    [[nodiscard]] bool isComposed() const { return lossFormula(m_definition->className).isComposed(); }

    const core::LossDefinition* m_definition = nullptr;
    Loss m_loss;
    Extents m_extents;
    /// Of a loss function whose labels have extents of their own: those, with the samples' axis.
    std::optional<Extents> m_labelExtents;
    /// Axes that become one value, rising.
    std::vector<std::size_t> m_axes;
    bool m_removesDiagonal = true;
    /// Of a loss function: the model of labels and predictions, with their extents.
    std::shared_ptr<const core::TypedGraph> m_function;
};

/// x with `axis` behind all others.
[[nodiscard]] core::TensorId withAxisLast(GraphBuilder& build, core::TensorId x, std::size_t axis);

} // namespace simulator
