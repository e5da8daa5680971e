#include "tests/support/numerics/central_differences.h"

#include "simulator/graph/rules/differentiate.h"
#include "tests/tools/oracle/graph_run.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace tests {
namespace {

using core::TensorId;
using namespace simulator;

/// Σ upstream·output over all floating outputs, as a function of the operands.
class Objective {
public:
    Objective(const GradientCase& one, RandomOperands& random)
        : m_case(one) {
        GraphBuilder& build = m_graph.build();
        build.setScope({"case", {}, Phase::Forward});
        for (std::size_t i = 0; i < one.operands.size(); ++i)
            m_inputs.push_back(
                m_graph.feed(fmt::format("x{}", i), {one.operands[i].form, one.operands[i].values}));
        m_outputs = one.output ? std::vector{build.addAs(one.attributes, m_inputs, "y", *one.output)}
                               : build.addAll(one.attributes, m_inputs, "y");
        std::erase_if(m_outputs, [&](TensorId id) { return !core::isFloating(build.type(id)); });
        // What the operation only tells its own gradient is no output.
        const bool isAlone = std::holds_alternative<Normalization>(one.attributes) ||
                             std::holds_alternative<CtcLoss>(one.attributes);
        if (isAlone)
            m_outputs.resize(1);
        else if (const auto* recurrent = std::get_if<Recurrent>(&one.attributes))
            m_outputs.resize(recurrent->cell == RecurrentCell::Lstm ? 3 : 2);
        for (const TensorId id : m_outputs) {
            const TensorForm form = build.form(id);
            m_upstream.push_back(random.between(elementCount(form.extents), -1, 1));
        }
    }

    std::string prepare() {
        GraphBuilder& build = m_graph.build();
        std::vector<GradientSeed> seeds;
        for (std::size_t i = 0; i < m_outputs.size(); ++i)
            seeds.push_back({m_outputs[i], m_graph.feed(fmt::format("dy{}", i),
                                                        {build.form(m_outputs[i]), m_upstream[i]})});
        std::vector<TensorId> wanted;
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            if (m_case.operands[i].isChecked)
                wanted.push_back(m_inputs[i]);
        }
        const auto gradients = differentiate(build, seeds, wanted);
        if (!gradients)
            return core::toText(gradients.error().front());
        std::vector<TensorId> kept = m_outputs;
        for (const TensorId id : m_inputs) {
            m_gradients.push_back(sumOfParts(build, *gradients, id));
            if (m_gradients.back().isValid())
                kept.push_back(m_gradients.back());
        }
        if (const auto run = m_graph.run(kept); !run)
            return core::toText(run.error().front());
        for (const TensorId id : m_gradients)
            m_answers.push_back(id.isValid() ? m_graph.read(id) : std::vector<float>{});
        return {};
    }

    /// Gradient of operand `index` as the operation gives it; nothing where it gives none.
    [[nodiscard]] const std::vector<float>& gradient(std::size_t index) const { return m_answers[index]; }
    [[nodiscard]] bool hasGradient(std::size_t index) const { return m_gradients[index].isValid(); }
    [[nodiscard]] Extents gradientExtents(std::size_t index) {
        return m_graph.build().extents(m_gradients[index]);
    }

    double at(std::size_t index, const std::vector<float>& values) {
        m_graph.write(m_inputs[index], values);
        m_graph.rerun();
        double sum = 0;
        for (std::size_t i = 0; i < m_outputs.size(); ++i) {
            const std::vector<float> output = m_graph.read(m_outputs[i]);
            for (std::size_t k = 0; k < output.size(); ++k)
                sum += static_cast<double>(output[k]) * m_upstream[i][k];
        }
        m_graph.write(m_inputs[index], m_case.operands[index].values);
        return sum;
    }

private:
    const GradientCase& m_case;
    oracles::GraphRun m_graph;
    std::vector<TensorId> m_inputs;
    std::vector<TensorId> m_outputs;
    std::vector<std::vector<float>> m_upstream;
    std::vector<TensorId> m_gradients;
    std::vector<std::vector<float>> m_answers;
};

/// d(objective)/d(operand along `direction`), of fourth order.
double difference(Objective& objective, std::size_t index, const std::vector<float>& values,
                  const std::vector<float>& direction) {
    constexpr double step = 0.002;
    const auto moved = [&](double by) {
        std::vector<float> result = values;
        for (std::size_t i = 0; i < values.size(); ++i)
            result[i] += static_cast<float>(by * direction[i]);
        return objective.at(index, result);
    };
    return (8 * (moved(step) - moved(-step)) - (moved(2 * step) - moved(-2 * step))) / (12 * step);
}

std::string compareOperand(Objective& objective, const GradientCase& one, std::size_t index,
                           RandomOperands& random) {
    const TestOperand& operand = one.operands[index];
    if (!objective.hasGradient(index))
        return fmt::format("operand {} has no gradient", index);
    if (objective.gradientExtents(index) != operand.form.extents)
        return fmt::format("the gradient of operand {} has other extents than it", index);
    const std::vector<float>& gradient = objective.gradient(index);
    double largest = 1;
    for (const float value : gradient)
        largest = std::max(largest, static_cast<double>(std::abs(value)));
    constexpr std::size_t mostCoordinates = 20;
    const std::size_t count = std::min(gradient.size(), mostCoordinates);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at =
            gradient.size() <= mostCoordinates
                ? i
                : static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(gradient.size()) - 1));
        std::vector<float> direction(gradient.size(), 0);
        direction[at] = 1;
        const double expected = difference(objective, index, operand.values, direction);
        if (!(std::abs(expected - static_cast<double>(gradient[at])) <= one.tolerance * largest))
            return fmt::format("d/d operand {} [{}] is {}, by differences {}", index, at, gradient[at],
                               expected);
    }
    return {};
}

} // namespace

std::string gradientDisagreement(const GradientCase& one, RandomOperands& random) {
    Objective objective(one, random);
    if (std::string trouble = objective.prepare(); !trouble.empty())
        return trouble;
    for (std::size_t i = 0; i < one.operands.size(); ++i) {
        if (!one.operands[i].isChecked)
            continue;
        if (std::string trouble = compareOperand(objective, one, i, random); !trouble.empty())
            return trouble;
    }
    return {};
}

} // namespace tests
