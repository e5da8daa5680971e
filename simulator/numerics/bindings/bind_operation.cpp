#include "simulator/numerics/bindings/bind_operation.h"

#include "simulator/graph/output_rules.h"
#include "simulator/numerics/bindings/conversion.h"
#include "simulator/numerics/bindings/user_library_host.h"

#include <algorithm>
#include <deque>
#include <optional>

namespace simulator {
namespace {

using core::DataType;

OperandTypes operandTypes(const BindRequest& request, const Binding& binding) {
    OperandTypes types{std::vector<std::optional<DataType>>(request.inputs.size(), DataType::Float32),
                       std::vector<std::optional<DataType>>(request.outputs.size(), DataType::Float32)};
    if (binding.setTypes != nullptr)
        binding.setTypes(request, types);
    return types;
}

/// Puts operands of the wanted types in the place of others, in shared scratch.
class Conversions {
public:
    Conversions(BindRequest& request, BoundOperation& bound, const Binding& binding)
        : m_request(request)
        , m_bound(bound)
        , m_types(operandTypes(request, binding)) {}

    void before() {
        for (std::size_t i = 0; i < m_request.inputs.size(); ++i) {
            Operand& operand = m_request.inputs[i];
            if (!needsConversion(operand, m_types.inputs[i]))
                continue;
            const Operand original = operand;
            operand = converted(original, *m_types.inputs[i]);
            m_bound.phases.push_back(convertPhase(m_request, original.tensor->type, operand.tensor->type,
                                                  original.data, operand.data, original.elements()));
        }
        for (std::size_t i = 0; i < m_request.outputs.size(); ++i) {
            Operand& operand = m_request.outputs[i];
            if (!needsConversion(operand, m_types.outputs[i]))
                continue;
            m_finished.push_back(operand);
            // An output that rewrites an input shares the input's converted copy.
            const auto& ids = m_request.operation->inputs;
            const auto rewritten = std::ranges::find(ids, operand.tensor->id);
            operand = rewritten == ids.end()
                          ? converted(operand, *m_types.outputs[i])
                          : m_request.inputs[static_cast<std::size_t>(rewritten - ids.begin())];
            m_computed.push_back(operand);
        }
    }

    void after() {
        for (std::size_t i = 0; i < m_finished.size(); ++i) {
            m_bound.phases.push_back(convertPhase(m_request, m_computed[i].tensor->type,
                                                  m_finished[i].tensor->type, m_computed[i].data,
                                                  m_finished[i].data, m_finished[i].elements()));
        }
    }

private:
    static bool needsConversion(const Operand& operand, const std::optional<DataType>& wanted) {
        return wanted && *wanted != operand.tensor->type;
    }
    Operand converted(const Operand& operand, DataType type) {
        Tensor& tensor = m_tensors.emplace_back(*operand.tensor);
        tensor.type = type;
        return {&tensor, m_request.takeScratch(static_cast<std::size_t>(tensor.bytes()))};
    }

    BindRequest& m_request;
    BoundOperation& m_bound;
    OperandTypes m_types;
    // Binders read extents and types while they bind, not later.
    std::deque<Tensor> m_tensors;
    std::vector<Operand> m_finished;
    std::vector<Operand> m_computed;
};

} // namespace

std::byte* BindRequest::takeScratch(std::size_t bytes) {
    constexpr std::size_t alignment = 64;
    std::byte* taken = sharedScratch == nullptr ? nullptr : sharedScratch + sharedScratchUsed;
    sharedScratchUsed += (bytes + alignment - 1) / alignment * alignment;
    return taken;
}

WorkPartition rowPartition(std::int64_t rows, std::int64_t rowElements) {
    constexpr std::int64_t wantedElements = 32768;
    return {rows, std::max<std::int64_t>(1, wantedElements / std::max<std::int64_t>(1, rowElements))};
}

void keepTypes(const BindRequest&, OperandTypes& types) {
    std::ranges::fill(types.inputs, std::nullopt);
    std::ranges::fill(types.outputs, std::nullopt);
}

void keepClassNumbers(const BindRequest& request, OperandTypes& types) {
    if (!core::isFloating(request.inputs[1].tensor->type))
        types.inputs[1] = DataType::Int32;
}

const PartTable<Binding>& bindings() {
    static const PartTable<Binding> table{
        collectivesBindings(),    ctcBindings(),      elementwiseBindings(), hostTablesBindings(),
        lookupsBindings(),        lossesBindings(),   metricsBindings(),     movementsBindings(),
        normalizationsBindings(), productsBindings(), randomsBindings(),     recurrentsBindings(),
        reductionsBindings(),     updatesBindings(),  windowsBindings(),     convolutionsBindings(),
        sessionBindings()};
    return table;
}

core::Result<BoundOperation> bindOperation(BindRequest& request) {
    const Binding& binding = bindings().of(request.operation->attributes);
    if (binding.bind == nullptr) {
        return core::failure(core::makeError(
            core::Trouble::Input, "numerics/no-kernel", {"", request.operation->name},
            std::string(kindName(request.operation->attributes)) + " cannot be computed, only priced",
            {"run with --no-numerics to have its time and memory"}));
    }
    BoundOperation bound;
    bound.operation = request.operation->id;
    Conversions conversions(request, bound, binding);
    conversions.before();
    if (std::holds_alternative<UserOperation>(request.operation->attributes)) {
        if (const auto result = request.libraries->tryOut(request); !result)
            return core::failure(result.error());
    }
    binding.bind(request, bound);
    conversions.after();
    std::erase_if(bound.phases, [](const BoundPhase& phase) { return phase.parts == 0; });
    return bound;
}

bool isAlias(const Operation& operation) {
    return std::holds_alternative<Reshape>(operation.attributes) ||
           std::holds_alternative<RecomputationCheckpoint>(operation.attributes) ||
           std::holds_alternative<Copy>(operation.attributes);
}

bool allowsInPlace(const Operation& operation, std::size_t index) {
    if (std::holds_alternative<Unary>(operation.attributes))
        return index == 0;
    if (std::holds_alternative<UnaryGradient>(operation.attributes))
        return index + 1 == operation.inputs.size();
    return std::holds_alternative<Binary>(operation.attributes);
}

std::span<const PartRow<Binding>> sessionBindings() {
    static constexpr PartRow<Binding> rows[]{
        {kindIndex<Opaque>(), {}, "a declared layer has a price and no arithmetic"}};
    return rows;
}

} // namespace simulator
