#include "core/config/pipeline_options.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace core {

namespace {

constexpr std::array<std::string_view, 3> recomputationModeNames{"Auto", "RecomputeThenBackpropagate",
                                                                 "RecomputeAndBackpropagateInterleaved"};
constexpr std::array<std::string_view, 3> reductionMethodNames{"sum", "mean", "running_mean"};

template <class Enum, std::size_t count>
std::optional<Enum> fromName(const std::array<std::string_view, count>& names, std::string_view name) {
    const auto* const found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<Enum>(found - names.begin()));
}

/// "RecomputationMode.Auto" → "Auto": the spelling of a Python program.
std::string_view withoutEnumName(std::string_view name, std::string_view enumName) {
    const bool isQualified =
        name.starts_with(enumName) && name.size() > enumName.size() && name[enumName.size()] == '.';
    return isQualified ? name.substr(enumName.size() + 1) : name;
}

} // namespace

std::string_view toString(RecomputationMode mode) {
    return recomputationModeNames[static_cast<std::size_t>(mode)];
}

std::string_view toString(ReductionMethod method) {
    return reductionMethodNames[static_cast<std::size_t>(method)];
}

std::span<const std::string_view> namesOfRecomputationModes() {
    return recomputationModeNames;
}

std::span<const std::string_view> namesOfReductionMethods() {
    return reductionMethodNames;
}

std::optional<RecomputationMode> recomputationModeFromName(std::string_view name) {
    return fromName<RecomputationMode>(recomputationModeNames, withoutEnumName(name, "RecomputationMode"));
}

std::optional<ReductionMethod> reductionMethodFromName(std::string_view name) {
    std::string lower(withoutEnumName(name, "GradientAccumulationReductionMethod"));
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return fromName<ReductionMethod>(reductionMethodNames, lower);
}

} // namespace core
