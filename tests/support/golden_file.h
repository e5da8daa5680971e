#pragma once

#include <string>

namespace tests {

/// What differs between `text` and a golden file, for a failing test: the first line that is not the same and
/// how to accept the new text; empty where they agree. `path` is from the root of the sources. With the
/// environment variable UPDATE_GOLDEN set, the file is written instead.
[[nodiscard]] std::string differenceFromGolden(const std::string& path, const std::string& text);

} // namespace tests
