// Training steps and inference on one thread: time, share of what matrix products alone would take, memory,
// and the same in PyTorch where Python has it and in onnxruntime where Node.js has it.
#include "core/interchange/templates/template_project.h"
#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/model_builder.h"
#include "core/project/validate.h"
#include "simulator/compiler/compile.h"
#include "simulator/compiler/staging/build_training_graph.h"
#include "simulator/engine/replica/training_replica.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"
#include "simulator/numerics/weight_initializer.h"
#include "tests/benchmarks/measure.h"
#include "tests/tools/oracle/graph_session.h"

#include <fmt/ranges.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace {

using benchmarks::milliseconds;
using core::Json;
using namespace simulator;

template <class Value>
Value need(core::Result<Value> result) {
    if (!result) {
        fmt::print(stderr, "{}\n", core::toText(result.error().front()));
        std::exit(1);
    }
    return std::move(*result);
}

Json dense(int units, const char* activation) {
    return {{"units", units}, {"activation", activation}};
}
Json convolution(int filters, const char* padding) {
    return {{"filters", filters}, {"kernel_size", {3, 3}}, {"padding", padding}, {"activation", "relu"}};
}

core::ModelGraph tutorialMlp() {
    return core::sequentialModel("mlp", {784},
                                 {{"Dense", "dense256", dense(256, "relu")},
                                  {"Dense", "dense128", dense(128, "relu")},
                                  {"Dense", "dense64", dense(64, "relu")},
                                  {"Dense", "dense32", dense(32, "relu")},
                                  {"Dense", "dense10", dense(10, "softmax")}});
}

core::ModelGraph smallCnn() {
    const Json halved{{"pool_size", {2, 2}}};
    return core::sequentialModel("cnn", {28, 28, 1},
                                 {{"Conv2D", "conv32", convolution(32, "same")},
                                  {"MaxPooling2D", "pool14", halved},
                                  {"Conv2D", "conv64", convolution(64, "same")},
                                  {"MaxPooling2D", "pool7", halved},
                                  {"Flatten", "flatten"},
                                  {"Dense", "dense128", dense(128, "relu")},
                                  {"Dense", "dense10", dense(10, "softmax")}});
}

/// One layer of 256 units over 64 steps.
core::ModelGraph longShortTermMemory() {
    return core::sequentialModel(
        "lstm", {64, 128},
        {{"LSTM", "lstm256", {{"units", 256}}}, {"Dense", "dense10", dense(10, "softmax")}});
}

/// Layers of BERT-Base as its template makes them, under a classification of the mean of all tokens.
core::ModelGraph bertLayers() {
    core::ModelBuilder builder("bert_layers");
    core::TensorRef x = builder.input("x", {128, 768});
    for (const std::string layer : {"layer0", "layer1"}) {
        core::TensorRef y = builder.call("MultiHeadAttention", layer + "_self_attention",
                                         {{"num_heads", 12}, {"key_dim", 64}}, {x, x});
        y = builder.call("Add", layer + "_attention_add", Json::object(), {x, y});
        x = builder.call("LayerNormalization", layer + "_attention_norm", Json::object(), {y});
        y = builder.call("Dense", layer + "_intermediate", dense(3072, "gelu"), {x});
        y = builder.call("Dense", layer + "_output", dense(768, "linear"), {y});
        y = builder.call("Add", layer + "_output_add", Json::object(), {x, y});
        x = builder.call("LayerNormalization", layer + "_output_norm", Json::object(), {y});
    }
    x = builder.call("GlobalAveragePooling1D", "mean", Json::object(), {x});
    x = builder.call("Dense", "dense10", dense(10, "softmax"), {x});
    return std::move(builder).build({x});
}

std::shared_ptr<const TrainingGraph> graphOf(const core::ModelGraph& model, std::int64_t batch,
                                             core::RunMode mode) {
    core::InferenceOptions inference;
    inference.batchSize = batch;
    inference.requiresKnownShapes = true;
    TrainingGraphOptions options;
    options.mode = mode;
    options.training.optimizer = {"SGD", {{"learning_rate", 0.01}, {"momentum", 0.9}}};
    options.training.losses = {{"SparseCategoricalCrossentropy", Json::object()}};
    const core::TypedGraph typed = need(core::inferShapes(model, inference));
    return std::make_shared<TrainingGraph>(need(buildTrainingGraph(typed, options)));
}

