// Tables of host embeddings: rows looked up and updated in the host's memory.
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/replica_exchange.h"

#include <algorithm>

namespace simulator {
namespace {

/// Row of an index, or −1 for one outside that is not moved inside.
std::int64_t rowOf(std::int32_t index, std::int64_t rows, bool clips) {
    if (rows == 0)
        return -1;
    if (clips)
        return std::clamp<std::int64_t>(index, 0, rows - 1);
    return index >= 0 && index < rows ? index : -1;
}

/// What every replica hands over at the same point of a step, in the order of the replicas.
class Handed {
public:
    Handed(const StepState& state, const float* own)
        : m_exchange(state.exchange)
        , m_own(own) {
        if (m_exchange != nullptr)
            m_all = m_exchange->meet(state.replica, m_own);
    }
    ~Handed() {
        if (m_exchange != nullptr)
            m_exchange->part();
    }
    Handed(const Handed&) = delete;
    Handed& operator=(const Handed&) = delete;

    [[nodiscard]] std::size_t count() const { return m_exchange == nullptr ? 1 : m_all.size(); }
    /// A replica that left before it gave anything has nothing to read.
    [[nodiscard]] const float* of(std::size_t replica) const {
        const float* given = m_exchange == nullptr ? m_own : m_all[replica];
        return given == nullptr ? m_own : given;
    }

private:
    ReplicaExchange* m_exchange;
    const float* m_own;
    std::span<const float* const> m_all;
};

/// One update of a table by the gradients of all replicas.
struct TableUpdate {
    HostUpdate attributes;
    float* table = nullptr;
    float* accumulator = nullptr;
    float* count = nullptr;
    std::int64_t rows = 0;
    std::int64_t width = 0;
    std::int64_t lookups = 0;

    void add(const std::int32_t* indices, const float* gradient) const {
        const bool isDirect = accumulator == nullptr;
        float* to = isDirect ? table : accumulator;
        const float factor = isDirect ? -static_cast<float>(attributes.learningRate) : 1.0F;
        for (std::int64_t i = 0; i < lookups; ++i) {
            const std::int64_t row = rowOf(indices[i], rows, attributes.clipIndices);
            for (std::int64_t k = 0; row >= 0 && k < width; ++k)
                to[row * width + k] += factor * gradient[i * width + k];
        }
    }
    /// Ends a micro-batch.
    void finish() const {
        if (accumulator == nullptr)
            return;
        *count += 1;
        if (*count < static_cast<float>(attributes.accumulation))
            return;
        const auto rate = static_cast<float>(attributes.learningRate);
        for (std::int64_t i = 0; i < rows * width; ++i)
            table[i] -= rate * accumulator[i];
        std::fill_n(accumulator, rows * width, 0.0F);
        *count = 0;
    }
};

} // namespace

static void bindHostLookup(BindRequest& request, BoundOperation& bound) {
    const bool clips = request.attributes<HostLookup>().clipIndices;
    const std::int64_t rows = request.inputs[0].extents()[0];
    const std::int64_t width = request.inputs[0].extents()[1];
    const float* table = request.inputs[0].as();
    const auto* indices = request.inputs[1].as<std::int32_t>();
    float* out = request.outputs[0].as();
    bound.phases.push_back(
        rangePhase(rowPartition(request.inputs[1].elements(), width),
                   [=](const StepState&, std::int64_t begin, std::int64_t end, std::byte*) {
                       for (std::int64_t i = begin; i < end; ++i) {
                           const std::int64_t row = rowOf(indices[i], rows, clips);
                           if (row < 0)
                               std::fill_n(out + i * width, width, 0.0F);
                           else
                               std::copy_n(table + row * width, width, out + i * width);
                       }
                   }));
}

static void bindHostUpdate(BindRequest& request, BoundOperation& bound) {
    TableUpdate update;
    update.attributes = request.attributes<HostUpdate>();
    update.table = request.outputs[0].as();
    update.rows = request.outputs[0].extents()[0];
    update.width = request.outputs[0].extents()[1];
    if (request.outputs.size() > 1) {
        update.accumulator = request.outputs[1].as();
        update.count = request.outputs[2].as();
    }
    const std::size_t last = request.inputs.size() - 1;
    update.lookups = request.inputs[last - 1].elements();
    const auto* indices = request.inputs[last - 1].as<std::int32_t>();
    const float* gradient = request.inputs[last].as();
    // Indices and gradients side by side, so that the replicas meet once.
    const std::int64_t lookups = update.lookups;
    const std::int64_t elements = lookups * update.width;
    float* handed = request.takeFloats(lookups + elements);
    bound.phases.push_back({1, [=](const StepState& state, std::int64_t, std::byte*) {
                                std::copy_n(indices, lookups, reinterpret_cast<std::int32_t*>(handed));
                                std::copy_n(gradient, elements, handed + lookups);
                                const Handed all(state, handed);
                                for (std::size_t replica = 0; replica < all.count(); ++replica)
                                    update.add(reinterpret_cast<const std::int32_t*>(all.of(replica)),
                                               all.of(replica) + lookups);
                                update.finish();
                            }});
}

namespace {

/// The indices come before the gradient.
void setIndexType(const BindRequest&, OperandTypes& types) {
    types.inputs[types.inputs.size() - 2] = core::DataType::Int32;
}

} // namespace

std::span<const PartRow<Binding>> hostTablesBindings() {
    static constexpr PartRow<Binding> rows[]{{kindIndex<HostLookup>(), {bindHostLookup, wholeInputs<1>}},
                                             {kindIndex<HostUpdate>(), {bindHostUpdate, setIndexType}}};
    return rows;
}

} // namespace simulator
