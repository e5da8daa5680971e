#include "simulator/calibration/calibration_memory.h"

#include "simulator/calibration/calibration_parts.h"
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
    constexpr std::array<std::pair<std::string_view, std::string_view>, 13> others{
        {{"max_live_variables", "variables"},
         {"total", "total_bytes"},
         {"peak", "total_bytes"},
         {"peak_bytes", "total_bytes"},
         {"max_tile", "max_tile_bytes"},
         {"max_tile_including_gaps", "max_tile_bytes"},
         {"stack_bytes_total", "stack"},
         {"internal_exchange_code", "exchange_code"},
         {"temporary", "temporaries"},
         {"temporary_bytes", "temporaries"},
         {"temporary_memory", "temporaries"},
         {"max_temporary", "temporaries"},
         {"vertex_instances", "vertex_state"}}};
    const auto found =
        std::ranges::find(others, metric, &std::pair<std::string_view, std::string_view>::first);
    return found == others.end() ? metric : std::string(found->second);
}

double real(core::Bytes bytes) {
    return static_cast<double>(bytes.value());
}

/// The figures of whole programs, and those of layers and named parts.
constexpr const char* planFigures = "variables, temporaries, total_bytes, max_tile_bytes, vertex_code, "
                                    "vertex_state, exchange_code, control_code, stack";
constexpr const char* partFigures = "variables, temporaries, total_bytes, vertex_code, vertex_state, "
                                    "exchange_code, control_code";

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
    if (figure == "temporaries")
        return real(summary.notAlwaysLivePeak);
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

    /// Its variables are its weights and the most that it needs beside them at once.
    [[nodiscard]] std::optional<double> figure(const std::string& name) const {
        if (name == "variables")
            return weights() + temporaries();
        if (name == "temporaries")
            return temporaries();
        if (name == "total_bytes") {
            double bytes = weights() + temporaries();
            for (const char* code : {"vertex_code", "vertex_state", "exchange_code", "control_code"})
                bytes += figure(code).value_or(0);
            return bytes;
        }
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
                bytes += figure(figureName).value_or(0);
            const IpuTarget& target = m_executable.system.target;
            return name == "total_bytes" ? bytes : bytes / static_cast<double>(target.tiles);
        }
        // Vertex code is shared with the rest of the program.
        return std::ranges::find(code, name) != code.end() ? figure(name).value_or(0) : 0;
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

/// What plans the products of a part that the model has in pieces.
PlanOptions planOptionsOf(const CalibrationCase& item) {
    PlanOptions options;
    const auto read = [&](const Json& place) {
        if (const auto share = place.find("available_memory_proportion"); share != place.end()) {
            const Json& first = share->is_array() && !share->empty() ? share->front() : *share;
            if (first.is_number())
                options.availableMemoryProportion = first.get<double>();
        }
        if (textOf(place, "partials") == "float16")
            options.partialsType = core::DataType::Float16;
    };
    if (const auto arguments = item.description.find("template_args"); arguments != item.description.end())
        read(*arguments);
    read(item.description);
    return options;
}

core::Result<double> figureOfPart(const CalibrationCase& item, const Executable& executable,
                                  const std::string& scope, const std::string& figure) {
    const auto layer = layersOf(scope, "layer ");
    std::string name = textOf(item.description, "part");
    if (name.empty())
        name = scope;
    std::optional<double> value;
    if (const auto own = layersOf(name, "layer "); own && own->first == own->last) {
        const std::string prefix = fmt::format("layer{}_", own->first);
        const Part part(executable,
                        [&](const Operation& operation) { return operation.name.str().starts_with(prefix); });
        if (part.isEmpty())
            return core::failure(noPrediction(fmt::format("the model has no layer {}", own->first)));
        value = part.figure(figure);
    } else {
        const auto part = NamedPart::find(executable, name, layer ? layer->first : 0, planOptionsOf(item));
        if (!part)
            return core::failure(part.error());
        value = part->figure(figure);
    }
    if (!value)
        return core::failure(noPrediction(
            fmt::format("\"{}\" has no figure \"{}\"; figures are: {}", name, item.metric, partFigures)));
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
    return core::failure(noPrediction("the code of vertices written by hand is not described"));
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
    const bool isWhole = scope.empty() || scope == "whole model" || scope == "whole";
    if (!layers && (!isWhole || !textOf(item.description, "part").empty()))
        return figureOfPart(item, *executable, scope, figure);
    const IpuMemoryPlan& plan = executable->memory.ipus.front();
    const auto value = figureOfPlan(plan, figure);
    if (!value)
        return core::failure(noPrediction(
            fmt::format("a memory plan has no figure \"{}\"; figures are: {}", item.metric, planFigures)));
    // The vendor's model of an IPU does not compile vertices.
    const bool hasCode = item.description.value("vertex_code_included", true) || figure != "total_bytes";
    const double code = hasCode ? 0 : figureOfPlan(plan, "vertex_code").value_or(0);
    // A program of later layers starts without embeddings.
    const double front = layers && layers->first > 0 ? embeddingsOf(*executable).added(figure) : 0;
    return *value - code - front;
}

} // namespace simulator
