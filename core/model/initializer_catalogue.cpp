#include "core/model/initializer_catalogue.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace core {

namespace {

constexpr std::array<InitializerDefinition, 17> initializers{{
    {"Zeros", "zeros", "All 0."},
    {"Ones", "ones", "All 1."},
    {"Constant", "constant", "All of one value."},
    {"RandomNormal", "random_normal", "Normal distribution with mean and stddev."},
    {"RandomUniform", "random_uniform", "Uniform between minval and maxval."},
    {"TruncatedNormal", "truncated_normal", "Normal, drawn again beyond two standard deviations."},
    {"VarianceScaling", "variance_scaling", "Variance scale / fan, fan by mode, normal or uniform."},
    {"GlorotUniform", "glorot_uniform", "Uniform within sqrt(6 / (fan in + fan out))."},
    {"GlorotNormal", "glorot_normal", "Truncated normal, variance 2 / (fan in + fan out)."},
    {"HeUniform", "he_uniform", "Uniform within sqrt(6 / fan in)."},
    {"HeNormal", "he_normal", "Truncated normal, variance 2 / fan in."},
    {"LecunUniform", "lecun_uniform", "Uniform within sqrt(3 / fan in)."},
    {"LecunNormal", "lecun_normal", "Truncated normal, variance 1 / fan in."},
    {"Orthogonal", "orthogonal", "A random orthogonal matrix times gain."},
    {"Identity", "identity", "The identity matrix times gain."},
    {"OrthogonalInitializer", "orthogonal_initializer", "A random orthogonal matrix times gain."},
    {"UnitForgetBias", "unit_forget_bias",
     "Bias of an LSTM: 1 for the forget gate (the second of four), 0 for the others."},
}};

/// Short names of old editions.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> initializerAliases{{
    {"uniform", "RandomUniform"},
    {"normal", "RandomNormal"},
    {"zero", "Zeros"},
    {"one", "Ones"},
    {"glorot_uniform_v2", "GlorotUniform"},
    {"IdentityInitializer", "Identity"},
}};

std::string classNameOf(std::string_view name) {
    for (const InitializerDefinition& definition : initializers) {
        if (definition.name == name || definition.className == name)
            return std::string(definition.className);
    }
    for (const auto& [alias, className] : initializerAliases) {
        if (alias == name)
            return std::string(className);
    }
    return std::string(name);
}

} // namespace

std::span<const InitializerDefinition> initializerCatalogue() {
    return initializers;
}

Json initializerFromJson(const Json& value, std::string_view fallback) {
    if (value.is_object() && value.contains("class_name") && value["class_name"].is_string()) {
        Json plain = {{"class_name", value["class_name"]}, {"config", Json::object()}};
        if (value.contains("config") && value["config"].is_object())
            plain["config"] = value["config"];
        return plain;
    }
    const std::string name = value.is_string() ? value.get<std::string>() : std::string(fallback);
    return {{"class_name", classNameOf(name)}, {"config", Json::object()}};
}

namespace {

bool appendConstants(const Json& value, std::vector<double>& numbers) {
    if (value.is_number())
        numbers.push_back(value.get<double>());
    return value.is_number() || (value.is_array() && std::ranges::all_of(value, [&](const Json& item) {
                                     return appendConstants(item, numbers);
                                 }));
}

} // namespace

std::optional<std::vector<double>> constantNumbers(const Json& value) {
    std::vector<double> numbers;
    return appendConstants(value, numbers) ? std::optional(std::move(numbers)) : std::nullopt;
}

} // namespace core
