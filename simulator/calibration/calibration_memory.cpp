#include "simulator/calibration/calibration_memory.h"

#include "simulator/calibration/calibration_project.h"
#include "simulator/compiler/compile.h"
#include "simulator/cost/codelet.h"
#include "simulator/target/target_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <functional>
#include <set>

namespace simulator {

namespace {

using core::Json;
using core::MemoryCategory;

/// Rows name one figure in several ways: "control_code", "control code", "stack bytes total".
std::string figureOf(std::string metric) {
    std::ranges::replace(metric, ' ', '_');
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> others{
        {{"max_live_variables", "variables"},
         {"total", "total_bytes"},
         {"max_tile", "max_tile_bytes"},
         {"stack_bytes_total", "stack"},
         {"vertex_instances", "vertex_state"}}};
    const auto found =
        std::ranges::find(others, metric, &std::pair<std::string_view, std::string_view>::first);
    return found == others.end() ? metric : std::string(found->second);
}

double real(core::Bytes bytes) {
    return static_cast<double>(bytes.value());
}

/// A figure of a whole program's memory plan.
std::optional<double> figureOfPlan(const IpuMemoryPlan& plan, const std::string& figure) {
    const core::IpuMemorySummary& summary = plan.summary;
    const auto category = [&](MemoryCategory wanted) {
        return real(summary.byCategory[static_cast<std::size_t>(wanted)]);
    };
    if (figure == "variables")
        return category(MemoryCategory::Weights) + category(MemoryCategory::Constants) +
               category(MemoryCategory::OptimizerState) + category(MemoryCategory::Accumulators) +
               real(summary.notAlwaysLivePeak);
    if (figure == "total_bytes")
        return real(summary.peak);
    if (figure == "max_tile_bytes")
        return real(summary.worstTileBytes);
    constexpr std::array<std::pair<std::string_view, MemoryCategory>, 5> code{
        {{"vertex_code", MemoryCategory::VertexCode},
         {"vertex_state", MemoryCategory::VertexState},
         {"exchange_code", MemoryCategory::ExchangeCode},
         {"control_code", MemoryCategory::ControlCode},
         {"stack", MemoryCategory::Stack}}};
    const auto found = std::ranges::find(code, figure, &std::pair<std::string_view, MemoryCategory>::first);
    return found == code.end() ? std::nullopt : std::optional(category(found->second));
}

/// Some operations of a compiled model by themselves.
class Part {
public:
    Part(const Executable& executable, const std::function<bool(const Operation&)>& contains)
        : m_executable(executable) {
        for (const Operation& operation : executable.graph.operations)
            if (contains(operation))
                m_operations.push_back(&operation);
    }

    [[nodiscard]] bool isEmpty() const { return m_operations.empty(); }

    /// `alone`: the variables of an operation by itself are its operands; those of a layer its weights and
    /// the most that it needs beside them at once.
    [[nodiscard]] std::optional<double> figure(const std::string& name, bool alone) const {
        if (name == "variables")
            return alone ? operands() : weights() + temporaries();
        if (name == "vertex_code")
            return vertexCode();
        if (name == "vertex_state")
            return sum(&OperationPlan::vertexStatePerTile);
        if (name == "exchange_code")
            return sum(&OperationPlan::exchangeCodePerTile);
        if (name == "control_code")
            return sum(&OperationPlan::controlCodePerTile);
        return std::nullopt;
    }

    /// What it adds to a program's memory: its weights, its code and its state.
    [[nodiscard]] double added(const std::string& name) const {
        if (name == "variables")
            return weights();
        constexpr std::array code{"vertex_state", "exchange_code", "control_code"};
        if (name == "total_bytes" || name == "max_tile_bytes") {
            double bytes = weights();
            for (const char* figureName : code)
                bytes += figure(figureName, true).value_or(0);
            const IpuTarget& target = m_executable.system.target;
            return name == "total_bytes" ? bytes : bytes / static_cast<double>(target.tiles);
        }
        // Vertex code is shared with the rest of the program.
        return std::ranges::find(code, name) != code.end() ? figure(name, true).value_or(0) : 0;
    }

private:
    [[nodiscard]] const OperationPlan& planOf(const Operation& operation) const {
        return m_executable.plans[operation.id.index()];
    }

    [[nodiscard]] double sum(core::Bytes OperationPlan::*bytesPerTile) const {
        double bytes = 0;
        for (const Operation* operation : m_operations)
            bytes +=
                real(planOf(*operation).*bytesPerTile) * static_cast<double>(planOf(*operation).tilesUsed);
        return bytes;
    }

