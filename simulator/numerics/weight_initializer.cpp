#include "simulator/numerics/weight_initializer.h"

#include "core/model/initializer_catalogue.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace simulator {
namespace {

using core::Json;

/// FNV-1a: the same stream for the same name on every machine.
std::uint64_t hashOf(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hash;
}

/// What a recipe for values works with.
struct Recipe {
    const Json& config;
    const Extents& extents;
    RandomPlace place;

    [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(elementCount(extents)); }
    [[nodiscard]] std::vector<float> normal() const {
        std::vector<float> values(count());
        kernels().random.normal(place, values.data(), 0, static_cast<std::int64_t>(values.size()));
        return values;
    }
    [[nodiscard]] std::vector<float> uniform(double low, double high) const {
        std::vector<float> values(count());
        kernels().random.uniform(place, values.data(), 0, static_cast<std::int64_t>(values.size()));
        for (float& value : values)
            value = static_cast<float>(low + (high - low) * value);
        return values;
    }
    /// Normal numbers beyond two deviations are drawn again.
    [[nodiscard]] std::vector<float> truncatedNormal(double mean, double deviation) const {
        std::vector<float> values = normal();
        Recipe again = *this;
        while (std::ranges::any_of(values, [](float value) { return std::abs(value) >= 2; })) {
            ++again.place.draw;
            const std::vector<float> others = again.normal();
            for (std::size_t i = 0; i < values.size(); ++i) {
                if (std::abs(values[i]) >= 2)
                    values[i] = others[i];
            }
        }
        for (float& value : values)
            value = static_cast<float>(mean + deviation * value);
        return values;
    }
    [[nodiscard]] std::vector<float> filled(double value) const {
        return std::vector<float>(count(), static_cast<float>(value));
    }
};

/// Keras' compute_fans: inputs and outputs a unit of the weight joins.
std::pair<double, double> fansOf(const Extents& extents) {
    if (extents.empty())
        return {1, 1};
    if (extents.size() == 1)
        return {static_cast<double>(extents[0]), static_cast<double>(extents[0])};
    double field = 1;
    for (std::size_t i = 0; i + 2 < extents.size(); ++i)
        field *= static_cast<double>(extents[i]);
    return {field * static_cast<double>(extents[extents.size() - 2]),
            field * static_cast<double>(extents.back())};
}

std::vector<float> varianceScaled(const Recipe& recipe, double scale, std::string_view mode,
                                  std::string_view distribution) {
    const auto [fanIn, fanOut] = fansOf(recipe.extents);
    const double fan = mode == "fan_in" ? fanIn : (mode == "fan_out" ? fanOut : (fanIn + fanOut) / 2);
    const double variance = scale / std::max(1.0, fan);
    if (distribution == "uniform") {
        const double limit = std::sqrt(3 * variance);
        return recipe.uniform(-limit, limit);
    }
    if (distribution == "untruncated_normal") {
        std::vector<float> values = recipe.normal();
        for (float& value : values)
            value *= static_cast<float>(std::sqrt(variance));
        return values;
    }
    // The deviation of a normal distribution cut at two deviations.
    constexpr double cutDeviation = 0.87962566103423978;
    return recipe.truncatedNormal(0, std::sqrt(variance) / cutDeviation);
}

std::vector<float> zeros(const Recipe& recipe) {
    return recipe.filled(0);
}
std::vector<float> ones(const Recipe& recipe) {
    return recipe.filled(1);
}
std::vector<float> constant(const Recipe& recipe) {
    // Validation asks for one number, or as many as the weight has.
    const auto numbers = core::constantNumbers(recipe.config.value("value", Json(0)));
    if (numbers && numbers->size() > 1 && numbers->size() == recipe.count())
        return {numbers->begin(), numbers->end()};
    return recipe.filled(numbers && !numbers->empty() ? numbers->front() : 0);
}
std::vector<float> randomNormal(const Recipe& recipe) {
    std::vector<float> values = recipe.normal();
    const double mean = core::numberOr(recipe.config, "mean", 0);
    const double deviation = core::numberOr(recipe.config, "stddev", 0.05);
    for (float& value : values)
        value = static_cast<float>(mean + deviation * value);
    return values;
}
std::vector<float> randomUniform(const Recipe& recipe) {
    return recipe.uniform(core::numberOr(recipe.config, "minval", -0.05),
                          core::numberOr(recipe.config, "maxval", 0.05));
}
std::vector<float> truncatedNormal(const Recipe& recipe) {
    return recipe.truncatedNormal(core::numberOr(recipe.config, "mean", 0),
                                  core::numberOr(recipe.config, "stddev", 0.05));
}
std::vector<float> varianceScaling(const Recipe& recipe) {
    return varianceScaled(recipe, core::numberOr(recipe.config, "scale", 1),
                          recipe.config.value("mode", "fan_in"),
                          recipe.config.value("distribution", "truncated_normal"));
}
std::vector<float> glorotUniform(const Recipe& recipe) {
    return varianceScaled(recipe, 1, "fan_avg", "uniform");
}
std::vector<float> glorotNormal(const Recipe& recipe) {
    return varianceScaled(recipe, 1, "fan_avg", "truncated_normal");
}
std::vector<float> heUniform(const Recipe& recipe) {
    return varianceScaled(recipe, 2, "fan_in", "uniform");
}
std::vector<float> heNormal(const Recipe& recipe) {
    return varianceScaled(recipe, 2, "fan_in", "truncated_normal");
}
std::vector<float> lecunUniform(const Recipe& recipe) {
    return varianceScaled(recipe, 1, "fan_in", "uniform");
}
std::vector<float> lecunNormal(const Recipe& recipe) {
    return varianceScaled(recipe, 1, "fan_in", "truncated_normal");
}
/// An orthogonal matrix from the QR decomposition of a normal one; rows or columns, whichever are fewer,
/// orthonormal.
std::vector<float> orthogonal(const Recipe& recipe) {
    if (recipe.extents.size() < 2)
        return recipe.normal();
    const auto columns = static_cast<Eigen::Index>(recipe.extents.back());
    const auto rows = static_cast<Eigen::Index>(recipe.count()) / std::max<Eigen::Index>(1, columns);
    const Eigen::Index longer = std::max(rows, columns);
    const Eigen::Index shorter = std::min(rows, columns);
    const std::vector<float> drawn = recipe.normal();
    const Eigen::MatrixXd matrix =
        Eigen::Map<const Eigen::MatrixXf>(drawn.data(), longer, shorter).cast<double>();
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(matrix);
    Eigen::MatrixXd q = qr.householderQ() * Eigen::MatrixXd::Identity(longer, shorter);
    for (Eigen::Index j = 0; j < shorter; ++j) {
        if (qr.matrixQR()(j, j) < 0)
            q.col(j) *= -1;
    }
    const double gain = core::numberOr(recipe.config, "gain", 1);
    std::vector<float> values(recipe.count());
    for (Eigen::Index i = 0; i < rows; ++i) {
        for (Eigen::Index j = 0; j < columns; ++j)
            values[static_cast<std::size_t>(i * columns + j)] =
                static_cast<float>(gain * (rows >= columns ? q(i, j) : q(j, i)));
    }
    return values;
}
std::vector<float> identity(const Recipe& recipe) {
    std::vector<float> values = recipe.filled(0);
    const auto columns = static_cast<std::size_t>(recipe.extents.empty() ? 1 : recipe.extents.back());
    const double gain = core::numberOr(recipe.config, "gain", 1);
    for (std::size_t i = 0; i < columns && i * columns + i < values.size(); ++i)
        values[i * columns + i] = static_cast<float>(gain);
    return values;
}
/// An LSTM's bias: ones for the forget gate, the second of four.
std::vector<float> unitForgetBias(const Recipe& recipe) {
    std::vector<float> values = recipe.filled(0);
    const std::size_t units = values.size() / 4;
    std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(units), units, 1.0F);
    return values;
}

