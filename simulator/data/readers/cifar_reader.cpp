// The binary version of CIFAR-10: per sample a byte with the class, then 32 × 32 bytes of red, of green and
// of blue, row by row (A. Krizhevsky, "Learning multiple layers of features from tiny images", and the page
// of the data set).
#include "simulator/data/readers/dataset_readers.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace simulator {
namespace {

constexpr std::size_t plane = 32 * 32;
constexpr std::size_t channels = 3;
constexpr std::size_t record = 1 + channels * plane;

class CifarSource final : public SampleSource {
public:
    CifarSource(std::vector<ByteSource> files, InputTransform transform)
        : m_files(std::move(files))
        , m_transform(std::move(transform))
        , m_inputs{{m_files.front().path().string(), {32, 32, 3}}}
        , m_targets{{m_files.front().path().string(), {}}} {
        for (const ByteSource& file : m_files)
            m_ends.push_back(samples() + static_cast<std::int64_t>(file.size() / record));
    }

    [[nodiscard]] std::int64_t samples() const override { return m_ends.empty() ? 0 : m_ends.back(); }
    [[nodiscard]] const std::vector<SampleField>& inputs() const override { return m_inputs; }
    [[nodiscard]] const std::vector<SampleField>& targets() const override { return m_targets; }

    [[nodiscard]] core::Result<void> readInput(std::size_t, std::int64_t sample,
                                               std::span<float> values) const override {
        std::array<std::byte, channels * plane> bytes{};
        if (auto result = read(sample, 1, bytes); !result)
            return result;
        for (std::size_t pixel = 0; pixel < plane; ++pixel)
            for (std::size_t channel = 0; channel < channels; ++channel)
                values[pixel * channels + channel] = static_cast<float>(bytes[channel * plane + pixel]);
        scaleInputs(m_transform, values);
        return {};
    }
    [[nodiscard]] core::Result<void> readTarget(std::size_t, std::int64_t sample,
                                                std::span<float> values) const override {
        std::array<std::byte, 1> label{};
        auto result = read(sample, 0, label);
        values[0] = static_cast<float>(label[0]);
        return result;
    }

private:
    [[nodiscard]] core::Result<void> read(std::int64_t sample, std::uint64_t offset,
                                          std::span<std::byte> bytes) const {
        const auto file = static_cast<std::size_t>(std::ranges::upper_bound(m_ends, sample) - m_ends.begin());
        const std::int64_t first = file == 0 ? 0 : m_ends[file - 1];
        return m_files[file].read(static_cast<std::uint64_t>(sample - first) * record + offset, bytes);
    }

    std::vector<ByteSource> m_files;
    /// Samples up to the end of each file.
    std::vector<std::int64_t> m_ends;
    InputTransform m_transform;
    std::vector<SampleField> m_inputs;
    std::vector<SampleField> m_targets;
};

} // namespace

OpenedDataset openCifar(const DatasetRequest& request) {
    std::vector<ByteSource> files;
    for (const std::filesystem::path& path : pathsOf(request, "files")) {
        auto file = ByteSource::open(path, request.memoryLimit);
        if (!file)
            return core::failure(file.error());
        if (file->size() % record != 0)
            return core::failure(datasetTrouble(
                "dataset/cut-off", path, fmt::format("byte {}", file->size() / record * record),
                fmt::format("a CIFAR-10 file holds {} bytes per sample, this one has {} bytes", record,
                            file->size()),
                "give a file of the binary version, such as data_batch_1.bin"));
        files.push_back(std::move(*file));
    }
    return std::make_shared<CifarSource>(std::move(files), inputTransform(request));
}

} // namespace simulator
