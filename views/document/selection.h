#pragma once

#include "core/base/ids.h"
#include "core/base/phase.h"
#include "core/base/quantity.h"

#include <QObject>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace core {
struct ModelGraph;
}

namespace views {

/// A call of a layer by what survives edits: its path through the nested models and the number of the call.
struct InvocationKey {
    std::string path;
    std::uint32_t call = 0;

    auto operator<=>(const InvocationKey&) const = default;
};

/// A piece of time of an update, in cycles; `to` is beyond the end.
struct TimeRange {
    core::Cycles from;
    core::Cycles to;

    bool operator==(const TimeRange&) const = default;
};

/// A span of the timeline of the run, by where it begins.
struct SpanKey {
    core::LaneId lane;
    core::Cycles start;

    bool operator==(const SpanKey&) const = default;
};

/// A step of the program of an IPU, at which its memory is looked at.
struct MemoryStepKey {
    core::IpuId ipu;
    std::int64_t step = 0;

    bool operator==(const MemoryStepKey&) const = default;
};

/// A place in time that the mouse is on. Views with an axis of time draw it; a view of the program, whose
/// axis is one run of each stage program, knows where in the program it is but not when.
struct TimeCursor {
    /// From the start of an update; nothing: wherever the program is that far.
    std::optional<core::Cycles> time;
    /// The IPU the mouse is on, where it is on one.
    core::IpuId ipu;
    /// The stage program that runs there, and how far it is; no stage where none runs.
    core::StageId stage;
    core::Phase phase = core::Phase::Forward;
    core::Cycles inside;
    /// Not only pointed at: another view was asked to show what is there.
    bool isHeld = false;

    [[nodiscard]] bool isInProgram() const { return stage.isValid(); }
    bool operator==(const TimeCursor&) const = default;
};

/// Everything that is selected, as one value.
struct SelectionState {
    std::set<InvocationKey> invocations;
    /// The one whose attributes the inspector shows; a member of `invocations` when there is one.
    std::optional<InvocationKey> current;
    std::optional<core::StageId> stage;
    std::optional<core::IpuId> ipu;
    std::optional<std::string> operation;
    /// A block of memory of the run, by its name.
    std::optional<std::string> tensor;
    std::optional<std::int64_t> microBatch;
    std::optional<TimeRange> time;
    std::optional<core::RunId> run;
    /// Asked for from elsewhere; the timeline shows it.
    std::optional<SpanKey> span;
    /// Where the memory view is frozen and which step the tiles are shown at; nothing: each at its peak.
    std::optional<MemoryStepKey> memoryStep;
    /// Tiles whose memory is looked at, of the IPU whose memory is shown.
    std::set<std::int64_t> tiles;

    bool operator==(const SelectionState&) const = default;
};

/// What is selected, in every view at once: the views meet here. A view changes it in answer to a gesture and
/// redraws when it changes, wherever that came from.
class Selection final : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] const SelectionState& state() const { return m_state; }
    void set(SelectionState state);

    void selectInvocation(const InvocationKey& key);
    void selectInvocations(std::set<InvocationKey> keys);
    /// Adds, or takes away what is already selected.
    void toggleInvocation(const InvocationKey& key);
    /// Every call of the layer at `path` that the set knows is a matter of the view; this selects call 0.
    void selectLayer(const std::string& path) { selectInvocation({path, 0}); }
    void selectStage(std::optional<core::StageId> stage);
    void selectIpu(std::optional<core::IpuId> ipu);
    void selectMicroBatch(std::optional<std::int64_t> microBatch);
    void selectOperation(std::optional<std::string> operation);
    void selectTime(std::optional<TimeRange> time);
    void selectMemoryStep(std::optional<MemoryStepKey> step);
    void selectTiles(std::set<std::int64_t> tiles);
    void selectRun(std::optional<core::RunId> run);
    /// Everything but the run.
    void clear();
    /// Takes away the calls that a model does not have.
    void keepAlive(const core::ModelGraph& model);

    /// What the mouse points at is no part of what is selected: it moves often and is not undone.
    [[nodiscard]] const std::optional<TimeCursor>& cursor() const { return m_cursor; }
    void setCursor(std::optional<TimeCursor> cursor);

    [[nodiscard]] bool contains(const InvocationKey& key) const { return m_state.invocations.contains(key); }

signals:
    void changed(const views::SelectionState& before);
    void cursorMoved(const std::optional<views::TimeCursor>& cursor);

private:
    SelectionState m_state;
    std::optional<TimeCursor> m_cursor;
};

} // namespace views
