#pragma once

#include <compare>
#include <concepts>
#include <fmt/core.h>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace core {

/// A text that many records hold: a copy shares it and allocates nothing. It never changes; another text
/// takes its place. Reads as a std::string.
class SharedText {
public:
    SharedText() = default;
    template <class Text>
    requires std::constructible_from<std::string, Text> &&
        (!std::same_as<std::remove_cvref_t<Text>, SharedText>)
        // NOLINTNEXTLINE(google-explicit-constructor,bugprone-forwarding-reference-overload)
        SharedText(Text&& text) {
        std::string made(std::forward<Text>(text));
        if (!made.empty())
            m_text = std::make_shared<const std::string>(std::move(made));
    }

    [[nodiscard]] const std::string& str() const {
        static const std::string none;
        return m_text ? *m_text : none;
    }
    // NOLINTNEXTLINE(google-explicit-constructor)
    operator const std::string&() const { return str(); }
    // NOLINTNEXTLINE(google-explicit-constructor)
    operator std::string_view() const { return str(); }
    [[nodiscard]] bool empty() const { return !m_text; }

    friend bool operator==(const SharedText& a, const SharedText& b) {
        return a.m_text == b.m_text || a.str() == b.str();
    }
    template <std::convertible_to<std::string_view> Text>
    requires(!std::same_as<Text, SharedText>) friend bool operator==(const SharedText& a, const Text& b) {
        return a.str() == std::string_view(b);
    }
    friend auto operator<=>(const SharedText& a, const SharedText& b) { return a.str() <=> b.str(); }
    friend std::string operator+(const SharedText& a, std::string_view b) {
        return std::string(a.str()).append(b);
    }
    friend std::ostream& operator<<(std::ostream& out, const SharedText& text) { return out << text.str(); }

private:
    /// Null: the empty text.
    std::shared_ptr<const std::string> m_text;
};

} // namespace core

template <>
struct fmt::formatter<core::SharedText> : fmt::formatter<std::string_view> {
    template <class Context>
    auto format(const core::SharedText& text, Context& context) const {
        return fmt::formatter<std::string_view>::format(text.str(), context);
    }
};
