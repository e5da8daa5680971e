#pragma once

#include "core/catalogue/keras_class.h"

#include <string_view>

namespace core {

/// The callbacks of `fit` that need no Python function.
[[nodiscard]] const KerasCatalogue& callbackCatalogue();

/// Whether a callback of that class writes files that its config names.
[[nodiscard]] bool writesFiles(std::string_view className);

} // namespace core
