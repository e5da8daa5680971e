#include "core/interchange/python/draft/losses.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace core {

PythonValue makeLoss(PythonProgramBuilder& builder, const std::string& className, Json config,
                     const PythonValue* target, const PythonValue* prediction, PythonPlace place) {
    if (const auto* answer = prediction == nullptr ? nullptr : prediction->as<PythonData>()) {
        if (answer->model < 0)
            return PythonData(); // computed on the host
        PythonLoss loss{{{"class_name", className}, {"config", std::move(config)}}, {}, answer->model, {}};
        builder.lastLoss = loss;
        return loss;
    }
    const auto* output = prediction == nullptr ? nullptr : prediction->as<PythonTensor>();
    const auto* labels = target == nullptr ? nullptr : target->as<PythonTensor>();
    if (output == nullptr || labels == nullptr)
        builder.refuse(place, "python/value",
                       "a loss is computed from labels and predictions, tensors of a stage",
                       {"pass both from stage to stage"});
    // A cast changes no label.
    const std::vector<PythonLayer>& layers = builder.facts.draft.layers;
    const auto layerOf = [&](const PythonTensor& tensor) -> const PythonLayer& {
        return layers[static_cast<std::size_t>(tensor.layer)];
    };
    PythonTensor label = *labels;
    while (layerOf(label).config.value("function", "") == "cast")
        label = layerOf(label).calls[static_cast<std::size_t>(label.call)].tensors.front();
    if (layerOf(label).className != "InputLayer" && !builder.computesLoss)
        builder.refuse(place, "python/unsupported", "labels that are computed are not read",
                       {"prepare the labels in the dataset"});
    PythonLoss loss{{{"class_name", className}, {"config", std::move(config)}}, *output, -1, {}};
    loss.label = layerOf(label).className == "InputLayer" ? label : *labels;
    return loss;
}

PythonValue reduceLoss(const PythonProgramBuilder& builder, const PythonLoss& loss,
                       const std::string& function, PythonPlace place) {
    constexpr std::array<std::string_view, 7> ofHost{"print",  "is_nan", "is_inf",        "is_finite",
                                                     "scalar", "numpy",  "check_numerics"};
    constexpr std::array<std::string_view, 6> same{"reduce_mean", "compute_average_loss", "identity", "cast",
                                                   "mean",        "convert_to_tensor"};
    if (std::ranges::find(ofHost, function) != ofHost.end())
        return PythonData();
    PythonLoss reduced = loss;
    reduced.isReduced = true;
    if (function == "reduce_sum")
        reduced.json["config"]["reduction"] = "sum";
    else if (std::ranges::find(same, function) == same.end())
        builder.refuse(place, "python/unsupported",
                       fmt::format("\"{}\" of a loss is not read", quotedName(function)),
                       {"reduce_mean() and reduce_sum() are"});
    return reduced;
}

} // namespace core
