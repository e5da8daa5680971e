// Compiling and simulating models of real size: cold, after an edit, and the parts that grow with the
// pipeline. Prints times and what they are of their limits.
#include "core/interchange/templates/template_project.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/profile/writer/profile_writer.h"
#include "core/project/validate.h"
#include "simulator/compiler/compilation_cache.h"
#include "simulator/engine/run.h"
#include "simulator/planner/estimate.h"
#include "tests/benchmarks/measure.h"
#include "tests/simulator/engine/pipeline_support.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>

namespace {

using benchmarks::milliseconds;
using benchmarks::print;

/// A result that must be there, or the reason why not and the end.
template <class Value>
Value need(core::Result<Value> result) {
    if (!result) {
        const core::Diagnostic& diagnostic = result.error().front();
        fmt::print(stderr, "{}: {}\n", diagnostic.code, diagnostic.message);
        std::exit(1);
    }
    return std::move(*result);
}

core::Project templateProject(std::string_view name, core::Json arguments) {
    core::Project project = need(core::newProject(name, arguments));
    const std::int64_t microBatches = project.pipeline.gradientAccumulationSteps.value_or(1);
    project.training.stepsPerExecution = microBatches;
    project.training.stepsPerEpoch = microBatches * project.replicas.value_or(1);
    return project;
}

core::Project resnet50(std::int64_t stages, std::int64_t replicas) {
    core::Project project = templateProject(
        "resnet", {{"depth", 50}, {"stages", stages}, {"replicas", replicas}, {"accumulation", 32}});
    project.system.ipus = stages * replicas;
    return project;
}

core::ValidatedProject validated(const core::Project& project) {
    return need(core::validate(project, core::RunMode::Train));
}

/// The whole of a run at level `ipu`, with the records kept in memory.
void simulateWhole(const core::ValidatedProject& project, simulator::CompilationCache& cache) {
    core::MemoryProfile sink;
    simulator::RunRequest request{project, simulator::ProfileLevel::Ipu, false, {}, {}, {}, {}};
    need(simulator::run(request, sink, {}, &cache));
}

void coldRun(std::string_view what, const core::Project& project, double limit) {
    print(what,
          milliseconds(5,
                       [&] {
                           simulator::CompilationCache cache;
                           simulateWhole(validated(project), cache);
                       }),
          limit, "ms");
}

/// The last layer of stage 0 goes to stage 1 and back; the model itself stays, as the window knows it.
void editedRun(std::string_view what, core::Project project, double limit) {
    simulator::CompilationCache cache;
    core::ModelExaminer examiner(project.model);
    const auto simulateEdited = [&] {
        auto outcome = core::validateAll(core::Project(project), core::RunMode::Train, {}, {}, examiner);
        simulateWhole(*outcome.project, cache);
    };
    simulateEdited();
    auto& stages = project.assignment.stages;
    const auto last = std::find_if(stages.rbegin(), stages.rend(),
                                   [](const auto& stage) { return stage == core::StageId(0); });
    bool moved = false;
    print(what,
          milliseconds(15,
                       [&] {
                           moved = !moved;
                           *last = core::StageId(moved ? 1 : 0);
                           simulateEdited();
                       }),
          limit, "ms");
}

/// The same edit to the figures that the window shows.
void editedEstimate(core::Project project, double limit) {
    simulator::CompilationCache cache;
    core::ModelExaminer examiner(project.model);
    auto& stages = project.assignment.stages;
    const auto border = std::ranges::find(stages, core::StageId(1));
    std::ptrdiff_t moved = 0;
    // Every border is another one, so that no program is known.
    print("  to its estimate",
          milliseconds(7,
                       [&] {
                           *(border + moved++) = core::StageId(0);
                           auto outcome = core::validateAll(core::Project(project), core::RunMode::Train, {},
                                                            {}, examiner);
                           benchmarks::keep(simulator::estimate(*outcome.project, cache));
                       }),
          limit, "ms");
}

/// Configurations a second and core: `change` makes the i-th project, whose programs, plans or nothing at all
/// are known from the one before. A project is changed in place, checked and estimated as a point of a sweep
/// is.
void configurations(const std::string& what, const core::Project& base, double wanted,
                    const std::function<void(core::Project&, int)>& change) {
    simulator::CompilationCache cache;
    simulator::TimedUpdates updates;
    core::ModelExaminer examiner(base.model);
    core::Project project = base;
    const auto evaluate = [&](int i) {
        change(project, i);
        auto outcome = core::validateAll(std::move(project), core::RunMode::Train, {}, {}, examiner);
        if (!outcome.project) {
            fmt::print(stderr, "{}: {}\n", what, outcome.findings.front().message);
            std::exit(1);
        }
        benchmarks::keep(simulator::estimateTotals(*outcome.project, cache, updates));
        project = std::move(*outcome.project).intoProject();
    };
    for (int i = 0; i < 4; ++i)
        evaluate(i);
    constexpr int count = 48;
    int next = 0;
    const double took = milliseconds(5, [&] {
        for (int i = 0; i < count; ++i)
            evaluate(next++);
    });
    print(what, 1e3 * count / took, wanted, "1/s");
}

/// BERT-Large on eight stages, by what varies.
void configurationsOfBert() {
    core::Project bert = templateProject("bert", {{"layers", 24},
                                                  {"hidden", 1024},
                                                  {"heads", 16},
                                                  {"sequence", 512},
                                                  {"stages", 8},
                                                  {"accumulation", 144}});
    bert.training.stepsPerExecution = 18 * 27720;
    bert.training.stepsPerEpoch = bert.training.stepsPerExecution * 4;
    bert.system.ipus = 32;
    configurations("BERT-Large, 8 stages: configurations that differ in micro-batches", bert, 10000,
                   [](core::Project& project, int i) {
                       project.pipeline.gradientAccumulationSteps = 18 * (1 + i % 12);
                   });
    configurations("  in the host's queues", bert, 10000,
                   [](core::Project& project, int i) { project.training.infeed.prefetchDepth = 1 + i % 16; });
    configurations("  in replicas", bert, 10000,
                   [](core::Project& project, int i) { project.replicas = std::int64_t(1) << (i % 3); });
    const auto permuted = [](int i) {
        std::vector<core::IpuId> ipus;
        for (std::size_t ipu = 0; ipu < 8; ++ipu)
            ipus.emplace_back(ipu);
        // Every order of the last five comes once.
        for (int j = 0; j < i; ++j)
            std::next_permutation(ipus.begin(), ipus.end());
        ipus.push_back(ipus.front());
        return ipus;
    };
    std::vector<std::vector<core::IpuId>> mappings;
    for (int i = 0; i < 240; ++i)
        mappings.push_back(permuted(i));
    configurations("  in the mapping", bert, 10000, [&](core::Project& project, int i) {
        project.deviceMapping.ipus = mappings[static_cast<std::size_t>(i) % mappings.size()];
    });
    configurations("  in the schedule and the mapping", bert, 10000, [&](core::Project& project, int i) {
        project.pipeline.schedule = i % 2 == 0 ? "Grouped" : "Sequential";
        project.deviceMapping.ipus = mappings[static_cast<std::size_t>(i) % mappings.size()];
    });
    // One stage on each IPU, without a word table that two of them share.
    core::Project asynchronous = templateProject("bert", {{"layers", 24},
                                                          {"hidden", 1024},
                                                          {"heads", 16},
                                                          {"sequence", 512},
                                                          {"stages", 8},
                                                          {"tied", false},
                                                          {"accumulation", 144}});
    asynchronous.training.stepsPerExecution = bert.training.stepsPerExecution;
    asynchronous.training.stepsPerEpoch = bert.training.stepsPerEpoch;
    asynchronous.system.ipus = 32;
    for (const char* schedule : {"1F1B", "GPipe", "ZB-H1"}) {
        asynchronous.pipeline.schedule = schedule;
        configurations(fmt::format("  in the mapping of {}", schedule), asynchronous, 10000,
                       [&](core::Project& project, int i) {
                           const auto& ipus = mappings[static_cast<std::size_t>(i) % mappings.size()];
                           project.deviceMapping.ipus.assign(ipus.begin(), ipus.begin() + 8);
                       });
        configurations(fmt::format("  in the micro-batches of {}", schedule), asynchronous, 10000,
                       [](core::Project& project, int i) {
                           project.pipeline.gradientAccumulationSteps = 18 * (1 + i % 12);
                       });
        configurations(fmt::format("  in many micro-batches of {}, each once", schedule), asynchronous, 10000,
                       [](core::Project& project, int i) {
                           project.pipeline.gradientAccumulationSteps = 4000 + i;
                           project.training.stepsPerExecution = 4000 + i;
                           project.training.stepsPerEpoch = 4 * (4000 + i);
                       });
    }
    core::Project manyReplicas = bert;
    manyReplicas.replicas = 4;
    configurations("  in the figures of the links, with replicas", manyReplicas, 10000,
                   [](core::Project& project, int i) {
                       project.system.other["link_bytes_per_second"] = 16e9 - 1e7 * i;
                   });
    core::Project oneReplica = bert;
    oneReplica.replicas = 1;
    configurations("  in the figures of the links", oneReplica, 10000, [](core::Project& project, int i) {
        project.system.other["link_bytes_per_second"] = 16e9 - 1e8 * (i % 48);
    });
    configurations("  in the split", bert, 50, [&](core::Project& project, int i) {
        project.assignment = bert.assignment;
        // Two borders of stages move a little with every configuration, so that none comes twice.
        const auto move = [&](int border, int by) {
            auto& stages = project.assignment.stages;
            const auto place = std::ranges::find(stages, core::StageId(static_cast<std::size_t>(1 + border)));
            const auto moved = std::min<std::ptrdiff_t>(by, stages.end() - place);
            std::fill(place, place + moved, core::StageId(static_cast<std::size_t>(border)));
        };
        move(i % 7, 1 + i / 7 % 12);
        move((i + 3) % 7, i / 84);
    });
    configurations("  in the micro-batch", bert, 50,
                   [](core::Project& project, int i) { project.training.batchSize = 1 + i; });
}

void pipelines() {
    tests::PipelineSpec spec;
    spec.kind = "Interleaved";
    spec.microBatches = 256;
    spec.stages.resize(64);
    spec.crossingBytes = 1 << 20;
    spec.infeedBytes = 1 << 16;
    const simulator::CompiledPipeline pipeline = tests::pipelineOf(spec);
    const core::PipelineShape shape = pipeline.schedule.shape;
    const double scheduled =
        milliseconds(51, [&] { benchmarks::keep(need(core::buildSchedule(spec.kind, shape))); });
    const double timed = milliseconds(51, [&] {
        const simulator::SlotPattern pattern = simulator::slotPattern(pipeline);
        benchmarks::keep(simulator::simulateUpdate(pipeline, pattern));
    });
    print("64 stages x 256 micro-batches, Interleaved: schedule", scheduled, 0.5, "ms");
    print("  slots timed", timed, 0.5, "ms");
    print("  both", scheduled + timed, 0.5, "ms");
    print("  timed, with every lane's work and idling",
          milliseconds(51, [&] { benchmarks::keep(simulator::simulate(pipeline)); }), 5, "ms");
}

/// A million operations, each with a block of memory that lives on a little.
void liveness() {
    constexpr std::uint32_t operations = 1'000'000;
    const double before = benchmarks::peakMegabytes();
    simulator::IpuMemoryPlan plan;
    plan.tiles = 1472;
    plan.slotEnd = operations - 1;
    plan.steps.resize(operations);
    plan.blocks.reserve(operations);
    simulator::TileAllocator tiles(0, plan.tiles);
    std::mt19937 random(1);
    for (std::uint32_t step = 0; step < operations; ++step) {
        simulator::MemoryBlock block;
        block.mapping = tiles.spread(static_cast<std::int64_t>(1 + random() % 100000));
        block.interval = {step, std::min(operations - 1, step + static_cast<std::uint32_t>(random() % 16))};
        plan.blocks.push_back(block);
    }
    std::vector<simulator::LiveInterval> intervals;
    std::vector<std::int64_t> bytes;
    for (const simulator::MemoryBlock& block : plan.blocks) {
        intervals.push_back(block.interval);
        bytes.push_back(block.bytes());
    }
    print("liveness of 1,000,000 operations",
          milliseconds(
              5, [&] { benchmarks::keep(simulator::liveBytes(intervals, bytes, operations, plan.slotEnd)); }),
          15, "ms");
    print("  with the fullest tile of every step",
          milliseconds(1, [&] { simulator::measure(plan, 624 * 1024); }), 2000, "ms");
    print("  memory", (benchmarks::peakMegabytes() - before) * 1e6 / operations, 200, "bytes/op");
}

} // namespace

