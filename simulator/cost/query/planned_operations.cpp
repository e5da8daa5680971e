#include "simulator/cost/query/cost_arguments.h"
#include "simulator/graph/output_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace simulator {

namespace {

using Kind = CostKeyKind;
constexpr std::string_view group = "planned";

// Keys that many operations share.
const CostKey typeKey{"type", Kind::Type, "float16", "element type"};
const CostKey tilesKey{"tiles", Kind::Integer, "0", "tiles it may use; 0: all", 0, 1e7};
const CostKey elementsKey{"elements", Kind::Integer, "", "elements of the result", 0, 1e15};
const CostKey partialsKey{"partials", Kind::Type, "float32", "type of the partial sums"};
const CostKey memoryKey{"available_memory_proportion",
                        Kind::Number,
                        "0.6",
                        "bound on temporary memory as a share of a tile's",
                        0,
                        100};
const CostKey loadKey{"use_128bit_conv_unit_load", Kind::Switch, "false",
                      "coefficients load 16 bytes per cycle"};
const CostKey gradientKey{"gradient", Kind::Switch, "false", "its backward pass instead"};

CostKey required(std::string_view name, std::string_view meaning, double low = 0, double high = 1e12) {
    return {name, Kind::Integer, "", meaning, low, high};
}
CostKey optional(std::string_view name, std::string_view value, std::string_view meaning, double low = 0,
                 double high = 1e12) {
    return {name, Kind::Integer, value, meaning, low, high};
}

PlanOptions optionsOf(const CostArguments& arguments) {
    PlanOptions options;
    options.tiles = arguments.tiles();
    options.inheritedLayout = false;
    if (arguments.has("partials"))
        options.partialsType = arguments.type("partials");
    if (arguments.has("available_memory_proportion"))
        options.availableMemoryProportion = arguments.number("available_memory_proportion");
    if (arguments.has("use_128bit_conv_unit_load"))
        options.use128BitConvUnitLoad = arguments.isOn("use_128bit_conv_unit_load");
    return options;
}

/// Plans an operation of its own; `outputs` where its rule does not give them.
CostAnswer priced(const CostArguments& arguments, OperationAttributes attributes,
                  const std::vector<TensorForm>& inputs, std::vector<TensorForm> outputs = {}) {
    if (outputs.empty())
        for (const OutputForm& output : outputForms(attributes, inputs))
            outputs.push_back(output.form);
    std::vector<Tensor> tensors;
    Operation operation;
    operation.attributes = std::move(attributes);
    const auto add = [&](const TensorForm& form) {
        Tensor tensor;
        tensor.id = core::TensorId(tensors.size());
        tensor.extents = form.extents;
        tensor.type = form.type;
        tensors.push_back(tensor);
        return tensor.id;
    };
    for (const TensorForm& form : inputs)
        operation.inputs.push_back(add(form));
    for (const TensorForm& form : outputs)
        operation.outputs.push_back(add(form));
    PlanCache cache;
    const OperationPlan plan =
        planOperation(operation, tensors, arguments.target(), optionsOf(arguments), cache);
    const core::DataType type = inputs.empty() ? outputs.front().type : inputs.front().type;
    return answerOf(plan, arguments.target(), type);
}

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
Extents imageExtents(const CostArguments& arguments, const Extents& field, std::string_view channels) {
    Extents extents{arguments.integer("batch")};
    extents.insert(extents.end(), field.begin(), field.end());
    extents.push_back(arguments.integer(channels));
    return extents;
}

Extents fieldOf(const CostArguments& arguments) {
    Extents field;
    if (const std::int64_t depth = arguments.integer("depth"); depth > 0)
        field.push_back(depth);
    // Several IPUs share the rows of the field.
    field.push_back(core::ceilDivide(arguments.integer("height"), arguments.integer("ipus")));
    field.push_back(arguments.integer("width"));
    return field;
}

WindowGeometry windowOf(const CostArguments& arguments, std::size_t axes) {
    const std::vector<std::int64_t> padding = arguments.window("padding", axes);
    return {arguments.window("kernel", axes), arguments.window("stride", axes),
            arguments.window("dilation", axes), padding, padding};
}

Extents windowField(const WindowGeometry& window, const Extents& field) {
    Extents result;
    for (std::size_t axis = 0; axis < field.size(); ++axis)
        result.push_back(std::max<std::int64_t>(windowOutputs(window, axis, field[axis]), 0));
    return result;
}

/// Field of a transposed convolution's result: the input that a convolution would need for this output.
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
    answer.details.emplace_back(fmt::format("time_{}_repeats", repeats),
                                answer.timeNs * 1e-9 * static_cast<double>(repeats));
    return answer;
}

