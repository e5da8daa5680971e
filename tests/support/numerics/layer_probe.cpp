#include "tests/support/numerics/layer_probe.h"

#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/model_builder.h"
#include "simulator/compiler/lowering/lower_model.h"
#include "simulator/graph/rules/differentiate.h"
#include "tests/support/numerics/random_operands.h"
#include "tests/tools/oracle/graph_run.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace tests {

using core::TensorId;
using namespace simulator;

namespace {

core::Result<core::TypedGraph> typedGraph(const LayerProbe& layer) {
    core::ModelBuilder builder("probe");
    std::vector<core::TensorRef> inputs;
    for (std::size_t i = 0; i < layer.inputs.size(); ++i) {
        const Extents& extents = layer.inputs[i].form.extents;
        inputs.push_back(builder.input(fmt::format("input_{}", i), {extents.begin() + 1, extents.end()},
                                       layer.inputs[i].form.type));
    }
    const core::TensorRef output =
        builder.call(layer.className, "probed", layer.config, inputs, layer.arguments);
    core::InferenceOptions options;
    options.batchSize = layer.inputs.front().form.extents.front();
    options.requiresKnownShapes = true;
    return core::inferShapes(std::move(builder).build({output}), options);
}

class Probe {
public:
    explicit Probe(const LayerProbe& layer)
        : m_layer(layer)
        , m_random(11, 0) {}

    ProbeAnswer run() {
        ProbeAnswer answer;
        const auto model = typedGraph(m_layer);
        if (!model)
            return refused(model.error());
        if (const auto lowered = lower(*model); !lowered)
            return refused(lowered.error());
        if (const auto added = addGradients(); !added)
            return refused(added.error());
        std::vector<TensorId> kept = m_outputs;
        kept.insert(kept.end(), m_gradients.begin(), m_gradients.end());
        std::erase_if(kept, [](TensorId id) { return !id.isValid(); });
        if (const auto done = m_graph.run(kept); !done)
            return refused(done.error());
        for (const TensorId id : m_outputs) {
            answer.extents.push_back(m_graph.build().extents(id));
            answer.outputs.push_back(m_graph.read(id));
        }
        answer.disagreement = compare();
        return answer;
    }

private:
    static ProbeAnswer refused(const core::Diagnostics& diagnostics) {
        ProbeAnswer answer;
        answer.error = core::toText(diagnostics.front());
        return answer;
    }

    TensorId add(std::string_view name, const oracles::Values& values, TensorRole role) {
        const TensorId id = m_graph.feed(name, values, role);
        if (core::isFloating(values.form.type) && role != TensorRole::State) {
            m_checked.push_back(id);
            m_values.push_back(values.data);
        }
        return id;
    }

    core::Result<void> lower(const core::TypedGraph& model) {
        LoweringContext context{m_graph.build(), m_layer.training, true, {}, {}, {}, {}, 0};
        std::size_t next = 0;
        const auto weightsOf = [&](const core::TypedLayer& layer) {
            std::vector<LoweredWeight> weights;
            for (const core::WeightSpec& spec : layer.weights) {
                Extents extents;
                for (const core::Dimension& extent : spec.shape.dimensions)
                    extents.push_back(extent.value_or(1));
                oracles::Values values;
                values.form = {extents, spec.type};
                values.data = next < m_layer.weights.size()
                                  ? m_layer.weights[next]
                                  : m_random.between(elementCount(extents), spec.trainable ? -1.0F : 0.5F, 1);
                ++next;
                weights.push_back(
                    {spec.name, add(layer.path + "/" + spec.name, values,
                                    spec.trainable ? TensorRole::Parameter : TensorRole::State)});
            }
            return weights;
        };
        ModelLowering lowering{
            model, {}, weightsOf, [](const std::string&) { return std::nullopt; }, std::nullopt};
        for (std::size_t i = 0; i < m_layer.inputs.size(); ++i)
            lowering.values[model.inputs[i]] =
                add(fmt::format("input_{}", i), m_layer.inputs[i], TensorRole::Input);
        if (const auto done = lowerModel(context, lowering); !done)
            return done;
        const core::TypedInvocation& last = model.invocations.back();
        for (std::uint32_t i = 0; i < last.outputs.size(); ++i)
            m_outputs.push_back(lowering.values.at({last.id, i}));
        return {};
    }

