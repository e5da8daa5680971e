#include "simulator/compiler/lowering/regularizers.h"

#include "core/model/layer_definition.h"
#include "core/text/text_case.h"
#include "simulator/compiler/lowering/layer_lowering.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace simulator {

using core::Json;
using core::TensorId;

namespace {

/// The attribute that regularises a weight: "kernel" → "kernel_regularizer", "recurrent_kernel" →
/// "recurrent_regularizer".
std::string attributeOf(std::string name) {
    if (const std::size_t slash = name.rfind('/'); slash != std::string::npos)
        name = name.substr(slash + 1);
    if (name != "kernel" && name.ends_with("_kernel"))
        name.resize(name.size() - std::string_view("_kernel").size());
    return name + "_regularizer";
}

} // namespace

std::optional<Regularizer> regularizerFromJson(const Json& value) {
    if (value.is_null())
        return Regularizer{};
    std::string className = value.is_string() ? value.get<std::string>() : std::string();
    Json config = Json::object();
    if (value.is_object()) {
        const auto it = value.find("class_name");
        className = it != value.end() && it->is_string() ? it->get<std::string>() : "L1L2";
        config = value.contains("config") && value["config"].is_object() ? value["config"] : value;
    }
    className = core::lowerCase(className.substr(className.rfind('>') + 1));
    std::erase(className, '_');
    constexpr double preset = 0.01;
    const double second = core::numberOr(config, "l2", 0);
    if (className == "l1")
        return Regularizer{core::numberOr(config, "l1", core::numberOr(config, "l", preset)), second};
    if (className == "l2")
        return Regularizer{core::numberOr(config, "l1", 0),
                           core::numberOr(config, "l2", core::numberOr(config, "l", preset))};
    if (className == "l1l2")
        return value.is_string() ? Regularizer{preset, preset}
                                 : Regularizer{core::numberOr(config, "l1", 0), second};
    return std::nullopt;
}

TensorId penalty(GraphBuilder& build, TensorId x, const Regularizer& regularizer, double scale) {
    std::vector<std::int64_t> axes(build.rank(x));
    std::iota(axes.begin(), axes.end(), 0);
    const TensorId values = build.cast(x, core::DataType::Float32);
    TensorId sum;
    const auto join = [&](TensorId term) {
        sum = sum.isValid() ? build.binary(BinaryFunction::Add, sum, term) : term;
    };
    if (regularizer.l1 != 0) {
        const TensorId absolute = build.unary(UnaryFunction::Absolute, values);
        join(build.scaleShift(build.reduce(ReduceFunction::Sum, absolute, axes, false),
                              regularizer.l1 * scale));
    }
    if (regularizer.l2 != 0)
        join(build.scaleShift(build.reduce(ReduceFunction::SumOfSquares, values, axes, false),
                              regularizer.l2 * scale));
    return sum;
}

void addPenalties(LoweringCall& call, const std::vector<TensorId>& outputs) {
    for (const LoweredWeight& weight : call.weights) {
        const std::string attribute = attributeOf(weight.name);
        if (call.attributes.definition().findAttribute(attribute) == nullptr)
            continue;
        const auto regularizer = regularizerFromJson(call.attributes.value(attribute));
        const bool isTrained = call.build.graph().tensor(weight.tensor).role == TensorRole::Parameter;
        if (regularizer && !regularizer->isNothing() && isTrained &&
            call.context.regularized.insert(weight.tensor).second)
            call.context.penalties.push_back(penalty(call.build, weight.tensor, *regularizer, 1));
    }
    if (call.attributes.definition().findAttribute("activity_regularizer") == nullptr)
        return;
    const auto activity = regularizerFromJson(call.attributes.value("activity_regularizer"));
    if (!activity || activity->isNothing())
        return;
    for (const TensorId output : outputs) {
        // Keras divides an activity's penalty by the batch.
        const auto samples = static_cast<double>(call.build.extents(output).front());
        call.context.penalties.push_back(penalty(call.build, output, *activity, 1 / samples));
    }
}

} // namespace simulator
