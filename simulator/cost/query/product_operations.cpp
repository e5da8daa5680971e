#include "simulator/cost/query/planned_operation.h"

#include <algorithm>
#include <fmt/format.h>

namespace simulator {

namespace {

using Kind = CostKeyKind;
constexpr std::string_view productGroup = plannedGroup;

core::Result<CostAnswer> priceMatMul(const CostArguments& arguments, const CostOperation&) {
    const core::DataType type = arguments.type("type");
    const std::int64_t batch = arguments.integer("batch");
    MatMul operation;
    operation.transposeLeft = arguments.isOn("transpose_left");
    operation.transposeRight = arguments.isOn("transpose_right");
    operation.serialization = arguments.integer("serialization");
    const auto operand = [&](std::int64_t rows, std::int64_t columns, bool transposed) {
        Extents extents{transposed ? columns : rows, transposed ? rows : columns};
        if (batch > 1)
            extents.insert(extents.begin(), batch);
        return TensorForm{extents, type};
    };
    const std::int64_t m = arguments.integer("m");
    const std::int64_t k = arguments.integer("k");
    const std::int64_t n = arguments.integer("n");
    return priced(arguments, operation,
                  {operand(m, k, operation.transposeLeft), operand(k, n, operation.transposeRight)},
                  {operand(m, n, false)});
}

/// Extents of a convolution query: batch, field, channels.
Extents fieldOf(const CostArguments& arguments) {
    Extents field;
    if (const std::int64_t depth = arguments.integer("depth"); depth > 0)
        field.push_back(depth);
    // Several IPUs share the rows of the field.
    field.push_back(core::ceilDivide(arguments.integer("height"), arguments.integer("ipus")));
    field.push_back(arguments.integer("width"));
    return field;
}

Extents transposedField(const WindowGeometry& window, const Extents& field) {
    Extents result;
    for (std::size_t axis = 0; axis < field.size(); ++axis) {
        const std::int64_t reach = (window.kernel[axis] - 1) * window.dilation[axis] + 1;
        result.push_back(std::max<std::int64_t>((field[axis] - 1) * window.stride[axis] + reach -
                                                    window.paddingLow[axis] - window.paddingHigh[axis],
                                                0));
    }
    return result;
}

CostAnswer convolutionAnswer(const CostArguments& arguments) {
    const core::DataType type = arguments.type("type");
    const Extents field = fieldOf(arguments);
    Convolution operation;
    operation.window = windowOf(arguments, field.size());
    operation.groups = arguments.integer("groups");
    const bool transposed = arguments.isOn("transposed");
    const Extents outField =
        transposed ? transposedField(operation.window, field) : windowField(operation.window, field);
    const TensorForm input{imageExtents(arguments, field, "in_channels"), type};
    const TensorForm output{imageExtents(arguments, outField, "out_channels"), type};
    Extents kernelExtents = operation.window.kernel;
    kernelExtents.push_back(core::ceilDivide(arguments.integer("in_channels"), operation.groups));
    kernelExtents.push_back(arguments.integer("out_channels"));
    const TensorForm kernel{kernelExtents, type};
    const std::string pass = arguments.text("pass");
    if (pass == "weight_gradient") {
        operation.pass = ConvolutionPass::WeightGradient;
        return priced(arguments, operation,
                      transposed ? std::vector{output, input} : std::vector{input, output}, {kernel});
    }
    // A transposed convolution runs forward as an input gradient, and the other way round.
    const bool forward = pass == "forward";
    operation.pass = forward != transposed ? ConvolutionPass::Forward : ConvolutionPass::InputGradient;
    return priced(arguments, operation, {forward ? input : output, kernel}, {forward ? output : input});
}

core::Result<CostAnswer> priceConvolution(const CostArguments& arguments, const CostOperation&) {
    CostAnswer answer = convolutionAnswer(arguments);
    const std::int64_t repeats = arguments.integer("repeats");
    answer.details.emplace_back(fmt::format("time_{}_repeats_s", repeats),
                                answer.timeNs * 1e-9 * static_cast<double>(repeats));
    return answer;
}

std::vector<CostKey> convolutionKeys() {
    return {optional("batch", "1", "images"),
            optional("depth", "0", "field extent of a third axis; 0: two axes", 0, 1e6),
            required("height", "field extent", 0, 1e6),
            optional("width", "1", "field extent", 0, 1e6),
            required("in_channels", "input channels", 1, 1e7),
            required("out_channels", "output channels", 1, 1e7),
            {"kernel", Kind::WindowSize, "1", "kernel size", 1, 1e4},
            {"stride", Kind::WindowSize, "1", "stride", 1, 1e4},
            {"dilation", Kind::WindowSize, "1", "dilation", 1, 1e4},
            {"padding", Kind::WindowSize, "0", "padding on either side", 0, 1e4},
            optional("groups", "1", "convolution groups", 1, 1e7),
            {"pass",
             Kind::Choice,
             "forward",
             "which pass",
             0,
             0,
             {"forward", "input_gradient", "weight_gradient"}},
            {"transposed", Kind::Switch, "false", "a transposed convolution"},
            typeKey,
            partialsKey,
            memoryKey,
            loadKey,
            optional("repeats", "1", "times the whole is repeated, for its time", 1, 1e9),
            optional("ipus", "1", "IPUs that share the rows of the field", 1, 4096),
            tilesKey};
}

} // namespace

std::vector<PricedOperation> productOperations() {
    return {
        {{"matmul",
          productGroup,
          "matrix product [batch ×] m×k · k×n",
          {required("m", "rows"),
           required("k", "inner dimension"),
           required("n", "columns"),
           optional("batch", "1", "independent products", 1),
           typeKey,
           partialsKey,
           memoryKey,
           loadKey,
           {"transpose_left", Kind::Switch, "false", "the left operand is stored transposed"},
           {"transpose_right", Kind::Switch, "false", "the right operand is stored transposed"},
           optional("serialization", "1", "pieces over n, one after the other", 1, 1e6),
           tilesKey}},
         priceMatMul},
        {{"conv", productGroup,
          "convolution: grouped, depthwise, transposed, dilated; every pass; also by input_shape=1x224x224x3 "
          "weight_shape=7x7x3x64 padding=same",
          convolutionKeys()},
         priceConvolution},
    };
}

} // namespace simulator
