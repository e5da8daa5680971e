#pragma once

#include "core/base/diagnostic.h"
#include "core/base/json.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace core {

/// Reads one JSON object strictly and collects every finding instead of stopping at the first.
///
/// Each `read…` names one key: it marks the key as known, answers nothing when the key is absent or null, and
/// files a diagnostic with the key's JSON pointer when the value has the wrong type or lies out of range.
/// `finish()` then refuses every key nobody asked for, naming the nearest known one.
class ObjectReader {
public:
    /// `object` and `findings` must outlive the reader. When `object` is not an object that is filed at once
    /// and every read answers nothing.
    ObjectReader(const Json& object, std::string file, std::string pointer, Diagnostics& findings);

    [[nodiscard]] std::optional<std::string> readText(std::string_view key);
    [[nodiscard]] std::optional<bool> readBool(std::string_view key);
    /// Whole numbers may be written as 3 or 3.0; a value outside [low, high] is refused.
    [[nodiscard]] std::optional<std::int64_t> readInteger(std::string_view key, std::int64_t low,
                                                          std::int64_t high);
    [[nodiscard]] std::optional<double> readNumber(std::string_view key, double low, double high);
    /// The index of the text's value in `names`, exactly as written there.
    [[nodiscard]] std::optional<std::size_t> readChoice(std::string_view key,
                                                        std::span<const std::string_view> names);
    [[nodiscard]] std::optional<std::vector<std::int64_t>> readIntegers(std::string_view key,
                                                                        std::int64_t low, std::int64_t high);
    [[nodiscard]] std::optional<std::vector<std::string>> readTexts(std::string_view key);
    /// The value itself, of any type but null; null pointer when absent.
    [[nodiscard]] const Json* readValue(std::string_view key);
    /// The value when it is an object (or a list).
    [[nodiscard]] const Json* readObject(std::string_view key);
    [[nodiscard]] const Json* readList(std::string_view key);

    /// True when the key is in the object, null or not. Does not mark it as known.
    [[nodiscard]] bool has(std::string_view key) const;
    /// Files "missing" when the key is absent or null.
    void require(std::string_view key);
    /// Refuses the unknown keys. Call once, after all reads.
    void finish();

    /// Files an error at `key` of this object.
    void refuse(std::string_view key, std::string code, std::string message, Hints hints);
    [[nodiscard]] std::string pointerTo(std::string_view key) const { return childPointer(m_pointer, key); }
    [[nodiscard]] const std::string& file() const { return m_file; }
    [[nodiscard]] Diagnostics& findings() { return m_findings; }

private:
    const Json* find(std::string_view key);
    void refuseType(std::string_view key, const Json& value, std::string_view wanted);

    const Json& m_object;
    std::string m_file;
    std::string m_pointer;
    Diagnostics& m_findings;
    std::vector<std::string> m_known;
};

} // namespace core
