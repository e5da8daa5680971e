#include "core/profile/analysis/run_verdict.h"

#include "core/plan/schedule/schedule_catalogue.h"
#include "core/profile/queries/comparison.h"
#include "core/profile/queries/program_queries.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/schedule_bands.h"
#include "core/profile/records/span_label.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace core {

namespace {

std::string percent(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}
std::string signedPercent(double share) {
    return fmt::format("{}{:.1f} %", share < 0 ? "−" : "+", 100 * std::abs(share));
}

/// Everything a verdict is made from.
struct VerdictFacts {
    RunSummary summary;
    StageProgramMap programs;
    std::vector<BandTime> bands;
    std::vector<LaneStatistics> lanes;
    std::vector<SpanRecord> gaps;
    std::map<LaneId, IpuId> ipuOfLane;

    [[nodiscard]] double ofStep(Cycles cycles) const { return ratio(cycles, summary.step); }
};

Result<VerdictFacts> loadFacts(const ProfileDatabase& database, RunId run) {
    VerdictFacts facts;
    auto summary = loadRun(database, run);
    if (!summary)
        return failure(summary.error());
    facts.summary = *std::move(summary);
    auto programs = loadStagePrograms(database, run);
    if (!programs)
        return failure(programs.error());
    facts.programs = *std::move(programs);
    auto bands = loadBands(database, run);
    if (!bands)
        return failure(bands.error());
    facts.bands = *std::move(bands);
    auto lanes = areaStatistics(database, run, Cycles(), facts.summary.step);
    if (!lanes)
        return failure(lanes.error());
    facts.lanes = *std::move(lanes);
    constexpr std::int64_t enough = 500;
    auto gaps = idleGaps(database, run, enough);
    if (!gaps)
        return failure(gaps.error());
    facts.gaps = std::move(gaps->longest);
    for (const LaneStatistics& lane : facts.lanes)
        facts.ipuOfLane[lane.lane] = lane.ipu;
    return facts;
}

// --- what sets the step -----------------------------------------------------------------------------------

/// What the programs of one IPU take in a slot, or in the update.
struct IpuLoad {
    IpuId ipu;
    /// The stage with most of it.
    StageId stage;
    Cycles cycles;
};

/// Longest first.
std::vector<IpuLoad> loadsOf(const VerdictFacts& facts, bool isUpdate) {
    std::map<IpuId, IpuLoad> byIpu;
    std::map<IpuId, Cycles> most;
    for (const StageSummary& stage : facts.summary.stages) {
        Cycles cycles;
        for (const auto& [program, shares] : facts.programs)
            if (program.first == stage.stage && (program.second == ProgramPhase::WeightUpdate) == isUpdate)
                cycles += shares.work() + shares.streamed;
        IpuLoad& load = byIpu[stage.ipu];
        load.ipu = stage.ipu;
        load.cycles += cycles;
        if (!load.stage.isValid() || cycles > most[stage.ipu]) {
            load.stage = stage.stage;
            most[stage.ipu] = cycles;
        }
    }
    std::vector<IpuLoad> loads;
    for (const auto& [ipu, load] : byIpu)
        loads.push_back(load);
    std::ranges::stable_sort(loads, std::greater(), &IpuLoad::cycles);
    return loads;
}

Cycles updateLength(const VerdictFacts& facts) {
    for (const BandTime& band : facts.bands)
        if (band.band == ScheduleBand::Update)
            return band.to - band.from;
    return {};
}

/// "; the weight update of stage 1 takes 21.4 % of the step", where that is worth a word.
std::string updateWords(const VerdictFacts& facts) {
    const double share = facts.ofStep(updateLength(facts));
    const std::vector<IpuLoad> loads = loadsOf(facts, true);
    if (share < 0.05 || loads.empty() || loads.front().cycles.value() == 0)
        return {};
    return fmt::format("; the weight update, longest on stage {}, takes {} of the step",
                       loads.front().stage.value(), percent(share));
}

VerdictClause updateBottleneck(const VerdictFacts& facts, const QuantityWords& words) {
    VerdictClause clause;
    const Cycles update = updateLength(facts);
    clause.headline = fmt::format("The weight update takes {} of the step", percent(facts.ofStep(update)));
    const std::vector<IpuLoad> loads = loadsOf(facts, true);
    if (!loads.empty()) {
        clause.stage = loads.front().stage;
        clause.ipu = loads.front().ipu;
        clause.detail = fmt::format("{} of {}, longest on stage {}", words.time(update),
                                    words.time(facts.summary.step), clause.stage.value());
    }
    return clause;
}

/// Of a run on one IPU: the kind of work that takes most.
VerdictClause aloneBottleneck(const VerdictFacts& facts, const QuantityWords& words) {
    std::vector<std::pair<Cycles, SpanKind>> kinds;
    for (std::size_t i = 0; i < spanKindCount && !facts.lanes.empty(); ++i)
        if (programPhaseOf(static_cast<SpanKind>(i)))
            kinds.emplace_back(facts.lanes.front().byKind[i], static_cast<SpanKind>(i));
    std::ranges::stable_sort(kinds, [](const auto& a, const auto& b) { return a.first > b.first; });
    VerdictClause clause;
    if (!facts.summary.stages.empty()) {
        clause.stage = facts.summary.stages.front().stage;
        clause.ipu = facts.summary.stages.front().ipu;
    }
    const auto name = [](SpanKind kind) {
        std::string text(toString(kind));
        std::ranges::replace(text, '_', ' ');
        return text;
    };
    if (kinds.empty() || kinds.front().first.value() == 0) {
        clause.headline = fmt::format("A step takes {}", words.time(facts.summary.step));
        clause.detail = "recorded without a timeline";
        return clause;
    }
    clause.headline = fmt::format("The {} work takes {} of the step", name(kinds[0].second),
                                  percent(facts.ofStep(kinds[0].first)));
    clause.detail = fmt::format("one IPU does everything, a step takes {}", words.time(facts.summary.step));
    if (kinds[1].first.value() > 0)
        clause.detail += fmt::format("; {} {}", name(kinds[1].second), percent(facts.ofStep(kinds[1].first)));
    return clause;
}

/// One IPU that does all work, the update, or the stage with most work in a slot.
enum class Limiter : std::uint8_t { Alone, Update, Stage };

Limiter limiterOf(const VerdictFacts& facts) {
    const std::vector<IpuLoad> loads = loadsOf(facts, false);
    if (loads.size() < 2 || loads.front().cycles.value() == 0)
        return Limiter::Alone;
    return 2 * updateLength(facts) > facts.summary.step ? Limiter::Update : Limiter::Stage;
}

/// The longest work of a stage on a micro-batch.
std::optional<SpanKind> longestWork(const VerdictFacts& facts, StageId stage) {
    std::optional<SpanKind> longest;
    Cycles most;
    for (const auto& [program, shares] : facts.programs) {
        const Cycles cycles = shares.work() + shares.streamed;
        if (program.first != stage || program.second == ProgramPhase::WeightUpdate || cycles <= most)
            continue;
        most = cycles;
        longest = spanKindOf(program.second);
    }
    return longest;
}

/// Where what sets the step is seen: in the middle of its runs, where the pipeline is full.
Result<std::optional<SpanRecord>> bottleneckSpan(const ProfileDatabase& database, RunId run,
                                                 const VerdictFacts& facts, StageId stage) {
    SpanFilter filter;
    filter.stage = stage;
    filter.kind = limiterOf(facts) == Limiter::Update ? SpanKind::WeightUpdate : longestWork(facts, stage);
    if (!stage.isValid() || !filter.kind)
        return std::optional<SpanRecord>();
    const auto spans = findSpans(database, run, filter);
    if (!spans)
        return failure(spans.error());
    return spans->empty() ? std::nullopt : std::optional((*spans)[spans->size() / 2]);
}

/// How many of the loads, the largest first, are as large as the first but for half a percent.
std::size_t equalToFirst(const std::vector<IpuLoad>& loads) {
    const auto less = std::ranges::find_if(loads, [&](const IpuLoad& load) {
        return 200 * (loads[0].cycles - load.cycles).value() >= loads[0].cycles.value();
    });
    return static_cast<std::size_t>(less - loads.begin());
}

VerdictClause bottleneck(const VerdictFacts& facts, const QuantityWords& words) {
    const Limiter limiter = limiterOf(facts);
    if (limiter == Limiter::Alone)
        return aloneBottleneck(facts, words);
    if (limiter == Limiter::Update)
        return updateBottleneck(facts, words);
    const std::vector<IpuLoad> loads = loadsOf(facts, false);
    const ScheduleDefinition* schedule = findSchedule(facts.summary.provenance.schedule);
    const bool isSerial = schedule == nullptr || schedule->isSerial;
    const bool isAsynchronous = schedule != nullptr && schedule->isAsynchronous;
    VerdictClause clause;
    clause.stage = loads[0].stage;
    clause.ipu = loads[0].ipu;
    const Cycles more = loads[0].cycles - loads[1].cycles;
    const std::string second = fmt::format("stage {}", loads[1].stage.value());
    if (isSerial) {
        clause.headline = fmt::format("Stages take turns; stage {} takes longest", loads[0].stage.value());
        clause.detail =
            fmt::format("{} of work per micro-batch, {} more than {}: one of {} IPUs works at a time",
                        words.time(loads[0].cycles), words.time(more), second, loads.size());
    } else if (const std::size_t equal = equalToFirst(loads); equal > 1) {
        const std::string others = equal == 2
                                       ? fmt::format(" and {}", loads[1].stage.value())
                                       : fmt::format(", {} and {} more", loads[1].stage.value(), equal - 2);
        clause.headline = fmt::format("Stages {}{} set the {}", loads[0].stage.value(), others,
                                      isAsynchronous ? "pace" : "slot");
        const std::string work = equal == 2 ? fmt::format("{} and {} of work", words.time(loads[0].cycles),
                                                          words.time(loads[1].cycles))
                                            : fmt::format("{} of work each", words.time(loads[0].cycles));
        // Balanced are those alone; others may do much less.
        if (equal == loads.size()) {
            clause.detail = work + ": balanced";
        } else {
            const IpuLoad& next = loads[equal];
            clause.detail = fmt::format(
                "{}, {} ({}) more than stage {}", work, words.time(loads[0].cycles - next.cycles),
                signedPercent(ratio(loads[0].cycles - next.cycles, next.cycles)), next.stage.value());
        }
    } else {
        clause.headline =
            fmt::format("Stage {} sets the {}", loads[0].stage.value(), isAsynchronous ? "pace" : "slot");
        clause.detail = fmt::format("{} of work, {} ({}) more than {}", words.time(loads[0].cycles),
                                    words.time(more), signedPercent(ratio(more, loads[1].cycles)), second);
    }
    clause.detail += updateWords(facts);
    return clause;
}

// --- idle time --------------------------------------------------------------------------------------------

/// The words of a cause in a sentence.
std::string causePhrase(IdleCause cause) {
    static constexpr std::array<std::string_view, idleCauseCount> words{
        "warm-up",       "drain", "imbalance",  "transfer between IPUs",
        "remote memory", "host",  "all-reduce", "turns of other stages"};
    return std::string(words[static_cast<std::size_t>(cause)]);
}

VerdictClause idle(const VerdictFacts& facts, const QuantityWords& words) {
    VerdictClause clause;
    clause.question = VerdictQuestion::Idle;
    std::vector<std::pair<Cycles, IdleCause>> causes;
    Cycles total;
    for (std::size_t i = 0; i < facts.summary.idleByCause.size(); ++i) {
        causes.emplace_back(facts.summary.idleByCause[i], static_cast<IdleCause>(i));
        total += facts.summary.idleByCause[i];
    }
    std::ranges::stable_sort(causes, [](const auto& a, const auto& b) { return a.first > b.first; });
    if (total.value() == 0) {
        clause.headline = "No IPU ever waits";
        clause.detail = "busy all of the step";
        return clause;
    }
    const auto share = [&](Cycles cycles) {
        return percent(facts.summary.idleFraction * ratio(cycles, total));
    };
    clause.headline =
        fmt::format("Idle {}, {} by {}", percent(facts.summary.idleFraction),
                    causes[0].first == total ? "all" : share(causes[0].first), causePhrase(causes[0].second));
    std::string rest;
    for (std::size_t i = 1; i < causes.size() && i < 4; ++i)
        if (causes[i].first.value() > 0)
            rest += fmt::format("{}{} {}", rest.empty() ? "then " : ", ", causePhrase(causes[i].second),
                                share(causes[i].first));
    const auto longest = std::ranges::find_if(
        facts.gaps, [&](const SpanRecord& gap) { return gap.cause == causes[0].second; });
    if (longest != facts.gaps.end()) {
        clause.span = *longest;
        const auto ipu = facts.ipuOfLane.find(longest->lane);
        clause.ipu = ipu == facts.ipuOfLane.end() ? IpuId() : ipu->second;
        clause.stage = longest->blame;
        const bool isOfAll = longest == facts.gaps.begin();
        rest += fmt::format("{}longest {}{} on IPU {}", rest.empty() ? "" : "; ",
                            isOfAll ? std::string() : fmt::format("of {} ", causePhrase(causes[0].second)),
                            words.time(longest->duration), clause.ipu.value());
        // An IPU that waits for the host is not told to wait for itself.
        const auto& stages = facts.summary.stages;
        const auto blamed = std::ranges::find(stages, longest->blame, &StageSummary::stage);
        const bool isElsewhere = blamed == stages.end() || blamed->ipu != clause.ipu;
        if (longest->blame.isValid() && !longest->stage.isValid() && isElsewhere)
            rest += fmt::format(", for stage {}", longest->blame.value());
    }
    clause.detail = rest;
    return clause;
}

// --- memory -----------------------------------------------------------------------------------------------

std::string categoryWords(std::size_t category) {
    std::string name(toString(static_cast<MemoryCategory>(category)));
    std::ranges::replace(name, '_', ' ');
    return name;
}

VerdictClause peak(const VerdictFacts& facts, const QuantityWords& words) {
    VerdictClause clause;
    clause.question = VerdictQuestion::Peak;
    const auto fullest =
        std::ranges::max_element(facts.summary.memory, {}, [](const IpuMemorySummary& memory) {
            return ratio(memory.peak, memory.limit);
        });
    if (fullest == facts.summary.memory.end()) {
        clause.headline = "Memory was not recorded";
        clause.detail = "profile level none";
        return clause;
    }
    clause.ipu = fullest->ipu;
    clause.isTrouble = !facts.summary.fits;
    const Bytes tile = facts.summary.provenance.memoryPerTile;
    if (fullest->peak > fullest->limit)
        clause.headline =
            fmt::format("IPU {} needs {}, {} more than it has", fullest->ipu.value(),
                        words.bytes(fullest->peak), words.bytes(fullest->peak - fullest->limit));
    else if (!facts.summary.fits && fullest->worstTileBytes > tile)
        clause.headline = fmt::format("Tile {} of IPU {} is {} over", fullest->worstTile,
                                      fullest->ipu.value(), words.bytes(fullest->worstTileBytes - tile));
    else
        clause.headline = fmt::format("IPU {} holds most: {} of {}", fullest->ipu.value(),
                                      words.bytes(fullest->peak), words.bytes(fullest->limit));
    std::vector<std::pair<Bytes, std::size_t>> categories;
    for (std::size_t i = 0; i < fullest->byCategory.size(); ++i)
        categories.emplace_back(fullest->byCategory[i], i);
    std::ranges::stable_sort(categories, [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < categories.size() && i < 3; ++i)
        if (categories[i].first.value() > 0)
            clause.detail +=
                fmt::format("{}{} {}", clause.detail.empty() ? "at its peak " : ", ",
                            categoryWords(categories[i].second), words.bytes(categories[i].first));
    return clause;
}

// --- the run before ---------------------------------------------------------------------------------------

/// Without the quotes of a text.
std::string shortened(const std::optional<std::string>& value) {
    constexpr std::size_t most = 30;
    if (!value)
        return "default";
    const bool isText = value->size() > 1 && value->front() == '"' && value->back() == '"';
    const std::string text = isText ? value->substr(1, value->size() - 2) : *value;
    return text.size() > most ? text.substr(0, most) + "…" : text;
}

/// What people choose most often, under the names that they have in the window.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> everydayOptions{{
    {"pipeline.schedule", "schedule"},
    {"replicas", "replicas"},
    {"system.ipus", "IPUs"},
    {"pipeline.gradient_accumulation_steps_per_replica", "micro-batches"},
    {"training.batch_size", "batch size"},
}};

