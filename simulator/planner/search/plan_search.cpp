#include "simulator/planner/search/plan_search.h"

#include "core/plan/schedule/schedule_catalogue.h"
#include "core/project/validate.h"
#include "simulator/cost/communication.h"
#include "simulator/planner/estimate.h"
#include "simulator/planner/search/choice_bounds.h"
#include "simulator/planner/search/priced_chains.h"
#include "simulator/planner/search/split_search.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>

namespace simulator {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
/// Parts of splits that may be looked at, and of choices where a diagram does not help any more.
constexpr std::size_t mostNodes = 200'000;
constexpr std::size_t mostStuckNodes = 40'000;
/// Attempts to move layers off the IPUs that are too full.
constexpr int mostRepairs = 4;
/// What a part of a memory may be filled by for such an attempt.
constexpr double mostFullness = 1.5;

/// One choice on its way: a quick bound, then the search over its splits.
struct OpenChoice {
    PlanChoice choice;
    const ChainTable* chain = nullptr;
    /// Samples per second that no split exceeds.
    double bound = 0;
    std::unique_ptr<SplitSearch> splits;
    std::set<std::vector<std::size_t>> simulated;
};

/// What the simulation of a split says.
struct SplitFigures {
    bool isPlan = false;
    bool fits = false;
    double samplesPerSecond = 0;
    core::Cycles step;
    core::Bytes peak;
    core::ProgramIntervals intervals;
    /// Of every IPU of a replica: its fullest tile's share of a tile.
    std::vector<double> fullness;
};

class PlanSearch {
public:
    PlanSearch(const PlanSearchRequest& request, CompilationCache& cache, const core::JobContext& job)
        : m_request(request)
        , m_cache(cache)
        , m_job(job)
        , m_chains(request, cache)
        , m_examiner(request.project.model) {}

    core::Result<PlanSearchOutcome> run() {
        m_outcome.effectiveBatch = m_request.effectiveBatch.value_or(effectiveBatchOf(m_request.project));
        if (auto opened = open(); !opened)
            return core::failure(std::move(opened.error()));
        tryEach();
        closeGap();
        fillFront();
        finish();
        return std::move(m_outcome);
    }

private:
    core::Result<void> open() {
        if (const core::ScheduleDefinition& own =
                core::scheduleDefinition(m_request.project.pipeline.schedule);
            !m_request.freedom.schedule && own.isWhatIf && m_request.project.assignment.isPipelined())
            return core::failure(core::makeError(
                core::Trouble::Input, "plan/schedule", {m_request.file, "/pipeline/schedule"},
                fmt::format("the search knows the schedules of the programming system, and {} is none",
                            own.name),
                {"let it choose the schedule too, or cut with `plan --stages N`, which keeps it"}));
        const PlanChoice present{.batchSize = m_request.project.training.batchSize,
                                 .schedule = m_request.project.pipeline.schedule,
                                 .accumulation = 2};
        const auto chain = m_chains.of(present);
        if (!chain)
            return core::failure(chain.error());
        m_locks = m_request.freedom.split ? m_request.locks : presentStages(m_request.project);
        if (m_locks.size() != (*chain)->layers())
            m_locks.clear();
        const auto choices = planChoices(m_request.project, m_request.ipus, m_outcome.effectiveBatch,
                                         (*chain)->layers(), (*chain)->isTied());
        m_outcome.choices = choices.size();
        if (choices.empty())
            return core::failure(core::makeError(
                core::Trouble::Input, "plan/batch", {m_request.file, "/training/batch_size"},
                fmt::format(
                    "no micro-batch, accumulation and number of replicas make an effective batch of {}",
                    m_outcome.effectiveBatch),
                {"name another one with --batch"}));
        for (const PlanChoice& choice : choices) {
            if (m_job.isCancelled()) {
                m_isComplete = false;
                break;
            }
            if (choice.batchSize >= m_tooLarge)
                continue;
            auto priced = m_chains.of(choice);
            if (!priced)
                continue;
            if (exceedsAnIpu(**priced)) {
                m_tooLarge = choice.batchSize;
                continue;
            }
            if (isIdle(choice, **priced) || m_chains.isAsOwn(choice) ||
                !keeps(choice, m_request.freedom, m_request.project))
                continue;
            m_open.push_back({choice, *priced, quickBound(choice, **priced), nullptr, {}});
        }
        std::ranges::stable_sort(m_open, std::ranges::greater(), &OpenChoice::bound);
        return {};
    }

