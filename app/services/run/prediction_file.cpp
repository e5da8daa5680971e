#include "app/services/run/prediction_file.h"

#include "core/base/write_door.h"
#include "core/text/visible_text.h"
#include "simulator/data/files/npy_array.h"
#include "simulator/data/files/npz_archive.h"
#include "simulator/engine/training/output_collector.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace app {

namespace {

using simulator::ModelOutput;

std::string npyOf(const ModelOutput& output) {
    if (core::isFloating(output.type))
        return simulator::npyBytes(output.extents, output.values);
    std::vector<std::int32_t> whole;
    whole.reserve(output.values.size());
    for (const float value : output.values)
        whole.push_back(static_cast<std::int32_t>(std::lround(value)));
    return simulator::npyBytes(output.extents, whole);
}

std::string npzOf(std::span<const ModelOutput> outputs) {
    std::vector<std::pair<std::string, std::string>> members;
    for (const ModelOutput& output : outputs)
        members.emplace_back(output.name + ".npy", npyOf(output));
    return simulator::zipBytes(members, core::productMark);
}

std::size_t valuesPerSample(const ModelOutput& output) {
    const auto samples = static_cast<std::size_t>(output.extents.front());
    return samples == 0 ? 0 : output.values.size() / samples;
}

/// "[1][0]": the place of a value among those of a sample, outermost axis first.
std::string placeOf(const ModelOutput& output, std::size_t element) {
    std::string place;
    for (std::size_t axis = output.extents.size(); axis-- > 1;) {
        const auto extent = static_cast<std::size_t>(output.extents[axis]);
        place.insert(0, fmt::format("[{}]", element % extent));
        element /= extent;
    }
    return place;
}

std::string csvOf(std::span<const ModelOutput> outputs) {
    std::string csv = "sample";
    std::size_t samples = 0;
    for (const ModelOutput& output : outputs) {
        const std::size_t width = valuesPerSample(output);
        for (std::size_t element = 0; element < width; ++element) {
            const std::string place = width == 1 ? std::string() : placeOf(output, element);
            csv.append(",").append(core::csvField(output.name + place));
        }
        samples = std::max(samples, static_cast<std::size_t>(output.extents.front()));
    }
    csv += "\r\n";
    for (std::size_t sample = 0; sample < samples; ++sample) {
        csv += std::to_string(sample);
        for (const ModelOutput& output : outputs) {
            const std::size_t width = valuesPerSample(output);
            for (std::size_t at = sample * width; at < (sample + 1) * width; ++at)
                csv += at < output.values.size() ? fmt::format(",{}", output.values[at]) : ",";
        }
        csv += "\r\n";
    }
    return csv;
}

} // namespace

std::optional<PredictionFormat> predictionFormat(const std::string& file) {
    if (file.ends_with(".npz"))
        return PredictionFormat::Npz;
    if (file.ends_with(".csv"))
        return PredictionFormat::Csv;
    return std::nullopt;
}

std::string predictionBytes(std::span<const ModelOutput> outputs, PredictionFormat format) {
    return format == PredictionFormat::Npz ? npzOf(outputs) : csvOf(outputs);
}

} // namespace app
