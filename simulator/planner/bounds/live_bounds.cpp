#include "simulator/planner/bounds/live_bounds.h"

#include "simulator/compiler/memory/lifetimes.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace simulator {

namespace {

/// Which operations of a micro-batch follow from which.
class Reach {
public:
    Reach(const TrainingGraph& graph, const TensorUses& uses)
        : m_words((graph.operations.size() + 63) / 64)
        , m_bits(m_words * graph.operations.size(), 0) {
        for (auto operation = graph.operations.rbegin(); operation != graph.operations.rend(); ++operation) {
            if (operation->phase == Phase::WeightUpdate)
                continue;
            const std::size_t from = operation->id.index();
            for (const core::TensorId output : operation->outputs) {
                if (!isTransient(graph.tensor(output).role))
                    continue;
                for (const core::OperationId reader : uses.readers(output))
                    add(from, reader.index());
            }
        }
    }

    [[nodiscard]] bool leads(std::size_t from, std::size_t to) const {
        return (m_bits[from * m_words + to / 64] >> (to % 64) & 1) != 0;
    }

private:
    void add(std::size_t from, std::size_t to) {
        m_bits[from * m_words + to / 64] |= std::uint64_t(1) << (to % 64);
        for (std::size_t word = 0; word < m_words; ++word)
            m_bits[from * m_words + word] |= m_bits[to * m_words + word];
    }

    std::size_t m_words;
    std::vector<std::uint64_t> m_bits;
};

/// A value of a micro-batch with all that read its memory.
struct LiveValue {
    std::int64_t bytes = 0;
    /// Operation that makes it; nothing for what comes from the host.
    std::optional<std::size_t> producer;
    std::vector<std::size_t> forwardReaders;
    std::vector<std::size_t> backwardReaders;
    std::size_t lastReader = 0;
};

class LiveBounder {
public:
    LiveBounder(const PartitionSource& source, const TensorUses& uses, std::span<const std::size_t> position)
        : m_source(source)
        , m_graph(source.graph)
        , m_uses(uses)
        , m_position(position)
        , m_reach(source.graph, uses)
        , m_beside(source.graph.operations.size()) {
        collectValues();
        findBeside();
    }

    LiveBounds bound() {
        LiveBounds bounds;
        for (auto* table : {&bounds.backward, &bounds.forward})
            for (std::size_t layer = 0; layer < m_source.layers; ++layer)
                table->emplace_back(layer + 1, 0);
        std::vector<std::size_t> byProducer(m_values.size());
        std::iota(byProducer.begin(), byProducer.end(), std::size_t{0});
        const auto producerOf = [&](std::size_t value) { return m_values[value].producer.value_or(0); };
        std::ranges::stable_sort(byProducer, {}, producerOf);
        auto next = byProducer.begin();
        for (const Operation& operation : m_graph.operations) {
            // They are in an order in which each input is written before it is read.
            while (next != byProducer.end() && producerOf(*next) <= operation.id.index())
                m_present.push_back(*next++);
            std::erase_if(m_present, [&](std::size_t value) {
                return m_values[value].lastReader < operation.id.index();
            });
            const std::size_t layer = m_position[operation.id.index()];
            if (operation.phase == Phase::Backward)
                raise(bounds.backward[layer], operation);
            else if (operation.phase == Phase::Forward)
                raise(bounds.forward[layer], operation);
        }
        return bounds;
    }

private:
    void collectValues() {
        std::vector<std::size_t> valueOf(m_graph.tensors.size());
        for (const Tensor& tensor : m_graph.tensors) {
            const bool isValue = isTransient(tensor.role) || isHostFed(tensor.role);
            if (!isValue || m_uses.storage(tensor.id) != tensor.id)
                continue;
            const core::OperationId producer = m_uses.producer(tensor.id);
            valueOf[tensor.id.index()] = m_values.size();
            m_values.push_back({tensor.bytes(),
                                producer.isValid() ? std::optional(producer.index()) : std::nullopt,
                                {},
                                {},
                                0});
        }
        for (const Tensor& tensor : m_graph.tensors) {
            if (!isTransient(tensor.role) && !isHostFed(tensor.role))
                continue;
            LiveValue& value = m_values[valueOf[m_uses.storage(tensor.id).index()]];
            for (const core::OperationId reader : m_uses.readers(tensor.id)) {
                const Phase phase = m_graph.operation(reader).phase;
                value.lastReader = std::max(value.lastReader, reader.index());
                if (phase == Phase::Forward)
                    value.forwardReaders.push_back(reader.index());
                else if (phase == Phase::Backward)
                    value.backwardReaders.push_back(reader.index());
            }
        }
    }

