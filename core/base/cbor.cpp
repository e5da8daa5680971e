#include "core/base/cbor.h"

#include "core/text/visible_text.h"

#include <cstdint>
#include <fmt/format.h>
#include <vector>

namespace core {

namespace {

/// The first byte of an item says its kind and how long the number is that follows (RFC 8949, section 3).
struct CborHead {
    unsigned kind = 0;
    std::uint64_t number = 0;
};

enum CborKind : unsigned { Unsigned, Negative, Bytes, Text, List, Map, Tag, Simple };

class CborWalk {
public:
    CborWalk(std::string_view bytes, std::size_t depth)
        : m_bytes(bytes)
        , m_depth(depth) {}

    /// The code of what is wrong; empty when nothing is.
    std::string_view run() {
        m_left.push_back(1);
        while (!m_left.empty()) {
            if (m_left.back() == 0) {
                m_left.pop_back();
                continue;
            }
            --m_left.back();
            if (const std::string_view trouble = item(); !trouble.empty())
                return trouble;
        }
        return m_at == m_bytes.size() ? std::string_view() : broken;
    }

    [[nodiscard]] std::size_t at() const { return m_at; }

    static constexpr std::string_view broken = "cbor/structure";
    static constexpr std::string_view deep = "json/depth";

private:
    std::optional<CborHead> head() {
        constexpr unsigned small = 24;
        constexpr unsigned widest = 27;
        if (m_at == m_bytes.size())
            return std::nullopt;
        const unsigned first = static_cast<unsigned char>(m_bytes[m_at++]);
        CborHead head{first >> 5U, first & 31U};
        if (head.number < small)
            return head;
        if (head.number > widest) // reserved, or of no definite length
            return std::nullopt;
        const std::size_t width = std::size_t{1} << (head.number - small);
        if (m_bytes.size() - m_at < width)
            return std::nullopt;
        head.number = 0;
        for (std::size_t i = 0; i < width; ++i)
            head.number = head.number << 8U | static_cast<unsigned char>(m_bytes[m_at++]);
        return head;
    }

    std::string_view item() {
        const auto next = head();
        if (!next)
            return broken;
        const std::uint64_t rest = m_bytes.size() - m_at;
        switch (next->kind) {
        case Bytes:
        case Text:
            if (next->number > rest)
                return broken;
            if (next->kind == Text && !isUtf8(m_bytes.substr(m_at, static_cast<std::size_t>(next->number))))
                return broken;
            m_at += static_cast<std::size_t>(next->number);
            return {};
        case List:
        case Map:
            // Every element takes a byte or more.
            if (next->number > rest / (next->kind == Map ? 2 : 1))
                return broken;
            if (m_left.size() > m_depth)
                return deep;
            m_left.push_back(next->kind == Map ? 2 * next->number : next->number);
            return {};
        case Tag:
            return broken;
        default:
            return {};
        }
    }

    std::string_view m_bytes;
    std::size_t m_depth = 0;
    std::size_t m_at = 0;
    /// Items that the open lists and maps still have to come.
    std::vector<std::uint64_t> m_left;
};

} // namespace

std::optional<Diagnostic> objectionToCbor(std::string_view bytes, std::string_view file,
                                          const JsonLimits& limits) {
    const auto refused = [&](std::string_view code, std::string place, std::string message,
                             std::string hint) {
        return makeError(Trouble::Input, std::string(code), {std::string(file), std::move(place)},
                         std::move(message), {std::move(hint)});
    };
    if (bytes.size() > limits.bytes)
        return refused("json/size", fmt::format("byte {}", limits.bytes),
                       fmt::format("{} bytes are more than the {} that are read", bytes.size(), limits.bytes),
                       "is this the right file?");
    CborWalk walk(bytes, limits.depth);
    const std::string_view trouble = walk.run();
    if (trouble.empty())
        return std::nullopt;
    return refused(trouble, fmt::format("byte {}", walk.at()),
                   trouble == CborWalk::deep ? fmt::format("nested deeper than {} levels", limits.depth)
                                             : std::string("the content is no document in CBOR"),
                   "write the file again with the program");
}

} // namespace core
