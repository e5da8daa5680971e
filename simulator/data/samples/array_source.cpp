#include "simulator/data/samples/array_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace simulator {
namespace {

class ArraySource final : public SampleSource {
public:
    ArraySource(std::vector<ArrayFile> inputs, std::vector<ArrayFile> targets, InputTransform transform)
        : m_inputFiles(std::move(inputs))
        , m_targetFiles(std::move(targets))
        , m_transform(std::move(transform))
        , m_inputs(fieldsOf(m_inputFiles))
        , m_targets(fieldsOf(m_targetFiles)) {
        if (!m_transform.shape.empty())
            m_inputs.front().extents = m_transform.shape;
    }

    [[nodiscard]] std::int64_t samples() const override { return m_inputFiles.front().samples(); }
    [[nodiscard]] const std::vector<SampleField>& inputs() const override { return m_inputs; }
    [[nodiscard]] const std::vector<SampleField>& targets() const override { return m_targets; }

    [[nodiscard]] core::Result<void> readInput(std::size_t field, std::int64_t sample,
                                               std::span<float> values) const override {
        auto result = m_inputFiles[field].readSample(sample, values);
        if (result)
            scaleInputs(m_transform, values);
        return result;
    }
    [[nodiscard]] core::Result<void> readTarget(std::size_t field, std::int64_t sample,
                                                std::span<float> values) const override {
        return m_targetFiles[field].readSample(sample, values);
    }

private:
    static std::vector<SampleField> fieldsOf(const std::vector<ArrayFile>& files) {
        std::vector<SampleField> fields;
        for (const ArrayFile& file : files)
            fields.push_back({file.path().string(), file.sampleExtents()});
        return fields;
    }

    std::vector<ArrayFile> m_inputFiles;
    std::vector<ArrayFile> m_targetFiles;
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

core::Result<std::shared_ptr<const SampleSource>> makeArraySource(std::vector<ArrayFile> inputs,
                                                                  std::vector<ArrayFile> targets,
                                                                  const InputTransform& transform) {
    const ArrayFile& first = inputs.front();
    if (inputs.size() > 1 && !transform.shape.empty())
        return core::failure(datasetTrouble("dataset/shape", first.path(), "",
                                            "\"shape\" is that of one input, there are several",
                                            "leave \"shape\" out and store the arrays in their shapes"));
    if (auto shape = transformedShape(transform, first.sampleExtents(), first.path()); !shape)
        return core::failure(shape.error());
    for (const auto* files : {&inputs, &targets})
        for (const ArrayFile& file : *files)
            if (file.samples() != first.samples())
                return core::failure(
                    datasetTrouble("dataset/sample-counts", file.path(), "",
                                   fmt::format("has {} {} for {} inputs of {}", file.samples(),
                                               files == &inputs ? "inputs" : "targets", first.samples(),
                                               first.path().string()),
                                   "give files that belong together"));
    return std::make_shared<ArraySource>(std::move(inputs), std::move(targets), transform);
}

} // namespace simulator