struct NamedUnary {
    std::string_view name;
    UnaryFunction function;
};
constexpr std::array namedUnaries{
    NamedUnary{"identity", UnaryFunction::Identity},
    NamedUnary{"negate", UnaryFunction::Negate},
    NamedUnary{"abs", UnaryFunction::Absolute},
    NamedUnary{"sign", UnaryFunction::Sign},
    NamedUnary{"square", UnaryFunction::Square},
    NamedUnary{"sqrt", UnaryFunction::SquareRoot},
    NamedUnary{"rsqrt", UnaryFunction::ReciprocalSquareRoot},
    NamedUnary{"inverse", UnaryFunction::Reciprocal},
    NamedUnary{"exp", UnaryFunction::Exponential},
    NamedUnary{"expm1", UnaryFunction::ExponentialMinusOne},
    NamedUnary{"log", UnaryFunction::Logarithm},
    NamedUnary{"log1p", UnaryFunction::LogarithmPlusOne},
    NamedUnary{"sin", UnaryFunction::Sine},
    NamedUnary{"cos", UnaryFunction::Cosine},
    NamedUnary{"tan", UnaryFunction::Tangent},
    NamedUnary{"asin", UnaryFunction::ArcSine},
    NamedUnary{"acos", UnaryFunction::ArcCosine},
    NamedUnary{"atan", UnaryFunction::ArcTangent},
    NamedUnary{"sinh", UnaryFunction::HyperbolicSine},
    NamedUnary{"cosh", UnaryFunction::HyperbolicCosine},
    NamedUnary{"erf", UnaryFunction::ErrorFunction},
    NamedUnary{"floor", UnaryFunction::Floor},
    NamedUnary{"ceil", UnaryFunction::Ceiling},
    NamedUnary{"round", UnaryFunction::Round},
    NamedUnary{"logical_not", UnaryFunction::LogicalNot},
    NamedUnary{"is_nan", UnaryFunction::IsNan},
    NamedUnary{"is_inf", UnaryFunction::IsInfinite},
    NamedUnary{"relu", UnaryFunction::Relu},
    NamedUnary{"relu6", UnaryFunction::Relu6},
    NamedUnary{"leaky_relu", UnaryFunction::LeakyRelu},
    NamedUnary{"thresholded_relu", UnaryFunction::ThresholdedRelu},
    NamedUnary{"elu", UnaryFunction::Elu},
    NamedUnary{"selu", UnaryFunction::Selu},
    NamedUnary{"sigmoid", UnaryFunction::Sigmoid},
    NamedUnary{"hard_sigmoid", UnaryFunction::HardSigmoid},
    NamedUnary{"tanh", UnaryFunction::Tanh},
    NamedUnary{"softplus", UnaryFunction::Softplus},
    NamedUnary{"softsign", UnaryFunction::Softsign},
    NamedUnary{"swish", UnaryFunction::Swish},
    NamedUnary{"gelu_erf", UnaryFunction::GeluErf},
    NamedUnary{"gelu", UnaryFunction::GeluTanh},
    NamedUnary{"mish", UnaryFunction::Mish},
    NamedUnary{"clip", UnaryFunction::Clip},
    NamedUnary{"scale_shift", UnaryFunction::ScaleShift},
};

struct NamedBinary {
    std::string_view name;
    BinaryFunction function;
};
constexpr std::array namedBinaries{
    NamedBinary{"add", BinaryFunction::Add},
    NamedBinary{"subtract", BinaryFunction::Subtract},
    NamedBinary{"multiply", BinaryFunction::Multiply},
    NamedBinary{"divide", BinaryFunction::Divide},
    NamedBinary{"maximum", BinaryFunction::Maximum},
    NamedBinary{"minimum", BinaryFunction::Minimum},
    NamedBinary{"power", BinaryFunction::Power},
    NamedBinary{"modulo", BinaryFunction::Modulo},
    NamedBinary{"remainder", BinaryFunction::Remainder},
    NamedBinary{"squared_difference", BinaryFunction::SquaredDifference},
    NamedBinary{"atan2", BinaryFunction::Atan2},
    NamedBinary{"equal", BinaryFunction::Equal},
    NamedBinary{"not_equal", BinaryFunction::NotEqual},
    NamedBinary{"less", BinaryFunction::Less},
    NamedBinary{"less_equal", BinaryFunction::LessEqual},
    NamedBinary{"greater", BinaryFunction::Greater},
    NamedBinary{"greater_equal", BinaryFunction::GreaterEqual},
    NamedBinary{"logical_and", BinaryFunction::LogicalAnd},
    NamedBinary{"logical_or", BinaryFunction::LogicalOr},
    NamedBinary{"logical_xor", BinaryFunction::LogicalXor},
};

