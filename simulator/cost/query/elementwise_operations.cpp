#include "core/catalogue/functions.h"
#include "simulator/catalogue/optimizer_formulas.h"
#include "simulator/cost/query/planned_operation.h"

#include <algorithm>

namespace simulator {

namespace {

using Kind = CostKeyKind;
constexpr std::string_view elementwiseGroup = plannedGroup;
constexpr auto unaryRows = core::unaryDefinitions();
constexpr auto binaryRows = core::binaryDefinitions();

core::Result<CostAnswer> priceUnary(const CostArguments& arguments, const CostOperation& operation) {
    const UnaryFunction function =
        std::ranges::find(unaryRows, operation.name, &core::UnaryDefinition::key)->function;
    const TensorForm form{{arguments.integer("elements")}, arguments.type("type")};
    if (arguments.isOn("gradient"))
        return priced(arguments, UnaryGradient{{function, 0, 0}}, {form, form}, {form});
    return priced(arguments, Unary{function, 0, 0}, {form}, {form});
}

core::Result<CostAnswer> priceBinary(const CostArguments& arguments, const CostOperation& operation) {
    const BinaryFunction function =
        std::ranges::find(binaryRows, operation.name, &core::BinaryDefinition::key)->function;
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
        return priced(arguments, DropoutGradient{}, {form}, {form});
    return priced(arguments, Dropout{}, {form}, {form});
}

core::Result<CostAnswer> priceRandom(const CostArguments& arguments, const CostOperation& operation) {
    const CostKey& key = *std::ranges::find(operation.keys, "distribution", &CostKey::name);
    const auto choice = std::ranges::find(key.choices, arguments.text("distribution")) - key.choices.begin();
    Random random;
    random.distribution = static_cast<RandomDistribution>(choice);
    return priced(arguments, random, {}, {{{arguments.integer("elements")}, arguments.type("type")}});
}

core::Result<CostAnswer> priceRearrangement(const CostArguments& arguments, const CostOperation&) {
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

} // namespace

std::vector<PricedOperation> elementwiseOperations() {
    std::vector<PricedOperation> operations;
    for (const core::UnaryDefinition& unary : unaryRows)
        operations.push_back({{std::string(unary.key),
                               elementwiseGroup,
                               "element-wise function of one operand",
                               {elementsKey, typeKey, gradientKey, tilesKey}},
                              priceUnary});
    for (const core::BinaryDefinition& binary : binaryRows)
        operations.push_back({{std::string(binary.key),
                               elementwiseGroup,
                               "element-wise function of two operands",
                               {elementsKey,
                                typeKey,
                                {"scalar", Kind::Switch, "false", "the second operand is one element"},
                                tilesKey}},
                              priceBinary});
    operations.push_back(
        {{"select", elementwiseGroup, "condition ? a : b", {elementsKey, typeKey, tilesKey}}, priceSelect});
    operations.push_back({{"cast",
                           elementwiseGroup,
                           "change of element type",
                           {elementsKey,
                            {"from", Kind::Type, "float16", "type before"},
                            {"to", Kind::Type, "float32", "type after"},
                            tilesKey}},
                          priceCast});
    operations.push_back(
        {{"fill", elementwiseGroup, "one value everywhere", {elementsKey, typeKey, tilesKey}}, priceFill});
    operations.push_back(
        {{"dropout", elementwiseGroup, "dropout", {elementsKey, typeKey, gradientKey, tilesKey}},
         priceDropout});
    operations.push_back({{"random",
                           elementwiseGroup,
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
        {{"copy", elementwiseGroup, "a tensor in another layout", {elementsKey, typeKey, tilesKey}},
         priceRearrangement});
    operations.push_back({{"accumulate",
                           elementwiseGroup,
                           "a gradient added to its accumulator",
                           {elementsKey,
                            typeKey,
                            {"accumulator_type", Kind::Type, "float16", "type of the accumulator"},
                            tilesKey}},
                          priceAccumulate});
    operations.push_back({{"optimizer",
                           elementwiseGroup,
                           "one optimizer step over a parameter",
                           {elementsKey,
                            {"name", Kind::Choice, "SGD", "Keras' class name", 0, 0, optimizerNames()},
                            optional("slots", "0", "slots beside the parameter", 0, 8),
                            typeKey,
                            tilesKey}},
                          priceOptimizer});
    return operations;
}

} // namespace simulator
