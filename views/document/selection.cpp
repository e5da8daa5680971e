#include "views/document/selection.h"

#include "core/model/model_graph.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace views {

void Selection::set(SelectionState state) {
    if (state == m_state)
        return;
    const SelectionState before = std::exchange(m_state, std::move(state));
    emit changed(before);
}

void Selection::setCursor(std::optional<TimeCursor> cursor) {
    if (cursor == m_cursor)
        return;
    m_cursor = cursor;
    emit cursorMoved(m_cursor);
}

void Selection::selectInvocation(const InvocationKey& key) {
    SelectionState next = m_state;
    next.invocations = {key};
    next.current = key;
    // A layer chosen as such is no longer that of an operation that was chosen before.
    next.operation.reset();
    next.tensor.reset();
    set(std::move(next));
}

void Selection::selectInvocations(std::set<InvocationKey> keys) {
    SelectionState next = m_state;
    if (!next.current || !keys.contains(*next.current))
        next.current = keys.empty() ? std::nullopt : std::optional(*keys.begin());
    next.invocations = std::move(keys);
    next.operation.reset();
    next.tensor.reset();
    set(std::move(next));
}

void Selection::toggleInvocation(const InvocationKey& key) {
    SelectionState next = m_state;
    if (next.invocations.erase(key) > 0) {
        if (next.current == key)
            next.current =
                next.invocations.empty() ? std::nullopt : std::optional(*next.invocations.rbegin());
    } else {
        next.invocations.insert(key);
        next.current = key;
    }
    set(std::move(next));
}

void Selection::selectStage(std::optional<core::StageId> stage) {
    SelectionState next = m_state;
    next.stage = stage;
    set(std::move(next));
}

void Selection::selectIpu(std::optional<core::IpuId> ipu) {
    SelectionState next = m_state;
    next.ipu = ipu;
    set(std::move(next));
}

void Selection::selectMicroBatch(std::optional<std::int64_t> microBatch) {
    SelectionState next = m_state;
    next.microBatch = microBatch;
    set(std::move(next));
}

void Selection::selectOperation(std::optional<std::string> operation) {
    SelectionState next = m_state;
    next.operation = std::move(operation);
    set(std::move(next));
}

void Selection::selectTime(std::optional<TimeRange> time) {
    SelectionState next = m_state;
    next.time = time;
    set(std::move(next));
}

void Selection::selectMemoryStep(std::optional<MemoryStepKey> step) {
    SelectionState next = m_state;
    next.memoryStep = step;
    set(std::move(next));
}

void Selection::selectTiles(std::set<std::int64_t> tiles) {
    SelectionState next = m_state;
    next.tiles = std::move(tiles);
    set(std::move(next));
}

void Selection::selectRun(std::optional<core::RunId> run) {
    SelectionState next = m_state;
    if (next.run != run) {
        next.span.reset();
        next.memoryStep.reset();
    }
    next.run = run;
    set(std::move(next));
}

namespace {

/// Names of a model's layers. Of thousands of selected layers each is looked up, so the names are gathered
/// then; of a few they are walked through.
class LayerNames {
public:
    LayerNames(const core::ModelGraph& model, std::size_t lookups)
        : m_model(model) {
        constexpr std::size_t few = 8;
        if (lookups <= few)
            return;
        for (const core::Layer& layer : model.layers)
            m_names.insert(layer.name);
    }
    [[nodiscard]] bool contains(std::string_view name) const {
        return m_names.empty() ? m_model.findLayer(name).has_value() : m_names.contains(name);
    }

private:
    const core::ModelGraph& m_model;
    std::unordered_set<std::string_view> m_names;
};

/// Whether a model, or one nested in it, has the layer. A name may hold a slash itself.
bool hasLayer(const core::ModelGraph& model, const LayerNames& names, std::string_view path) {
    if (names.contains(path))
        return true;
    return path.find('/') != std::string_view::npos &&
           std::ranges::any_of(model.layers, [&](const core::Layer& layer) {
               return layer.model != nullptr && path.size() > layer.name.size() &&
                      path.starts_with(layer.name) && path[layer.name.size()] == '/' &&
                      hasLayer(*layer.model, LayerNames(*layer.model, 1), path.substr(layer.name.size() + 1));
           });
}

} // namespace

void Selection::keepAlive(const core::ModelGraph& model) {
    if (m_state.invocations.empty() && !m_state.current)
        return;
    const LayerNames names(model, m_state.invocations.size());
    SelectionState next = m_state;
    std::erase_if(next.invocations,
                  [&](const InvocationKey& key) { return !hasLayer(model, names, key.path); });
    if (next.current && !hasLayer(model, names, next.current->path))
        next.current = next.invocations.empty() ? std::nullopt : std::optional(*next.invocations.begin());
    set(std::move(next));
}

void Selection::clear() {
    SelectionState next;
    next.run = m_state.run;
    set(std::move(next));
}

} // namespace views
