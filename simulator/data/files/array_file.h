#pragma once

#include "simulator/data/files/byte_source.h"
#include "simulator/graph/operation.h"

#include <cstdint>
#include <span>

namespace simulator {

/// How a number is stored in a file.
enum class ElementType : std::uint8_t {
    Bool,
    Uint8,
    Int8,
    Uint16,
    Int16,
    Uint32,
    Int32,
    Uint64,
    Int64,
    Float16,
    Float32,
    Float64
};
[[nodiscard]] std::size_t elementSize(ElementType type);

/// Where the numbers of an array are in a file, row-major.
struct ArrayLayout {
    ElementType type = ElementType::Float32;
    bool isBigEndian = false;
    /// Samples first.
    Extents extents;
    std::uint64_t offset = 0;
};

/// An array in a file, a sample at a time.
class ArrayFile {
public:
    /// Refuses an array that the file is too short for, or that is a single number: "dataset/cut-off",
    /// "dataset/shape".
    [[nodiscard]] static core::Result<ArrayFile> make(ByteSource bytes, ArrayLayout layout);

    [[nodiscard]] const std::filesystem::path& path() const { return m_bytes.path(); }
    [[nodiscard]] std::int64_t samples() const { return m_layout.extents.front(); }
    [[nodiscard]] Extents sampleExtents() const {
        return {m_layout.extents.begin() + 1, m_layout.extents.end()};
    }
    [[nodiscard]] core::Result<void> readSample(std::int64_t sample, std::span<float> values) const;
    /// Everything, row-major.
    [[nodiscard]] core::Result<std::vector<float>> readAll() const;
    [[nodiscard]] const ArrayLayout& layout() const { return m_layout; }

private:
    ArrayFile(ByteSource bytes, ArrayLayout layout)
        : m_bytes(std::move(bytes))
        , m_layout(std::move(layout)) {}
    [[nodiscard]] core::Result<void> readElements(std::int64_t first, std::span<float> values) const;

    ByteSource m_bytes;
    ArrayLayout m_layout;
};

} // namespace simulator
