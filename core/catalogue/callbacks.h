#pragma once

#include "core/catalogue/keras_class.h"

namespace core {

/// The callbacks of `fit` that need no Python function.
[[nodiscard]] const KerasCatalogue& callbackCatalogue();

} // namespace core
