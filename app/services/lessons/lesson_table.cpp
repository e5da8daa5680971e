#include "app/services/lessons/lesson.h"

namespace app {

namespace {

using Figure = LessonFigure;
using Bound = LessonGoal::Bound;
using Texts = std::vector<std::string>;

constexpr LessonGoal atMost(Figure figure, double value) {
    return {figure, Bound::AtMost, value};
}
constexpr LessonGoal atLeast(Figure figure, double value) {
    return {figure, Bound::AtLeast, value};
}

Lesson balance() {
    const Texts common{"inputs=256", "hidden=1024,1024,1024,1024,1024,1024,1024", "micro_batch=16",
                       "accumulation=16"};
    Lesson lesson{
        .id = "balance",
        .title = "Balance two stages",
        .task = "Stage 0 holds one layer and stage 1 holds seven, so the IPU of stage 0 waits most of the "
                "time. Move the boundary until both stages work about as long.",
        .goals = {atMost(Figure::StageRatio, 1.25), atLeast(Figure::Throughput, 75000),
                  atMost(Figure::Ipus, 2), atMost(Figure::EffectiveBatch, 256)},
        .hints = {"A pipeline is as slow as its slowest stage. The gauges under the stages show the time of "
                  "each.",
                  "Drag the dashed line between the two stages, or select layers and press 0.",
                  "Four layers on each stage are close to equal."},
        .moral = "Every stage waits for the slowest one: equal stages are the first thing to look for.",
        .start = {"mlp", common, {}},
        .reference = {"mlp", common, {}},
    };
    lesson.start.arguments.emplace_back("split=1,6");
    lesson.reference.arguments.emplace_back("split=4,3");
    return lesson;
}

Lesson bubble() {
    const Texts common{"inputs=1024", "hidden=1024,1024,1024,1024,1024,1024,1024,1024", "micro_batch=16",
                       "split=2,2,2,2"};
    Lesson lesson{
        .id = "bubble",
        .title = "Remove a bubble",
        .task = "Four stages work on eight micro-batches per weight update. While the pipeline fills and "
                "drains, most of them have nothing to do. Make that share small.",
        .goals = {atMost(Figure::BubbleShare, 0.04), atLeast(Figure::Throughput, 150000),
                  atLeast(Figure::Ipus, 4), atMost(Figure::EffectiveBatch, 1024)},
        .hints = {"Filling and draining take as long for 8 micro-batches as for 800.",
                  "More micro-batches per weight update share one filling and one draining; the batch of a "
                  "weight update grows with them.",
                  "Choose 64 micro-batches in the toolbar."},
        .moral = "The bubble of a pipeline shrinks as the micro-batches of a weight update grow, and the "
                 "batch of the update is the price.",
        .start = {"mlp", common, {}},
        .reference = {"mlp", common, {}},
    };
    lesson.start.arguments.emplace_back("accumulation=8");
    lesson.reference.arguments.emplace_back("accumulation=64");
    return lesson;
}

Lesson memory() {
    const Texts common{"depth=18", "image=224", "micro_batch=16", "accumulation=8", "stages=2"};
    Lesson lesson{
        .id = "memory",
        .title = "Fit into memory",
        .task = "The first IPU needs more memory than it has: it keeps the activations of every micro-batch "
                "in flight for the backward pass. Make the plan fit on the same two IPUs.",
        .goals = {atMost(Figure::FullestIpu, 0.9), atMost(Figure::Ipus, 2), atLeast(Figure::Throughput, 1500),
                  atLeast(Figure::EffectiveBatch, 128)},
        .hints = {"The Memory gauge of stage 0 shows what holds it: the stash is activations that wait for "
                  "the backward pass.",
                  "What is computed again need not be kept. It costs time, which this lesson allows.",
                  "Switch on allow_recompute in Pipeline > IPUConfig options; the page Problems offers it "
                  "too."},
        .moral = "Recomputation trades time for memory: activations are made again just before they are "
                 "needed.",
        .start = {"resnet", common, {}},
        .reference = {"resnet", common, {}},
    };
    lesson.reference.arguments.emplace_back("recomputation=on");
    return lesson;
}

Lesson schedule() {
    const Texts common{"inputs=1024", "hidden=1024,1024,1024,1024,1024,1024,1024", "micro_batch=16",
                       "stages=4", "accumulation=16"};
    Lesson lesson{
        .id = "schedule",
        .title = "Choose a schedule",
        .task = "The Sequential schedule lets one stage work at a time. Choose one that is faster, but that "
                "does not keep the activations of too many micro-batches.",
        .goals = {atLeast(Figure::Throughput, 95000), atMost(Figure::Stash, 1'500'000),
                  atMost(Figure::Ipus, 4), atMost(Figure::EffectiveBatch, 256)},
        .hints = {"The choice Schedule in the toolbar lists them; the page Schedule draws each before it is "
                  "taken.",
                  "Grouped works on the most micro-batches at once, and keeps the most activations.",
                  "Interleaved alternates forward and backward passes: about half the stash of Grouped."},
        .moral = "A schedule decides how many micro-batches are in flight, and with that speed and stash.",
        .start = {"mlp", common, {}},
        .reference = {"mlp", common, {}},
    };
    lesson.start.arguments.emplace_back("schedule=Sequential");
    lesson.reference.arguments.emplace_back("schedule=Interleaved");
    return lesson;
}

Lesson replicate() {
    const Texts common{"inputs=1024", "hidden=1024,1024,1024,1024", "micro_batch=16", "accumulation=16",
                       "stages=2"};
    Lesson lesson{
        .id = "replicate",
        .title = "Replicate the pipeline",
        .task = "The pipeline runs on two IPUs, and the system may have eight. Use them without cutting "
                "the model into more stages.",
        .goals = {atLeast(Figure::Throughput, 300000), atMost(Figure::Ipus, 8),
                  atMost(Figure::EffectiveBatch, 1024)},
        .hints = {"Replicas are copies of the whole pipeline; each takes micro-batches of its own, and the "
                  "gradients are summed over them.",
                  "Eight IPUs hold four copies of a pipeline of two.",
                  "Set 8 IPUs and 4 replicas in Pipeline > Pipeline and system options."},
        .moral = "Replicas multiply throughput almost by their number; the sum of gradients over the links "
                 "and the larger batch are the price.",
        .start = {"mlp", common, {}},
        .reference = {"mlp", common, {}},
    };
    lesson.reference.arguments.emplace_back("replicas=4");
    return lesson;
}

Lesson shard() {
    const Texts common{"inputs=2048",    "hidden=4096,4096,4096,4096",
                       "micro_batch=16", "accumulation=16",
                       "stages=2",       "optimizer=Adam",
                       "replicas=4"};
    Lesson lesson{
        .id = "shard",
        .title = "Shard the optimizer",
        .task =
            "Adam keeps two numbers beside each weight, and each of four replicas keeps and fetches all of "
            "them. Make the weight update cheaper without filling more of the IPUs' memory.",
        .goals = {atLeast(Figure::Throughput, 30000), atMost(Figure::FullestIpu, 0.5),
                  atMost(Figure::Ipus, 8), atMost(Figure::EffectiveBatch, 1024)},
        .hints = {"The gauges show what the IPUs wait for: the optimizer state comes from remote memory with "
                  "every weight update.",
                  "Four replicas hold the same state: each could keep a quarter and share what it needs.",
                  "Switch on replicated_optimizer_state_sharding in Pipeline > Pipeline and system options."},
        .moral =
            "State that replicas have in common can be kept in parts: each fetches a share, and the fast "
            "links carry the rest.",
        .start = {"mlp", common, {}},
        .reference = {"mlp", common, {}},
    };
    lesson.reference.arguments.emplace_back("replicated_tensor_sharding=true");
    return lesson;
}

Lesson host() {
    const Texts common{"inputs=4096", "hidden=1024,1024,1024,1024", "micro_batch=16", "accumulation=32",
                       "stages=2"};
    return {
        .id = "host",
        .title = "Mind the host",
        .task =
            "Samples are large here, and the IPUs stop for each transfer from the host. Let transfers run "
            "beside the computation.",
        .goals = {atMost(Figure::HostShare, 0.03), atLeast(Figure::Throughput, 104000),
                  atMost(Figure::Ipus, 2), atMost(Figure::EffectiveBatch, 512)},
        .hints = {"A tile either computes or exchanges data. Tiles that only exchange can do so while others "
                  "compute.",
                  "They are called I/O tiles, and are options of IPUConfig.",
                  "In Pipeline > IPUConfig options set io_tiles.num_io_tiles to 64 and "
                  "io_tiles.place_ops_on_io_tiles to true."},
        .moral = "A few tiles that only move data hide the host behind the computation; the others lose "
                 "little.",
        .start = {"mlp", common, {}},
        .reference = {"mlp",
                      common,
                      {"ipu_config.io_tiles.num_io_tiles=64",
                       "ipu_config.io_tiles.place_ops_on_io_tiles=true"}},
    };
}

Lesson transformer() {
    const Texts common{"layers=4",        "hidden=256",    "heads=4",       "sequence=128",
                       "vocabulary=8000", "task=classify", "micro_batch=4", "accumulation=32"};
    Lesson lesson{
        .id = "transformer",
        .title = "Plan a transformer",
        .task =
            "An encoder of four layers runs on one IPU. Plan it for four: stages that work about as long, "
            "and memory to spare on each.",
        .goals = {atLeast(Figure::Throughput, 6000), atMost(Figure::StageRatio, 1.25),
                  atMost(Figure::FullestIpu, 0.25), atMost(Figure::Ipus, 4),
                  atMost(Figure::EffectiveBatch, 128)},
        .hints =
            {"Transformer layers are alike: one on each stage is nearly balanced, and embedding and head "
             "join the first and the last.",
             "Model > Stages > Split evenly counts calls, not work. Pipeline > Solve split… works with their "
             "times.",
             "Open Pipeline > Solve split…, choose 4 stages, and apply; or let Pipeline > Plan for me "
             "search."},
        .moral = "Equal blocks cut between blocks: the solver does it for any model, and the gauges tell "
                 "whether it did.",
        .start = {"bert", common, {}},
        .reference = {"bert", common, {}},
    };
    lesson.reference.arguments.emplace_back("stages=4");
    return lesson;
}

} // namespace

std::span<const Lesson> lessons() {
    static const std::vector<Lesson> table{balance(),   bubble(), memory(), schedule(),
                                           replicate(), shard(),  host(),   transformer()};
    return table;
}

} // namespace app
