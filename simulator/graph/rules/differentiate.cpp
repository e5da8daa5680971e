#include "simulator/graph/rules/differentiate.h"

#include "simulator/graph/rules/gradient_rule.h"

#include <algorithm>
#include <set>

namespace simulator {
namespace {

using core::TensorId;

GradientRule ruleOf(const OperationAttributes& attributes) {
    const GradientChoice choice = gradientRules().of(attributes);
    return choice == nullptr ? nullptr : choice(attributes);
}

/// The walk backwards over the forward operations of one graph.
class ReverseWalk {
public:
    ReverseWalk(GraphBuilder& build, std::span<const TensorId> wanted)
        : m_build(build)
        , m_forwardCount(build.graph().operations.size())
        , m_isWanted(build.graph().tensors.size(), false)
        , m_leadsToWanted(build.graph().tensors.size(), false)
        , m_carriesData(build.graph().tensors.size(), false)
        , m_gradients(build.graph().tensors.size()) {
        for (const TensorId id : wanted)
            m_isWanted[id.index()] = true;
        m_leadsToWanted = m_isWanted;
        markDependents();
        markCarriers();
    }

    core::Result<Gradients> run(std::span<const GradientSeed> seeds) {
        for (const GradientSeed& seed : seeds) {
            const TensorId tensor = seed.tensor;
            addPart(tensor, m_build.graph().tensor(tensor).origin, seed.gradient);
        }
        for (std::size_t i = m_forwardCount; i-- > 0;) {
            if (const core::Result<void> step = visit(i); !step)
                return core::failure(step.error());
        }
        return std::move(m_parts);
    }

private:
    /// A tensor leads to a wanted one when it is computed from it along floating-point values.
    void markDependents() {
        const TrainingGraph& graph = m_build.graph();
        for (const Operation& operation : graph.operations) {
            const bool depends = std::ranges::any_of(
                operation.inputs, [&](TensorId id) { return m_leadsToWanted[id.index()]; });
            if (!depends || ruleOf(operation.attributes) == noGradients)
                continue;
            for (const TensorId id : operation.outputs)
                m_leadsToWanted[id.index()] =
                    m_leadsToWanted[id.index()] || core::isFloating(graph.tensor(id).type);
        }
    }

    /// A tensor carries data when it is computed from what the host feeds, not from weights alone.
    void markCarriers() {
        const TrainingGraph& graph = m_build.graph();
        for (const Tensor& tensor : graph.tensors)
            m_carriesData[tensor.id.index()] =
                tensor.role == TensorRole::Input || tensor.role == TensorRole::Target;
        for (const Operation& operation : graph.operations)
            if (std::ranges::any_of(operation.inputs, [&](TensorId id) { return m_carriesData[id.index()]; }))
                for (const TensorId id : operation.outputs)
                    m_carriesData[id.index()] = true;
    }

    /// Of the operations that a rule appended, those from which no gradient of an activation comes.
    void markWeightGradients(std::size_t first, const Operation& forward, const InputGradients& gradients) {
        std::set<TensorId> needed;
        for (std::size_t i = 0; i < gradients.size(); ++i)
            if (gradients[i].isValid() && m_carriesData[forward.inputs[i].index()])
                needed.insert(gradients[i]);
        std::vector<Operation>& operations = m_build.graph().operations;
        for (std::size_t i = operations.size(); i-- > first;) {
            Operation& operation = operations[i];
            operation.isWeightGradient = std::ranges::none_of(
                operation.outputs, [&](TensorId output) { return needed.contains(output); });
            if (!operation.isWeightGradient)
                needed.insert(operation.inputs.begin(), operation.inputs.end());
        }
    }

    core::Result<void> visit(std::size_t index) {
        // A copy: rules append operations, which moves the vector's elements.
        const Operation operation = m_build.graph().operations[index];
        const bool isReached = std::ranges::any_of(
            operation.outputs, [&](TensorId id) { return m_gradients[id.index()].isValid(); });
        std::vector<bool> wanted;
        for (const TensorId id : operation.inputs)
            wanted.push_back(m_leadsToWanted[id.index()]);
        if (!isReached || std::ranges::none_of(wanted, [](bool isWanted) { return isWanted; }))
            return {};
        const GradientRule rule = ruleOf(operation.attributes);
        if (rule == nullptr)
            return core::failure(refusal(operation));
        m_build.setScope({operation.name + "/grad", operation.origin, Phase::Backward});
        GradientRequest request{m_build, operation, {}, wanted};
        for (const TensorId id : operation.outputs)
            request.outputGradients.push_back(m_gradients[id.index()]);
        const std::size_t first = m_build.graph().operations.size();
        const InputGradients gradients = rule(request);
        markWeightGradients(first, operation, gradients);
        for (std::size_t i = 0; i < gradients.size(); ++i) {
            if (gradients[i].isValid() && wanted[i])
                addPart(operation.inputs[i], operation.origin, gradients[i]);
        }
        return {};
    }

