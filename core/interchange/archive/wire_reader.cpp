#include "core/interchange/archive/wire_reader.h"

namespace core {

std::nullopt_t WireReader::damage() {
    m_isDamaged = true;
    m_rest = {};
    return std::nullopt;
}

std::optional<std::uint64_t> WireReader::varint() {
    constexpr std::size_t longest = 10;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < longest && i < m_rest.size(); ++i) {
        const auto byte = static_cast<std::uint8_t>(m_rest[i]);
        value |= static_cast<std::uint64_t>(byte & 0x7fU) << (7 * i);
        if ((byte & 0x80U) == 0) {
            m_rest.remove_prefix(i + 1);
            return value;
        }
    }
    return damage();
}

std::optional<std::uint64_t> WireReader::fixed(std::size_t bytes) {
    if (m_rest.size() < bytes)
        return damage();
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
        value |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(m_rest[i])) << (8 * i);
    m_rest.remove_prefix(bytes);
    return value;
}

std::optional<WireField> WireReader::next() {
    if (m_rest.empty())
        return std::nullopt;
    const auto tag = varint();
    if (!tag)
        return std::nullopt;
    WireField field;
    field.number = static_cast<std::uint32_t>(*tag >> 3);
    if (*tag >> 3 == 0 || *tag >> 3 > 536870911)
        return damage();
    field.type = static_cast<WireField::Type>(*tag & 7U);
    std::optional<std::uint64_t> value;
    switch (field.type) {
    case WireField::Type::Varint:
        value = varint();
        break;
    case WireField::Type::Fixed64:
        value = fixed(8);
        break;
    case WireField::Type::Fixed32:
        value = fixed(4);
        break;
    case WireField::Type::Bytes:
        value = varint();
        if (!value || *value > m_rest.size())
            return damage();
        field.bytes = m_rest.substr(0, static_cast<std::size_t>(*value));
        m_rest.remove_prefix(static_cast<std::size_t>(*value));
        return field;
    default:
        return damage();
    }
    if (!value)
        return std::nullopt;
    field.bits = *value;
    return field;
}

} // namespace core
