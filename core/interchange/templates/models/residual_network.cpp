#include "core/interchange/templates/models/residual_network.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

constexpr double epsilon = 1.001e-5; // of keras.applications

class ResidualBuilder {
public:
    explicit ResidualBuilder(const ResidualPlan& plan)
        : m_plan(plan)
        , m_builder(plan.name) {}

    Result<TemplateModel> build() {
        using Part = TemplateBlock::Part;
        TensorRef x = m_builder.input("input", {m_plan.image, m_plan.image, m_plan.channels});
        m_builder.begin("stem", Part::Front);
        x = convolution("conv1", 64, 7, 2, 1, x);
        x = activated("conv1", x);
        x = m_builder.call("MaxPooling2D", "pool1_pool",
                           {{"pool_size", {3, 3}}, {"strides", {2, 2}}, {"padding", "same"}}, {x});
        for (std::size_t stage = 0; stage < m_plan.stages.size(); ++stage) {
            const std::int64_t filters = std::int64_t{64} << stage;
            for (std::int64_t unit = 0; unit < m_plan.stages[stage]; ++unit) {
                const std::string name = fmt::format("conv{}_block{}", stage + 2, unit + 1);
                m_builder.beginUnit(name, Part::Whole, fmt::format("stage{}/unit{}", stage + 1, unit + 1));
                const std::int64_t stride = unit == 0 && stage > 0 ? 2 : 1;
                x = block(name, filters, stride, unit == 0, x);
                x = checkpoint(stage + 1, unit + 1, name, x);
            }
        }
        if (m_checkpoints != m_plan.checkpoints.size())
            return failure(makeError(Trouble::Usage, "template/value", {"", "recompute_checkpoints"},
                                     "a checkpoint names a block that does not exist",
                                     {"write stage1/unit2 …, stages 1 to 4, units from 1"}));
        m_builder.begin("head", Part::Back);
        x = m_plan.poolsMaximum ? m_builder.call("GlobalMaxPooling2D", "max_pool", Json::object(), {x})
                                : m_builder.call("GlobalAveragePooling2D", "avg_pool", Json::object(), {x});
        x = m_builder.dense("predictions", m_plan.classes, x);
        TemplateModel result = std::move(m_builder).finish({x});
        result.metrics = {{"accuracy", Json::object()}};
        return result;
    }

private:
    TensorRef convolution(const std::string& name, std::int64_t filters, std::int64_t kernel,
                          std::int64_t stride, std::int64_t groups, TensorRef x) {
        Json attributes{{"filters", filters},
                        {"kernel_size", {kernel, kernel}},
                        {"strides", {stride, stride}},
                        {"padding", "same"},
                        {"use_bias", m_plan.hasBias}};
        if (groups > 1)
            attributes["groups"] = groups;
        return m_builder.call("Conv2D", name + "_conv", attributes, {x});
    }

    TensorRef normalised(const std::string& name, TensorRef x) {
        return m_plan.norm.className.empty()
                   ? x
                   : m_builder.call(m_plan.norm.className, name + "_bn", m_plan.norm.attributes, {x});
    }

    TensorRef activated(const std::string& name, TensorRef x) {
        return m_builder.activation(name + "_relu", "relu", normalised(name, x));
    }

    TensorRef block(const std::string& name, std::int64_t filters, std::int64_t stride, bool isFirst,
                    TensorRef x) {
        const std::int64_t outputs = m_plan.isBottleneck ? filters * 4 : filters;
        const bool projects = isFirst && (m_plan.isBottleneck || stride > 1);
        const TensorRef shortcut =
            projects ? normalised(name + "_0", convolution(name + "_0", outputs, 1, stride, 1, x)) : x;
        TensorRef y = x;
        if (m_plan.isBottleneck) {
            const auto inner = static_cast<std::int64_t>(static_cast<double>(filters) * m_plan.innerWidth);
            const std::int64_t first = m_plan.stridesInMiddle ? 1 : stride;
            const std::int64_t middle = m_plan.stridesInMiddle ? stride : 1;
            y = activated(name + "_1", convolution(name + "_1", inner, 1, first, 1, y));
            y = activated(name + "_2", convolution(name + "_2", inner, 3, middle, m_plan.groups, y));
            y = normalised(name + "_3", convolution(name + "_3", outputs, 1, 1, 1, y));
        } else {
            y = activated(name + "_1", convolution(name + "_1", filters, 3, stride, 1, y));
            y = normalised(name + "_2", convolution(name + "_2", filters, 3, 1, 1, y));
        }
        return m_builder.activation(name + "_out", "relu", m_builder.add(name + "_add", shortcut, y));
    }

    TensorRef checkpoint(std::size_t stage, std::int64_t unit, const std::string& name, TensorRef x) {
        const auto& wanted = m_plan.checkpoints;
        if (std::find(wanted.begin(), wanted.end(), fmt::format("stage{}/unit{}", stage, unit)) ==
            wanted.end())
            return x;
        ++m_checkpoints;
        return m_builder.call("RecomputationCheckpoint", name + "_checkpoint", Json::object(), {x});
    }

    const ResidualPlan& m_plan;
    TemplateBuilder m_builder;
    std::size_t m_checkpoints = 0;
};

} // namespace

Result<TemplateModel> buildResidualNetwork(const ResidualPlan& plan) {
    return ResidualBuilder(plan).build();
}

Result<void> readResidualParameters(const TemplateArguments& arguments, ResidualPlan& plan) {
    const auto norm = normFromText(arguments.text("norm"), epsilon, 0.99);
    if (!norm)
        return failure(norm.error());
    plan.norm = *norm;
    plan.image = arguments.integer("image");
    plan.channels = arguments.integer("channels");
    plan.classes = arguments.integer("classes");
    plan.poolsMaximum = arguments.text("pooling") == "max";
    plan.checkpoints = arguments.texts("recompute_checkpoints");
    return {};
}

std::vector<TemplateParameter> residualParameters() {
    using namespace parameter;
    return {integer("image", 224, 32, 100000, "Height and width of the image."),
            integer("channels", 3, 1, 100000, "Channels of the image."),
            integer("classes", 1000, 1, 1000000, "Logits."),
            normParameter(),
            choice("pooling", {"average", "max"}, "What the head takes of each channel's field."),
            list(TemplateParameterKind::Texts, "recompute_checkpoints", nullptr,
                 "Blocks (stage1/unit3, counted from 1) whose output is kept under recomputation.")};
}

} // namespace core
