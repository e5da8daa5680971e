// Matrix products in pieces, statistics, images, sampled losses, element-wise expressions and users' own
// operations.
#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/ipu/ipu_families.h"
#include "core/model/layers/shape_rules.h"

namespace core {

namespace {

using namespace attribute;

AttributeDefinition serializationFactor() {
    return integer("serialization_factor",
                   "Into how many smaller products, one after the other, the product falls to save memory.")
        .between(1, 1 << 20)
        .defaults(1);
}

RuleResult<CallFacts> describeSerializedMatmul(const LayerCall& call) {
    for (const std::size_t input : {std::size_t{0}, std::size_t{1}}) {
        if (auto error = requireMinimumRank(call, 2, input))
            return tl::unexpected(*error);
    }
    const Shape& a = call.shape(0);
    const Shape& b = call.shape(1);
    const bool transposeA = call.attributes.boolean("transpose_a");
    const bool transposeB = call.attributes.boolean("transpose_b");
    const Dimension inner = a[a.rank() - (transposeA ? 2 : 1)];
    if (inner && b[b.rank() - (transposeB ? 1 : 2)] && inner != b[b.rank() - (transposeB ? 1 : 2)])
        return refuse("the inner axes of its operands differ", "transpose one of them");
    Shape shape = a.rank() >= b.rank() ? a : b;
    shape[shape.rank() - 2] = a[a.rank() - (transposeA ? 1 : 2)];
    shape[shape.rank() - 1] = b[b.rank() - (transposeB ? 2 : 1)];
    // Source: serialized_matmul() in the API reference; m, k and n of the product.
    const std::string axis = call.attributes.text("serialization_dimension");
    const Dimension divided = axis == "a_columns" ? shape[shape.rank() - 2]
                              : axis == "b_rows"  ? shape[shape.rank() - 1]
                                                  : inner;
    const std::int64_t factor = call.attributes.integer("serialization_factor");
    // The rows may be those of one sample, where only shapes are asked for.
    const bool isOfBatch = axis == "a_columns" && a.rank() == 2 && !transposeA;
    if (divided && *divided % factor != 0 && !(isOfBatch && *divided == 1))
        return refuse(
            fmt::format("its serialization_factor {} does not divide the {} of {}", factor, *divided, axis),
            "take a factor that does", "serialization_factor");
    CallFacts facts = output(call, shape);
    facts.flops = Count(2) * elements(shape) * inner.value_or(1);
    return facts;
}

RuleResult<CallFacts> describeHistogram(const LayerCall& call) {
    const Json& levels = call.attributes.value("levels");
    if (levels.is_null() && call.inputs.size() < 2)
        return refuse("needs its levels", "give a rising list of numbers, or connect them as the last input",
                      "levels");
    if (!levels.is_null() && call.inputs.size() > 2)
        return refuse("has levels of its own and three inputs", "connect x and the histogram only", "levels");
    if (levels.is_null()) {
        const Shape& last = call.shape(call.inputs.size() - 1);
        if (last.rank() != 1 || !last[0])
            return refuse("needs a list of levels as its last input", "connect fixed-width bins", "levels");
        return output(Shape{*last[0] + 1}, DataType::Float32);
    }
    if (!levels.is_array() || levels.empty())
        return refuse("needs its levels", "give a rising list of numbers", "levels");
    return output(Shape{static_cast<std::int64_t>(levels.size()) + 1}, DataType::Float32);
}

RuleResult<CallFacts> describeBins(const LayerCall& call) {
    return output(Shape{call.attributes.integer("n_bins") - 1}, call.inputType());
}

RuleResult<CallFacts> describeNormaliseImage(const LayerCall& call) {
    Shape shape = call.shape();
    const std::size_t last = shape.rank() - 1;
    if (shape.rank() < 3 || shape[last] != Dimension(3))
        return refuse("takes images of three channels", "give channels last");
    shape[last] = 4;
    return output(shape, call.precision.compute);
}

/// Loss of each sample against its true and some sampled classes.
RuleResult<CallFacts> describeSampledLoss(const LayerCall& call) {
    if (auto error = requireRank(call, 2))
        return tl::unexpected(*error);
    const auto features = requireExtent(call.shape(), 1);
    if (!features)
        return tl::unexpected(features.error());
    const std::int64_t classes = call.attributes.integer("num_classes");
    const std::int64_t sampled = call.attributes.integer("num_sampled");
    if (sampled > classes)
        return refuse("samples more classes than there are", "lower num_sampled", "num_sampled");
    CallFacts facts = output(Shape{call.shape()[0]}, DataType::Float32);
    facts.weights.push_back(weight(call, "kernel", Shape{classes, *features}, "kernel_initializer"));
    facts.weights.push_back(weight(call, "bias", Shape{classes}, "bias_initializer"));
    facts.flops =
        Count(2) * call.shape()[0].value_or(1) * *features * (sampled + call.attributes.integer("num_true"));
    return facts;
}

RuleResult<CallFacts> describeExpression(const LayerCall& call) {
    Shape shape = call.shape();
    for (std::size_t i = 1; i < call.inputs.size(); ++i) {
        const auto joint = broadcastShapes(shape, call.shape(i));
        if (!joint)
            return tl::unexpected(joint.error());
        shape = *joint;
    }
    const std::string expression = call.attributes.text("expression");
    CallFacts facts = output(call, shape);
    facts.flops = elements(shape) * static_cast<std::int64_t>(1 + expression.size() / 4);
    return facts;
}

RuleResult<CallFacts> describeUserOperation(const LayerCall& call) {
    const Json& shapes = call.attributes.value("output_shapes");
    const Json& types = call.attributes.value("output_types");
    CallFacts facts;
    facts.flops = Count(call.attributes.integer("flops"));
    if (!shapes.is_array() || shapes.empty()) {
        facts.outputs.push_back({call.shape(), call.inputType()});
        return facts;
    }
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        Shape shape{call.shape().rank() == 0 ? Dimension(1) : call.shape()[0]};
        if (!shapes[i].is_array())
            return refuse("an output's shape is no list", "give one list without the batch axis per output",
                          "output_shapes");
        for (const Json& extent : shapes[i])
            shape.dimensions.push_back(wholeNumber(extent));
        DataType type = call.precision.compute;
        if (types.is_array() && i < types.size() && types[i].is_string())
            type = dataTypeFromName(types[i].get<std::string>()).value_or(type);
        facts.outputs.push_back({std::move(shape), type});
    }
    return facts;
}

Attributes sampledLossAttributes() {
    return joined({{integer("num_classes", "Number of classes.").between(1, 1e9).required(1000),
                    integer("num_sampled", "Classes drawn for each batch.").between(1, 1e6).required(64),
                    integer("num_true", "True classes of each sample.").between(1, 1000).defaults(1), seed(),
                    initializer("kernel_initializer", "glorot_uniform", "How the weights start."),
                    initializer("bias_initializer", "zeros", "How the biases start.")}});
}

LayerDefinition withInputs(LayerDefinition definition, std::size_t fewest, std::size_t most) {
    definition.minimumInputs = fewest;
    definition.maximumInputs = most;
    return definition;
}

} // namespace

