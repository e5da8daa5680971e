// Format: numpy/lib/format.py's description, NumPy Enhancement Proposal 1.
#include "simulator/data/files/npy_array.h"

#include <bit>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <string_view>

namespace simulator {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

/// The text between `key': ` and the comma or bracket that ends the value.
std::string_view valueOf(std::string_view header, std::string_view key) {
    const std::size_t at = header.find(key);
    if (at == std::string_view::npos)
        return {};
    std::string_view rest = header.substr(at + key.size());
    rest.remove_prefix(std::min(rest.find_first_not_of("'\": "), rest.size()));
    const bool isTuple = rest.starts_with('(');
    return rest.substr(0, isTuple ? rest.find(')') : rest.find_first_of(",}'\""));
}

std::optional<Extents> extentsOf(std::string_view tuple) {
    Extents extents;
    while (true) {
        const std::size_t digit = tuple.find_first_of("0123456789");
        // Between the numbers are brackets, commas, blanks, and the L of Python 2.
        if (tuple.substr(0, digit).find_first_not_of("(), L") != std::string_view::npos)
            return std::nullopt;
        if (digit == std::string_view::npos)
            return extents;
        // A sign before the digits belongs to them.
        if (tuple.substr(0, digit).find('-') != std::string_view::npos)
            return std::nullopt;
        std::int64_t extent = 0;
        const char* end = tuple.data() + tuple.size();
        const auto [next, error] = std::from_chars(tuple.data() + digit, end, extent);
        if (error != std::errc())
            return std::nullopt;
        extents.push_back(extent);
        tuple = std::string_view(next, static_cast<std::size_t>(end - next));
    }
}

std::optional<ElementType> typeOf(std::string_view code) {
    static const std::map<std::string_view, ElementType> types{
        {"b1", ElementType::Bool},    {"u1", ElementType::Uint8},   {"i1", ElementType::Int8},
        {"u2", ElementType::Uint16},  {"i2", ElementType::Int16},   {"u4", ElementType::Uint32},
        {"i4", ElementType::Int32},   {"u8", ElementType::Uint64},  {"i8", ElementType::Int64},
        {"f2", ElementType::Float16}, {"f4", ElementType::Float32}, {"f8", ElementType::Float64}};
    const auto found = types.find(code);
    return found == types.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

core::Result<ArrayLayout> npyLayout(const ByteSource& bytes) {
    const std::filesystem::path& path = bytes.path();
    const auto start = bytes.text(0, longestNpyHeader);
    if (!start)
        return core::failure(start.error());
    if (!start->starts_with(magic) || start->size() < 12)
        return core::failure(datasetTrouble("dataset/not-npy", path, "byte 0", "is not a NumPy .npy file",
                                            "save it with numpy.save(file, array)"));
    const auto byteAt = [&](std::size_t at) {
        return static_cast<std::size_t>(static_cast<unsigned char>((*start)[at]));
    };
    const bool isFirstVersion = byteAt(6) == 1;
    const std::size_t begin = isFirstVersion ? 10 : 12;
    std::size_t length = byteAt(8) | byteAt(9) << 8;
    if (!isFirstVersion)
        length |= byteAt(10) << 16 | byteAt(11) << 24;
    if (start->size() - begin < length)
        return core::failure(datasetTrouble("dataset/cut-off", path, fmt::format("byte {}", start->size()),
                                            "the header of the .npy file is cut off", "save the file again"));
    const std::string_view header = std::string_view(*start).substr(begin, length);
    const std::string_view type = valueOf(header, "descr");
    const auto element = type.size() == 3 ? typeOf(type.substr(1)) : std::nullopt;
    if (!element)
        return core::failure(datasetTrouble("dataset/array-type", path, "header",
                                            fmt::format("holds elements of the type \"{}\"", type),
                                            "save numbers: array.astype(\"float32\")"));
    if (valueOf(header, "fortran_order") == "True")
        return core::failure(datasetTrouble("dataset/fortran-order", path, "header",
                                            "is stored in Fortran order, column after column",
                                            "save numpy.ascontiguousarray(array)"));
    auto extents = extentsOf(valueOf(header, "shape"));
    if (!extents)
        return core::failure(datasetTrouble("dataset/not-npy", path, "header",
                                            "has a shape that is no list of sizes", "save the file again"));
    return ArrayLayout{*element, type.front() == '>', std::move(*extents), begin + length};
}

core::Result<ArrayFile> openNpyArray(ByteSource bytes) {
    auto layout = npyLayout(bytes);
    if (!layout)
        return core::failure(layout.error());
    return ArrayFile::make(std::move(bytes), std::move(*layout));
}

namespace {

/// `descr`: NumPy's name of the type of the numbers.
std::string npyFile(const Extents& extents, std::string_view descr, std::string_view numbers) {
    static_assert(std::endian::native == std::endian::little);
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                                     fmt::join(extents, ", "), extents.size() == 1 ? "," : "");
    constexpr std::size_t alignment = 64;
    constexpr std::size_t preamble = 10;
    header.append(alignment - (preamble + header.size() + 1) % alignment, ' ');
    header.push_back('\n');
    std::string bytes(magic);
    bytes +=
        {'\x01', '\x00', static_cast<char>(header.size() & 0xffU), static_cast<char>(header.size() >> 8U)};
    bytes += header;
    bytes.append(numbers);
    return bytes;
}

} // namespace

std::string npyBytes(const Extents& extents, std::span<const float> values) {
    return npyFile(extents, "<f4", {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

std::string npyBytes(const Extents& extents, std::span<const std::int32_t> values) {
    return npyFile(extents, "<i4", {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

} // namespace simulator
