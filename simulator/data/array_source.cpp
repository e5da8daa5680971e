#include "simulator/data/array_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace simulator {
namespace {

class ArraySource final : public SampleSource {
public:
    ArraySource(ArrayFile inputs, std::optional<ArrayFile> targets, InputTransform transform, Extents shape)
        : m_inputFile(std::move(inputs))
        , m_targetFile(std::move(targets))
        , m_transform(std::move(transform))
        , m_inputs{{m_inputFile.path().string(), std::move(shape)}} {
        if (m_targetFile)
            m_targets.push_back({m_targetFile->path().string(), m_targetFile->sampleExtents()});
    }

    [[nodiscard]] std::int64_t samples() const override { return m_inputFile.samples(); }
    [[nodiscard]] const std::vector<SampleField>& inputs() const override { return m_inputs; }
    [[nodiscard]] const std::vector<SampleField>& targets() const override { return m_targets; }

    [[nodiscard]] core::Result<void> readInput(std::size_t, std::int64_t sample,
                                               std::span<float> values) const override {
        auto result = m_inputFile.readSample(sample, values);
        if (result)
            scaleInputs(m_transform, values);
        return result;
    }
    [[nodiscard]] core::Result<void> readTarget(std::size_t, std::int64_t sample,
                                                std::span<float> values) const override {
        return m_targetFile->readSample(sample, values);
    }

private:
    ArrayFile m_inputFile;
    std::optional<ArrayFile> m_targetFile;
    InputTransform m_transform;
    std::vector<SampleField> m_inputs;
    std::vector<SampleField> m_targets;
};

} // namespace

core::Result<Extents> transformedShape(const InputTransform& transform, const Extents& stored,
                                       const std::filesystem::path& file) {
    if (transform.shape.empty())
        return stored;
    if (elementCount(transform.shape) != elementCount(stored))
        return core::failure(
            datasetTrouble("dataset/shape", file, "",
                           fmt::format("an input has the shape [{}], which cannot be read as [{}]",
                                       fmt::join(stored, ", "), fmt::join(transform.shape, ", ")),
                           fmt::format("give a \"shape\" of {} values", elementCount(stored))));
    return transform.shape;
}

void scaleInputs(const InputTransform& transform, std::span<float> values) {
    if (transform.scale == 1)
        return;
    for (float& value : values)
        value = static_cast<float>(value / transform.scale);
}

core::Result<std::shared_ptr<const SampleSource>>
makeArraySource(ArrayFile inputs, std::optional<ArrayFile> targets, const InputTransform& transform) {
    auto shape = transformedShape(transform, inputs.sampleExtents(), inputs.path());
    if (!shape)
        return core::failure(shape.error());
    if (targets && targets->samples() != inputs.samples())
        return core::failure(
            datasetTrouble("dataset/sample-counts", targets->path(), "",
                           fmt::format("has {} targets for {} inputs of {}", targets->samples(),
                                       inputs.samples(), inputs.path().string()),
                           "give files that belong together"));
    return std::make_shared<ArraySource>(std::move(inputs), std::move(targets), transform, std::move(*shape));
}

} // namespace simulator
