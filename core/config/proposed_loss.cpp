#include "core/config/proposed_loss.h"

#include "core/model/activation_catalogue.h"

#include <algorithm>
#include <cctype>

namespace core {

namespace {

std::string activationOf(const Layer& layer) {
    if (layer.className == "Softmax")
        return "softmax";
    const auto activation = layer.config.find("activation");
    return activation == layer.config.end() || activation->is_null() ? "linear"
                                                                     : activationFromJson(*activation).name;
}

KerasObject lossOf(const ModelGraph& model, const TensorRef& output) {
    const Layer& layer = model.layer(output.invocation);
    if (layer.isNestedModel() && output.output < layer.model->outputs.size())
        return lossOf(*layer.model, layer.model->outputs[output.output]);
    const std::string activation = activationOf(layer);
    if (activation == "softmax")
        return {"SparseCategoricalCrossentropy", Json::object()};
    if (activation == "sigmoid")
        return {"BinaryCrossentropy", Json::object()};
    const auto units = layer.config.find("units");
    const bool isClasses = layer.className == "Dense" && activation == "linear" &&
                           units != layer.config.end() && units->is_number_integer() &&
                           units->get<std::int64_t>() > 1;
    if (isClasses)
        return {"SparseCategoricalCrossentropy", {{"from_logits", true}}};
    return {"MeanSquaredError", Json::object()};
}

} // namespace

std::vector<KerasObject> proposedLosses(const ModelGraph& model) {
    std::vector<KerasObject> losses;
    for (const TensorRef& output : model.outputs)
        losses.push_back(lossOf(model, output));
    const bool isOneForAll =
        std::ranges::all_of(losses, [&](const KerasObject& loss) { return loss == losses.front(); });
    if (isOneForAll && losses.size() > 1)
        losses.resize(1);
    return losses;
}

std::string lossInWords(const KerasObject& loss) {
    std::string words;
    for (const char letter : loss.className) {
        const bool isUpper = std::isupper(static_cast<unsigned char>(letter)) != 0;
        if (isUpper && !words.empty())
            words += ' ';
        words += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    const auto at = words.find("crossentropy");
    return at == std::string::npos ? words : words.replace(at, 12, "cross entropy");
}

} // namespace core
