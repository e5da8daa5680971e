#pragma once

#include "core/base/result.h"
#include "core/model/layer_definition.h"
#include "core/model/precision_policy.h"
#include "core/model/typed_graph.h"
#include "simulator/graph/graph_builder.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace simulator {

/// One weight of a layer under its Keras name.
struct LoweredWeight {
    std::string name;
    core::TensorId tensor;
};

/// A lookup in a host embedding that is trained: the gradient of its rows goes back to the table.
struct TrainedLookup {
    core::TensorId rows;
    core::TensorId indices;
    /// The table, then the accumulator and the count where gradients are accumulated.
    std::vector<core::TensorId> tables;
    HostUpdate update;
    GraphBuilder::Scope scope;
};

/// What the lowering of a whole model shares between its layers.
struct LoweringContext {
    GraphBuilder& build;
    /// Dropout drops, batch normalisation measures its batch.
    bool training = false;
    /// Keep what the backward pass of fused operations needs.
    bool differentiates = false;
    core::PrecisionPolicy precision;
    /// Keras' mask of a tensor [samples, steps] (bool), where a layer gave it one.
    std::map<core::TensorId, core::TensorId> masks;
    /// Scalars that layers add to the loss: regularisation.
    std::vector<core::TensorId> penalties;
    /// Weights whose penalty is counted: a layer called twice pays once.
    std::set<core::TensorId> regularized;
    /// Random operations so far: each draws from its own stream.
    std::uint64_t streams = 0;
    std::vector<TrainedLookup> trainedLookups = {};
};

/// One call of a layer on its way to operations. Floating inputs have the layer's compute type.
struct LoweringCall {
    LoweringContext& context;
    GraphBuilder& build;
    const core::LayerAttributes& attributes;
    /// Keyword arguments of the call; a tensor among them is given as {"$input": index}.
    const core::Json& arguments;
    std::vector<core::TensorId> inputs;
    std::vector<LoweredWeight> weights;
    core::PrecisionPolicy precision;
    bool trainable = true;
    /// The inner model when a wrapper holds one.
    const core::ModelGraph* model = nullptr;
    /// Forms the shape rules expect; empty for inner layers.
    std::vector<core::TensorSpec> outputs;

    [[nodiscard]] core::TensorId input(std::size_t index = 0) const { return inputs[index]; }
    [[nodiscard]] Extents extents(std::size_t index = 0) const { return build.extents(inputs[index]); }
    [[nodiscard]] std::int64_t rank(std::size_t index = 0) const {
        return static_cast<std::int64_t>(build.rank(inputs[index]));
    }
    [[nodiscard]] bool hasWeight(std::string_view name) const;
    /// The weight in the compute type.
    [[nodiscard]] core::TensorId weight(std::string_view name) const;
    /// The tensor itself, for what updates it.
    [[nodiscard]] core::TensorId storedWeight(std::string_view name) const;
    /// Weights whose names begin with `prefix` + "/", the prefix taken off.
    [[nodiscard]] std::vector<LoweredWeight> weightsBelow(std::string_view prefix) const;
    /// Adds the weight `name` along the last axis where the layer has it.
    [[nodiscard]] core::TensorId addBias(core::TensorId x, std::string_view name = "bias") const;
    /// Position among the inputs of the keyword argument `name`, else of the unnamed input at `position`.
    [[nodiscard]] std::optional<std::size_t> inputNamed(std::string_view name, std::size_t position) const;
    [[nodiscard]] bool argumentFlag(std::string_view name, bool byDefault = false) const;
    /// Whether the layer behaves as in training: the call's own `training` argument wins.
    [[nodiscard]] bool isTraining() const;
    /// The mask of an input; invalid when it has none.
    [[nodiscard]] core::TensorId mask(std::size_t index = 0) const;
    void setMask(core::TensorId output, core::TensorId mask) const;
    [[nodiscard]] std::uint64_t nextStream() const { return ++context.streams; }
    /// The layer's own seed, or 0 for the run's.
    [[nodiscard]] std::uint64_t seed() const;
};

/// Output tensors of a call, or why it has no operations yet.
using Lowered = core::Result<std::vector<core::TensorId>>;
using LayerLowering = Lowered (*)(LoweringCall& call);

/// A refusal from a lowering; whoever called it adds the layer's name as place.
[[nodiscard]] tl::unexpected<core::Diagnostics> cannotLower(std::string message, std::string hint);

struct LoweringEntry {
    std::string_view className;
    LayerLowering lower;
    /// The output keeps the first input's mask.
    bool passesMask = false;
};

// Families, one file each. Add a layer: its function and entry in a family; add a family: its line here and
// in layer_lowering.cpp.
[[nodiscard]] std::span<const LoweringEntry> coreLowerings();           // core_layers.cpp
[[nodiscard]] std::span<const LoweringEntry> activationLowerings();     // activation_layers.cpp
[[nodiscard]] std::span<const LoweringEntry> convolutionLowerings();    // convolution_layers.cpp
[[nodiscard]] std::span<const LoweringEntry> poolingLowerings();        // pooling_layers.cpp
[[nodiscard]] std::span<const LoweringEntry> normalizationLowerings();  // normalization_layers.cpp
[[nodiscard]] std::span<const LoweringEntry> regularizationLowerings(); // regularization_layers.cpp
[[nodiscard]] std::span<const LoweringEntry> mergingLowerings();        // merging_layers.cpp
[[nodiscard]] std::span<const LoweringEntry> reshapingLowerings();      // reshaping_layers.cpp
[[nodiscard]] std::span<const LoweringEntry> recurrentLowerings();      // recurrent_layers.cpp
[[nodiscard]] std::span<const LoweringEntry>
convolutionalRecurrentLowerings();                                     // convolutional_recurrent_layers.cpp
[[nodiscard]] std::span<const LoweringEntry> attentionLowerings();     // attention_layers.cpp
[[nodiscard]] std::span<const LoweringEntry> wrapperLowerings();       // wrapper_layers.cpp
[[nodiscard]] std::span<const LoweringEntry> preprocessingLowerings(); // preprocessing_layers.cpp
[[nodiscard]] std::span<const LoweringEntry> augmentationLowerings();  // augmentation_layers.cpp
[[nodiscard]] std::span<const LoweringEntry> applicationLowerings();   // application_layers.cpp
[[nodiscard]] std::span<const LoweringEntry> functionLowerings();      // function_layers.cpp
[[nodiscard]] std::span<const LoweringEntry> ipuLowerings();           // ipu_layers.cpp
[[nodiscard]] std::span<const LoweringEntry> onnxLowerings();          // onnx/onnx_layer.cpp

/// The entry of a layer class (catalogue name); null when it has none.
[[nodiscard]] const LoweringEntry* findLowering(std::string_view className);

/// True when a layer of this class, or the class it extends, has an entry.
[[nodiscard]] bool hasLowering(std::string_view className, const core::Json& config);

/// A layer inside another: what its call needs besides the outer call.
struct InnerLayer {
    std::string className;
    core::Json config;
    std::vector<core::TensorId> inputs;
    std::vector<LoweredWeight> weights;
};

/// Lowers a layer of a model or of a wrapper: casts its inputs, finds its entry, adds the penalties of its
/// regularizers, hands masks on.
[[nodiscard]] Lowered lowerLayer(LoweringContext& context, const InnerLayer& layer,
                                 const core::Json& arguments, bool trainable,
                                 const core::ModelGraph* model = nullptr,
                                 std::vector<core::TensorSpec> outputs = {});

} // namespace simulator