    /// Backward operations of a layer that read the same value and of which none needs the other.
    void findBeside() {
        for (const LiveValue& value : m_values)
            for (const std::size_t later : value.backwardReaders)
                for (const std::size_t earlier : value.backwardReaders)
                    if (std::vector<std::size_t>& others = m_beside[later];
                        earlier < later && m_position[earlier] == m_position[later] &&
                        !m_reach.leads(earlier, later) && std::ranges::find(others, earlier) == others.end())
                        others.push_back(earlier);
    }

    /// What runs while an operation does: itself.
    [[nodiscard]] std::int64_t ownBytes(const Operation& operation) const {
        const OperationPlan& plan = m_source.plans[operation.id.index()];
        std::int64_t bytes = plan.temporaryPerTile.value() * plan.tilesUsed;
        if (!isElementwise(operation.attributes))
            for (const core::TensorId output : operation.outputs)
                if (isTransient(m_graph.tensor(output).role) && m_uses.storage(output) == output)
                    bytes += m_graph.tensor(output).bytes();
        return bytes;
    }

    void raise(std::vector<std::int64_t>& live, const Operation& operation) {
        raiseTo(live, liveDuring(operation, operation.id.index(), live.size()));
        // Two operations of which none needs the other, such as the gradients of a product: one of them runs
        // while the other is still to come.
        for (const std::size_t other : m_beside[operation.id.index()]) {
            std::vector<std::int64_t> least = liveDuring(operation, other, live.size());
            const std::vector<std::int64_t> reversed =
                liveDuring(m_graph.operations[other], operation.id.index(), live.size());
            std::ranges::transform(least, reversed, least.begin(),
                                   [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
            raiseTo(live, least);
        }
    }

    static void raiseTo(std::vector<std::int64_t>& live, const std::vector<std::int64_t>& least) {
        std::ranges::transform(live, least, live.begin(),
                               [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
    }

    /// The least that is live while an operation runs with `later` (or the operation itself) to come, by
    /// first layer of the stage.
    [[nodiscard]] std::vector<std::int64_t> liveDuring(const Operation& operation, std::size_t later,
                                                       std::size_t layers) const {
        std::vector<std::int64_t> byReader(layers, 0);
        for (const std::size_t value : m_present)
            if (const auto reader = lastReader(m_values[value], operation.id.index(), later, layers - 1))
                byReader[*reader] += m_values[value].bytes;
        std::int64_t bytes = ownBytes(operation);
        for (std::size_t first = layers; first-- > 0;) {
            bytes += byReader[first];
            byReader[first] = bytes;
        }
        return byReader;
    }

    /// The last layer up to `layer` on which a value is still read that is there while `operation` runs.
    [[nodiscard]] std::optional<std::size_t> lastReader(const LiveValue& value, std::size_t operation,
                                                        std::size_t later, std::size_t layer) const {
        std::optional<std::size_t> last;
        bool isRead = false;
        const auto look = [&](std::size_t reader, bool isAhead) {
            isRead = isRead || reader == operation;
            if ((isAhead || reader == operation || reader == later || m_reach.leads(operation, reader) ||
                 m_reach.leads(later, reader)) &&
                m_position[reader] <= layer)
                last = std::max(last.value_or(0), m_position[reader]);
        };
        const bool isForward = m_graph.operations[operation].phase == Phase::Forward;
        for (const std::size_t reader : value.backwardReaders)
            look(reader, isForward);
        for (const std::size_t reader : value.forwardReaders)
            if (isForward)
                look(reader, false);
        if (!last)
            return std::nullopt;
        // What comes from the host or from another stage is there before all else.
        const bool isThere = isRead || (value.producer && m_reach.leads(*value.producer, operation));
        return isThere ? last : std::nullopt;
    }

    const PartitionSource& m_source;
    const TrainingGraph& m_graph;
    const TensorUses& m_uses;
    std::span<const std::size_t> m_position;
    Reach m_reach;
    std::vector<LiveValue> m_values;
    /// Of every operation, the earlier ones that may as well run after it.
    std::vector<std::vector<std::size_t>> m_beside;
    /// Those that are made and not yet read for the last time, in the order of the operations.
    std::vector<std::size_t> m_present;
};

} // namespace

LiveBounds liveBounds(const PartitionSource& source, const TensorUses& uses,
                      std::span<const std::size_t> position) {
    return LiveBounder(source, uses, position).bound();
}

} // namespace simulator
