#include "simulator/calibration/calibration_parts.h"

#include "simulator/calibration/calibration_case.h"
#include "simulator/cost/codelet.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace simulator {

namespace {

double bytesOf(const Tensor& tensor) {
    return static_cast<double>(tensor.bytes());
}

enum class Gathering : std::uint8_t {
    Each,   ///< the operations as they are
    Merged, ///< one operation that does the work of all: products that share their left operand
    Masked, ///< the addition of a mask to the operation's operand, which templates leave out
    Scaled, ///< the operation's operand times a number; templates scale the queries instead
};

/// A part by the kind of its operations and what their names contain. A name that starts with a slash
/// belongs to a layer.
struct NamedRow {
    std::vector<std::string_view> names;
    std::string_view kind;
    std::vector<std::string_view> operations;
    Gathering gathering = Gathering::Each;
};

const std::vector<NamedRow>& partRows() {
    static const std::vector<NamedRow> rows{
        {{"QKV matmul", "attention QKV matmul", "query key value matmul", "QKV projection"},
         "MatMul",
         {"/self_attention/matmul", "/self_attention/matmul_2", "/self_attention/matmul_3"},
         Gathering::Merged},
        {{"attention bias add", "QKV bias add", "attention QKV bias add"},
         "Binary",
         {"/self_attention/add_bias", "/self_attention/add_bias_2", "/self_attention/add_bias_3"},
         Gathering::Merged},
        {{"attention-score matmul", "attention scores matmul", "scores matmul", "QK matmul", "Q x K matmul"},
         "MatMul",
         {"/self_attention/scores"}},
        {{"attention scale multiply", "scale multiply", "attention scale"},
         "Softmax",
         {"/self_attention/softmax"},
         Gathering::Scaled},
        {{"attention mask add", "attention mask", "mask add"},
         "Softmax",
         {"/self_attention/softmax"},
         Gathering::Masked},
        {{"softmax", "attention softmax"}, "Softmax", {"/self_attention/softmax"}},
        {{"scores x values matmul", "attention values matmul", "attention x values matmul", "context matmul",
          "softmax x values matmul"},
         "MatMul",
         {"/self_attention/attend"}},
        {{"attention transpose", "head transpose", "heads transpose"},
         "Transpose",
         {"/self_attention/transpose"}},
        {{"attention output matmul", "attention projection matmul", "output projection matmul"},
         "MatMul",
         {"/self_attention/output"}},
        {{"attention output bias add"}, "Binary", {"/self_attention/add_bias_4"}},
        {{"attention residual add", "attention add"}, "Binary", {"/attention_add/add"}},
        {{"attention group norm", "attention layer norm", "attention norm"},
         "Normalization",
         {"/attention_norm"}},
        {{"FF-1 matmul", "FF1", "feed-forward 1 matmul", "intermediate matmul"},
         "MatMul",
         {"/intermediate/matmul"}},
        {{"FF-1 bias add", "intermediate bias add"}, "Binary", {"/intermediate/add_bias"}},
        {{"GELU", "FF gelu", "FF-1 gelu", "activation"}, "Unary", {"/intermediate/gelu"}},
        {{"FF-2 matmul", "FF2", "feed-forward 2 matmul", "output matmul"}, "MatMul", {"/output/matmul"}},
        {{"FF-2 bias add", "output bias add"}, "Binary", {"/output/add_bias"}},
        {{"FF residual add", "FF add", "residual add"}, "Binary", {"/output_add/add"}},
        {{"group norm", "layer norm", "norm", "normalisation", "normalization", "FF group norm"},
         "Normalization",
         {"/output_norm"}},
        {{"embedding gather", "word embedding gather", "embedding"}, "Gather", {"word_embeddings"}},
        {{"segment embedding gather", "token type embedding gather"}, "Gather", {"token_type_embeddings"}},
        {{"embedding add"}, "Binary", {"embeddings_add"}},
        {{"embedding group norm", "embedding layer norm", "embedding norm"},
         "Normalization",
         {"embeddings_norm"}},
        {{"span logits matmul", "SQuAD head matmul", "head matmul"}, "MatMul", {"span_logits"}},
    };
    return rows;
}

/// Letters and digits alone, in lower case.
std::string plain(std::string_view name) {
    std::string letters;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return letters;
}

const NamedRow* findPart(std::string_view name) {
    const std::string wanted = plain(name);
    for (const NamedRow& row : partRows())
        if (std::ranges::any_of(row.names, [&](std::string_view own) { return plain(own) == wanted; }))
            return &row;
    return nullptr;
}

/// Whether an operation's name begins with this one, and does not only count on from it.
bool isNamed(const std::string& operation, std::string_view wanted, std::int64_t layer) {
    const std::string name =
        wanted.front() == '/' ? fmt::format("layer{}_{}", layer, wanted.substr(1)) : std::string(wanted);
    if (!operation.starts_with(name))
        return false;
    const std::string_view rest = std::string_view(operation).substr(name.size());
    const bool isCounted =
        rest.size() > 1 && rest.front() == '_' && std::isdigit(static_cast<unsigned char>(rest[1])) != 0;
    // Transpositions count as one part.
    return !isCounted || name.ends_with("transpose");
}

} // namespace