/// A product's multiplications and additions.
double productFlops(const TrainingGraph& graph, const Operation& operation) {
    const auto extents = [&](core::TensorId id) -> const Extents& { return graph.tensor(id).extents; };
    const Extents& output = extents(operation.outputs[0]);
    if (const auto* product = std::get_if<MatMul>(&operation.attributes)) {
        const Extents& left = extents(operation.inputs[0]);
        const auto inner = left[left.size() - (product->transposeLeft ? 2 : 1)];
        return 2.0 * static_cast<double>(elementCount(output) * inner);
    }
    const auto* convolution = std::get_if<Convolution>(&operation.attributes);
    if (convolution == nullptr)
        return 0;
    // Every pass multiplies each output element of the forward pass with a window.
    const bool isForward = convolution->pass == ConvolutionPass::Forward;
    const bool isWeights = convolution->pass == ConvolutionPass::WeightGradient;
    const Extents& small = isForward ? output : extents(operation.inputs[isWeights ? 1 : 0]);
    const Extents& kernel = isWeights ? output : extents(operation.inputs[1]);
    return 2.0 * static_cast<double>(elementCount(small)) *
           static_cast<double>(elementCount(kernel) / kernel.back());
}

class Workload {
public:
    Workload(const core::ModelGraph& model, std::int64_t batch, core::RunMode mode)
        : m_graph(graphOf(model, batch, mode))
        , m_session(need(GraphSession::make(m_graph)))
        , m_isTraining(mode == core::RunMode::Train) {
        useThreads(1);
        for (const LayerWeight& weight : m_graph->weights) {
            const Tensor& tensor = m_graph->tensor(weight.tensor);
            m_session.store().write(weight.tensor,
                                    initialWeights(Json::object(), tensor.extents, tensor.name, 1));
        }
        m_state.learningRate = 0.001;
    }

    void useThreads(unsigned threads) {
        m_pool = std::make_unique<ThreadPool>(threads);
        m_pool->reserveScratch(m_session.threadScratch());
    }

    void step() {
        m_session.runMicroBatch(m_state, *m_pool);
        if (m_isTraining)
            m_session.runUpdate(m_state, *m_pool);
    }

    [[nodiscard]] double flops() const {
        double sum = 0;
        for (const Operation& operation : m_graph->operations)
            sum += productFlops(*m_graph, operation);
        return sum;
    }

    /// Memory used, in units of what weights, slots, inputs and the activations the backward pass reads need.
    [[nodiscard]] double memoryShare() const {
        std::set<core::TensorId> needed;
        for (const Tensor& tensor : m_graph->tensors) {
            if (isStored(tensor.role))
                needed.insert(tensor.id);
        }
        for (const Operation& operation : m_graph->operations) {
            for (const core::TensorId id : operation.inputs) {
                if (operation.phase == Phase::Backward && m_graph->tensor(id).role == TensorRole::Activation)
                    needed.insert(id);
            }
        }
        double bytes = 0;
        for (const core::TensorId id : needed)
            bytes += static_cast<double>(m_graph->tensor(id).bytes());
        return static_cast<double>(m_session.memoryBytes()) / bytes;
    }

    /// Milliseconds by kind of operation.
    void printProfile() {
        std::map<std::string, double> times;
        const OperationSequence& sequence = m_session.microBatch();
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            const Operation& operation = m_graph->operation(sequence.group(i).main);
            std::string kind(kindName(operation.attributes));
            if (const auto* convolution = std::get_if<Convolution>(&operation.attributes)) {
                const Extents& kernel = m_graph->tensor(operation.inputs[1]).extents;
                kind += fmt::format(" {} k{} s{} {}", static_cast<int>(convolution->pass), kernel[0],
                                    convolution->window.stride[0],
                                    fmt::join(m_graph->tensor(operation.outputs[0]).extents, " × "));
            }
            times[kind] += milliseconds(5, [&] { sequence.runOne(i, m_state, *m_pool); });
        }
        times["weight update"] = milliseconds(5, [&] {
            if (m_isTraining)
                m_session.runUpdate(m_state, *m_pool);
        });
        for (const auto& [kind, time] : times)
            fmt::print("    {:<40} {:>9.3f} ms\n", kind, time);
    }

private:
    std::unique_ptr<ThreadPool> m_pool;
    std::shared_ptr<const TrainingGraph> m_graph;
    GraphSession m_session;
    StepState m_state;
    bool m_isTraining;
};