    /// Whether a layer makes a value for another one that no IPU has room for, and so it is with larger
    /// micro-batches.
    [[nodiscard]] bool exceedsAnIpu(const ChainTable& chain) const {
        return m_request.project.pipeline.batchSerializationIterations == 1 &&
               std::ranges::any_of(chain.bounds().crossing, [&](const CrossingValue& value) {
                   return value.bytes > m_chains.memoryLimit();
               });
    }

    /// There is nothing to offload.
    static bool isIdle(const PlanChoice& choice, const ChainTable& chain) {
        return choice.offload.optimizerState &&
               chain.variableBytes(0, chain.layers(), true) == chain.variableBytes(0, chain.layers(), false);
    }

    [[nodiscard]] double throughput(double cycles, const PlanChoice& choice) const {
        return samplesTimesClock(choice) / (cycles + rendezvousCycles());
    }
    /// What an update may take for a throughput.
    [[nodiscard]] double cyclesOf(double samplesPerSecond, const PlanChoice& choice) const {
        return samplesTimesClock(choice) / samplesPerSecond - rendezvousCycles();
    }
    [[nodiscard]] double samplesTimesClock(const PlanChoice& choice) const {
        return static_cast<double>(choice.batchSize * choice.accumulation * choice.replicas *
                                   m_request.project.pipeline.batchSerializationIterations) *
               m_chains.target().clockHz;
    }
    /// The host meets the device once per execution.
    [[nodiscard]] double rendezvousCycles() const {
        const auto updates = std::max<std::int64_t>(
            1,
            m_request.project.training.stepsPerExecution /
                std::max<std::int64_t>(1, m_request.project.pipeline.gradientAccumulationSteps.value_or(1)));
        return static_cast<double>(hostRendezvous(m_chains.target()).value()) / static_cast<double>(updates);
    }

    /// Every micro-batch passes the IPU that has most to do; where one stage works at a time, all of them.
    [[nodiscard]] double quickBound(const PlanChoice& choice, const ChainTable& chain) const {
        const auto ipus =
            static_cast<std::int64_t>(choice.stages) - (chain.isTied() && choice.stages > 1 ? 1 : 0);
        const bool isSerial = choice.stages > 1 && core::scheduleDefinition(choice.schedule).isSerial;
        const std::int64_t slowest =
            isSerial ? chain.totalCycles()
                     : std::max(chain.largestLayerCycles(), core::ceilDivide(chain.totalCycles(), ipus));
        return throughput(static_cast<double>(slowest * choice.accumulation), choice);
    }

    /// No activation waits for its backward pass: the same plans come without offloading them.
    [[nodiscard]] bool offloadsNothing(const PlanChoice& choice, const SplitProblem& problem) const {
        return choice.offload.activations && m_request.freedom.offload &&
               m_request.project.pipeline.batchSerializationIterations == 1 &&
               std::ranges::all_of(problem.fifoDepths, [](std::int64_t depth) { return depth == 0; });
    }

    /// Makes the search over the splits of a choice.
    void refine(OpenChoice& open) const {
        auto bounds = choiceBounds(m_request, m_chains, *open.chain, open.choice);
        if (!bounds || offloadsNothing(open.choice, bounds->problem)) {
            open.bound = 0;
            return;
        }
        bounds->problem.locks = m_locks;
        open.splits = std::make_unique<SplitSearch>(std::move(bounds->problem), std::move(bounds->slotBound));
        updateBound(open);
    }

