#include "simulator/compiler/program_cache.h"

#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/schedule_facts.h"
#include "simulator/compiler/memory/memory_findings.h"
#include "simulator/compiler/planning/schedule_pipeline.h"
#include "simulator/compiler/staging/plan_all_reduce.h"
#include "simulator/graph/host_visit.h"
#include "simulator/graph/replica_collective.h"
#include "simulator/target/link_figures.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace simulator {

namespace {

/// Of a model of a thousand operations an entry takes about a hundred kilobytes.
constexpr std::size_t mostPipelines = 128;
/// Models with their shapes that entries hold on to: an edited one has its own for every edit.
constexpr std::size_t mostGraphs = 16;
/// Calls up to which so many are kept; of larger models fewer, but what one goes back and forth between.
constexpr std::size_t usualCalls = 1000;
constexpr std::size_t leastKept = 2;

std::size_t kept(std::size_t most, std::size_t calls) {
    return std::clamp(most * usualCalls / std::max<std::size_t>(1, calls), leastKept, most);
}

/// Schedules without their slots, a few kilobytes each.
constexpr std::size_t mostSchedules = 8192;
/// Work items of all slots that are kept, 20 bytes each.
constexpr std::size_t mostItems = 1'000'000;

core::PipelineSchedule withoutSlots(const core::PipelineSchedule& schedule) {
    core::PipelineSchedule head;
    head.name = schedule.name;
    head.shape = schedule.shape;
    head.overlap = schedule.overlap;
    head.cycle = schedule.cycle;
    head.isAsynchronous = schedule.isAsynchronous;
    head.rampsCopyAll = schedule.rampsCopyAll;
    head.overlapsHostIo = schedule.overlapsHostIo;
    head.lastForwardMerged = schedule.lastForwardMerged;
    head.shortensPassThrough = schedule.shortensPassThrough;
    head.fifoDepths = schedule.fifoDepths;
    head.weightUpdateAfterSlot = schedule.weightUpdateAfterSlot;
    return head;
}

ScheduleTraits traitsOf(const SlotPlan& slots) {
    const core::PipelineSchedule& schedule = slots.schedule;
    ScheduleTraits traits{.recomputationMode = slots.recomputationMode,
                          .lastForwardMerged = schedule.lastForwardMerged,
                          .shortensPassThrough = schedule.shortensPassThrough,
                          .splitsBackward = schedule.splitsBackward(),
                          .hasRamps = schedule.hasRamps(),
                          .fifoDepths = schedule.fifoDepths,
                          .gradientDepths = core::weightGradientDepths(schedule),
                          .queueDepths = {},
                          .shareSlot = {}};
    const std::size_t stages = schedule.shape.stages;
    const core::WorkSlots work(schedule);
    const auto add = [&](core::Phase phase, std::size_t from, std::size_t to) {
        traits.queueDepths.push_back(work.queueDepth(phase, from, to));
        traits.shareSlot.push_back(work.shareSlot(phase, from, to));
    };
    for (std::size_t from = 0; from < stages; ++from)
        for (std::size_t to = from + 1; to < stages; ++to)
            add(core::Phase::Forward, from, to);
    for (std::size_t from = 0; schedule.shape.training && from < stages; ++from)
        for (std::size_t to = 0; to < from; ++to)
            add(core::Phase::Backward, from, to);
    return traits;
}

/// What is done how often changes no program; what comes and goes does.
ExecutionShape withoutCounts(const ExecutionShape& execution) {
    ExecutionShape shape;
    shape.mode = execution.mode;
    shape.accumulateOutfeed = execution.accumulateOutfeed;
    shape.accumulateOutfeedType = execution.accumulateOutfeedType;
    shape.syntheticInfeed = execution.syntheticInfeed;
    shape.syntheticOutfeed = execution.syntheticOutfeed;
    return shape;
}

/// Adds what FIFOs of every depth are at other depths; false: FIFOs come or go, or two of a depth differ.
bool matchDepths(const std::vector<std::int64_t>& known, const std::vector<std::int64_t>& wanted,
                 std::map<std::int64_t, std::int64_t>& depths) {
    if (known.size() != wanted.size())
        return false;
    for (std::size_t stage = 0; stage < known.size(); ++stage) {
        if ((known[stage] == 0) != (wanted[stage] == 0))
            return false;
        if (known[stage] > 0 &&
            depths.try_emplace(known[stage], wanted[stage]).first->second != wanted[stage])
            return false;
    }
    return true;
}

/// Whether operations pass something between replicas: the price of a program then has the links in it.
bool haveCollectives(const TrainingGraph& graph) {
    return std::ranges::any_of(graph.operations, [&](const Operation& operation) {
        return isHostAccess(operation.attributes) || replicaCollective(graph, operation).has_value();
    });
}

/// Everything that neither the timing nor the sums of a pipeline read.
void strip(CompiledPipeline& pipeline) {
    pipeline.graph = {};
    pipeline.stageOfOperation = {};
    pipeline.outfeeds = {};
    pipeline.recomputed = {};
    pipeline.placements = {};
    pipeline.plans = {};
    pipeline.orders = {};
    for (UpdateCollective& collective : pipeline.collectives)
        collective.gradients = {};
    for (StagePrograms& stage : pipeline.stages)
        for (StageProgram* program : {&stage.forward, &stage.backward, &stage.weightGradient,
                                      &stage.recompute, &stage.weightUpdate}) {
            program->order = {};
            program->steps = {};
        }
    for (IpuMemoryPlan& ipu : pipeline.memory.ipus) {
        ipu.steps = {};
        ipu.blocks = {};
        ipu.live = {};
    }
}

} // namespace

