#include "simulator/engine/clock/callback_timing.h"

#include "simulator/engine/clock/executions.h"

#include <algorithm>
#include <fmt/format.h>

namespace simulator {

namespace {

using core::CallbackRecord;
using core::Cycles;

/// When a step begins on the device, and when its results are with the host; from the execution's start.
struct StepTimes {
    Cycles begin;
    Cycles results;
};

/// Steps of one execution, in the order of their micro-batches. `records` comes from the same timing.
std::vector<StepTimes> stepTimes(const Executable& executable, const UpdateTiming& timing,
                                 const core::ExecutionRecord& execution, std::size_t most) {
    const auto microBatches = static_cast<std::size_t>(executable.project.microBatches());
    std::vector<StepTimes> ofUpdate(microBatches, {Cycles(0), timing.total});
    for (std::size_t slot = 0; slot < timing.timeSlots.size(); ++slot) {
        const Slot& scheduled = executable.schedule.timeSlots[slot];
        if (const auto in = scheduled.infeedMicroBatch)
            ofUpdate[static_cast<std::size_t>(*in)].begin = timing.timeSlots[slot].start;
        if (const auto out = scheduled.outfeedMicroBatch; out && !executable.execution.accumulateOutfeed)
            ofUpdate[static_cast<std::size_t>(*out)].results = timing.timeSlots[slot].end;
    }
    for (std::size_t at = 0; at < timing.items.size(); ++at) {
        const WorkItem& item = executable.schedule.items[at];
        StepTimes& step = ofUpdate[static_cast<std::size_t>(item.microBatch)];
        if (item.phase != Phase::Forward)
            continue;
        if (item.stage.index() == 0)
            step.begin = timing.items[at].ready();
        if (item.stage.index() + 1 == executable.stageCount && !executable.execution.accumulateOutfeed)
            step.results = timing.items[at].end + timing.items[at].hostOut;
    }
    std::vector<StepTimes> times;
    for (std::int64_t update = 0; update < execution.updates && times.size() < most; ++update)
        for (std::size_t step = 0; step < microBatches && times.size() < most; ++step) {
            const Cycles start = execution.hostBefore + timing.total * update;
            times.push_back({start + ofUpdate[step].begin, start + ofUpdate[step].results});
        }
    return times;
}

/// When the polling thread finds the results of each step, of all replicas at once.
std::vector<Cycles> finds(const std::vector<StepTimes>& times, std::int64_t replicas,
                          const IpuTarget& target) {
    const Cycles millisecond = target.cyclesIn(1e-3);
    constexpr double fasterThanSamples = 1.9;
    std::vector<std::size_t> order(times.size());
    for (std::size_t step = 0; step < order.size(); ++step)
        order[step] = step;
    std::ranges::stable_sort(order, {}, [&](std::size_t step) { return times[step].results; });
    std::vector<Cycles> found(times.size());
    Cycles now;
    Cycles wait = millisecond;
    std::optional<Cycles> last;
    for (std::size_t next = 0; next < order.size(); now += wait) {
        const std::size_t first = next;
        for (; next < order.size() && times[order[next]].results <= now; ++next)
            found[order[next]] = now;
        if (next == first)
            continue;
        if (last) {
            const double samples = static_cast<double>(next - first) * static_cast<double>(replicas);
            const double cycles = static_cast<double>((now - *last).value()) / (samples * fasterThanSamples);
            wait = std::clamp(Cycles(static_cast<std::int64_t>(cycles)), Cycles(1), millisecond);
        }
        last = now;
    }
    return found;
}

std::string_view batchOf(core::RunMode mode) {
    return mode == core::RunMode::Train      ? "train_batch"
           : mode == core::RunMode::Evaluate ? "test_batch"
                                             : "predict_batch";
}

} // namespace

bool hasAsynchronousCallbacks(const Executable& executable) {
    const core::Project& project = executable.project.project();
    if (!project.training.asynchronousCallbacks)
        return false;
    if (!executable.execution.accumulateOutfeed)
        return true;
    const std::int64_t accumulated =
        executable.project.mode() == core::RunMode::Train
            ? executable.project.microBatches()
            : executable.project.microBatches() * executable.execution.updatesPerExecution;
    return accumulated <= 1;
}

std::vector<CallbackRecord> callbackRecords(const Executable& executable, const UpdateTiming& timing) {
    const std::vector<core::ExecutionRecord> executions = executionRecords(executable, timing);
    if (executions.empty())
        return {};
    const core::ExecutionRecord& execution = executions.front();
    const std::int64_t replicas = executable.system.replicas;
    const std::string begin = fmt::format("on_{}_begin", batchOf(executable.project.mode()));
    const std::string end = fmt::format("on_{}_end", batchOf(executable.project.mode()));
    if (!hasAsynchronousCallbacks(executable)) {
        const std::int64_t last = executable.project.microBatches() * execution.updates - 1;
        const StepTimes first = stepTimes(executable, timing, execution, 1).front();
        return {{begin, 0, replicas - 1, Cycles(0), first.begin},
                {end, last, replicas - 1, execution.duration, first.results}};
    }
    const std::size_t most = mostCallbackRecords / 2 / static_cast<std::size_t>(replicas);
    const std::vector<StepTimes> times =
        stepTimes(executable, timing, execution, std::max<std::size_t>(most, 1));
    const std::vector<Cycles> found = finds(times, replicas, executable.system.target);
    std::vector<CallbackRecord> records;
    for (std::size_t step = 0; step < times.size(); ++step)
        for (std::int64_t replica = 0; replica < replicas; ++replica) {
            const auto index = static_cast<std::int64_t>(step);
            records.push_back({begin, index, replica, found[step], times[step].begin});
            records.push_back({end, index, replica, found[step], times[step].results});
        }
    return records;
}

} // namespace simulator