LayerFamily ipuOperationLayers() {
    LayerDefinition expression = ipuLayer(
        "ElementwiseExpression",
        "One function of its inputs, element by element, written as a formula of x0, x1 and so on.",
        {text("expression", "For example \"tanh(x0) * x1 + 0.5\".").required("x0")}, describeExpression, {});
    LayerDefinition user = ipuLayer(
        "UserOperation", "A function of a shared library, written against user_operation.h.",
        {text("library_path", "The shared library.").required("libuser_operation.so"),
         text("op_name", "The function; op_name + \"_grad\" is its gradient.").required("user_operation"),
         text("attributes", "Text handed to the function.").defaults(""),
         json("output_shapes", nullptr,
              "A list without the batch axis per output; null: as the first input."),
         json("output_types", nullptr, "Element type of each output; null: the layer's."),
         integer("flops", "Arithmetic of one call, for the estimate of its time.")
             .between(0, 9e15)
             .defaults(0)},
        describeUserOperation, {});
    return {
        ipuLayer("SerialDense", "A dense layer whose matrix product runs in pieces, to save memory.",
                 joined({{integer("units", "Width of the output.").between(1, 2147483647).required(32),
                          serializationFactor(),
                          choice("serialization_dimension",
                                 {"input_columns", "input_rows_kernel_columns", "kernel_rows"},
                                 "Which axis of the product falls into pieces.")
                              .defaults("input_columns"),
                          activation("activation", nullptr, "Function of the output.")},
                         weightObjects({"kernel", "bias"})}),
                 describeFeatureProduct, {"x"}),
        ipuLayer("SerializedMatmul", "A matrix product that runs in pieces, to save memory.",
                 {serializationFactor(),
                  choice("serialization_dimension", {"a_columns", "a_rows_b_columns", "b_rows"},
                         "Which axis of the product falls into pieces.")
                      .defaults("a_columns"),
                  boolean("transpose_a", false, "Whether the last two axes of a are swapped."),
                  boolean("transpose_b", false, "Whether the last two axes of b are swapped.")},
                 describeSerializedMatmul, {"a", "b"}),
        withInputs(
            ipuLayer("Histogram",
                     "Counts values between levels; with a histogram as input the counts are added to it.",
                     {json("levels", nullptr, "Rising bounds between the bins; null: the last input.")
                          .defaults(Json::array({0.0})),
                      boolean("absolute_of_input", false, "Whether magnitudes are counted.")},
                     describeHistogram, {"x", "histogram", "levels"}),
            1, 3),
        ipuLayer("FixedWidthBins", "Evenly spaced levels between the smallest and the largest value.",
                 {integer("n_bins", "Number of bins.").between(2, 1e6).required(10)}, describeBins, {"x"}),
        ipuLayer("NormaliseImage", "Scales and shifts each channel of an image and pads it to four channels.",
                 {json("channel_offsets", Json::array({0.0, 0.0, 0.0}), "Subtracted from each channel."),
                  json("channel_scales", Json::array({1.0, 1.0, 1.0}), "Each channel's factor."),
                  number("scale", "Factor of the image before the offsets.").defaults(1.0)},
                 describeNormaliseImage, {"image"}),
        ipuLayer("NceLoss", "Noise-contrastive estimation: true classes against sampled ones, as logits.",
                 sampledLossAttributes(), describeSampledLoss, {"inputs", "labels"}),
        ipuLayer("SampledSoftmaxLoss", "Softmax cross-entropy over the true and some sampled classes.",
                 sampledLossAttributes(), describeSampledLoss, {"inputs", "labels"}),
        withInputs(std::move(expression), 1, anyNumberOfInputs),
        withInputs(std::move(user), 1, anyNumberOfInputs),
    };
}

} // namespace core