ProgramCache::Key ProgramCache::keyOf(const core::ValidatedProject& project, const CompileOptions& options,
                                      const IpuSystem& system) {
    Key key{project,
            project.project().pipeline,
            project.project().training,
            options,
            system,
            project.stageCount() > 1 || project.microBatches() > 1,
            project.project().training.averagesReplicas && project.replicas() > 1};
    key.pipeline.schedule.clear();
    key.pipeline.scheduleTable = {};
    key.pipeline.recomputationMode = core::RecomputationMode::Auto;
    key.pipeline.gradientAccumulationSteps.reset();
    key.pipeline.repeatCount.reset();
    key.training.stepsPerExecution = 1;
    key.training.stepsPerEpoch.reset();
    key.training.epochs = 1;
    key.training.infeed = {};
    key.training.outfeed = {};
    key.options.schedule.clear();
    key.options.scheduleTable = {};
    key.options.recomputationMode = core::RecomputationMode::Auto;
    key.options.microBatches = 1;
    key.options.execution = withoutCounts(options.execution);
    key.system.physicalIndex.clear();
    key.system.target = withoutLinkFigures(key.system.target);
    return key;
}

std::shared_ptr<const ProgramCache::Key> ProgramCache::known(const Key& wanted) {
    const auto same = std::ranges::find_if(
        m_keys, [&](const std::shared_ptr<const Key>& key) { return isSame(*key, wanted); });
    if (same == m_keys.end())
        return nullptr;
    m_keys.splice(m_keys.begin(), m_keys, same);
    return m_keys.front();
}

bool ProgramCache::isSame(const Key& known, const Key& wanted) {
    const core::Project& a = known.project.project();
    const core::Project& b = wanted.project.project();
    // Shapes that one examination of a model inferred are one object.
    const bool isOneGraph = &known.project.graph() == &wanted.project.graph();
    return known.project.mode() == wanted.project.mode() && known.accumulates == wanted.accumulates &&
           known.averages == wanted.averages && known.options == wanted.options &&
           known.pipeline == wanted.pipeline && known.training == wanted.training &&
           known.system == wanted.system && a.ipuConfig == b.ipuConfig && a.opaqueLayers == b.opaqueLayers &&
           (isOneGraph || a.model == b.model);
}

core::Result<std::shared_ptr<const TracedSchedule>> ProgramCache::traced(const CompileOptions& options) {
    core::PipelineShape shape;
    shape.stages = options.stages.count;
    shape.microBatches = options.microBatches;
    shape.training = options.training;
    shape.recompute = options.allowRecompute;
    shape.recomputedStages = options.recomputedStages;
    shape.deviceMapping = options.stages.ipus;
    shape.table = options.scheduleTable;
    // Without stages the options name a schedule that is not used.
    ScheduleRequest request{options.isPipelined ? options.schedule : std::string(), options.recomputationMode,
                            std::move(shape)};
    if (const auto known = m_places.find(request); known != m_places.end()) {
        m_schedules.splice(m_schedules.begin(), m_schedules, known->second);
        return m_schedules.front().traced;
    }
    auto slots = planSlots(options, false);
    if (!slots)
        return core::failure(std::move(slots.error()));
    auto result = std::make_shared<const TracedSchedule>(
        TracedSchedule{withoutSlots(slots->schedule), traitsOf(*slots)});
    keepSlots(result, std::move(slots->schedule));
    m_schedules.push_front({request, result});
    m_places.emplace(std::move(request), m_schedules.begin());
    if (m_schedules.size() > mostSchedules) {
        m_places.erase(m_schedules.back().request);
        m_schedules.pop_back();
    }
    return result;
}