    /// Makes the bound of a choice as tight as it gets without a simulation.
    void tighten(OpenChoice& open) const {
        open.splits->tighten(limitOf(open));
        updateBound(open);
    }
    /// Cycles that a split may take to be better than the best plan, a little more.
    [[nodiscard]] double limitOf(const OpenChoice& open) const {
        return best() > 0 ? cyclesOf(best(), open.choice) + 1 : unbounded;
    }

    void updateBound(OpenChoice& open) const {
        const double cycles = open.splits->bound();
        open.bound = cycles < unbounded ? std::min(open.bound, throughput(cycles, open.choice)) : 0;
    }

    [[nodiscard]] double best() const { return m_best ? m_plans[*m_best].samplesPerSecond : 0; }
    [[nodiscard]] bool isOver() const {
        return m_job.isCancelled() || m_outcome.simulated >= m_request.simulations || m_nodes == 0;
    }

    /// A first good plan of every choice that could be the best, and of the most promising ones for each
    /// number of IPUs, so that the front has them.
    void tryEach() {
        std::map<std::int64_t, int> found;
        std::map<std::int64_t, int> tried;
        for (OpenChoice& open : m_open) {
            if (isOver() || m_outcome.simulated >= m_request.simulations * 3 / 4)
                return;
            const std::int64_t ipus = ipusOf(open);
            const auto isEnough = [&] {
                return found[ipus] >= frontPlansPerSize || tried[ipus] >= frontTriesPerSize;
            };
            if (open.bound <= best() && isEnough())
                continue;
            if (isHopeless(open.choice))
                continue;
            refine(open);
            if (open.splits == nullptr)
                continue;
            if (isEnough()) {
                if (open.bound > best())
                    tighten(open);
                if (open.bound <= best())
                    continue;
            }
            ++tried[ipus];
            if (tryPromising(open))
                ++found[ipus];
            else if (m_locks.empty() || open.bound > 0)
                m_failed.push_back(open.choice);
            m_job.report(0.7 * static_cast<double>(m_outcome.simulated) /
                             static_cast<double>(m_request.simulations),
                         fmt::format("simulating: {} plans, {} choices", m_outcome.simulated, m_open.size()));
        }
    }

    /// The split of the smallest bottleneck; where it does not fit, what it is with less for the stages that
    /// are too full, as much as they were too full.
    bool tryPromising(OpenChoice& open) {

        std::vector<std::int64_t> limits;
        for (int attempt = 0; attempt < mostRepairs && !isOver(); ++attempt) {
            const auto ends = open.splits->promising(limits);
            if (!ends || !open.simulated.insert(*ends).second)
                return false;
            const SplitFigures figures = simulate(open, *ends);
            if (!figures.isPlan || figures.fits)
                return figures.fits;
            // Moving layers does not help where there is far too much.
            if (*std::ranges::max_element(figures.fullness) > mostFullness)
                return false;
            const std::vector<std::size_t> ipus = ipusOfSplit(*ends, open.chain->bounds().sharedWeights);
            limits.resize(ends->size(), std::numeric_limits<std::int64_t>::max());
            for (std::size_t stage = 0; stage < ends->size(); ++stage) {
                const auto bytes = static_cast<double>(open.splits->stages().ipuBytes(*ends, stage));
                const double fullness =
                    ipus[stage] < figures.fullness.size() ? figures.fullness[ipus[stage]] : 1;
                limits[stage] = std::min(limits[stage], static_cast<std::int64_t>(bytes / fullness));
            }
        }
        return false;
    }

    /// Takes splits in the order of their bounds until none could be better than the best plan.
    void closeGap() {
        for (OpenChoice& open : m_open) {
            if (m_job.isCancelled())
                break;
            if (open.bound <= best())
                continue;
            if (open.splits == nullptr)
                refine(open);
            if (open.bound > best() && open.splits != nullptr)
                tighten(open);
        }
        std::vector<OpenChoice*> choices;
        for (OpenChoice& open : m_open)
            choices.push_back(&open);
        // What is stuck comes last: a better plan may be among the others.
        std::vector<OpenChoice*> stuck;
        takeInOrder(std::move(choices), &stuck);
        m_nodes = std::min(m_nodes, mostStuckNodes);
        takeInOrder(std::move(stuck), nullptr);
    }