core::Result<CostAnswer> priceUnary(const CostArguments& arguments, const CostOperation& operation) {
    const UnaryFunction function =
        std::ranges::find(namedUnaries, operation.name, &NamedUnary::name)->function;
    const TensorForm form{{arguments.integer("elements")}, arguments.type("type")};
    if (arguments.isOn("gradient"))
        return priced(arguments, UnaryGradient{function, 0, 0}, {form, form}, {form});
    return priced(arguments, Unary{function, 0, 0}, {form}, {form});
}

core::Result<CostAnswer> priceBinary(const CostArguments& arguments, const CostOperation& operation) {
    const BinaryFunction function =
        std::ranges::find(namedBinaries, operation.name, &NamedBinary::name)->function;
    const TensorForm form{{arguments.integer("elements")}, arguments.type("type")};
    const TensorForm other{arguments.isOn("scalar") ? Extents{1} : form.extents, form.type};
    return priced(arguments, Binary{function}, {form, other}, {form});
}

core::Result<CostAnswer> priceSelect(const CostArguments& arguments, const CostOperation&) {
    const TensorForm form{{arguments.integer("elements")}, arguments.type("type")};
    return priced(arguments, Select{}, {{form.extents, core::DataType::Bool}, form, form}, {form});
}

core::Result<CostAnswer> priceCast(const CostArguments& arguments, const CostOperation&) {
    const Extents extents{arguments.integer("elements")};
    return priced(arguments, Cast{arguments.type("to")}, {{extents, arguments.type("from")}},
                  {{extents, arguments.type("to")}});
}

core::Result<CostAnswer> priceFill(const CostArguments& arguments, const CostOperation&) {
    return priced(arguments, Fill{}, {}, {{{arguments.integer("elements")}, arguments.type("type")}});
}

core::Result<CostAnswer> priceDropout(const CostArguments& arguments, const CostOperation&) {
    const TensorForm form{{arguments.integer("elements")}, arguments.type("type")};
    if (arguments.isOn("gradient"))
        return priced(arguments, DropoutGradient{}, {form, form}, {form});
    return priced(arguments, Dropout{}, {form}, {form, form});
}

core::Result<CostAnswer> priceRandom(const CostArguments& arguments, const CostOperation& operation) {
    const CostKey& key = *std::ranges::find(operation.keys, "distribution", &CostKey::name);
    const auto choice = std::ranges::find(key.choices, arguments.text("distribution")) - key.choices.begin();
    Random random;
    random.distribution = static_cast<RandomDistribution>(choice);
    return priced(arguments, random, {}, {{{arguments.integer("elements")}, arguments.type("type")}});
}

core::Result<CostAnswer> priceReduce(const CostArguments& arguments, const CostOperation&) {
    const std::int64_t rows = arguments.integer("rows");
    const std::int64_t columns = arguments.integer("columns");
    const bool overColumns = arguments.text("over") == "columns";
    return priced(arguments, Reduce{ReduceFunction::Sum, {overColumns ? 1 : 0}, false},
                  {{{rows, columns}, arguments.type("type")}},
                  {{{overColumns ? rows : columns}, arguments.type("type")}});
}

core::Result<CostAnswer> priceSoftmax(const CostArguments& arguments, const CostOperation&) {
    const TensorForm form{{arguments.integer("rows"), arguments.integer("columns")}, arguments.type("type")};
    if (arguments.isOn("gradient"))
        return priced(arguments, SoftmaxGradient{}, {form, form}, {form});
    return priced(arguments, Softmax{}, {form}, {form});
}

