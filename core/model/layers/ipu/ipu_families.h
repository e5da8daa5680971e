#pragma once

#include "core/model/layers/layer_families.h"

namespace core {

// Parts of the family of IPU layers, by file.
[[nodiscard]] LayerFamily ipuOperationLayers();     // ipu_operations.cpp
[[nodiscard]] LayerFamily ipuSequenceLayers();      // ipu_sequences.cpp
[[nodiscard]] LayerFamily ipuCommunicationLayers(); // ipu_communication.cpp
[[nodiscard]] LayerFamily hostEmbeddingLayers();    // host_embedding.cpp

/// A row of the IPU's shelf.
[[nodiscard]] LayerDefinition ipuLayer(std::string className, std::string documentation,
                                       std::vector<AttributeDefinition> attributes, LayerRule rule,
                                       std::vector<std::string> inputs);

} // namespace core