int main() {
    const core::Project two = resnet50(2, 1);
    const core::Project sixteen = resnet50(4, 4);
    coldRun("ResNet-50, 2 stages: compile and simulate, cold", two, 25);
    print("  memory of the process", benchmarks::peakMegabytes(), 150, "MB");
    editedRun("  after a layer moved to another stage", two, 5);
    editedEstimate(two, 16);
    coldRun("ResNet-50, 4 stages x 4 replicas: cold", sixteen, 25);
    editedRun("  after a layer moved to another stage", sixteen, 5);
    editedEstimate(sixteen, 16);
    core::Project bert = templateProject("bert", {{"layers", 24},
                                                  {"hidden", 1024},
                                                  {"heads", 16},
                                                  {"sequence", 512},
                                                  {"stages", 16},
                                                  {"replicas", 4},
                                                  {"micro_batch", 2},
                                                  {"accumulation", 68}});
    bert.system.ipus = 64;
    coldRun("BERT-Large, 16 stages x 4 replicas (64 IPUs): cold", bert, 40);
    print("  memory of the process", benchmarks::peakMegabytes(), 300, "MB");
    editedRun("  after a layer moved to another stage", bert, 10);
    editedEstimate(bert, 16);
    configurationsOfBert();
    pipelines();
    liveness();
    return 0;
}