std::string optionWords(const std::string& path) {
    for (const auto& [everyday, name] : everydayOptions)
        if (path == everyday)
            return std::string(name);
    // "training.loss.class_name" is the loss.
    constexpr std::string_view className = ".class_name";
    const std::string whole =
        path.ends_with(className) ? path.substr(0, path.size() - className.size()) : path;
    const std::size_t dot = whole.rfind('.');
    return dot == std::string::npos ? whole : whole.substr(dot + 1);
}

/// Everyday options first, then the others.
std::vector<OptionDifference> byInterest(std::vector<OptionDifference> options) {
    const auto rank = [](const OptionDifference& option) {
        return std::ranges::find(everydayOptions, std::string_view(option.path),
                                 &std::pair<std::string_view, std::string_view>::first) -
               everydayOptions.begin();
    };
    std::ranges::stable_sort(options, {}, rank);
    return options;
}

std::string changeWords(const RunComparison& comparison) {
    const ProjectDifference& difference = comparison.differences.back();
    std::string text;
    constexpr std::size_t most = 3;
    const std::vector<OptionDifference> options = byInterest(difference.options);
    for (std::size_t i = 0; i < options.size() && i < most; ++i)
        text += fmt::format("{}{} {} → {}", text.empty() ? "" : ", ", optionWords(options[i].path),
                            shortened(options[i].before), shortened(options[i].after));
    if (options.size() > most)
        text += fmt::format(" and {} more option{}", options.size() - most,
                            options.size() == most + 1 ? "" : "s");
    const auto moved = std::ranges::count_if(comparison.layers, &ComparedLayer::isMoved);
    if (moved > 0)
        text += fmt::format("{}{} layer{} moved", text.empty() ? "" : ", ", moved, moved == 1 ? "" : "s");
    if (!difference.layers.empty())
        text += fmt::format("{}the model differs", text.empty() ? "" : ", ");
    return text.empty() ? "nothing was changed" : text;
}