    /// `stuck`: where choices go of which no split is found any more; null: they are gone on with.
    void takeInOrder(std::vector<OpenChoice*> queue, std::vector<OpenChoice*>* stuck) {
        const auto less = [](const OpenChoice* a, const OpenChoice* b) { return a->bound < b->bound; };
        std::ranges::make_heap(queue, less);
        while (!isOver() && !queue.empty() && queue.front()->bound > best()) {
            std::ranges::pop_heap(queue, less);
            OpenChoice& open = *queue.back();
            if (open.splits == nullptr) {
                refine(open);
            } else {
                const auto split = open.splits->next(limitOf(open), m_nodes);
                if (split && open.simulated.insert(split->ends).second)
                    (void)simulate(open, split->ends);
                if (!m_job.isCancelled())
                    updateBound(open);
                const bool isStuck = !split && open.splits->isAtItsEnd();
                m_job.report(0.7 + 0.3 * static_cast<double>(m_outcome.simulated) /
                                       static_cast<double>(m_request.simulations),
                             fmt::format("proving: {} plans, gap {:.2f} %", m_outcome.simulated,
                                         best() > 0 ? 100 * std::max(0.0, open.bound / best() - 1) : 100));
                if (isStuck && stuck != nullptr) {
                    stuck->push_back(&open);
                    queue.pop_back();
                    continue;
                }
            }
            std::ranges::push_heap(queue, less);
        }
    }

    /// What may still be as good as everything that was found: plans that are slower with less memory or
    /// fewer IPUs.
    void fillFront() {
        // A proof that a bound was wrong leaves nothing to go by.
        if (m_job.isCancelled() || !m_boundsHold)
            return;
        if (splitsOfAll() <= fewPlans)
            goThroughSplits();
        else
            lowerPeaks();
    }

    [[nodiscard]] std::size_t splitsOfAll() const {
        std::size_t sum = 0;
        for (const OpenChoice& open : m_open) {
            // Binomial, and no further than it matters.
            double splits = 1;
            const std::size_t cuts = open.choice.stages - 1;
            for (std::size_t cut = 0; cut < cuts && splits <= fewPlans; ++cut)
                splits = splits * static_cast<double>(open.chain->layers() - 1 - cut) /
                         static_cast<double>(cut + 1);
            sum += static_cast<std::size_t>(std::max(0.0, std::min<double>(splits, fewPlans + 1)));
            if (sum > fewPlans)
                return sum;
        }
        return sum;
    }

    [[nodiscard]] static std::int64_t ipusOf(const OpenChoice& open) {
        return open.choice.replicas * ipusPerReplica(open.choice, open.chain->isTied());
    }

    /// Bytes of the fullest IPU of a split, at least.
    [[nodiscard]] static std::int64_t leastPeak(const OpenChoice& open,
                                                const std::vector<std::size_t>& ends) {
        std::int64_t peak = 0;
        for (std::size_t stage = 0; stage < ends.size(); ++stage)
            peak = std::max(peak, open.splits->stages().ipuBytes(ends, stage));
        return peak;
    }

    /// A simulated plan has at least this throughput with at most these bytes and IPUs.
    [[nodiscard]] bool isMatched(double samplesPerSecond, std::int64_t peak, std::int64_t ipus) const {
        return std::ranges::any_of(m_plans, [&](const SearchedPlan& plan) {
            return plan.samplesPerSecond >= samplesPerSecond && plan.peak.value() <= peak &&
                   plan.ipus <= ipus;
        });
    }

