#pragma once

#include "core/model/layer_definition.h"

#include <vector>

namespace core {

// The families of the catalogue, one source file each. A new family is declared here and named once in the
// list of layer_catalogue.cpp; a new layer of a family touches only the family's file.

using LayerFamily = std::vector<LayerDefinition>;

[[nodiscard]] LayerFamily inputLayers();
[[nodiscard]] LayerFamily denseLayers();
[[nodiscard]] LayerFamily activationLayers();
[[nodiscard]] LayerFamily regularizationLayers();
[[nodiscard]] LayerFamily reshapingLayers();
[[nodiscard]] LayerFamily paddingLayers();
[[nodiscard]] LayerFamily upsamplingLayers();
[[nodiscard]] LayerFamily convolutionLayers();
[[nodiscard]] LayerFamily transposedConvolutionLayers();
[[nodiscard]] LayerFamily depthwiseConvolutionLayers();
[[nodiscard]] LayerFamily poolingLayers();
[[nodiscard]] LayerFamily globalPoolingLayers();
[[nodiscard]] LayerFamily batchNormalizationLayers();
[[nodiscard]] LayerFamily sampleNormalizationLayers();
[[nodiscard]] LayerFamily embeddingLayers();
[[nodiscard]] LayerFamily recurrentLayers();
[[nodiscard]] LayerFamily recurrentCellLayers();
[[nodiscard]] LayerFamily convolutionalRecurrentLayers();
[[nodiscard]] LayerFamily wrapperLayers();
[[nodiscard]] LayerFamily mergingLayers();
[[nodiscard]] LayerFamily attentionLayers();
[[nodiscard]] LayerFamily multiHeadAttentionLayers();
[[nodiscard]] LayerFamily preprocessingLayers();
[[nodiscard]] LayerFamily augmentationLayers();
[[nodiscard]] LayerFamily lookupLayers();
[[nodiscard]] LayerFamily applicationLayers();
[[nodiscard]] LayerFamily functionCallLayers();
[[nodiscard]] LayerFamily onnxLayers();
[[nodiscard]] LayerFamily ipuLayers();

} // namespace core