core::Result<CostAnswer> priceLoss(const CostArguments& arguments, const CostOperation&) {
    const core::DataType type = arguments.type("type");
    const TensorForm prediction{{arguments.integer("rows"), arguments.integer("columns")}, type};
    Loss loss;
    loss.className = arguments.text("name");
    loss.fromLogits = arguments.isOn("from_logits");
    if (arguments.isOn("gradient"))
        return priced(arguments, LossGradient{loss}, {prediction, prediction, {{}, type}}, {prediction});
    return priced(arguments, loss, {prediction, prediction}, {{{}, core::DataType::Float32}});
}

core::Result<CostAnswer> priceNormalization(const CostArguments& arguments, const CostOperation& operation) {
    constexpr std::array<std::string_view, 4> names{"batch_norm", "layer_norm", "group_norm",
                                                    "instance_norm"};
    const auto kind =
        static_cast<NormalizationKind>(std::ranges::find(names, operation.name) - names.begin());
    const core::DataType type = arguments.type("type");
    const Extents extents{arguments.integer("batch"), arguments.integer("positions"),
                          arguments.integer("channels")};
    const TensorForm x{extents, type};
    const TensorForm scale{{extents.back()}, type};
    const TensorForm statistic{{extents.back()}, core::DataType::Float32};
    const std::int64_t groups = arguments.integer("groups");
    if (arguments.isOn("gradient")) {
        NormalizationGradient norm;
        norm.kind = kind;
        norm.axes = {2};
        norm.groups = groups;
        return priced(arguments, norm, {x, scale, statistic, statistic, x}, {x, scale, scale});
    }
    Normalization norm;
    norm.kind = kind;
    norm.axes = {2};
    norm.groups = groups;
    norm.useMovingStatistics = arguments.isOn("inference") && kind == NormalizationKind::Batch;
    return priced(arguments, norm, {x, scale, scale}, {x, statistic, statistic});
}

core::Result<CostAnswer> pricePool(const CostArguments& arguments, const CostOperation&) {
    const core::DataType type = arguments.type("type");
    const Extents field{arguments.integer("height"), arguments.integer("width")};
    const WindowGeometry window = windowOf(arguments, field.size());
    const Extents outField = windowField(window, field);
    const TensorForm input{imageExtents(arguments, field, "channels"), type};
    const TensorForm output{imageExtents(arguments, outField, "channels"), type};
    const PoolFunction function =
        arguments.text("function") == "max" ? PoolFunction::Maximum : PoolFunction::Average;
    if (arguments.isOn("gradient"))
        return priced(arguments, PoolGradient{function, window, false}, {input, output, output}, {input});
    return priced(arguments, Pool{function, window, false}, {input}, {output});
}

core::Result<CostAnswer> priceGather(const CostArguments& arguments, const CostOperation&) {
    const core::DataType type = arguments.type("type");
    const TensorForm table{{arguments.integer("table_rows"), arguments.integer("row_elements")}, type};
    const TensorForm indices{{arguments.integer("lookups")}, core::DataType::Int32};
    const TensorForm rows{{arguments.integer("lookups"), arguments.integer("row_elements")}, type};
    if (arguments.isOn("gradient"))
        return priced(arguments, GatherGradient{0, table.extents.front(), 1}, {indices, rows}, {table});
    return priced(arguments, Gather{0, 1}, {table, indices}, {rows});
}

core::Result<CostAnswer> priceRecurrent(const CostArguments& arguments, const CostOperation& operation) {
    Recurrent cell;
    cell.cell = operation.name == "lstm"  ? RecurrentCell::Lstm
                : operation.name == "gru" ? RecurrentCell::Gru
                                          : RecurrentCell::Simple;
    const core::DataType type = arguments.type("type");
    const std::int64_t batch = arguments.integer("batch");
    const std::int64_t units = arguments.integer("units");
    const std::int64_t width = gateCount(cell.cell) * units;
    const TensorForm x{{batch, arguments.integer("steps"), arguments.integer("inputs")}, type};
    const TensorForm kernel{{arguments.integer("inputs"), width}, type};
    const TensorForm recurrentKernel{{units, width}, type};
    const TensorForm y{{batch, arguments.integer("steps"), units}, type};
    if (arguments.isOn("gradient"))
        return priced(arguments, RecurrentGradient{cell}, {x, kernel, recurrentKernel, y},
                      {x, kernel, recurrentKernel});
    return priced(arguments, cell, {x, kernel, recurrentKernel}, {y});
}

