#pragma once

#include "core/base/result.h"
#include "core/model/model_graph.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A layer that was copied, as text that another window or an editor can read.
struct CopiedLayer {
    /// One input of its first call: another copied layer by its name, or a layer that stayed behind.
    struct Input {
        std::string layer;
        std::uint32_t output = 0;

        bool operator==(const Input&) const = default;
    };
    std::string className;
    std::string name;
    Json config;
    std::vector<Input> inputs;
    /// What the project keeps of it where it is bypassed; null where it is not.
    Json bypassed = {};

    bool operator==(const CopiedLayer&) const = default;
};

[[nodiscard]] std::vector<CopiedLayer> copyLayers(const ModelGraph& graph,
                                                  const std::vector<LayerId>& layers);
/// The layers with the lines among them, under new names. `withLinks`: they also read what the originals
/// read, where the model has a layer of that name. Errors: those of `addLayer`.
[[nodiscard]] Result<ModelGraph> pasteLayers(const ModelGraph& graph, const std::vector<CopiedLayer>& layers,
                                             bool withLinks);

[[nodiscard]] std::string textOfCopiedLayers(const std::vector<CopiedLayer>& layers);
/// The inverse. Empty for any other text: that of a clipboard may be anything.
[[nodiscard]] std::vector<CopiedLayer> copiedLayersOfText(std::string_view text);

} // namespace core