Result<VerdictClause> difference(const ProfileDatabase& database, RunId run, const VerdictFacts& facts,
                                 const QuantityWords& words) {
    VerdictClause clause;
    clause.question = VerdictQuestion::Difference;
    const auto rows = listRuns(database);
    if (!rows)
        return failure(rows.error());
    for (const RunRow& row : *rows)
        if (row.run < run && row.state == RunState::Complete &&
            row.project == facts.summary.provenance.projectName && row.mode == facts.summary.provenance.mode)
            clause.other = row.run;
    if (!clause.other) {
        clause.headline = "No run before it to compare with";
        clause.detail = "the next one says here what it changed";
        return clause;
    }
    const std::array<RunId, 2> runs{*clause.other, run};
    const auto comparison = compareRuns(database, runs, *clause.other);
    if (!comparison)
        return failure(comparison.error());
    const double before = comparison->summaries.front().samplesPerSecond;
    const double change = before > 0 ? facts.summary.samplesPerSecond / before - 1 : 0;
    clause.headline = change == 0 ? fmt::format("As fast as run {}", clause.other->value())
                                  : fmt::format("{} samples/s against run {}", signedPercent(change),
                                                clause.other->value());
    clause.detail = changeWords(*comparison);
    const auto highest = [](const RunSummary& summary) {
        Bytes most;
        for (const IpuMemorySummary& memory : summary.memory)
            most = std::max(most, memory.peak);
        return most;
    };
    const Bytes delta = highest(comparison->summaries.back()) - highest(comparison->summaries.front());
    if (delta.value() != 0)
        clause.detail += fmt::format("; peak {}{}", delta.value() < 0 ? "−" : "+",
                                     words.bytes(Bytes(std::abs(delta.value()))));
    return clause;
}

} // namespace

Result<RunVerdict> loadRunVerdict(const ProfileDatabase& database, RunId run, const QuantityWords& words) {
    const auto facts = loadFacts(database, run);
    if (!facts)
        return failure(facts.error());
    RunVerdict verdict{run, {bottleneck(*facts, words), idle(*facts, words), peak(*facts, words)}};
    VerdictClause& first = verdict.clauses.front();
    auto seen = bottleneckSpan(database, run, *facts, first.stage);
    if (!seen)
        return failure(seen.error());
    first.span = *std::move(seen);
    auto last = difference(database, run, *facts, words);
    if (!last)
        return failure(last.error());
    verdict.clauses.push_back(*std::move(last));
    return verdict;
}

std::string_view toString(VerdictQuestion question) {
    static constexpr std::array<std::string_view, verdictQuestionCount> names{"bottleneck", "idle", "peak",
                                                                              "difference"};
    return names[static_cast<std::size_t>(question)];
}

} // namespace core
