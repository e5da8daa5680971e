#include "core/model/initializer_catalogue.h"

#include "core/text/nearest_name.h"
#include "core/text/text_case.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <string>
#include <utility>

namespace core {

namespace {

constexpr std::array<InitializerDefinition, 17> initializers{{
    {"Zeros", "zeros", "All 0."},
    {"Ones", "ones", "All 1."},
    {"Constant", "constant", "All of one value.", "value"},
    {"RandomNormal", "random_normal", "Normal distribution with mean and stddev.", "mean stddev"},
    {"RandomUniform", "random_uniform", "Uniform between minval and maxval.", "minval maxval"},
    {"TruncatedNormal", "truncated_normal", "Normal, drawn again beyond two standard deviations.",
     "mean stddev"},
    {"VarianceScaling", "variance_scaling", "Variance scale / fan, fan by mode, normal or uniform.",
     "scale mode distribution"},
    {"GlorotUniform", "glorot_uniform", "Uniform within sqrt(6 / (fan in + fan out))."},
    {"GlorotNormal", "glorot_normal", "Truncated normal, variance 2 / (fan in + fan out)."},
    {"HeUniform", "he_uniform", "Uniform within sqrt(6 / fan in)."},
    {"HeNormal", "he_normal", "Truncated normal, variance 2 / fan in."},
    {"LecunUniform", "lecun_uniform", "Uniform within sqrt(3 / fan in)."},
    {"LecunNormal", "lecun_normal", "Truncated normal, variance 1 / fan in."},
    {"Orthogonal", "orthogonal", "A random orthogonal matrix times gain.", "gain"},
    {"Identity", "identity", "The identity matrix times gain.", "gain"},
    {"OrthogonalInitializer", "orthogonal_initializer", "A random orthogonal matrix times gain.", "gain"},
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

namespace {

/// "GlorotUniform", "glorot_uniform" and "Custom>GlorotUniformV2" alike.
std::string plainName(std::string_view name) {
    std::string plain = lowerCase(std::string(name.substr(name.rfind('>') + 1)));
    std::erase(plain, '_');
    if (plain.ends_with("v2"))
        plain.resize(plain.size() - 2);
    return plain;
}

std::string nameIn(const Json& value) {
    const Json name = value.is_object() ? value.value("class_name", Json()) : value;
    return name.is_string() ? name.get<std::string>() : std::string();
}

const Json* configIn(const Json& value) {
    const auto config = value.is_object() ? value.find("config") : value.end();
    return config != value.end() && config->is_object() ? &*config : nullptr;
}

std::vector<std::string> wordsIn(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        words.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

/// "a" or "b"
std::optional<std::string> choiceObjection(const Json& config, const char* key,
                                           std::span<const std::string_view> choices) {
    const Json given = config.value(key, Json());
    const bool isKnown =
        given.is_null() ||
        (given.is_string() && std::ranges::find(choices, given.get<std::string>()) != choices.end());
    return isKnown ? std::nullopt
                   : std::optional(fmt::format("\"{}\" must be \"{}\", not {}", key,
                                               fmt::join(choices, "\", \""), given.dump()));
}

} // namespace

const InitializerDefinition* findInitializer(const Json& value) {
    const std::string name = nameIn(value);
    const std::string plain = plainName(classNameOf(name));
    const auto* const found = std::ranges::find_if(initializers, [&](const InitializerDefinition& known) {
        return plainName(known.className) == plain;
    });
    return name.empty() || found == initializers.end() ? nullptr : found;
}

std::optional<std::string> initializerObjection(const Json& value) {
    const InitializerDefinition* known = findInitializer(value);
    const Json* config = configIn(value);
    if (known == nullptr || config == nullptr)
        return std::nullopt;
    constexpr std::array<std::string_view, 3> ofAll{"seed", "dtype", "name"};
    constexpr std::array<std::string_view, 3> texts{"mode", "distribution", "value"};
    constexpr std::array<std::string_view, 3> modes{"fan_in", "fan_out", "fan_avg"};
    constexpr std::array<std::string_view, 4> distributions{"truncated_normal", "untruncated_normal",
                                                            "uniform", "normal"};
    const std::vector<std::string> keys = wordsIn(known->keys);
    for (const auto& [key, given] : config->items()) {
        if (std::ranges::find(ofAll, key) != ofAll.end())
            continue;
        if (std::ranges::find(keys, key) == keys.end()) {
            const auto meant = nearestName(key, keys);
            return fmt::format("{} has no \"{}\"{}", known->className, key,
                               meant          ? fmt::format("; did you mean \"{}\"?", *meant)
                               : keys.empty() ? ", it takes a seed"
                                              : fmt::format(", it takes \"{}\"", fmt::join(keys, "\", \"")));
        }
        const bool isNumber = std::ranges::find(texts, key) == texts.end();
        if (isNumber && !given.is_number() && !given.is_null())
            return fmt::format("\"{}\" of {} must be a number, not {}", key, known->className, given.dump());
        if (key == "scale" && given.is_number() && given.get<double>() <= 0)
            return fmt::format("\"scale\" of {} must be above 0, not {}", known->className, given.dump());
    }
    if (auto mode = choiceObjection(*config, "mode", modes))
        return mode;
    return choiceObjection(*config, "distribution", distributions);
}

std::optional<double> initializerOverflow(const Json& value) {
    const Json* config = configIn(value);
    if (config == nullptr || findInitializer(value) == nullptr)
        return std::nullopt;
    constexpr double most = std::numeric_limits<float>::max();
    for (const auto& entry : config->items())
        for (const double number : entry.key() == "seed"
                                       ? std::vector<double>()
                                       : constantNumbers(entry.value()).value_or(std::vector<double>()))
            if (!(std::abs(number) <= most))
                return number;
    return std::nullopt;
}

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
