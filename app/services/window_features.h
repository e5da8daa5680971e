#pragma once

#include "app/services/feature_table.h"

#include <vector>

namespace app {

/// What a person can do in the window, in any order; `featureTable` puts it among the rest.
[[nodiscard]] std::vector<Feature> windowFeatures();

} // namespace app