core::Result<CostAnswer> priceTranspose(const CostArguments& arguments, const CostOperation&) {
    const Extents extents = arguments.integers("extents");
    const std::vector<std::int64_t> permutation = arguments.integers("permutation");
    std::vector<std::int64_t> sorted = permutation;
    std::ranges::sort(sorted);
    Extents result;
    for (std::size_t axis = 0; axis < sorted.size(); ++axis)
        if (sorted.size() != extents.size() || sorted[axis] != static_cast<std::int64_t>(axis))
            return core::failure(costFinding("cost/wrong-value", "permutation",
                                             "the permutation does not name each axis of the extents once",
                                             {"for extents=8x128x1024 write for example permutation=1x0x2"}));
    for (const std::int64_t axis : permutation)
        result.push_back(extents[static_cast<std::size_t>(axis)]);
    const core::DataType type = arguments.type("type");
    return priced(arguments, Transpose{permutation}, {{extents, type}}, {{result, type}});
}

core::Result<CostAnswer> priceCopy(const CostArguments& arguments, const CostOperation&) {
    const TensorForm form{{arguments.integer("elements")}, arguments.type("type")};
    return priced(arguments, Copy{}, {form}, {form});
}

core::Result<CostAnswer> priceAccumulate(const CostArguments& arguments, const CostOperation&) {
    const Extents extents{arguments.integer("elements")};
    const TensorForm accumulator{extents, arguments.type("accumulator_type")};
    return priced(arguments, AccumulateGradient{}, {{extents, arguments.type("type")}, accumulator},
                  {accumulator});
}

core::Result<CostAnswer> priceOptimizer(const CostArguments& arguments, const CostOperation&) {
    const TensorForm form{{arguments.integer("elements")}, arguments.type("type")};
    OptimizerUpdate update;
    update.className = arguments.text("name");
    std::vector<TensorForm> inputs(2 + static_cast<std::size_t>(arguments.integer("slots")), form);
    return priced(arguments, update, inputs, {form});
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

std::vector<CostKey> recurrentKeys() {
    return {required("batch", "sequences", 1, 1e6),
            required("steps", "time steps", 0, 1e6),
            required("inputs", "features of a step", 1, 1e6),
            required("units", "units", 1, 1e6),
            typeKey,
            partialsKey,
            memoryKey,
            loadKey,
            gradientKey,
            tilesKey};
}

std::vector<PricedOperation> elementwiseOperations() {
    std::vector<PricedOperation> operations;
    for (const NamedUnary& unary : namedUnaries)
        operations.push_back({{std::string(unary.name),
                               group,
                               "element-wise function of one operand",
                               {elementsKey, typeKey, gradientKey, tilesKey}},
                              priceUnary});
    for (const NamedBinary& binary : namedBinaries)
        operations.push_back({{std::string(binary.name),
                               group,
                               "element-wise function of two operands",
                               {elementsKey,
                                typeKey,
                                {"scalar", Kind::Switch, "false", "the second operand is one element"},
                                tilesKey}},
                              priceBinary});
    operations.push_back(
        {{"select", group, "condition ? a : b", {elementsKey, typeKey, tilesKey}}, priceSelect});
    operations.push_back({{"cast",
                           group,
                           "change of element type",
                           {elementsKey,
                            {"from", Kind::Type, "float16", "type before"},
                            {"to", Kind::Type, "float32", "type after"},
                            tilesKey}},
                          priceCast});
    operations.push_back(
        {{"fill", group, "one value everywhere", {elementsKey, typeKey, tilesKey}}, priceFill});
    operations.push_back(
        {{"dropout", group, "dropout", {elementsKey, typeKey, gradientKey, tilesKey}}, priceDropout});
    operations.push_back({{"random",
                           group,
                           "random numbers",
                           {elementsKey,
                            {"distribution",
                             Kind::Choice,
                             "uniform",
                             "distribution",
                             0,
                             0,
                             {"uniform", "normal", "truncated_normal", "bernoulli", "log_uniform_classes"}},
                            typeKey,
                            tilesKey}},
                          priceRandom});
    operations.push_back(
        {{"copy", group, "a tensor in another layout", {elementsKey, typeKey, tilesKey}}, priceCopy});
    operations.push_back({{"accumulate",
                           group,
                           "a gradient added to its accumulator",
                           {elementsKey,
                            typeKey,
                            {"accumulator_type", Kind::Type, "float16", "type of the accumulator"},
                            tilesKey}},
                          priceAccumulate});
    operations.push_back({{"optimizer",
                           group,
                           "one optimizer step over a parameter",
                           {elementsKey,
                            {"name", Kind::Text, "SGD", "Keras' class name"},
                            optional("slots", "0", "slots beside the parameter", 0, 8),
                            typeKey,
                            tilesKey}},
                          priceOptimizer});
    return operations;
}

std::vector<PricedOperation> rowOperations() {
    const CostKey rows = required("rows", "rows", 0, 1e9);
    const CostKey columns = required("columns", "elements of a row", 1, 1e9);
    std::vector<PricedOperation> operations{
        {{"reduce",
          group,
          "sums of a matrix",
          {rows,
           columns,
           {"over", Kind::Choice, "columns", "the axis that disappears", 0, 0, {"columns", "rows"}},
           {"type", Kind::Type, "float32", "element type"},
           tilesKey}},
         priceReduce},
        {{"softmax", group, "softmax of every row", {rows, columns, typeKey, gradientKey, tilesKey}},
         priceSoftmax},
        {{"loss",
          group,
          "a loss over rows of classes or values",
          {rows,
           columns,
           {"name", Kind::Text, "SparseCategoricalCrossentropy", "Keras' class name"},
           {"from_logits", Kind::Switch, "true", "the rows are logits"},
           typeKey,
           gradientKey,
           tilesKey}},
         priceLoss},
    };
    for (const char* name : {"batch_norm", "layer_norm", "group_norm", "instance_norm"})
        operations.push_back({{name,
                               group,
                               "normalisation",
                               {optional("batch", "1", "samples", 0, 1e9),
                                required("positions", "field elements or tokens", 0, 1e9),
                                required("channels", "channels", 1, 1e7),
                                optional("groups", "1", "groups of group_norm", 1, 1e7),
                                {"inference", Kind::Switch, "false", "batch_norm with moving statistics"},
                                typeKey,
                                gradientKey,
                                tilesKey}},
                              priceNormalization});
    return operations;
}

} // namespace