    [[nodiscard]] double vertexCode() const {
        std::set<std::string> codelets;
        std::int64_t tiles = 0;
        for (const Operation* operation : m_operations) {
            const OperationPlan& plan = planOf(*operation);
            codelets.insert(plan.codelets.begin(), plan.codelets.end());
            tiles = std::max(tiles, plan.tilesUsed);
        }
        double bytes = 0;
        for (const std::string& codelet : codelets)
            bytes += static_cast<double>(codeletBytes(codelet) * tiles);
        return bytes;
    }

    /// The tensor that a view names in another way.
    [[nodiscard]] const Tensor& viewed(core::TensorId id) const {
        const TrainingGraph& graph = m_executable.graph;
        for (const Operation& operation : graph.operations)
            if (std::holds_alternative<Reshape>(operation.attributes) && operation.outputs.front() == id)
                return viewed(operation.inputs.front());
        return graph.tensor(id);
    }

    /// Bytes of the tensors that the operations read, each once.
    [[nodiscard]] double read(const std::function<bool(const Tensor&)>& counts) const {
        std::set<core::TensorId> counted;
        double bytes = 0;
        for (const Operation* operation : m_operations)
            for (const core::TensorId input : operation->inputs) {
                const Tensor& tensor = viewed(input);
                if (counts(tensor) && counted.insert(tensor.id).second)
                    bytes += static_cast<double>(tensor.bytes());
            }
        return bytes;
    }

    [[nodiscard]] double weights() const {
        return read([](const Tensor& tensor) { return tensor.role == TensorRole::Parameter; });
    }
    [[nodiscard]] double operands() const {
        return read([](const Tensor&) { return true; });
    }

    /// The most that one operation needs at once: its temporaries and its operands that are no weights.
    [[nodiscard]] double temporaries() const {
        double most = 0;
        for (const Operation* operation : m_operations) {
            const OperationPlan& plan = planOf(*operation);
            double bytes = real(plan.temporaryPerTile) * static_cast<double>(plan.tilesUsed);
            for (const core::TensorId input : operation->inputs) {
                const Tensor& tensor = m_executable.graph.tensor(input);
                if (tensor.role == TensorRole::Activation || tensor.role == TensorRole::Input)
                    bytes += static_cast<double>(tensor.bytes());
            }
            most = std::max(most, bytes);
        }
        return most;
    }