    /// Simulates every split whose bounds a simulated plan does not match already.
    void goThroughSplits() {
        for (OpenChoice& open : m_open) {
            if (m_job.isCancelled())
                return;
            if (open.splits == nullptr)
                refine(open);
            if (open.splits == nullptr)
                continue;
            std::vector<std::size_t> ends;
            cutFrom(open, ends);
        }
        m_outcome.isFrontWhole = m_isComplete && !m_isFrontCut && m_boundsHold && !m_job.isCancelled();
    }

    /// All splits that begin with `ends`.
    void cutFrom(OpenChoice& open, std::vector<std::size_t>& ends) {
        const std::size_t layers = open.chain->layers();
        if (m_job.isCancelled())
            return;
        if (ends.size() + 1 == open.choice.stages) {
            ends.push_back(layers);
            takeForFront(open, ends);
            ends.pop_back();
            return;
        }
        const std::size_t left = open.choice.stages - ends.size() - 1;
        for (std::size_t end = (ends.empty() ? 0 : ends.back()) + 1; end + left <= layers; ++end) {
            ends.push_back(end);
            cutFrom(open, ends);
            ends.pop_back();
        }
    }

    void takeForFront(OpenChoice& open, const std::vector<std::size_t>& ends) {
        if (open.simulated.contains(ends) || !obeysLocks(ends))
            return;
        if (m_outcome.simulated >= simulationsOfWholeFront * m_request.simulations) {
            m_isFrontCut = true;
            return;
        }
        const std::int64_t peak = leastPeak(open, ends);
        if (peak > m_chains.memoryLimit() ||
            isMatched(throughput(static_cast<double>(open.splits->cycles(ends)), open.choice), peak,
                      ipusOf(open)))
            return;
        open.simulated.insert(ends);
        (void)simulate(open, ends);
        m_job.report(0.9, fmt::format("filling the front: {} plans", m_outcome.simulated));
    }

    [[nodiscard]] bool obeysLocks(const std::vector<std::size_t>& ends) const {
        for (std::size_t layer = 0; layer < m_locks.size(); ++layer)
            if (m_locks[layer] && static_cast<std::size_t>(std::ranges::upper_bound(ends, layer) -
                                                           ends.begin()) != *m_locks[layer])
                return false;
        return true;
    }

    /// Where there are too many: the choices of the plans that were found, and those that differ from one of
    /// the front in one thing, each with less and less memory for its fullest IPU.
    void lowerPeaks() {
        std::vector<OpenChoice*> queue;
        std::set<const OpenChoice*> known;
        for (OpenChoice& open : m_open)
            if (!open.simulated.empty() && known.insert(&open).second)
                queue.push_back(&open);
        std::size_t splits = mostLowerSplits;
        for (std::size_t next = 0; next < queue.size() && splits > 0 && !isFrontOver(); ++next) {
            lowerPeak(*queue[next], splits);
            if (next + 1 < queue.size())
                continue;
            for (const std::size_t plan : frontOfPlans())
                for (OpenChoice& open : m_open)
                    if (differences(open.choice, m_plans[plan].choice) == 1 && known.insert(&open).second)
                        queue.push_back(&open);
        }
    }

    [[nodiscard]] bool isFrontOver() const {
        return m_outcome.simulated >= m_request.simulations || m_job.isCancelled();
    }

    /// Plans that no other one beats, the fastest first.
    [[nodiscard]] std::vector<std::size_t> frontOfPlans() const {
        std::vector<std::size_t> order(m_plans.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, [this](std::size_t i) {
            return std::tuple(-m_plans[i].samplesPerSecond, m_plans[i].peak, m_plans[i].ipus);
        });
        std::vector<std::size_t> front;
        for (const std::size_t i : order)
            if (std::ranges::none_of(front, [&](std::size_t better) {
                    return m_plans[better].peak <= m_plans[i].peak && m_plans[better].ipus <= m_plans[i].ipus;
                }))
                front.push_back(i);
        return front;
    }

