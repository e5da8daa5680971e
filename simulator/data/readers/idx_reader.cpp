// IDX, the format of MNIST: two zero bytes, the type, the rank, the big-endian extents, the values (Y. LeCun,
// C. Cortes, C. Burges, "The MNIST database of handwritten digits").
#include "simulator/data/readers/dataset_readers.h"

#include <fmt/format.h>

namespace simulator {
namespace {

std::optional<ElementType> typeOf(unsigned char code) {
    switch (code) {
    case 0x08:
        return ElementType::Uint8;
    case 0x09:
        return ElementType::Int8;
    case 0x0B:
        return ElementType::Int16;
    case 0x0C:
        return ElementType::Int32;
    case 0x0D:
        return ElementType::Float32;
    case 0x0E:
        return ElementType::Float64;
    default:
        return std::nullopt;
    }
}

core::Result<ArrayFile> openArray(const std::filesystem::path& path, std::uint64_t memoryLimit) {
    auto bytes = ByteSource::open(path, memoryLimit);
    if (!bytes)
        return core::failure(bytes.error());
    constexpr std::uint64_t longestHeader = 4 + 255 * 4;
    const auto header = bytes->text(0, longestHeader);
    if (!header)
        return core::failure(header.error());
    const auto byteAt = [&](std::size_t at) { return static_cast<unsigned char>((*header)[at]); };
    const bool isIdx = header->size() >= 4 && byteAt(0) == 0 && byteAt(1) == 0 && typeOf(byteAt(2));
    if (!isIdx)
        return core::failure(datasetTrouble("dataset/not-idx", path, "byte 0",
                                            "is not an IDX file: it does not start with the bytes 0, 0, type",
                                            "give a file such as train-images-idx3-ubyte (or its .gz)"));
    const std::size_t rank = byteAt(3);
    ArrayLayout layout{*typeOf(byteAt(2)), true, {}, 4 + rank * 4};
    if (header->size() < layout.offset)
        return core::failure(datasetTrouble("dataset/cut-off", path, fmt::format("byte {}", header->size()),
                                            "the IDX header is cut off", "fetch the file again"));
    for (std::size_t axis = 0; axis < rank; ++axis) {
        std::int64_t extent = 0;
        for (std::size_t i = 0; i < 4; ++i)
            extent = extent << 8 | byteAt(4 + axis * 4 + i);
        layout.extents.push_back(extent);
    }
    return ArrayFile::make(std::move(*bytes), std::move(layout));
}

} // namespace

OpenedDataset openIdx(const DatasetRequest& request) {
    std::vector<ArrayFile> images;
    std::vector<ArrayFile> labels;
    for (const auto& [key, files] : {std::pair("images", &images), std::pair("labels", &labels)}) {
        const auto path = pathOf(request, key);
        if (path.empty())
            continue;
        auto opened = openArray(path, request.memoryLimit);
        if (!opened)
            return core::failure(opened.error());
        files->push_back(std::move(*opened));
    }
    return makeArraySource(std::move(images), std::move(labels), inputTransform(request));
}

} // namespace simulator
