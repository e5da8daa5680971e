#include "core/interchange/archive/wire_writer.h"

#include "core/interchange/archive/wire_reader.h"

#include <bit>

namespace core {

namespace {

std::uint64_t wireTag(std::uint32_t field, WireField::Type type) {
    return static_cast<std::uint64_t>(field) << 3 | static_cast<std::uint64_t>(type);
}

} // namespace

void WireWriter::varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        m_bytes += static_cast<char>(static_cast<std::uint8_t>(value | 0x80U));
    m_bytes += static_cast<char>(value);
}

void WireWriter::eightBytes(std::uint32_t field, std::uint64_t bits) {
    varint(wireTag(field, WireField::Type::Fixed64));
    for (int byte = 0; byte < 8; ++byte)
        m_bytes += static_cast<char>(static_cast<std::uint8_t>(bits >> (8 * byte)));
}

void WireWriter::number(std::uint32_t field, std::uint64_t value) {
    varint(wireTag(field, WireField::Type::Varint));
    varint(value);
}

void WireWriter::fixed64(std::uint32_t field, std::uint64_t value) {
    eightBytes(field, value);
}

void WireWriter::real(std::uint32_t field, double value) {
    eightBytes(field, std::bit_cast<std::uint64_t>(value));
}

void WireWriter::text(std::uint32_t field, std::string_view value) {
    varint(wireTag(field, WireField::Type::Bytes));
    varint(value.size());
    m_bytes += value;
}

} // namespace core