using RecipeFunction = std::vector<float> (*)(const Recipe&);
const std::map<std::string_view, RecipeFunction>& recipes() {
    static const std::map<std::string_view, RecipeFunction> all{
        {"Zeros", zeros},
        {"Ones", ones},
        {"Constant", constant},
        {"RandomNormal", randomNormal},
        {"RandomUniform", randomUniform},
        {"TruncatedNormal", truncatedNormal},
        {"VarianceScaling", varianceScaling},
        {"GlorotUniform", glorotUniform},
        {"GlorotNormal", glorotNormal},
        {"HeUniform", heUniform},
        {"HeNormal", heNormal},
        {"LecunUniform", lecunUniform},
        {"LecunNormal", lecunNormal},
        {"Orthogonal", orthogonal},
        {"OrthogonalInitializer", orthogonal},
        {"Identity", identity},
        {"UnitForgetBias", unitForgetBias},
    };
    return all;
}

} // namespace

std::vector<float> initialWeights(const Json& initializer, const Extents& extents,
                                  std::string_view weightName, std::uint64_t seed) {
    static const Json nothing = Json::object();
    const bool hasConfig =
        initializer.is_object() && initializer.contains("config") && initializer["config"].is_object();
    const Json& config = hasConfig ? initializer["config"] : nothing;
    const auto own = config.find("seed");
    if (own != config.end() && own->is_number_integer())
        seed = static_cast<std::uint64_t>(own->get<std::int64_t>());
    const core::InitializerDefinition* known = core::findInitializer(initializer);
    const auto it = known == nullptr ? recipes().end() : recipes().find(known->className);
    const RecipeFunction recipe = it == recipes().end() ? glorotUniform : it->second;
    return recipe({config, extents, {seed, hashOf(weightName), 0}});
}

} // namespace simulator
