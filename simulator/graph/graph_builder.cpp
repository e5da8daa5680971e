#include "simulator/graph/graph_builder.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <numeric>

namespace simulator {

using core::TensorId;

namespace {

std::string lowered(std::string_view kind) {
    std::string text;
    for (const char c : kind) {
        if (std::isupper(static_cast<unsigned char>(c)) != 0 && !text.empty())
            text += '_';
        text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return text;
}

TensorRole outputRole(Phase phase) {
    return phase == Phase::Forward ? TensorRole::Activation : TensorRole::Gradient;
}

} // namespace

GraphBuilder::GraphBuilder(TrainingGraph& graph)
    : m_graph(graph) {
    for (const Tensor& tensor : graph.tensors)
        m_names.insert(tensor.name);
    for (const Operation& operation : graph.operations)
        m_names.insert(operation.name);
}

std::string GraphBuilder::uniqueName(std::string_view name) {
    std::string unique(name);
    for (int count = 2; !m_names.insert(unique).second; ++count)
        unique = std::string(name) + "_" + std::to_string(count);
    return unique;
}

std::string GraphBuilder::scoped(std::string_view label) const {
    return m_scope.prefix.empty() ? std::string(label) : m_scope.prefix + "/" + std::string(label);
}

TensorId GraphBuilder::newTensor(std::string name, TensorForm form, TensorRole role) {
    const TensorId id(m_graph.tensors.size());
    m_graph.tensors.push_back(
        {id, std::move(name), std::move(form.extents), form.type, role, m_scope.origin});
    return id;
}

TensorId GraphBuilder::tensor(std::string_view name, TensorForm form, TensorRole role) {
    return newTensor(uniqueName(name), std::move(form), role);
}

TensorId GraphBuilder::constant(double value, Extents extents, core::DataType type) {
    const auto key = std::make_tuple(value, extents, type);
    const auto it = m_constants.find(key);
    if (it != m_constants.end())
        return it->second;
    const TensorId id = newTensor(uniqueName("constant"), {std::move(extents), type}, TensorRole::Constant);
    m_graph.tensors.back().origin = {};
    m_graph.initialValues.push_back({id, {value}});
    m_constants.emplace(key, id);
    return id;
}

TensorId GraphBuilder::constant(std::string_view label, std::vector<double> values, TensorForm form) {
    const TensorId id = newTensor(uniqueName(scoped(label)), std::move(form), TensorRole::Constant);
    m_graph.initialValues.push_back({id, std::move(values)});
    return id;
}

std::vector<TensorId> GraphBuilder::addAllAs(OperationAttributes attributes, std::vector<TensorId> inputs,
                                             std::string_view label, std::vector<OutputForm> outputs) {
    const std::string wanted = scoped(label.empty() ? lowered(kindName(attributes)) : std::string(label));
    std::string name = uniqueName(wanted);
    std::vector<TensorId> ids;
    for (OutputForm& output : outputs) {
        const std::string_view suffix = output.label.empty() ? "out" : output.label;
        ids.push_back(newTensor(uniqueName(name + "/" + std::string(suffix)), std::move(output.form),
                                outputRole(m_scope.phase)));
    }
    const core::OperationId id(m_graph.operations.size());
    m_graph.operations.push_back({id, std::move(name), std::move(attributes), std::move(inputs), ids,
                                  m_scope.phase, m_scope.origin, m_scope.isWeightGradient});
    return ids;
}

std::vector<TensorId> GraphBuilder::addAll(OperationAttributes attributes, std::vector<TensorId> inputs,
                                           std::string_view label) {
    std::vector<TensorForm> forms;
    for (const TensorId input : inputs)
        forms.push_back(form(input));
    std::vector<OutputForm> outputs = outputForms(attributes, forms);
    assert(!outputs.empty());
    return addAllAs(std::move(attributes), std::move(inputs), label, std::move(outputs));
}

TensorId GraphBuilder::add(OperationAttributes attributes, std::vector<TensorId> inputs,
                           std::string_view label) {
    return addAll(std::move(attributes), std::move(inputs), label).front();
}

TensorId GraphBuilder::addAs(OperationAttributes attributes, std::vector<TensorId> inputs,
                             std::string_view label, TensorForm output) {
    return addAllAs(std::move(attributes), std::move(inputs), label, {{"", std::move(output)}}).front();
}

void GraphBuilder::addInPlace(OperationAttributes attributes, std::vector<TensorId> inputs,
                              std::vector<TensorId> outputs, std::string_view label) {
    const core::OperationId id(m_graph.operations.size());
    m_graph.operations.push_back({id, uniqueName(scoped(label)), std::move(attributes), std::move(inputs),
                                  std::move(outputs), m_scope.phase, m_scope.origin,
                                  m_scope.isWeightGradient});
}

TensorId GraphBuilder::unary(UnaryFunction function, TensorId x, double alpha, double beta) {
    if (function == UnaryFunction::Identity)
        return x;
    return add(Unary{function, alpha, beta}, {x}, lowered(toString(function)));
}

TensorId GraphBuilder::binary(BinaryFunction function, TensorId a, TensorId b) {
    return add(Binary{function}, {a, b}, lowered(toString(function)));
}

TensorId GraphBuilder::scaleShift(TensorId x, double scale, double shift) {
    return scale == 1 && shift == 0 ? x : unary(UnaryFunction::ScaleShift, x, scale, shift);
}

TensorId GraphBuilder::reshape(TensorId x, Extents wanted) {
    if (extents(x) == wanted)
        return x;
    assert(elementCount(wanted) == m_graph.tensor(x).elements());
    const core::DataType elementType = type(x);
    return addAs(Reshape{}, {x}, "reshape", {std::move(wanted), elementType});
}

TensorId GraphBuilder::transpose(TensorId x, std::vector<std::int64_t> permutation) {
    std::vector<std::int64_t> identity(permutation.size());
    std::iota(identity.begin(), identity.end(), 0);
    return permutation == identity ? x : add(Transpose{std::move(permutation)}, {x}, "transpose");
}

TensorId GraphBuilder::reduce(ReduceFunction function, TensorId x, std::vector<std::int64_t> axes,
                              bool keepAxes) {
    if (axes.empty() && function != ReduceFunction::SumOfSquares)
        return x;
    return add(Reduce{function, std::move(axes), keepAxes}, {x}, "reduce");
}

TensorId GraphBuilder::broadcast(TensorId x, Extents wanted) {
    return extents(x) == wanted ? x : add(Broadcast{std::move(wanted)}, {x}, "broadcast");
}

TensorId GraphBuilder::cast(TensorId x, core::DataType wanted) {
    return type(x) == wanted ? x : add(Cast{wanted}, {x}, "cast");
}

TensorId GraphBuilder::slice(TensorId x, std::int64_t axis, std::int64_t begin, std::int64_t extent,
                             std::int64_t stride) {
    TensorForm result = form(x);
    const std::size_t position = normalizedAxis(axis, result.extents.size());
    if (begin == 0 && stride == 1 && result.extents[position] == extent)
        return x;
    Slice attributes{std::vector<std::int64_t>(result.extents.size(), 0),
                     std::vector<std::int64_t>(result.extents.size(), 1)};
    attributes.begin[position] = begin;
    attributes.stride[position] = stride;
    result.extents[position] = extent;
    return addAs(std::move(attributes), {x}, "slice", std::move(result));
}

TensorId GraphBuilder::concatenate(std::vector<TensorId> parts, std::int64_t axis) {
    return parts.size() == 1 ? parts.front() : add(Concatenate{axis}, std::move(parts), "concatenate");
}

TensorForm GraphBuilder::form(TensorId id) const {
    const Tensor& tensor = m_graph.tensor(id);
    return {tensor.extents, tensor.type};
}

std::vector<std::int64_t> GraphBuilder::allAxes(core::TensorId id) const {
    std::vector<std::int64_t> axes(rank(id));
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

} // namespace simulator
