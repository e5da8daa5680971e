#include "simulator/data/files/array_file.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace simulator {
namespace {

using Decoder = void (*)(const std::byte* bytes, bool swaps, std::span<float> values);

template <class Element>
void decode(const std::byte* bytes, bool swaps, std::span<float> values) {
    for (float& value : values) {
        std::array<std::byte, sizeof(Element)> raw{};
        std::memcpy(raw.data(), bytes, raw.size());
        if (swaps)
            std::ranges::reverse(raw);
        value = static_cast<float>(std::bit_cast<Element>(raw));
        bytes += raw.size();
    }
}

void decodeHalf(const std::byte* bytes, bool swaps, std::span<float> values) {
    for (float& value : values) {
        std::array<std::byte, sizeof(std::uint16_t)> raw{bytes[0], bytes[1]};
        if (swaps)
            std::ranges::reverse(raw);
        value = static_cast<float>(Eigen::half_impl::half_to_float(
            Eigen::half_impl::raw_uint16_to_half(std::bit_cast<std::uint16_t>(raw))));
        bytes += raw.size();
    }
}

struct ElementRow {
    std::size_t size;
    Decoder decode;
};

/// In the order of ElementType.
constexpr std::array<ElementRow, 12> elementRows{{{1, decode<std::uint8_t>},
                                                  {1, decode<std::uint8_t>},
                                                  {1, decode<std::int8_t>},
                                                  {2, decode<std::uint16_t>},
                                                  {2, decode<std::int16_t>},
                                                  {4, decode<std::uint32_t>},
                                                  {4, decode<std::int32_t>},
                                                  {8, decode<std::uint64_t>},
                                                  {8, decode<std::int64_t>},
                                                  {2, decodeHalf},
                                                  {4, decode<float>},
                                                  {8, decode<double>}}};

const ElementRow& rowOf(ElementType type) {
    return elementRows[static_cast<std::size_t>(type)];
}

/// Product of the extents times the element size; nothing when it does not fit.
std::optional<std::uint64_t> byteCount(const ArrayLayout& layout) {
    std::uint64_t bytes = elementSize(layout.type);
    for (const std::int64_t extent : layout.extents) {
        if (extent < 0)
            return std::nullopt;
        const auto factor = static_cast<std::uint64_t>(extent);
        if (factor != 0 && bytes > std::numeric_limits<std::int64_t>::max() / factor)
            return std::nullopt;
        bytes *= factor;
    }
    return bytes;
}

} // namespace

std::size_t elementSize(ElementType type) {
    return rowOf(type).size;
}

core::Result<ArrayFile> ArrayFile::make(ByteSource bytes, ArrayLayout layout) {
    if (layout.extents.empty())
        return core::failure(datasetTrouble("dataset/shape", bytes.path(), "",
                                            "holds a single number, not samples",
                                            "save an array whose first axis counts the samples"));
    constexpr std::size_t mostAxes = 32; // NumPy's own limit
    if (layout.extents.size() > mostAxes)
        return core::failure(datasetTrouble(
            "dataset/shape", bytes.path(), "",
            fmt::format("its header announces {} axes, more than {}", layout.extents.size(), mostAxes),
            "fetch or save the file again"));
    if (std::find(layout.extents.begin() + 1, layout.extents.end(), 0) != layout.extents.end())
        return core::failure(datasetTrouble("dataset/shape", bytes.path(), "", "its samples hold no numbers",
                                            "save an array without axes of the size 0"));
    const auto wanted = byteCount(layout);
    const std::uint64_t there = bytes.size() - std::min(bytes.size(), layout.offset);
    if (!wanted || *wanted > there)
        return core::failure(datasetTrouble(
            "dataset/cut-off", bytes.path(), "",
            fmt::format("its header announces {} samples, but the file ends after {} bytes of data",
                        layout.extents.front(), there),
            "fetch or save the file again"));
    return ArrayFile(std::move(bytes), std::move(layout));
}

core::Result<void> ArrayFile::readElements(std::int64_t first, std::span<float> values) const {
    const ElementRow& row = rowOf(m_layout.type);
    std::vector<std::byte> raw(values.size() * row.size);
    if (auto result = m_bytes.read(m_layout.offset + static_cast<std::uint64_t>(first) * row.size, raw);
        !result)
        return result;
    const bool isBigEndianHost = std::endian::native == std::endian::big;
    row.decode(raw.data(), m_layout.isBigEndian != isBigEndianHost, values);
    return {};
}

core::Result<void> ArrayFile::readSample(std::int64_t sample, std::span<float> values) const {
    return readElements(sample * static_cast<std::int64_t>(values.size()), values);
}

core::Result<std::vector<float>> ArrayFile::readAll() const {
    std::vector<float> values(static_cast<std::size_t>(elementCount(m_layout.extents)));
    if (auto result = readElements(0, values); !result)
        return core::failure(result.error());
    return values;
}

} // namespace simulator
