#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace core {

/// One field of a protocol buffers message.
struct WireField {
    std::uint32_t number = 0;
    enum class Type : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 } type = Type::Varint;
    /// The value of Varint, Fixed64 and Fixed32 fields.
    std::uint64_t bits = 0;
    /// The content of Bytes fields; a part of the message.
    std::string_view bytes;
};

/// Walks over the fields of a message in the wire format of protocol buffers
/// (https://protobuf.dev/programming-guides/encoding). Reads nothing outside its bytes and copies nothing.
class WireReader {
public:
    explicit WireReader(std::string_view message)
        : m_rest(message) {}

    /// The next field; nothing at the end or when the bytes are damaged (`isDamaged`).
    [[nodiscard]] std::optional<WireField> next();
    [[nodiscard]] bool isDamaged() const { return m_isDamaged; }
    [[nodiscard]] bool isAtEnd() const { return m_rest.empty(); }

    /// The next bare number, as packed repeated fields hold them.
    [[nodiscard]] std::optional<std::uint64_t> varint();

private:
    std::optional<std::uint64_t> fixed(std::size_t bytes);
    std::nullopt_t damage();

    std::string_view m_rest;
    bool m_isDamaged = false;
};

} // namespace core
