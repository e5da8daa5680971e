// Made-up samples of a model's own shapes: one picture per class and noise on it, so that a model can learn
// them.
#include "simulator/data/readers/dataset_readers.h"

#include <algorithm>
#include <cmath>

namespace simulator {
namespace {

/// A number that looks random and depends on its arguments alone (the finalizer of SplitMix64: Steele, Lea,
/// Flood, "Fast splittable pseudorandom number generators").
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
}
/// In [0, 1).
float share(std::uint64_t bits) {
    return static_cast<float>(bits >> 40U) * 0x1p-24F;
}

class SyntheticSource final : public SampleSource {
public:
    explicit SyntheticSource(const DatasetRequest& request)
        : m_samples(integerOf(request, "samples", 1024))
        , m_seed(static_cast<std::uint64_t>(integerOf(request, "seed", 0)))
        , m_inputForms(request.inputs)
        , m_targetForms(request.targets)
        , m_classes(integerOf(request, "classes", classesOf(request.targets))) {
        for (const WantedField& field : request.inputs)
            m_inputs.push_back({"synthetic input", field.extents});
        for (const WantedField& field : request.targets)
            m_targets.push_back({"synthetic target", field.extents});
    }

    [[nodiscard]] std::int64_t samples() const override { return m_samples; }
    [[nodiscard]] const std::vector<SampleField>& inputs() const override { return m_inputs; }
    [[nodiscard]] const std::vector<SampleField>& targets() const override { return m_targets; }

    [[nodiscard]] core::Result<void> readInput(std::size_t field, std::int64_t sample,
                                               std::span<float> values) const override {
        const std::uint64_t picture = key(1 + field, static_cast<std::uint64_t>(classOf(sample)));
        const std::uint64_t noise = key(1001 + field, static_cast<std::uint64_t>(sample));
        const auto limit = static_cast<float>(m_inputForms[field].classes);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const float value = share(mixed(picture + i)) / 2 + share(mixed(noise + i)) / 2;
            values[i] = limit > 0 ? std::min(std::floor(value * limit), limit - 1) : value;
        }
        return {};
    }

    [[nodiscard]] core::Result<void> readTarget(std::size_t field, std::int64_t sample,
                                                std::span<float> values) const override {
        const WantedField& form = m_targetForms[field];
        const std::int64_t width = form.extents.empty() ? 1 : form.extents.back();
        const bool isOneHot = form.kind == WantedField::Kind::OneHot;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto place = static_cast<std::int64_t>(i);
            if (isOneHot)
                values[i] = (classOf(sample) + place / width) % width == place % width ? 1.0F : 0.0F;
            else
                values[i] =
                    static_cast<float>((classOf(sample) + place) % std::max<std::int64_t>(1, limit(form)));
        }
        return {};
    }

private:
    static std::int64_t classesOf(const std::vector<WantedField>& targets) {
        return targets.empty() || targets.front().classes == 0 ? 2 : targets.front().classes;
    }
    /// Never more classes than the model tells apart.
    [[nodiscard]] std::int64_t limit(const WantedField& form) const {
        return form.classes == 0 ? m_classes : std::min(m_classes, form.classes);
    }
    [[nodiscard]] std::uint64_t key(std::uint64_t stream, std::uint64_t number) const {
        return mixed(mixed(m_seed ^ mixed(stream)) + number);
    }
    [[nodiscard]] std::int64_t classOf(std::int64_t sample) const {
        return static_cast<std::int64_t>(key(0, static_cast<std::uint64_t>(sample)) %
                                         static_cast<std::uint64_t>(m_classes));
    }

    std::int64_t m_samples;
    std::uint64_t m_seed;
    std::vector<WantedField> m_inputForms;
    std::vector<WantedField> m_targetForms;
    std::int64_t m_classes;
    std::vector<SampleField> m_inputs;
    std::vector<SampleField> m_targets;
};

} // namespace

OpenedDataset openSynthetic(const DatasetRequest& request) {
    return std::make_shared<SyntheticSource>(request);
}

} // namespace simulator
