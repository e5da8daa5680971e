#include "simulator/data/readers/sample_weights.h"

#include "simulator/data/files/npy_array.h"
#include "simulator/data/readers/dataset_readers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace simulator {

core::Result<SampleWeights> SampleWeights::open(const DatasetRequest& request, std::int64_t samples,
                                                bool countsClasses) {
    SampleWeights weights;
    const auto classes = request.spec.parameters.find("class_weights");
    if (countsClasses && classes != request.spec.parameters.end())
        weights.m_classes = classes->get<std::vector<float>>();
    const std::filesystem::path path = pathOf(request, "sample_weights");
    if (path.empty())
        return weights;
    auto bytes = ByteSource::open(path, request.memoryLimit);
    if (!bytes)
        return core::failure(bytes.error());
    auto file = openNpyArray(std::move(*bytes));
    if (!file)
        return core::failure(file.error());
    if (elementCount(file->sampleExtents()) != 1)
        return core::failure(datasetTrouble(
            "dataset/shape", path, "",
            fmt::format("has weights of the shape [{}]", fmt::join(file->sampleExtents(), ", ")),
            "give one number per sample"));
    if (file->samples() != samples)
        return core::failure(
            datasetTrouble("dataset/sample-counts", path, "",
                           fmt::format("has {} weights for {} samples", file->samples(), samples),
                           "give one number per sample"));
    weights.m_samples = std::move(*file);
    return weights;
}

core::Result<float> SampleWeights::of(std::int64_t sample, std::span<const float> target) const {
    float weight = 1;
    if (m_samples)
        if (auto result = m_samples->readSample(sample, std::span(&weight, 1)); !result)
            return core::failure(result.error());
    if (m_classes.empty())
        return weight;
    // As Keras finds the class: the widest of several values, or the one value as a whole number.
    const double number = target.size() > 1
                              ? static_cast<double>(std::ranges::max_element(target) - target.begin())
                          : target.empty() ? -1
                                           : std::trunc(target.front());
    if (!(number >= 0 && number < static_cast<double>(m_classes.size())))
        return core::failure(
            datasetTrouble("dataset/class-weight", {}, fmt::format("sample {}", sample),
                           fmt::format("there is no weight for class {}; \"class_weights\" has {}", number,
                                       m_classes.size()),
                           "give one weight for each class, from class 0 on"));
    return weight * m_classes[static_cast<std::size_t>(number)];
}

} // namespace simulator
