#pragma once

#include "app/services/features/feature_table.h"

#include <vector>

namespace app {

// The rows of the feature table, by where one meets them; `featureTable` puts them in order.

/// Parts of the programming system: those that follow, in order.
[[nodiscard]] std::vector<Feature> systemFeatures();
// Models and what one execution of them is, pipelines, options, layers and operations, distribution, and what
// is made of a model.
[[nodiscard]] std::vector<Feature> modelFeatures();
[[nodiscard]] std::vector<Feature> pipelineFeatures();
[[nodiscard]] std::vector<Feature> optionFeatures();
[[nodiscard]] std::vector<Feature> operationFeatures();
[[nodiscard]] std::vector<Feature> distributionFeatures();
[[nodiscard]] std::vector<Feature> compilationFeatures();
/// What the program does with projects and runs, on the command line as in the window.
[[nodiscard]] std::vector<Feature> workbenchFeatures();
/// What a person does in the window.
[[nodiscard]] std::vector<Feature> windowFeatures();

} // namespace app