void ProgramCache::keepSlots(std::shared_ptr<const TracedSchedule> traced, core::PipelineSchedule schedule) {
    m_items += schedule.items.size();
    m_laidOut.push_front({std::move(traced), std::move(schedule)});
    while (m_items > mostItems && m_laidOut.size() > 1) {
        m_items -= m_laidOut.back().schedule.items.size();
        m_laidOut.pop_back();
    }
}

const CompiledPipeline& ProgramCache::withSlots(const Entry& entry) {
    CompiledPipeline& pipeline = m_stored.front().entry.pipeline;
    if (&entry != &m_stored.front().entry || !pipeline.schedule.timeSlots.empty() ||
        entry.schedule == nullptr)
        return entry.pipeline;
    auto known = std::ranges::find(m_laidOut, entry.schedule, &LaidOut::traced);
    if (known == m_laidOut.end()) {
        const core::PipelineSchedule& head = entry.schedule->head;
        const bool isPipelined = pipeline.isPipelined;
        auto schedule = isPipelined ? core::buildSchedule(head.name, head.shape)
                                    : core::buildUnpipelinedSchedule(head.shape);
        // What was laid out once is laid out again.
        keepSlots(entry.schedule, std::move(schedule).value());
        known = m_laidOut.begin();
    }
    m_laidOut.splice(m_laidOut.begin(), m_laidOut, known);
    pipeline.schedule = known->schedule;
    return pipeline;
}

std::size_t ProgramCache::RequestHash::operator()(const ScheduleRequest& request) const {
    std::size_t hash = std::hash<std::string>()(request.name);
    for (const auto value : {static_cast<std::int64_t>(request.mode), request.shape.microBatches,
                             static_cast<std::int64_t>(request.shape.stages),
                             static_cast<std::int64_t>(request.shape.recompute)})
        hash = hash * 0x9e3779b97f4a7c15ULL + (static_cast<std::size_t>(value) ^ (hash >> 29U));
    return hash;
}

bool ProgramCache::deepens(const CompileOptions& options, const ScheduleTraits& traits) {
    CompileOptions more = options;
    more.microBatches *= 2;
    const auto slots = planSlots(more, false);
    return slots && (slots->schedule.fifoDepths != traits.fifoDepths ||
                     core::weightGradientDepths(slots->schedule) != traits.gradientDepths);
}

bool ProgramCache::adapt(Stored& stored, const ScheduleTraits& traits) {
    if (stored.fifos.empty())
        return false;
    std::map<std::int64_t, std::int64_t> depths;
    if (!matchDepths(stored.fifoTraits.fifoDepths, traits.fifoDepths, depths) ||
        !matchDepths(stored.fifoTraits.gradientDepths, traits.gradientDepths, depths))
        return false;
    for (const std::int64_t depth : traits.queueDepths)
        if (depth > 0 && !depths.try_emplace(depth, depth).second && depths.at(depth) != depth)
            return false;
    ScheduleTraits same = stored.fifoTraits;
    same.fifoDepths = traits.fifoDepths;
    same.gradientDepths = traits.gradientDepths;
    if (same != traits)
        return false;
    CompiledPipeline& pipeline = stored.entry.pipeline;
    MemoryPlan& memory = pipeline.memory;
    std::vector<std::int64_t> wanted;
    for (std::size_t ipu = 0; ipu < memory.ipus.size(); ++ipu) {
        wanted.clear();
        for (const std::int64_t depth : stored.fifos[ipu].depths())
            wanted.push_back(depths.at(depth));
        memory.ipus[ipu].summary = stored.fifos[ipu].at(wanted);
    }
    findOutOfMemory(memory, pipeline.system.target);
    for (Stash& kept : pipeline.stashes)
        kept.depth = traits.fifoDepths[kept.stage.index()];
    for (Stash& kept : pipeline.gradientStashes)
        kept.depth = traits.gradientDepths[kept.stage.index()];
    stored.traits = traits;
    return true;
}

