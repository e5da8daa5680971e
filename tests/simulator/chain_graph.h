#pragma once

#include "simulator/compiler/staging/assign_stages.h"
#include "simulator/graph/graph_builder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tests {

/// A chain of fully connected layers with a loss: layer i is invocation i.
struct ChainShape {
    std::size_t layers = 4;
    std::int64_t batch = 8;
    std::int64_t width = 64;
    bool training = true;
    bool accumulates = true;
    /// Optimizer slots of each kernel.
    std::size_t optimizerSlots = 0;
    /// Layers whose output is also added to the last layer's output.
    std::vector<std::size_t> skips = {};
    /// Layers whose output is a recomputation checkpoint.
    std::vector<std::size_t> checkpoints = {};
    /// Layers that use the kernel of layer 0.
    std::vector<std::size_t> tied = {};
};

class ChainMaker {
public:
    explicit ChainMaker(const ChainShape& shape)
        : m_shape(shape)
        , m_builder(m_graph) {}

    simulator::TrainingGraph make() {
        using namespace simulator;
        m_graph.training = m_shape.training;
        const TensorForm activation{{m_shape.batch, m_shape.width}, core::DataType::Float32};
        const TensorForm kernel{{m_shape.width, m_shape.width}, core::DataType::Float32};
        core::TensorId x = m_builder.tensor("input", activation, TensorRole::Input);
        m_graph.inputs = {x};
        for (std::size_t layer = 0; layer < m_shape.layers; ++layer) {
            scope(layer, Phase::Forward);
            const bool isTied = contains(m_shape.tied, layer);
            if (!isTied)
                m_kernels.push_back(m_builder.tensor(name(layer) + "/kernel", kernel, TensorRole::Parameter));
            else
                m_kernels.push_back(m_kernels.front());
            m_inputs.push_back(x);
            m_outputs.push_back(m_builder.unary(UnaryFunction::Relu,
                                                m_builder.add(MatMul{}, {x, m_kernels[layer]}, "matmul")));
            x = m_outputs.back();
            if (contains(m_shape.checkpoints, layer))
                x = m_builder.add(RecomputationCheckpoint{}, {x}, "checkpoint");
        }
        for (const std::size_t skip : m_shape.skips)
            x = m_builder.binary(BinaryFunction::Add, x, m_outputs[skip]);
        m_graph.predictions = {x};
        if (m_shape.training)
            train(x, activation, kernel);
        return m_graph;
    }

private:
    static std::string name(std::size_t layer) { return "layer" + std::to_string(layer); }
    static bool contains(const std::vector<std::size_t>& list, std::size_t value) {
        return std::find(list.begin(), list.end(), value) != list.end();
    }
    void scope(std::size_t layer, simulator::Phase phase) {
        const std::string suffix = phase == simulator::Phase::Forward ? "" : "/grad";
        m_builder.setScope({name(layer) + suffix, core::InvocationId(layer), phase});
    }

    void train(core::TensorId prediction, const simulator::TensorForm& activation,
               const simulator::TensorForm& kernel) {
        using namespace simulator;
        m_builder.setScope({"loss", {}, Phase::Forward});
        const core::TensorId target = m_builder.tensor("target", activation, TensorRole::Target);
        m_graph.targets = {target};
        const Loss loss{.className = "MeanSquaredError"};
        m_graph.loss = m_builder.addAs(loss, {prediction, target}, "loss", {{}, core::DataType::Float32});
        m_graph.tensors[m_graph.loss.index()].role = TensorRole::Metric;
        m_builder.setScope({"loss/grad", {}, Phase::Backward});
        core::TensorId dy = m_builder.addAs(LossGradient{loss}, {prediction, target}, "grad", activation);
        const core::TensorId dLast = dy;
        for (std::size_t layer = m_shape.layers; layer-- > 0;) {
            scope(layer, Phase::Backward);
            if (contains(m_shape.skips, layer) && layer + 1 < m_shape.layers)
                dy = m_builder.binary(BinaryFunction::Add, dy, dLast);
            const core::TensorId dz = m_builder.addAs(UnaryGradient{{UnaryFunction::Relu}},
                                                      {m_outputs[layer], dy}, "relu", activation);
            const core::TensorId dKernel =
                m_builder.addAs(MatMul{true, false}, {m_inputs[layer], dz}, "kernel", kernel);
            accumulate(layer, dKernel, kernel);
            if (layer > 0)
                dy = m_builder.addAs(MatMul{false, true}, {dz, m_kernels[layer]}, "input", activation);
        }
        update();
    }

    void accumulate(std::size_t layer, core::TensorId gradient, const simulator::TensorForm& kernel) {
        using namespace simulator;
        auto parameter =
            std::find_if(m_graph.parameters.begin(), m_graph.parameters.end(),
                         [&](const ParameterSlots& each) { return each.parameter == m_kernels[layer]; });
        if (parameter == m_graph.parameters.end()) {
            m_graph.parameters.push_back({m_kernels[layer], {}, {}, {}});
            parameter = m_graph.parameters.end() - 1;
            const std::string prefix = m_graph.tensor(m_kernels[layer]).name;
            if (m_shape.accumulates)
                parameter->accumulator =
                    m_builder.tensor(prefix + "/accumulator", kernel, TensorRole::Accumulator);
            for (std::size_t slot = 0; slot < m_shape.optimizerSlots; ++slot)
                parameter->optimizerSlots.push_back(m_builder.tensor(prefix + "/slot" + std::to_string(slot),
                                                                     kernel, TensorRole::OptimizerSlot));
        }
        parameter->gradients.push_back(gradient);
        if (m_shape.accumulates)
            m_builder.addInPlace(AccumulateGradient{}, {gradient, parameter->accumulator},
                                 {parameter->accumulator}, "accumulate");
    }

    void update() {
        using namespace simulator;
        for (const ParameterSlots& parameter : m_graph.parameters) {
            m_builder.setScope({m_graph.tensor(parameter.parameter).name, {}, Phase::WeightUpdate});
            std::vector<core::TensorId> inputs{m_shape.accumulates ? parameter.accumulator
                                                                   : parameter.gradients.front(),
                                               parameter.parameter};
            std::vector<core::TensorId> outputs{parameter.parameter};
            inputs.insert(inputs.end(), parameter.optimizerSlots.begin(), parameter.optimizerSlots.end());
            outputs.insert(outputs.end(), parameter.optimizerSlots.begin(), parameter.optimizerSlots.end());
            m_builder.addInPlace(OptimizerUpdate{"SGD", {0.01}}, inputs, outputs, "update");
        }
    }

    ChainShape m_shape;
    simulator::TrainingGraph m_graph;
    simulator::GraphBuilder m_builder;
    std::vector<core::TensorId> m_kernels;
    std::vector<core::TensorId> m_inputs;
    std::vector<core::TensorId> m_outputs;
};

inline simulator::TrainingGraph chainGraph(const ChainShape& shape) {
    return ChainMaker(shape).make();
}

/// `stages[i]`: stage of layer i; `ipus[k]`: IPU of stage k, empty for stage k on IPU k.
inline simulator::StageMap stageMap(const std::vector<std::size_t>& stages,
                                    const std::vector<std::size_t>& ipus = {}) {
    simulator::StageMap map;
    for (const std::size_t stage : stages) {
        map.ofInvocation.emplace_back(stage);
        map.count = std::max(map.count, stage + 1);
    }
    for (std::size_t stage = 0; stage < map.count; ++stage)
        map.ipus.emplace_back(ipus.empty() ? stage : ipus[stage]);
    return map;
}

} // namespace tests