std::vector<PricedOperation> plannedOperations() {
    std::vector<PricedOperation> operations{
        {{"matmul",
          group,
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
        {{"conv", group, "convolution: grouped, depthwise, transposed, dilated; every pass",
          convolutionKeys()},
         priceConvolution},
        {{"pool",
          group,
          "pooling over a field",
          {optional("batch", "1", "images"),
           required("height", "field extent", 0, 1e6),
           required("width", "field extent", 0, 1e6),
           required("channels", "channels", 1, 1e7),
           {"kernel", Kind::WindowSize, "2", "window", 1, 1e4},
           {"stride", Kind::WindowSize, "2", "stride", 1, 1e4},
           {"dilation", Kind::WindowSize, "1", "dilation", 1, 1e4},
           {"padding", Kind::WindowSize, "0", "padding on either side", 0, 1e4},
           {"function", Kind::Choice, "max", "what is taken", 0, 0, {"max", "average"}},
           typeKey,
           gradientKey,
           tilesKey}},
         pricePool},
        {{"gather",
          group,
          "embedding lookup (or its gradient)",
          {required("table_rows", "rows of the table", 1, 1e10),
           required("row_elements", "elements of a row", 1, 1e7), required("lookups", "indices", 0, 1e9),
           typeKey, gradientKey, tilesKey}},
         priceGather},
        {{"lstm", group, "LSTM over a sequence", recurrentKeys()}, priceRecurrent},
        {{"gru", group, "GRU over a sequence", recurrentKeys()}, priceRecurrent},
        {{"simple_rnn", group, "simple recurrent layer over a sequence", recurrentKeys()}, priceRecurrent},
        {{"transpose",
          group,
          "axes of a tensor permuted",
          {{"extents", Kind::IntegerList, "", "extents, outermost first", 0, 1e9},
           {"permutation", Kind::IntegerList, "", "where each axis comes from", 0, 7},
           typeKey,
           tilesKey}},
         priceTranspose},
    };
    for (auto family : {rowOperations, elementwiseOperations})
        for (PricedOperation& operation : family())
            operations.push_back(std::move(operation));
    return operations;
}

} // namespace simulator
