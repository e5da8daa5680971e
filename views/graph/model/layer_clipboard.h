#pragma once

#include "core/base/result.h"
#include "core/model/model_graph.h"

#include <string>
#include <vector>

namespace views {

/// A layer on the clipboard, as text that another window or an editor can read.
struct CopiedLayer {
    /// One input of its first call: another copied layer by its name, or a layer that stayed behind.
    struct Input {
        std::string layer;
        std::uint32_t output = 0;
    };
    std::string className;
    std::string name;
    core::Json config;
    std::vector<Input> inputs;
};

[[nodiscard]] std::vector<CopiedLayer> copyLayers(const core::ModelGraph& graph,
                                                  const std::vector<core::LayerId>& layers);
/// The layers with the lines among them, under new names. `withLinks`: they also read what the originals
/// read, where the model has a layer of that name.
[[nodiscard]] core::Result<core::ModelGraph>
pasteLayers(const core::ModelGraph& graph, const std::vector<CopiedLayer>& layers, bool withLinks);

void putOnClipboard(const std::vector<CopiedLayer>& layers);
/// Empty when the clipboard holds something else.
[[nodiscard]] std::vector<CopiedLayer> layersOnClipboard();

} // namespace views
