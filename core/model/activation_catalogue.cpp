#include "core/model/activation_catalogue.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace core {

namespace {

constexpr std::array<ActivationDefinition, 35> activations{{
    {"linear", "The value itself.", "identity"},
    {"relu", "max(x, 0).", ""},
    {"relu6", "x cut to 0 … 6.", ""},
    {"leaky_relu", "x where positive, else a small multiple of x.", ""},
    {"elu", "x where positive, else alpha · (exp(x) − 1).", ""},
    {"selu", "Scaled elu whose outputs keep mean 0 and variance 1.", ""},
    {"celu", "elu with a slope that is continuous for every alpha.", ""},
    {"gelu", "x · Φ(x), Φ the normal distribution (error function form).", ""},
    {"gelu_tanh", "gelu by its tanh approximation.", "gelu_new"},
    {"sigmoid", "1 / (1 + exp(−x)).", ""},
    {"hard_sigmoid", "0.2 · x + 0.5 cut to 0 … 1.", ""},
    {"log_sigmoid", "Logarithm of sigmoid.", ""},
    {"tanh", "Hyperbolic tangent.", ""},
    {"hard_tanh", "x cut to −1 … 1.", ""},
    {"softplus", "log(1 + exp(x)).", ""},
    {"softsign", "x / (1 + |x|).", ""},
    {"swish", "x · sigmoid(x).", "silu"},
    {"hard_swish", "x · relu6(x + 3) / 6.", "hard_silu"},
    {"mish", "x · tanh(softplus(x)).", ""},
    {"exponential", "exp(x).", "exp"},
    {"softmax", "exp(x) over its sum along the last axis.", ""},
    {"log_softmax", "Logarithm of softmax along the last axis.", ""},
    {"crelu", "relu of x and of −x, side by side: twice the channels.", ""},
    {"glu", "First half of the channels times the sigmoid of the second.", ""},
    {"hard_shrink", "x where |x| exceeds a threshold, else 0.", ""},
    {"soft_shrink", "x moved towards 0 by a threshold.", ""},
    {"tanh_shrink", "x − tanh(x).", ""},
    {"threshold", "x where above a threshold, else a constant.", ""},
    {"squareplus", "(x + sqrt(x² + b)) / 2.", ""},
    {"sparse_plus", "A piecewise softplus that is 0 below −1 and x above 1.", ""},
    {"sparse_sigmoid", "A piecewise linear sigmoid.", ""},
    {"sparsemax", "Projection onto the simplex; a softmax with zeros.", ""},
    {"sine", "sin(x).", "sin"},
    {"square", "x².", ""},
    {"absolute", "|x|.", "abs"},
}};

/// Activation layers that replace a function.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> layerClasses{{
    {"ReLU", "relu"},
    {"LeakyReLU", "leaky_relu"},
    {"ELU", "elu"},
    {"Softmax", "softmax"},
    {"ThresholdedReLU", "thresholded_relu"},
    {"PReLU", "prelu"},
    {"Linear", "linear"},
    {"Activation", ""},
}};

std::optional<std::string_view> catalogueName(std::string_view name) {
    for (const ActivationDefinition& definition : activations) {
        if (definition.name == name || (!definition.alias.empty() && definition.alias == name))
            return definition.name;
    }
    return std::nullopt;
}

ActivationSpec named(std::string_view name) {
    // Files name functions with their module too: "keras.activations.relu", "Custom>relu".
    const std::size_t cut = name.find_last_of(".>");
    const std::string_view plain = cut == std::string_view::npos ? name : name.substr(cut + 1);
    ActivationSpec spec;
    const auto known = catalogueName(plain);
    spec.name = std::string(known.value_or(plain.empty() ? name : plain));
    spec.isKnown = known.has_value();
    return spec;
}

ActivationSpec fromObject(const Json& value) {
    const auto className = value.find("class_name");
    const auto config = value.find("config");
    if (className == value.end() || !className->is_string())
        return {"unknown", Json::object(), false};
    const auto text = className->get<std::string>();
    const bool hasConfig = config != value.end();
    if (hasConfig && config->is_string())
        return named(config->get<std::string>());
    const auto layer = std::find_if(layerClasses.begin(), layerClasses.end(),
                                    [&](const auto& row) { return row.first == text; });
    ActivationSpec spec = named(text);
    if (layer != layerClasses.end()) {
        spec.name = std::string(layer->second);
        spec.isKnown = true;
    }
    if (hasConfig && config->is_object())
        spec.config = *config;
    if (text == "Activation" && spec.config.contains("activation") && spec.config["activation"].is_string())
        return named(spec.config["activation"].get<std::string>());
    return spec;
}

} // namespace

std::span<const ActivationDefinition> activationCatalogue() {
    return activations;
}

ActivationSpec activationFromJson(const Json& value) {
    if (value.is_null())
        return {};
    if (value.is_string())
        return named(value.get<std::string>());
    if (value.is_object())
        return fromObject(value);
    return {"lambda", Json::object(), false};
}

} // namespace core
