#include "views/document/selection.h"

#include <utility>

namespace views {

void Selection::set(SelectionState state) {
    if (state == m_state)
        return;
    const SelectionState before = std::exchange(m_state, std::move(state));
    emit changed(before);
}

void Selection::selectInvocation(const InvocationKey& key) {
    SelectionState next = m_state;
    next.invocations = {key};
    next.current = key;
    set(std::move(next));
}

void Selection::selectInvocations(std::set<InvocationKey> keys) {
    SelectionState next = m_state;
    if (!next.current || !keys.contains(*next.current))
        next.current = keys.empty() ? std::nullopt : std::optional(*keys.begin());
    next.invocations = std::move(keys);
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

void Selection::selectRun(std::optional<core::RunId> run) {
    SelectionState next = m_state;
    next.run = run;
    set(std::move(next));
}

void Selection::clear() {
    SelectionState next;
    next.run = m_state.run;
    set(std::move(next));
}

} // namespace views