    /// In how many things two choices differ; the accumulation follows from the others.
    static int differences(const PlanChoice& a, const PlanChoice& b) {
        return int(a.batchSize != b.batchSize) + int(a.replicas != b.replicas || a.stages != b.stages) +
               int(a.schedule != b.schedule) + int(a.recompute != b.recompute) + int(a.offload != b.offload) +
               int(a.memoryProportion != b.memoryProportion);
    }

    void lowerPeak(OpenChoice& open, std::size_t& splits) {
        const std::int64_t ipus = ipusOf(open);
        if (isMatched(quickBound(open.choice, *open.chain), 0, ipus))
            return;
        if (open.splits == nullptr)
            refine(open);
        std::int64_t limit = m_chains.memoryLimit();
        while (open.splits != nullptr && splits > 0 && !isFrontOver()) {
            --splits;
            const auto ends = open.splits->promising(std::vector<std::int64_t>(open.choice.stages, limit));
            if (!ends)
                return;
            const std::int64_t least = leastPeak(open, *ends);
            limit = least - 1 - least / peakSteps;
            if (isMatched(throughput(static_cast<double>(open.splits->cycles(*ends)), open.choice), least,
                          ipus))
                continue;
            if (open.simulated.insert(*ends).second)
                (void)simulate(open, *ends);
            m_job.report(0.9, fmt::format("filling the front: {} plans", m_outcome.simulated));
        }
    }

    SplitFigures simulate(OpenChoice& open, const std::vector<std::size_t>& ends) {
        SplitFigures figures;
        auto project =
            withPlanChoice(m_request.project, open.choice, ends, open.chain->bounds().sharedWeights);
        if (!project)
            return figures;
        core::Project plan = *project;
        const auto validated = core::validateAll(std::move(*project), core::RunMode::Train, m_request.facts,
                                                 m_request.file, m_examiner);
        if (!validated.project)
            return figures;
        const core::PlanEstimate estimate =
            estimateTotals(*validated.project, m_cache, {m_job.stopToken, {}}, m_request.folder);
        if (!estimate.refusal.empty())
            return figures;
        ++m_outcome.simulated;
        figures.isPlan = true;
        figures.samplesPerSecond = estimate.samplesPerSecond;
        figures.step = estimate.step;
        figures.intervals = estimate.intervals;
        for (const core::IpuEstimate& ipu : estimate.ipus) {
            figures.peak = std::max(figures.peak, ipu.peak);
            const auto tile = static_cast<double>(ipu.worstTileBytes.value()) /
                              static_cast<double>(m_chains.target().memoryPerTileBytes);
            const auto whole =
                static_cast<double>(ipu.peak.value()) / static_cast<double>(m_chains.memoryLimit());
            figures.fullness.push_back(std::max(tile, whole));
        }
        figures.fits = estimate.fits && figures.peak.value() <= m_chains.memoryLimit();
        if (!figures.fits)
            forbidWhatExceeds(open, ends, figures);
        if (!keepsBytes(open, ends, estimate) ||
            static_cast<double>(estimate.step.value()) + 1 < static_cast<double>(open.splits->cycles(ends)))
            m_boundsHold = false;
        if (figures.fits)
            keep(open, ends, std::move(plan), figures,
                 validated.project->ipusPerReplica() * validated.project->replicas());
        return figures;
    }

    /// What an IPU holds depends on its own stages and their place in the pipeline alone: where it does not
    /// fit in one split, it does not in another.
    static void forbidWhatExceeds(const OpenChoice& open, const std::vector<std::size_t>& ends,
                                  const SplitFigures& figures) {
        const auto& shared = open.chain->bounds().sharedWeights;
        if (shared.size() > (open.chain->isTied() ? 1 : 0))
            return;
        const std::vector<std::size_t> ipus = ipusOfSplit(ends, shared);
        for (std::size_t stage = 0; stage < ends.size(); ++stage)
            if (figures.fullness[ipus[stage]] > 1)
                open.splits->forbid(ends, stage);
    }

