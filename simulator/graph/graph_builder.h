#pragma once

#include "simulator/graph/output_rules.h"
#include "simulator/graph/training_graph.h"

#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace simulator {

/// Appends tensors and operations to a training graph, each with its extents, a unique name and its origin.
/// Lowering, gradient rules and passes that add operations all go through it.
class GraphBuilder {
public:
    /// What the operations added next belong to: names start with `prefix` + "/".
    struct Scope {
        std::string prefix;
        core::InvocationId origin;
        Phase phase = Phase::Forward;
        bool isWeightGradient = false;
    };

    /// `graph` may already hold operations; it must outlive the builder.
    explicit GraphBuilder(TrainingGraph& graph);

    [[nodiscard]] const Scope& scope() const { return m_scope; }
    void setScope(Scope scope) { m_scope = std::move(scope); }
    [[nodiscard]] TrainingGraph& graph() { return m_graph; }

    /// A tensor that no operation writes. `name` is used as it stands (and made unique).
    core::TensorId tensor(std::string_view name, TensorForm form, TensorRole role);
    /// A constant filled with `value`; equal ones are shared.
    core::TensorId constant(double value, Extents extents, core::DataType type);
    core::TensorId constant(std::string_view label, std::vector<double> values, TensorForm form);

    /// Adds an operation whose outputs follow from its inputs.
    std::vector<core::TensorId> addAll(OperationAttributes attributes, std::vector<core::TensorId> inputs,
                                       std::string_view label);
    /// The same, answers the first output.
    core::TensorId add(OperationAttributes attributes, std::vector<core::TensorId> inputs,
                       std::string_view label);
    /// Adds an operation whose output form the caller chooses.
    core::TensorId addAs(OperationAttributes attributes, std::vector<core::TensorId> inputs,
                         std::string_view label, TensorForm output);
    std::vector<core::TensorId> addAllAs(OperationAttributes attributes, std::vector<core::TensorId> inputs,
                                         std::string_view label, std::vector<OutputForm> outputs);
    /// Adds an operation that rewrites tensors it was given.
    void addInPlace(OperationAttributes attributes, std::vector<core::TensorId> inputs,
                    std::vector<core::TensorId> outputs, std::string_view label);

    // Frequent operations. Where nothing would change they answer their input.
    core::TensorId unary(UnaryFunction function, core::TensorId x, double alpha = 0, double beta = 0);
    core::TensorId binary(BinaryFunction function, core::TensorId a, core::TensorId b);
    /// x·scale + shift.
    core::TensorId scaleShift(core::TensorId x, double scale, double shift = 0);
    core::TensorId reshape(core::TensorId x, Extents extents);
    core::TensorId transpose(core::TensorId x, std::vector<std::int64_t> permutation);
    core::TensorId reduce(ReduceFunction function, core::TensorId x, std::vector<std::int64_t> axes,
                          bool keepAxes);
    core::TensorId broadcast(core::TensorId x, Extents extents);
    core::TensorId cast(core::TensorId x, core::DataType type);
    /// x[begin : begin + extent·stride : stride] along one axis.
    core::TensorId slice(core::TensorId x, std::int64_t axis, std::int64_t begin, std::int64_t extent,
                         std::int64_t stride = 1);
    core::TensorId concatenate(std::vector<core::TensorId> parts, std::int64_t axis);

    [[nodiscard]] TensorForm form(core::TensorId id) const;
    [[nodiscard]] Extents extents(core::TensorId id) const { return m_graph.tensor(id).extents; }
    [[nodiscard]] core::DataType type(core::TensorId id) const { return m_graph.tensor(id).type; }
    [[nodiscard]] std::size_t rank(core::TensorId id) const { return m_graph.tensor(id).extents.size(); }
    /// 0, 1, … rank − 1.
    [[nodiscard]] std::vector<std::int64_t> allAxes(core::TensorId id) const;

private:
    std::string uniqueName(std::string_view name);
    std::string scoped(std::string_view label) const;
    core::TensorId newTensor(std::string name, TensorForm form, TensorRole role);

    TrainingGraph& m_graph;
    Scope m_scope;
    std::set<std::string, std::less<>> m_names;
    std::map<std::tuple<double, Extents, core::DataType>, core::TensorId> m_constants;
};

} // namespace simulator
