#include "simulator/cost/query/planned_operation.h"

#include <algorithm>

namespace simulator {

namespace {

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

} // namespace

CostKey required(std::string_view name, std::string_view meaning, double low, double high) {
    return {name, CostKeyKind::Integer, "", meaning, low, high};
}
CostKey optional(std::string_view name, std::string_view value, std::string_view meaning, double low,
                 double high) {
    return {name, CostKeyKind::Integer, value, meaning, low, high};
}

CostAnswer priced(const CostArguments& arguments, OperationAttributes attributes,
                  const std::vector<TensorForm>& inputs, std::vector<TensorForm> outputs) {
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

Extents imageExtents(const CostArguments& arguments, const Extents& field, std::string_view channels) {
    Extents extents{arguments.integer("batch")};
    extents.insert(extents.end(), field.begin(), field.end());
    extents.push_back(arguments.integer(channels));
    return extents;
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

std::vector<PricedOperation> plannedOperations() {
    std::vector<PricedOperation> operations;
    for (auto family : {productOperations, layerOperations, rowOperations, elementwiseOperations})
        for (PricedOperation& operation : family())
            operations.push_back(std::move(operation));
    return operations;
}

} // namespace simulator
