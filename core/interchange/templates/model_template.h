#pragma once

#include "core/config/training_options.h"
#include "core/interchange/templates/template_arguments.h"
#include "core/model/graph/model_builder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace core {

/// A run of calls that a split never cuts.
struct TemplateBlock {
    enum class Part : std::uint8_t {
        Front,       ///< what comes before the layers that a split counts: embeddings, the stem
        Attention,   ///< first half of a transformer layer
        FeedForward, ///< second half of a transformer layer
        Whole,       ///< a counted layer or block that is not halved
        Back,        ///< heads
    };

    std::string name;
    Part part = Part::Whole;
    /// Which of the counted layers it belongs to; meaningless in front and back.
    std::size_t unit = 0;
    /// Another name that a split may give it, as other programs count blocks; empty for most.
    std::string otherName = {};
};

/// What a template makes: a model, its parts, and how one usually trains it.
struct TemplateModel {
    ModelGraph model;
    std::vector<TemplateBlock> blocks;
    /// Block of each invocation, by InvocationId.
    std::vector<std::size_t> blockOf;
    /// Invocations in the order in which they were made, which is one of the data flow.
    std::vector<InvocationId> made;
    std::vector<KerasObject> losses;
    KerasObject optimizer;
    std::vector<KerasObject> metrics;
    /// Small enough that a run with made-up data is a sensible start.
    bool isSmall = false;
};

/// A parametrised model.
struct ModelTemplate {
    std::string name;
    std::string documentation;
    std::vector<TemplateParameter> parameters;
    Result<TemplateModel> (*build)(const TemplateArguments&) = nullptr;
    std::vector<std::string> aliases;
};

/// Builds a model and notes which calls belong to which block.
class TemplateBuilder : public ModelBuilder {
public:
    using ModelBuilder::ModelBuilder;

    /// The calls from here on belong to this block.
    void begin(std::string name, TemplateBlock::Part part);
    /// A further counted layer or block.
    void beginUnit(std::string name, TemplateBlock::Part part = TemplateBlock::Part::Whole,
                   std::string otherName = {});
    /// The second part of the last counted layer.
    void continueUnit(std::string name, TemplateBlock::Part part);

    // Shorthands for layers that many templates use; an empty name gets the one Keras would give.

    TensorRef dense(const std::string& name, std::int64_t units, TensorRef input,
                    const char* activation = nullptr);
    TensorRef activation(const std::string& name, const char* function, TensorRef input);
    TensorRef dropout(const std::string& name, double rate, TensorRef input);
    TensorRef add(const std::string& name, TensorRef a, TensorRef b);
    TensorRef layerNorm(const std::string& name, double epsilon, TensorRef input);

    /// The model as it was built, trained by cross entropy of logits with each output, SGD with momentum.
    [[nodiscard]] TemplateModel finish(std::vector<TensorRef> outputs) &&;

private:
    void note(TemplateBlock block);

    std::vector<TemplateBlock> m_blocks;
    /// First invocation of each block.
    std::vector<std::size_t> m_starts;
    std::size_t m_units = 0;
};

/// SparseCategoricalCrossentropy of logits.
[[nodiscard]] KerasObject logitsLoss();

/// A normalisation that several templates let one choose: "batch", "group", "group N groups", "layer",
/// "none".
struct NormChoice {
    std::string className;
    Json attributes = Json::object();
};
[[nodiscard]] Result<NormChoice> normFromText(const std::string& text, double epsilon, double momentum);
[[nodiscard]] TemplateParameter normParameter();

} // namespace core