    const Executable& m_executable;
    std::vector<const Operation*> m_operations;
};

/// Layers of a scope, both included: "layer 10" is 10 to 10, "layers 0-11" 0 to 11.
struct LayerRange {
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// Nothing for other scopes.
std::optional<LayerRange> layersOf(std::string_view scope, std::string_view prefix) {
    if (!scope.starts_with(prefix))
        return std::nullopt;
    const char* const end = scope.data() + scope.size();
    LayerRange range;
    const auto [rest, error] = std::from_chars(scope.data() + prefix.size(), end, range.first);
    range.last = range.first;
    if (error != std::errc() || rest == end)
        return error == std::errc() ? std::optional(range) : std::nullopt;
    const auto [rear, wrong] = std::from_chars(rest + 1, end, range.last);
    const bool isRange = *rest == '-' && wrong == std::errc() && rear == end && range.last >= range.first;
    return isRange ? std::optional(range) : std::nullopt;
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// Operations of one layer of a transformer that single rows are about, by what their names contain.
struct NamedPart {
    std::string_view scope;
    std::string_view kind;
    std::vector<std::string_view> names;
};

bool isIn(const NamedPart& part, const Operation& operation) {
    return kindName(operation.attributes) == part.kind &&
           std::ranges::any_of(part.names,
                               [&](std::string_view name) { return contains(operation.name, name); });
}

const std::vector<NamedPart>& namedParts() {
    static const std::vector<NamedPart> parts{
        {"QKV matmul",
         "MatMul",
         {"layer0_self_attention/matmul", "layer0_self_attention/matmul_2",
          "layer0_self_attention/matmul_3"}},
        {"attention-score matmul", "MatMul", {"layer0_self_attention/scores"}},
        {"scores x values matmul", "MatMul", {"layer0_self_attention/attend"}},
        {"attention scale multiply", "Unary", {"layer0_self_attention/scale_shift"}},
        {"group norm", "Normalization", {"layer0_output_norm"}},
        {"embedding gather", "Gather", {"word_embeddings"}},
    };
    return parts;
}

core::Result<Executable> compiled(const CalibrationCase& item, CompilationCache& cache,
                                  const core::JobContext& job) {
    const auto project = calibrationProject(item);
    if (!project)
        return core::failure(project.error());
    const auto validated = validatedForCalibration(*project);
    if (!validated)
        return core::failure(validated.error());
    return compile(*validated, job, &cache);
}

core::Result<double> figureOfPart(const Executable& executable, const std::string& scope,
                                  const std::string& figure) {
    std::function<bool(const Operation&)> inScope;
    if (const auto layer = layersOf(scope, "layer ")) {
        const std::string prefix = fmt::format("layer{}_", layer->first);
        inScope = [prefix](const Operation& operation) { return operation.name.starts_with(prefix); };
    } else {
        const auto part = std::ranges::find(namedParts(), scope, &NamedPart::scope);
        if (part == namedParts().end())
            return core::failure(noPrediction(fmt::format("the model has no part \"{}\"", scope)));
        inScope = [part](const Operation& operation) { return isIn(*part, operation); };
    }
    const Part part(executable, inScope);
    const auto value = part.figure(figure, !scope.starts_with("layer "));
    if (part.isEmpty() || !value)
        return core::failure(noPrediction(fmt::format("\"{}\" has no figure \"{}\"", scope, figure)));
    return *value;
}

Part embeddingsOf(const Executable& executable) {
    return {executable, [](const Operation& operation) { return contains(operation.name, "embeddings"); }};
}

/// What every program has, whatever its graph.
std::optional<double> figureOfTarget(const IpuTarget& target, const std::string& figure) {
    const auto everywhere = [&](std::int64_t bytesPerTile) {
        return static_cast<double>(bytesPerTile * target.tiles);
    };
    if (figure == "stack")
        return everywhere(target.stackBytesPerTile);
    if (figure == "control_code")
        return everywhere(target.controlCodeBytesPerTile);
    if (figure == "host_exchange_code")
        return everywhere(target.hostExchangeCodeBytesPerTile);
    return std::nullopt;
}

/// A small graph of vertices written by hand: only what its program shares with all others is known.
core::Result<double> figureOfAnyProgram(const CalibrationCase& item, const std::string& figure) {
    const auto target = resolveTarget(item.target);
    if (!target)
        return core::failure(target.error());
    if (const auto value = figureOfTarget(*target, figure))
        return *value;
    // Graphcore TensorFlow documentation, report page: 12 bytes of a vertex with two edges.
    constexpr double bytesPerVertex = 12;
    if (const auto arguments = item.description.find("template_args");
        figure == "vertex_state" && arguments != item.description.end() && arguments->contains("vertices"))
        return bytesPerVertex * arguments->value("vertices", 0.0);
    return core::failure(noPrediction("a graph of vertices written by hand"));
}

} // namespace

core::Result<double> predictMemory(const CalibrationCase& item, CompilationCache& cache,
                                   const core::JobContext& job) {
    const std::string figure = figureOf(item.metric);
    const std::string model = textOf(item.description, "template");
    const std::string scope = textOf(item.description, "scope");
    if (model == "adder")
        return figureOfAnyProgram(item, figure);
    if (model == "described")
        return core::failure(noPrediction("the model is described in words only"));
    CalibrationCase compiledCase = item;
    const auto layers = layersOf(scope, "layers ");
    if (layers)
        compiledCase.description["template_args"]["layers"] = layers->last - layers->first + 1;
    const auto executable = compiled(compiledCase, cache, job);
    if (!executable)
        return core::failure(executable.error());
    if (!layers && scope != "whole model" && scope != "whole")
        return figureOfPart(*executable, scope, figure);
    const IpuMemoryPlan& plan = executable->memory.ipus.front();
    const auto value = figureOfPlan(plan, figure);
    if (!value)
        return core::failure(noPrediction(fmt::format("a memory plan has no figure \"{}\"", figure)));
    // The vendor's model of an IPU does not compile vertices.
    const bool hasCode = item.description.value("vertex_code_included", true) || figure != "total_bytes";
    const double code = hasCode ? 0 : figureOfPlan(plan, "vertex_code").value_or(0);
    // A program of later layers starts without embeddings.
    const double front = layers && layers->first > 0 ? embeddingsOf(*executable).added(figure) : 0;
    return *value - code - front;
}

} // namespace simulator
