#pragma once

#include "core/base/result.h"
#include "simulator/graph/operation.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace simulator {

/// One of the arrays a sample consists of.
struct SampleField {
    /// For messages: the file or array it comes from.
    std::string name;
    /// Of one sample; empty for a single number.
    Extents extents;

    [[nodiscard]] std::int64_t elements() const { return elementCount(extents); }
    bool operator==(const SampleField&) const = default;
};

/// A dataset: numbered samples, each of some inputs and some targets, read when they are needed. Reading
/// changes nothing, so samples may be read in any order, again, and from several threads.
class SampleSource {
public:
    virtual ~SampleSource() = default;

    [[nodiscard]] virtual std::int64_t samples() const = 0;
    [[nodiscard]] virtual const std::vector<SampleField>& inputs() const = 0;
    /// Empty where the dataset has inputs alone.
    [[nodiscard]] virtual const std::vector<SampleField>& targets() const = 0;
    /// Whether samples are decoded, pictures for example, so that reading them ahead pays.
    [[nodiscard]] virtual bool isDecoded() const { return false; }
    /// The values of one field of one sample, row-major; `values` has as many elements as the field. Errors:
    /// those of reading its file.
    [[nodiscard]] virtual core::Result<void> readInput(std::size_t field, std::int64_t sample,
                                                       std::span<float> values) const = 0;
    [[nodiscard]] virtual core::Result<void> readTarget(std::size_t field, std::int64_t sample,
                                                        std::span<float> values) const = 0;
};

} // namespace simulator