    /// Whether the IPUs of a simulated plan have at least the bytes that were counted on.
    static bool keepsBytes(const OpenChoice& open, const std::vector<std::size_t>& ends,
                           const core::PlanEstimate& estimate) {
        const std::vector<std::size_t> ipus = ipusOfSplit(ends, open.chain->bounds().sharedWeights);
        for (std::size_t stage = 0; stage < ends.size(); ++stage)
            if (open.splits->stages().ipuBytes(ends, stage) > estimate.ipus[ipus[stage]].peak.value())
                return false;
        return true;
    }

    /// More of the same: a choice whose first splits did not fit, and this one needs no less.
    [[nodiscard]] bool isHopeless(const PlanChoice& choice) const {
        const double proportion = choice.memoryProportion.value_or(1);
        return std::ranges::any_of(m_failed, [&](const PlanChoice& failed) {
            return failed.recompute == choice.recompute && failed.schedule == choice.schedule &&
                   failed.stages >= choice.stages && failed.batchSize <= choice.batchSize &&
                   failed.offload.includes(choice.offload) &&
                   failed.memoryProportion.value_or(1) <= proportion;
        });
    }

    void keep(const OpenChoice& open, const std::vector<std::size_t>& ends, core::Project plan,
              const SplitFigures& figures, std::int64_t ipus) {
        SearchedPlan found{open.choice,  ends, std::move(plan),  figures.samplesPerSecond, figures.step,
                           figures.peak, ipus, figures.intervals};
        if (figures.samplesPerSecond > best())
            m_best = m_plans.size();
        if (m_request.found)
            m_request.found(found);
        m_plans.push_back(std::move(found));
    }

    void finish() {
        m_outcome.isCut = m_job.isCancelled();
        double bound = best();
        for (const OpenChoice& open : m_open)
            bound = std::max(bound, open.bound);
        m_outcome.bound = m_boundsHold && m_isComplete ? bound : unbounded;
        // Where nothing fits, no throughput is the best there is.
        m_outcome.gap = best() > 0 ? m_outcome.bound / best() - 1 : m_outcome.bound <= 0 ? 0 : unbounded;
        m_outcome.isProven = m_outcome.gap <= 0;
        for (const std::size_t plan : frontOfPlans())
            m_outcome.front.push_back(std::move(m_plans[plan]));
    }

    /// Plans of each number of IPUs that are looked for although they are not the best of all.
    static constexpr int frontPlansPerSize = 3;
    /// Choices that are tried for them.
    static constexpr int frontTriesPerSize = 12;
    /// A whole front may take so many times the simulations.
    static constexpr std::size_t simulationsOfWholeFront = 2;
    /// Splits that are looked for with less memory for the fullest IPU, at least one part of so many less.
    static constexpr std::size_t mostLowerSplits = 60;
    static constexpr std::int64_t peakSteps = 32;

    const PlanSearchRequest& m_request;
    CompilationCache& m_cache;
    const core::JobContext& m_job;
    PricedChains m_chains;
    core::ModelExaminer m_examiner;
    std::vector<OpenChoice> m_open;
    /// Micro-batches from here on fit nowhere.
    std::int64_t m_tooLarge = std::numeric_limits<std::int64_t>::max();
    std::vector<SearchedPlan> m_plans;
    std::optional<std::size_t> m_best;
    std::size_t m_nodes = mostNodes;
    std::vector<std::optional<std::size_t>> m_locks;
    /// No simulated plan was better than its bound.
    bool m_boundsHold = true;
    /// Choices of which no split was found that fits.
    std::vector<PlanChoice> m_failed;
    /// Every choice has a bound.
    bool m_isComplete = true;
    /// Splits were left that might be on the front.
    bool m_isFrontCut = false;
    PlanSearchOutcome m_outcome;
};

} // namespace

core::Result<PlanSearchOutcome> searchPlans(const PlanSearchRequest& request, CompilationCache& cache,
                                            const core::JobContext& job) {
    return PlanSearch(request, cache, job).run();
}

} // namespace simulator