/// Makes members out of operations of a compiled model.
class NamedPart::Finder {
public:
    Finder(const Executable& executable, const PlanOptions& options)
        : m_executable(executable)
        , m_graph(executable.graph)
        , m_options(options) {
        for (const Operation& operation : m_graph.operations)
            for (const core::TensorId output : operation.outputs)
                m_makers.emplace(output, &operation);
    }

    [[nodiscard]] Member member(const Operation& operation) const {
        Member member;
        member.plan = m_executable.plans[operation.id.index()];
        count(operation, m_graph.tensors, member);
        member.code = unsharedCode(m_graph, operation.id, member.plan);
        member.codeTiles = codeTiles(operation, member.plan);
        return member;
    }

    /// One operation that does what several do; products share their left operand.
    [[nodiscard]] Member merged(const std::vector<const Operation*>& operations) const {
        Operation operation = *operations.front();
        const auto times = static_cast<std::int64_t>(operations.size());
        const bool isProduct = std::holds_alternative<MatMul>(operation.attributes);
        std::vector<Tensor> tensors;
        const auto take = [&](core::TensorId& id, std::int64_t copies) {
            tensors.push_back(m_graph.tensor(id));
            tensors.back().extents.back() *= copies;
            id = core::TensorId(tensors.size() - 1);
        };
        for (std::size_t i = 0; i < operation.inputs.size(); ++i)
            take(operation.inputs[i], isProduct && i == 0 ? 1 : times);
        for (core::TensorId& output : operation.outputs)
            take(output, times);
        Member merged = member(*operations.front());
        return replanned(operation, tensors, std::move(merged));
    }

    /// An element-wise operation on the operand of another one.
    [[nodiscard]] Member onOperandOf(const Operation& next, bool isMask) const {
        const Tensor& operand = m_graph.tensor(next.inputs.front());
        std::vector<Tensor> tensors{operand};
        Operation operation = next;
        operation.inputs = operation.outputs = {core::TensorId(0)};
        operation.attributes = Unary{};
        if (isMask) {
            tensors.push_back(operand);
            tensors.back().extents.assign({operand.extents.back()});
            operation.inputs.emplace_back(std::size_t{1});
            operation.attributes = Binary{BinaryFunction::Add};
        }
        Member member;
        member.codeTiles = tilesOfOperand(next);
        const auto like = std::ranges::find_if(m_graph.operations, [](const Operation& other) {
            return std::holds_alternative<Binary>(other.attributes);
        });
        if (like != m_graph.operations.end())
            member.code = unsharedCode(m_graph, like->id, m_executable.plans[like->id.index()]);
        return replanned(operation, tensors, std::move(member));
    }

private:
    static void count(const Operation& operation, const std::vector<Tensor>& tensors, Member& member) {
        std::set<core::TensorId> counted;
        member.operands = member.results = 0;
        for (const core::TensorId input : operation.inputs)
            if (counted.insert(input).second)
                member.operands += bytesOf(tensors[input.index()]);
        for (const core::TensorId output : operation.outputs)
            member.results += bytesOf(tensors[output.index()]);
    }

    [[nodiscard]] Member replanned(const Operation& operation, const std::vector<Tensor>& tensors,
                                   Member member) const {
        PlanCache cache;
        member.plan = planOperation(operation, tensors, m_executable.system.target, m_options, cache);
        count(operation, tensors, member);
        return member;
    }

    [[nodiscard]] std::int64_t codeTiles(const Operation& operation, const OperationPlan& plan) const {
        const OperationAttributes& attributes = operation.attributes;
        if (std::holds_alternative<MatMul>(attributes) || std::holds_alternative<Convolution>(attributes))
            return m_executable.system.target.tiles;
        if (std::holds_alternative<Unary>(attributes) || std::holds_alternative<Binary>(attributes) ||
            std::holds_alternative<Softmax>(attributes))
            return std::min(plan.tilesUsed, tilesOfOperand(operation));
        return plan.tilesUsed;
    }

