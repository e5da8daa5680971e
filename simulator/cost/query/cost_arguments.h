#pragma once

#include "core/model/data_type.h"
#include "simulator/cost/operation_plan.h"
#include "simulator/cost/operations/plan_operation.h"
#include "simulator/cost/query/cost_query.h"

#include <map>
#include <string>

namespace simulator {

/// The checked arguments of one query: every key of its operation has a value of its kind.
class CostArguments {
public:
    CostArguments(const CostQuery& query, std::map<std::string, core::Json, std::less<>> values)
        : m_query(query)
        , m_values(std::move(values)) {}

    [[nodiscard]] const IpuTarget& target() const { return m_query.target; }
    /// Tiles the operation may use: the query's, else all.
    [[nodiscard]] std::int64_t tiles() const;
    [[nodiscard]] bool has(std::string_view key) const { return m_values.contains(key); }
    [[nodiscard]] std::int64_t integer(std::string_view key) const;
    [[nodiscard]] double number(std::string_view key) const;
    [[nodiscard]] bool isOn(std::string_view key) const;
    [[nodiscard]] std::string text(std::string_view key) const;
    [[nodiscard]] core::DataType type(std::string_view key) const;
    /// One entry per field axis.
    [[nodiscard]] std::vector<std::int64_t> window(std::string_view key, std::size_t axes) const;
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key) const;

private:
    const CostQuery& m_query;
    std::map<std::string, core::Json, std::less<>> m_values;
};

/// An operation with how it is priced.
struct PricedOperation {
    CostOperation description;
    core::Result<CostAnswer> (*price)(const CostArguments& arguments, const CostOperation& operation);
};

/// Rows of the three groups.
[[nodiscard]] std::vector<PricedOperation> vertexAndProgramOperations();
[[nodiscard]] std::vector<PricedOperation> plannedOperations();
[[nodiscard]] std::vector<PricedOperation> communicationOperations();
/// The stencil program, one of the first group.
[[nodiscard]] PricedOperation stencilOperation();

/// An answer that holds a plan, with rates for operands of `type`.
[[nodiscard]] CostAnswer answerOf(const OperationPlan& plan, const IpuTarget& target, core::DataType type);
/// Time and rates of an answer whose cycles and operations are filled in.
void addRates(CostAnswer& answer, const IpuTarget& target, core::DataType type);

/// A diagnostic about one argument of a query.
[[nodiscard]] core::Diagnostic costFinding(std::string code, std::string key, std::string message,
                                           std::vector<std::string> hints);

} // namespace simulator
