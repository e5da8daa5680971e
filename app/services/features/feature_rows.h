#pragma once

#include "app/services/features/feature_table.h"

#include <vector>

namespace app {

// The rows of the feature table, by where one meets them; `featureTable` puts them in order.

/// Parts of the programming system.
[[nodiscard]] std::vector<Feature> systemFeatures();
/// What the program does with projects and runs, on the command line as in the window.
[[nodiscard]] std::vector<Feature> workbenchFeatures();
/// What a person does in the window.
[[nodiscard]] std::vector<Feature> windowFeatures();

} // namespace app
