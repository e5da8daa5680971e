#include "core/plan/prediction_interval.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace core {

namespace {

/// Whether a layer of the model has a class whose name holds `part`.
bool hasLayer(const Json& value, std::string_view part) {
    if (value.is_object()) {
        const auto name = value.find("class_name");
        if (name != value.end() && name->is_string() &&
            name->get_ref<const std::string&>().find(part) != std::string::npos)
            return true;
    }
    return value.is_structured() &&
           std::ranges::any_of(value, [&](const Json& inner) { return hasLayer(inner, part); });
}

bool hasLayer(const ModelGraph& model, std::string_view part) {
    return std::ranges::any_of(model.layers, [&](const Layer& layer) {
        return layer.className.find(part) != std::string::npos || hasLayer(layer.config, part) ||
               (layer.model != nullptr && hasLayer(*layer.model, part));
    });
}

template <class Model>
ProgramFamily familyOfModel(const Model& model) {
    return hasLayer(model, "Attention") ? ProgramFamily::Transformer
           : hasLayer(model, "Conv")    ? ProgramFamily::Convolutional
                                        : ProgramFamily::Other;
}

/// Of a quotient of two figures that are off independently: their distances from the prediction on a
/// logarithmic scale add up as squares do.
PredictionInterval quotient(PredictionInterval of, PredictionInterval over) {
    return {std::exp(-std::hypot(std::log(of.low), std::log(over.high))),
            std::exp(std::hypot(std::log(of.high), std::log(over.low)))};
}

} // namespace

ProgramFamily programFamily(const Json& model) {
    return familyOfModel(model);
}

ProgramFamily programFamily(const ModelGraph& model) {
    return familyOfModel(model);
}

PredictionInterval throughputInterval(ProgramFamily family) {
    constexpr PredictionInterval transformer{0.877, 1.130};
    constexpr PredictionInterval convolutional{0.945, 1.112};
    return family == ProgramFamily::Convolutional ? convolutional : transformer;
}

PredictionInterval throughputQuotientInterval(ProgramFamily program, ProgramFamily baseline,
                                              bool isOneModel) {
    constexpr PredictionInterval scaling{0.926, 1.080};
    return isOneModel ? scaling : quotient(throughputInterval(program), throughputInterval(baseline));
}

PredictionInterval peakInterval() {
    return {0.951, 1.066};
}

PredictionInterval peakQuotientInterval() {
    return quotient(peakInterval(), peakInterval());
}

PredictedRanges predictedRanges(ProgramFamily family, double samplesPerSecond, Cycles step, Bytes peak) {
    const auto times = [](auto quantity, double factor) {
        return decltype(quantity)(std::llround(static_cast<double>(quantity.value()) * factor));
    };
    const auto over = [](Cycles cycles, double factor) {
        return Cycles(std::llround(static_cast<double>(cycles.value()) / factor));
    };
    PredictedRanges ranges;
    ranges.throughput = throughputInterval(family);
    ranges.leastSamplesPerSecond = samplesPerSecond * ranges.throughput.low;
    ranges.mostSamplesPerSecond = samplesPerSecond * ranges.throughput.high;
    ranges.leastStep = over(step, ranges.throughput.high);
    ranges.mostStep = over(step, ranges.throughput.low);
    ranges.leastPeak = times(peak, ranges.peak.low);
    ranges.mostPeak = times(peak, ranges.peak.high);
    return ranges;
}

} // namespace core
