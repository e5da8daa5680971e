#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace app {

// Parts of the commands that the feature table shows, where writing them out would hide what they are about.

/// A layer as Keras writes it; `attributes` is JSON without braces, such as `"units": 8`.
[[nodiscard]] std::string layerText(std::string_view className, std::string_view name,
                                    std::string_view attributes = {});

/// `--set 'model=…'`: a Sequential model of these layers in the place of a project's. `input`: extents of a
/// sample, such as "28, 28".
[[nodiscard]] std::string modelSetting(std::string_view input, std::string_view type,
                                       const std::vector<std::string>& layers);

/// A Functional model by its layers as Keras writes them, and the names of its inputs and outputs.
[[nodiscard]] std::string functionalSetting(const std::vector<std::string>& layers,
                                            const std::vector<std::string_view>& inputs,
                                            const std::vector<std::string_view>& outputs);
/// A layer of such a model. `calls`: for every call the names of what it takes, each with the number of that
/// layer's call, "shared:1"; none for an input.
[[nodiscard]] std::string calledLayer(std::string_view className, std::string_view name,
                                      std::string_view attributes,
                                      const std::vector<std::vector<std::string_view>>& calls);

} // namespace app
