#pragma once

#include "core/base/json.h"

#include <optional>
#include <string>
#include <string_view>

namespace core {

/// A document of CBOR (RFC 8949) within the bounds of one of JSON. Only what `Json::to_cbor` writes is taken:
/// definite lengths, no tags. Structure, depth and lengths are checked before anything is made of it. Errors:
/// "cbor/structure", "json/depth", "json/size", and those of `parseJson`.
[[nodiscard]] Result<Json> parseCbor(std::string_view bytes, std::string_view file,
                                     const JsonLimits& limits = {});

/// What is against the structure of a document; it is walked with a stack of its own, so any depth can be
/// refused.
[[nodiscard]] std::optional<Diagnostic> objectionToCbor(std::string_view bytes, std::string_view file,
                                                        const JsonLimits& limits);

} // namespace core