    /// Tiles on which the product that an operand comes from leaves it; all where none made it.
    [[nodiscard]] std::int64_t tilesOfOperand(const Operation& operation) const {
        if (operation.inputs.empty())
            return m_executable.system.target.tiles;
        const auto found = m_makers.find(operation.inputs.front());
        if (found == m_makers.end())
            return m_executable.system.target.tiles;
        const Operation& maker = *found->second;
        const OperationAttributes& attributes = maker.attributes;
        if (std::holds_alternative<MatMul>(attributes) || std::holds_alternative<Convolution>(attributes))
            return m_executable.plans[maker.id.index()].tilesUsed;
        const bool keepsPlace =
            std::holds_alternative<Reshape>(attributes) || std::holds_alternative<Unary>(attributes) ||
            std::holds_alternative<Binary>(attributes) || std::holds_alternative<Softmax>(attributes);
        return keepsPlace ? tilesOfOperand(maker) : m_executable.system.target.tiles;
    }

    const Executable& m_executable;
    const TrainingGraph& m_graph;
    const PlanOptions& m_options;
    std::map<core::TensorId, const Operation*> m_makers;
};

core::Result<NamedPart> NamedPart::find(const Executable& executable, std::string_view name,
                                        std::int64_t layer, const PlanOptions& options) {
    const NamedRow* const row = findPart(name);
    if (row == nullptr)
        return core::failure(noPrediction(
            fmt::format("no part is called \"{}\"; parts are: {}", name, fmt::join(partNames(), ", "))));
    std::vector<const Operation*> operations;
    for (const Operation& operation : executable.graph.operations)
        if (operation.phase == Phase::Forward && kindName(operation.attributes) == row->kind &&
            std::ranges::any_of(row->operations, [&](std::string_view wanted) {
                return isNamed(operation.name, wanted, layer);
            }))
            operations.push_back(&operation);
    if (operations.empty())
        return core::failure(noPrediction(fmt::format("layer {} of the model has no \"{}\"", layer, name)));
    const Finder finder(executable, options);
    NamedPart part;
    if (row->gathering == Gathering::Merged && operations.size() > 1)
        part.m_members.push_back(finder.merged(operations));
    else if (row->gathering == Gathering::Masked || row->gathering == Gathering::Scaled)
        part.m_members.push_back(
            finder.onOperandOf(*operations.front(), row->gathering == Gathering::Masked));
    else
        for (const Operation* operation : operations)
            part.m_members.push_back(finder.member(*operation));
    return part;
}

std::optional<double> NamedPart::figure(std::string_view name) const {
    double operands = 0;
    double results = 0;
    double tiles = 1;
    for (const Member& member : m_members) {
        operands += member.operands;
        results += member.results;
        tiles = std::max(tiles, static_cast<double>(member.plan.tilesUsed));
    }
    if (name == "variables")
        return operands;
    if (name == "temporaries")
        return temporaries();
    if (name == "vertex_code")
        return vertexCode();
    if (name == "vertex_state")
        return total(&OperationCode::state);
    if (name == "exchange_code")
        return total(&OperationCode::exchange);
    if (name == "control_code")
        return total(&OperationCode::control);
    if (name != "total_bytes" && name != "max_tile_bytes")
        return std::nullopt;
    const double bytes = operands + results + temporaries() + vertexCode() + total(&OperationCode::state) +
                         total(&OperationCode::exchange) + total(&OperationCode::control);
    return name == "total_bytes" ? bytes : bytes / tiles;
}

double NamedPart::total(std::int64_t OperationCode::*bytesPerTile) const {
    double bytes = 0;
    for (const Member& member : m_members)
        bytes += static_cast<double>(member.code.*bytesPerTile * member.codeTiles);
    return bytes;
}

double NamedPart::vertexCode() const {
    std::set<std::string> codelets;
    std::int64_t tiles = 0;
    for (const Member& member : m_members) {
        codelets.insert(member.plan.codelets.begin(), member.plan.codelets.end());
        tiles = std::max({tiles, member.plan.tilesUsed, member.codeTiles});
    }
    double bytes = 0;
    for (const std::string& codelet : codelets)
        bytes += static_cast<double>(codeletBytes(codelet) * tiles);
    return bytes;
}

double NamedPart::temporaries() const {
    double most = 0;
    for (const Member& member : m_members)
        most = std::max(most, static_cast<double>(member.plan.temporaryPerTile.value()) *
                                  static_cast<double>(member.plan.tilesUsed));
    return most;
}

std::vector<std::string> partNames() {
    std::vector<std::string> names;
    for (const NamedRow& row : partRows())
        names.emplace_back(row.names.front());
    return names;
}

} // namespace simulator