/// Memory of one replica as the trainer keeps it, in units of what weights, optimizer state, accumulators,
/// inputs and the activations that the schedule keeps for the backward pass need.
double trainerMemoryShare(const core::Project& project) {
    const Executable executable = need(compile(need(core::validate(project, core::RunMode::Train))));
    const auto program = std::make_shared<TrainingProgram>(trainingProgram(executable));
    deferGradients(*program);
    const TrainingReplica replica = need(TrainingReplica::make(program));
    const TrainingGraph& graph = program->graph();
    double needed = 0;
    for (const Tensor& tensor : graph.tensors)
        if (isStored(tensor.role))
            needed += static_cast<double>(tensor.bytes());
    for (const Stash& stash : program->staged->stashes)
        needed += static_cast<double>(stash.depth * graph.tensor(stash.tensor).bytes());
    for (const TrainingProgram::StageOperations& stage : program->stages) {
        std::set<core::TensorId> read;
        for (const core::OperationId id : stage.backward)
            for (const core::TensorId input : graph.operation(id).inputs)
                if (graph.operation(id).phase == Phase::Backward &&
                    graph.tensor(input).role == TensorRole::Activation)
                    read.insert(input);
        for (const core::TensorId id : read)
            needed += static_cast<double>(graph.tensor(id).bytes());
    }
    return static_cast<double>(replica.memoryBytes()) / needed;
}

void reportTrainerMemory() {
    const auto share = [](const char* name, const core::Project& project) {
        fmt::print("{:<52} {:>5.2f} x memory\n", name, trainerMemoryShare(project));
    };
    const auto project = [](const char* name, const Json& arguments) {
        return need(core::newProject(name, arguments));
    };
    share("trainer: MLP, one stage", project("mlp", {{"stages", 1}, {"accumulation", 1}}));
    share("trainer: MLP, one stage, 8 micro-batches", project("mlp", {{"stages", 1}, {"accumulation", 8}}));
    share("trainer: MLP, two stages, 8 micro-batches", project("mlp", {{"stages", 2}, {"accumulation", 8}}));
    share("trainer: CNN, two stages, 8 micro-batches", project("cnn", {{"stages", 2}, {"accumulation", 8}}));
    share("trainer: ResNet-50, four stages, 16 micro-batches",
          project("resnet", {{"depth", 50}, {"stages", 4}, {"accumulation", 16}, {"micro_batch", 1}}));
}

/// Multiplications and additions per millisecond of a large product.
double productPeak() {
    constexpr std::int64_t size = 384;
    AlignedMemory memory(static_cast<std::size_t>(3 * size * size) * sizeof(float));
    auto* floats = reinterpret_cast<float*>(memory.data());
    MatrixProduct product;
    product.rows = product.columns = product.inner = size;
    product.left = floats;
    product.leftRow = size;
    product.right = floats + size * size;
    product.rightRow = size;
    product.out = floats + 2 * size * size;
    product.outRow = size;
    const MatrixKernels& kernel = kernels().matrix;
    AlignedMemory scratch(static_cast<std::size_t>(kernel.productScratch()) * sizeof(float));
    const double time = milliseconds(
        150, [&] { kernel.product(product, 0, size, 0, size, reinterpret_cast<float*>(scratch.data())); });
    return 2.0 * size * size * size / time;
}

/// What one library took for each workload, in processor milliseconds of every round.
using Times = std::map<std::string, std::vector<double>>;

/// A round of a peer: a program that prints "name milliseconds" for each workload that it knows, behind a #
/// what it is, and nothing where its library is missing.
void runPeer(const std::string& command, Times& times, std::string& what) {
    FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
    std::array<char, 256> line{};
    while (pipe != nullptr && std::fgets(line.data(), line.size(), pipe) != nullptr) {
        std::string text(line.data());
        while (text.ends_with('\n'))
            text.pop_back();
        if (text.starts_with("# ")) {
            what = text.substr(2);
            continue;
        }
        const std::size_t gap = text.rfind(' ');
        times[text.substr(0, gap)].push_back(std::atof(text.c_str() + gap));
    }
    if (pipe != nullptr)
        pclose(pipe);
}

struct Peer {
    const char* name;
    std::string command;
    Times times;
    std::string what;
};

struct Row {
    const char* name;
    std::unique_ptr<Workload> workload;
    int repetitions;
    std::vector<double> times;
};

