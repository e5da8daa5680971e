#pragma once

#include "core/base/json.h"

#include <vector>

namespace tests {

// The projects of `drawn_models_test` as somebody would write them: names, order of keys and style are
// theirs. `stages`: one for each layer but the inputs, in the order in which they are written.

[[nodiscard]] core::Json handWrittenMlp();
[[nodiscard]] core::Json handWrittenResidual(const std::vector<std::size_t>& stages);
[[nodiscard]] core::Json handWrittenTwoInputs(const std::vector<std::size_t>& stages);
[[nodiscard]] core::Json handWrittenTransformer(const std::vector<std::size_t>& stages);

} // namespace tests