core::Result<const ProgramCache::Entry*> ProgramCache::find(const core::ValidatedProject& project,
                                                            const CompileOptions& options,
                                                            const IpuSystem& system) {
    const Entry* none = nullptr;
    // Whether host I/O is hidden depends on the size of the graph's input, which decides on the slots.
    if (options.overlapsHostIo || m_stored.empty())
        return none;
    const std::shared_ptr<const Key> key = known(keyOf(project, options, system));
    if (key == nullptr)
        return none;
    auto schedule = traced(options);
    if (!schedule)
        return core::failure(std::move(schedule.error()));
    const auto isOfThese = [&](const Stored& candidate) {
        return candidate.key == key &&
               (!candidate.pricesLinks ||
                linkFiguresOf(candidate.entry.pipeline.system.target) == linkFiguresOf(system.target));
    };
    auto stored = std::ranges::find_if(m_stored, [&](const Stored& candidate) {
        return isOfThese(candidate) && candidate.traits == (*schedule)->traits;
    });
    if (stored == m_stored.end())
        stored = std::ranges::find_if(m_stored, [&](Stored& candidate) {
            return isOfThese(candidate) && adapt(candidate, (*schedule)->traits);
        });
    if (stored == m_stored.end())
        return none;
    CompiledPipeline& pipeline = stored->entry.pipeline;
    if (linkFiguresOf(pipeline.system.target) != linkFiguresOf(system.target))
        static_cast<GradientReduction&>(pipeline) = pricedAnew(pipeline, system);
    if (stored->entry.schedule != *schedule) {
        pipeline.schedule = (*schedule)->head;
        stored->entry.schedule = std::move(*schedule);
    }
    pipeline.execution = options.execution;
    pipeline.system = system;
    m_stored.splice(m_stored.begin(), m_stored, stored);
    ++m_found;
    return &m_stored.front().entry;
}

const ProgramCache::Entry* ProgramCache::remember(CompiledPipeline pipeline,
                                                  const core::ValidatedProject& project,
                                                  const CompileOptions& options, const IpuSystem& system,
                                                  std::vector<core::InvocationEstimate> invocations) {
    std::shared_ptr<const TracedSchedule> schedule;
    if (!options.overlapsHostIo)
        schedule = traced(options).value_or(nullptr);
    const bool pricesLinks = system.replicas > 1 && haveCollectives(pipeline.graph);
    std::vector<FifoMemory> fifos;
    if (schedule != nullptr && deepens(options, schedule->traits))
        for (const IpuMemoryPlan& ipu : pipeline.memory.ipus)
            fifos.emplace_back(ipu);
    strip(pipeline);
    std::shared_ptr<const Key> key;
    // Without a schedule no project finds it.
    if (schedule != nullptr) {
        Key wanted = keyOf(project, options, system);
        key = known(wanted);
        if (key == nullptr)
            key = m_keys.emplace_front(std::make_shared<const Key>(std::move(wanted)));
    }
    const ScheduleTraits traits = schedule ? schedule->traits : ScheduleTraits{};
    m_stored.push_front({std::move(key),
                         traits,
                         {std::move(pipeline), std::move(invocations),
                          core::programFamily(project.project().model), ++m_remembered, std::move(schedule)},
                         std::move(fifos),
                         traits,
                         pricesLinks});
    forgetOldest(project.graph().invocations.size());
    return &m_stored.front().entry;
}

void ProgramCache::forgetOldest(std::size_t calls) {
    const std::size_t pipelines = kept(mostPipelines, calls);
    const std::size_t models = kept(mostGraphs, calls);
    std::set<const core::TypedGraph*> graphs;
    auto end = m_stored.begin();
    for (std::size_t count = 0; end != m_stored.end() && count < pipelines; ++end, ++count) {
        if (end->key != nullptr)
            graphs.insert(&end->key->project.graph());
        if (graphs.size() > models)
            break;
    }
    m_stored.erase(end, m_stored.end());
    std::erase_if(m_keys, [](const std::shared_ptr<const Key>& key) { return key.use_count() == 1; });
}

} // namespace simulator
