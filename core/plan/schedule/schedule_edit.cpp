#include "core/plan/schedule/schedule_edit.h"

#include "core/plan/schedule/schedule_cells.h"
#include "core/plan/schedule/schedule_check.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace core {

namespace {

/// Items of each slot, by IPU, in execution order.
std::vector<std::vector<WorkItem>> workBySlot(const PipelineSchedule& schedule) {
    std::vector<std::vector<WorkItem>> work;
    for (const Slot& slot : schedule.timeSlots) {
        const auto items = schedule.work(slot);
        work.emplace_back(items.begin(), items.end());
    }
    return work;
}

/// The same schedule with this work.
PipelineSchedule withWork(const PipelineSchedule& schedule, std::vector<std::vector<WorkItem>> work) {
    while (!work.empty() && work.back().empty())
        work.pop_back();
    PipelineSchedule next = schedule;
    next.items.clear();
    next.timeSlots.resize(work.size());
    for (std::size_t slot = 0; slot < work.size(); ++slot) {
        next.timeSlots[slot].firstItem = static_cast<std::uint32_t>(next.items.size());
        next.timeSlots[slot].itemCount = static_cast<std::uint32_t>(work[slot].size());
        next.items.insert(next.items.end(), work[slot].begin(), work[slot].end());
    }
    return next;
}

} // namespace

Result<std::string> movedCells(const PipelineSchedule& schedule, const ScheduleMove& move) {
    auto work = workBySlot(schedule);
    const auto isOfIpu = [&](const WorkItem& item) { return item.ipu == move.ipu; };
    const auto refused = [](std::string message) {
        return failure(makeError(Trouble::Negative, "schedule/move", {}, std::move(message),
                                 {"choose work, and a slot from the first to one past the last"}));
    };
    if (move.slot >= work.size() || move.toSlot > work.size())
        return refused(fmt::format("there are {} slots", work.size()));
    auto& from = work[move.slot];
    auto item = std::ranges::find_if(from, isOfIpu);
    for (std::size_t i = 0; i < move.index && item != from.end(); ++i)
        item = std::find_if(item + 1, from.end(), isOfIpu);
    if (item == from.end())
        return refused(fmt::format("IPU {} has no such work in slot {}", move.ipu.index(), move.slot));
    const WorkItem moved = *item;
    from.erase(item);
    if (move.toSlot == work.size())
        work.emplace_back();
    // Work of a slot is by IPU: behind that of this one and of those before it.
    auto& to = work[move.toSlot];
    to.insert(std::ranges::find_if(to, [&](const WorkItem& other) { return moved.ipu < other.ipu; }), moved);
    const PipelineSchedule next = withWork(schedule, std::move(work));
    if (auto findings = checkSchedule(next); !findings.empty())
        return failure(std::move(findings));
    return scheduleCells(next);
}

} // namespace core
