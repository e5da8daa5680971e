#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace core {

/// Writes the fields of a message in the wire format of protocol buffers
/// (https://protobuf.dev/programming-guides/encoding), in the order of the calls.
class WireWriter {
public:
    /// A field of type uint32, uint64, bool or an enumeration.
    void number(std::uint32_t field, std::uint64_t value);
    /// A field of type int32 or int64: ten bytes where it is negative.
    void signedNumber(std::uint32_t field, std::int64_t value) {
        number(field, static_cast<std::uint64_t>(value));
    }
    /// A field of type fixed64.
    void fixed64(std::uint32_t field, std::uint64_t value);
    /// A field of type double.
    void real(std::uint32_t field, double value);
    /// A field of type string or bytes.
    void text(std::uint32_t field, std::string_view value);
    /// A field that is a message; `fill` gets the writer of its fields.
    template <class Fill>
    void message(std::uint32_t field, Fill&& fill) {
        WireWriter content;
        std::forward<Fill>(fill)(content);
        text(field, content.m_bytes);
    }
    /// Fields that are written already.
    void append(std::string_view fields) { m_bytes += fields; }

    [[nodiscard]] const std::string& bytes() const { return m_bytes; }

private:
    void varint(std::uint64_t value);
    void eightBytes(std::uint32_t field, std::uint64_t bits);

    std::string m_bytes;
};

} // namespace core