    void addPart(TensorId tensor, core::InvocationId origin, TensorId gradient) {
        const std::size_t first = m_build.graph().operations.size();
        addToSums(tensor, origin, gradient);
        for (std::size_t i = first; i < m_build.graph().operations.size(); ++i)
            m_build.graph().operations[i].isWeightGradient = !m_carriesData[tensor.index()];
    }

    void addToSums(TensorId tensor, core::InvocationId origin, TensorId gradient) {
        if (m_isWanted[tensor.index()])
            addWantedPart(m_parts[tensor], origin, gradient);
        TensorId& sum = m_gradients[tensor.index()];
        if (!m_isWanted[tensor.index()] || m_build.graph().tensor(tensor).role == TensorRole::Activation)
            sum = sum.isValid() ? added(tensor, sum, gradient) : gradient;
    }

    void addWantedPart(std::vector<GradientPart>& parts, core::InvocationId origin, TensorId gradient) {
        const auto part = std::ranges::find(parts, origin, &GradientPart::origin);
        if (part == parts.end())
            parts.push_back({origin, gradient});
        else
            part->gradient = m_build.binary(BinaryFunction::Add, part->gradient, gradient);
    }

    /// Sums of an activation's gradients belong to whoever computed the activation.
    TensorId added(TensorId tensor, TensorId a, TensorId b) {
        const GraphBuilder::Scope scope = m_build.scope();
        const Tensor& forward = m_build.graph().tensor(tensor);
        m_build.setScope({forward.name + "/grad", forward.origin, Phase::Backward});
        const TensorId sum = m_build.binary(BinaryFunction::Add, a, b);
        m_build.setScope(scope);
        return sum;
    }

    static core::Diagnostic refusal(const Operation& operation) {
        return core::makeError(core::Trouble::Input, "numerics/not-trainable", {"", operation.name},
                               "training cannot pass through " + std::string(kindName(operation.attributes)),
                               {"freeze the layers before it, or evaluate instead of training"});
    }

    GraphBuilder& m_build;
    std::size_t m_forwardCount;
    std::vector<bool> m_isWanted;
    std::vector<bool> m_leadsToWanted;
    std::vector<bool> m_carriesData;
    /// Gradient so far, by forward tensor.
    std::vector<TensorId> m_gradients;
    Gradients m_parts;
};

} // namespace

InputGradients noGradients(const GradientRequest& request) {
    return InputGradients(request.operation.inputs.size());
}

InputGradients passGradients(const GradientRequest& request) {
    return {request.gradient()};
}

TensorId GradientRequest::gradient(std::size_t index) const {
    if (outputGradients[index].isValid())
        return outputGradients[index];
    const TensorForm form = build.form(output(index));
    return build.constant(0, form.extents, form.type);
}

TensorId unbroadcast(GraphBuilder& build, TensorId gradient, const Extents& extents) {
    const Extents wide = build.extents(gradient);
    const std::size_t offset = wide.size() - extents.size();
    std::vector<std::int64_t> axes;
    for (std::size_t i = 0; i < wide.size(); ++i) {
        if (i < offset || (extents[i - offset] == 1 && wide[i] != 1))
            axes.push_back(static_cast<std::int64_t>(i));
    }
    return build.reshape(build.reduce(ReduceFunction::Sum, gradient, std::move(axes), false), extents);
}

core::Result<Gradients> differentiate(GraphBuilder& build, std::span<const GradientSeed> seeds,
                                      std::span<const TensorId> wanted) {
    return ReverseWalk(build, wanted).run(seeds);
}

TensorId sumOfParts(GraphBuilder& build, const Gradients& gradients, TensorId tensor) {
    const auto it = gradients.find(tensor);
    if (it == gradients.end())
        return {};
    TensorId sum = it->second.front().gradient;
    for (std::size_t i = 1; i < it->second.size(); ++i)
        sum = build.binary(BinaryFunction::Add, sum, it->second[i].gradient);
    return sum;
}

} // namespace simulator