    core::Result<void> addGradients() {
        GraphBuilder& build = m_graph.build();
        std::vector<GradientSeed> seeds;
        for (std::size_t i = 0; i < m_outputs.size(); ++i) {
            const TensorForm form = build.form(m_outputs[i]);
            if (!core::isFloating(form.type))
                continue;
            oracles::Values upstream;
            upstream.form = form;
            upstream.data = m_random.between(elementCount(form.extents), -1, 1);
            m_upstream[i] = upstream.data;
            seeds.push_back({m_outputs[i], m_graph.feed(fmt::format("upstream_{}", i), upstream)});
        }
        m_gradients.assign(m_checked.size(), {});
        if (seeds.empty())
            return {};
        const auto gradients = differentiate(build, seeds, m_checked);
        if (!gradients)
            return core::failure(gradients.error());
        for (std::size_t i = 0; i < m_checked.size(); ++i)
            m_gradients[i] = sumOfParts(build, *gradients, m_checked[i]);
        return {};
    }

    double loss() {
        m_graph.rerun();
        double sum = 0;
        for (const auto& [output, upstream] : m_upstream) {
            const std::vector<float> values = m_graph.read(m_outputs[output]);
            for (std::size_t i = 0; i < values.size(); ++i)
                sum += static_cast<double>(values[i]) * static_cast<double>(upstream[i]);
        }
        return sum;
    }

    std::string compare() {
        std::vector<std::vector<float>> own;
        double largest = 1;
        for (std::size_t k = 0; k < m_checked.size(); ++k) {
            own.push_back(m_gradients[k].isValid() ? m_graph.read(m_gradients[k])
                                                   : std::vector<float>(m_values[k].size(), 0.0F));
            for (const float value : own.back())
                largest = std::max(largest, std::abs(static_cast<double>(value)));
        }
        constexpr float step = 5e-3F;
        constexpr std::size_t most = 24;
        for (std::size_t k = 0; k < m_checked.size(); ++k) {
            const std::size_t stride = std::max<std::size_t>(1, m_values[k].size() / most);
            for (std::size_t at = 0; at < m_values[k].size(); at += stride) {
                const auto lossAt = [&](float by) {
                    std::vector<float> moved = m_values[k];
                    moved[at] += by;
                    m_graph.write(m_checked[k], moved);
                    return loss();
                };
                const double expected = (lossAt(step) - lossAt(-step)) / (2.0 * static_cast<double>(step));
                m_graph.write(m_checked[k], m_values[k]);
                const auto found = static_cast<double>(own[k][at]);
                if (!(std::abs(expected - found) <= m_layer.tolerance * largest))
                    return fmt::format("operand {} [{}]: {}, expected {}", k, at, found, expected);
            }
        }
        return {};
    }

    const LayerProbe& m_layer;
    RandomOperands m_random;
    oracles::GraphRun m_graph;
    std::vector<TensorId> m_checked;
    std::vector<std::vector<float>> m_values;
    std::vector<TensorId> m_outputs;
    std::map<std::size_t, std::vector<float>> m_upstream;
    std::vector<TensorId> m_gradients;
};

} // namespace

ProbeAnswer probe(const LayerProbe& layer) {
    return Probe(layer).run();
}

oracles::Values valuesOf(Extents extents, std::vector<float> data, core::DataType type) {
    oracles::Values values;
    values.form = {std::move(extents), type};
    values.data = std::move(data);
    return values;
}

} // namespace tests