/// How much faster a step is on two threads: medians of five rounds of both in turn, in time on the wall.
void reportTwoThreads(Row& row) {
    std::array<std::vector<double>, 2> times;
    for (int round = 0; round < 5; ++round) {
        for (unsigned threads : {1U, 2U}) {
            row.workload->useThreads(threads);
            row.workload->step();
            times[threads - 1].push_back(milliseconds(row.repetitions, [&] { row.workload->step(); }));
        }
    }
    row.workload->useThreads(1);
    fmt::print("    two threads {:.3f} ms: {:.2f} x one\n", benchmarks::median(times[1]),
               benchmarks::median(times[0]) / benchmarks::median(times[1]));
}

} // namespace

/// `--threads`: what a second thread brings as well. `--profile`: times of each kind of operation as well.
/// `--no-peer`: only this program. `--only TEXT`: the workloads whose names contain it. Both sides run on one
/// thread and alternate for five rounds; what is compared is the median of their processor time.
int main(int argc, char** argv) {
    const auto asks = [&](const char* option) {
        return std::any_of(argv + 1, argv + argc,
                           [&](const char* argument) { return std::strcmp(argument, option) == 0; });
    };
    std::string only;
    for (int i = 1; i + 1 < argc; ++i)
        if (std::strcmp(argv[i], "--only") == 0)
            only = argv[i + 1];
    const auto isWanted = [&](std::string_view name) { return name.find(only) != std::string_view::npos; };
    // A library that multiplies in parallel whatever it is told would take a second core.
    for (const char* variable : {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"})
        setenv(variable, "1", 1);
    std::vector<Row> rows;
    const auto add = [&](const char* name, int repetitions, std::int64_t batch, core::RunMode mode,
                         const auto& model) {
        if (isWanted(name))
            rows.push_back({name, std::make_unique<Workload>(model(), batch, mode), repetitions, {}});
    };
    add("tutorial MLP, batch 32, training", 400, 32, core::RunMode::Train, tutorialMlp);
    add("small CNN, batch 32, training", 20, 32, core::RunMode::Train, smallCnn);
    add("LSTM 256 x 64 steps, batch 32, training", 5, 32, core::RunMode::Train, longShortTermMemory);
    add("2 BERT-Base layers, 4 x 128 tokens, training", 3, 4, core::RunMode::Train, bertLayers);
    add("ResNet-50, batch 8, forward", 3, 8, core::RunMode::Predict, [] {
        return need(core::newProject("resnet", {{"depth", 50}})).model;
    });

    const std::string folder = NUMERICS_PEERS;
    const std::string python = "/usr/bin/env python3 '" + folder + "/numerics_peer.py' '" + only + "'";
    std::vector<Peer> peers{
        {"PyTorch", python + " 2>/dev/null || /usr/bin/python3" + python.substr(20), {}, {}},
        {"onnxruntime", "node '" + folder + "/numerics_peer.js' '" + only + "'", {}, {}}};
    if (asks("--no-peer"))
        peers.clear();
    const int rounds = 5;
    std::vector<double> peaks;
    for (int round = 0; round < rounds; ++round) {
        peaks.push_back(productPeak());
        for (Row& row : rows) {
            row.workload->step();
            row.times.push_back(
                benchmarks::processorMilliseconds(row.repetitions, [&] { row.workload->step(); }));
        }
        for (Peer& peer : peers)
            runPeer(peer.command, peer.times, peer.what);
    }
    const double peak = benchmarks::median(peaks);
    fmt::print("kernels {}: products of {:.1f} GFLOP/s on one thread\n", kernels().name, peak / 1e6);
    fmt::print("One thread on each side, {} rounds in turn, medians of processor time", rounds);
    for (const Peer& peer : peers)
        fmt::print("; {}", peer.what.empty() ? fmt::format("no {}", peer.name) : peer.what);
    fmt::print("\n");
    for (Row& row : rows) {
        const double time = benchmarks::median(row.times);
        fmt::print("{:<46} {:>9.3f} ms  {:>5.1f} % of product peak  {:>5.2f} x memory", row.name, time,
                   100 * row.workload->flops() / peak / time, row.workload->memoryShare());
        for (const Peer& peer : peers) {
            const auto found = peer.times.find(row.name);
            if (found != peer.times.end())
                fmt::print("  {} {:.3f} ms: {:.2f} x as fast", peer.name, benchmarks::median(found->second),
                           benchmarks::median(found->second) / time);
        }
        fmt::print("\n");
        if (asks("--profile"))
            row.workload->printProfile();
        if (asks("--threads"))
            reportTwoThreads(row);
    }
    if (only.empty())
        reportTrainerMemory();
    return 0;
}
