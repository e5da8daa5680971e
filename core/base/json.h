#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace core {

/// JSON that keeps the order of its keys, so what is read can be written back as it was.
using Json = nlohmann::ordered_json;

/// Bounds on an untrusted document. Nesting deeper than this would overflow the stack when the value is
/// copied.
struct JsonLimits {
    std::size_t depth = 200;
    std::size_t bytes = std::size_t{512} * 1024 * 1024;
};

/// Strict parse: one document, no comments, no duplicate keys, valid UTF-8, numbers that fit.
/// `file` only names the source in diagnostics. Errors: "json/syntax" with line:column, "json/depth",
/// "json/duplicate-key", "json/size", "json/utf-8".
[[nodiscard]] Result<Json> parseJson(std::string_view text, std::string_view file,
                                     const JsonLimits& limits = {});

/// Text of `value`: two-space indent (or one line when `indent` < 0), trailing newline when indented.
/// Floats print with the shortest digits that read back the same; controls and marks that reorder text are
/// `\uNNNN`.
[[nodiscard]] std::string toText(const Json& value, int indent = 2);

/// `pointer` + "/" + `key`, with the key escaped as RFC 6901 asks.
[[nodiscard]] std::string childPointer(std::string_view pointer, std::string_view key);
[[nodiscard]] std::string childPointer(std::string_view pointer, std::size_t index);

/// The number under a key of an object; `preset` where the key is absent or holds no number.
[[nodiscard]] double numberOr(const Json& object, std::string_view key, double preset);

/// What a person calls the type of a value: "text", "a whole number", "a number", "true or false", "a list",
/// "an object", "null".
[[nodiscard]] std::string_view typeName(const Json& value);

} // namespace core
