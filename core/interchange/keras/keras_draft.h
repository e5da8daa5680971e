#pragma once

#include "core/interchange/keras/keras_reader.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace core {

/// A model while it is read.
struct KerasReader::Draft {
    ModelGraph graph;
    std::string pointer;       ///< of the model's config
    std::string layersPointer; ///< of its list of layers
    std::unordered_map<std::string, LayerId> names;
    /// Calls as the file gives them, with their layer and pointer, parallel to graph.invocations.
    std::vector<KerasCall> calls;
    std::vector<std::string> callPointers;
    std::vector<std::string> layerPointers;
    /// Invocations of each layer in order.
    std::vector<std::vector<InvocationId>> invocationsOf;
    /// What the file counts from: 1 for nested models whose own making is call 0.
    std::vector<std::int64_t> firstNode;
};

} // namespace core
