#include "simulator/calibration/calibration_parts.h"

#include "simulator/calibration/calibration_case.h"
#include "simulator/compiler/memory/unshared_code.h"
#include "simulator/cost/codelet.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace simulator {

namespace {

double bytesOf(const Tensor& tensor) {
    return static_cast<double>(tensor.bytes());
}

enum class Gathering : std::uint8_t {
    Each,   ///< the operations as they are
    Merged, ///< one operation that does the work of all: products that share their left operand
    Masked, ///< the addition of a mask to the operation's first operand, which templates leave to the host
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
         "Unary",
         {"/self_attention/scale_shift"}},
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

NamedPart::Member NamedPart::memberOf(const Executable& executable, const Operation& operation) {
    const TrainingGraph& graph = executable.graph;
    Member member;
    member.plan = executable.plans[operation.id.index()];
    std::set<core::TensorId> counted;
    for (const core::TensorId input : operation.inputs)
        if (counted.insert(input).second)
            member.operands += bytesOf(graph.tensor(input));
    for (const core::TensorId output : operation.outputs)
        member.results += bytesOf(graph.tensor(output));
    const OperationCode code =
        unsharedCode(graph, operation.id,
                     {member.plan.exchangeCodePerTile.value(), member.plan.vertexStatePerTile.value(),
                      member.plan.controlCodePerTile.value()});
    member.exchangeCode = static_cast<double>(code.exchange);
    member.vertexState = static_cast<double>(code.state);
    member.controlCode = static_cast<double>(code.control);
    return member;
}

NamedPart::Member NamedPart::mergedProduct(const Executable& executable,
                                           const std::vector<const Operation*>& products,
                                           const PlanOptions& options) {
    const TrainingGraph& graph = executable.graph;
    Member merged = memberOf(executable, *products.front());
    Operation operation = *products.front();
    std::vector<Tensor> tensors;
    const auto take = [&](core::TensorId& id, std::int64_t times) {
        tensors.push_back(graph.tensor(id));
        tensors.back().extents.back() *= times;
        id = core::TensorId(tensors.size() - 1);
    };
    const auto times = static_cast<std::int64_t>(products.size());
    // Products share what they multiply, element-wise operations nothing.
    const bool isProduct = std::holds_alternative<MatMul>(operation.attributes);
    for (std::size_t i = 0; i < operation.inputs.size(); ++i)
        take(operation.inputs[i], isProduct && i == 0 ? 1 : times);
    for (core::TensorId& output : operation.outputs)
        take(output, times);
    PlanCache cache;
    merged.plan = planOperation(operation, tensors, executable.system.target, options, cache);
    merged.operands = merged.results = 0;
    for (const core::TensorId input : operation.inputs)
        merged.operands += bytesOf(tensors[input.index()]);
    for (const core::TensorId output : operation.outputs)
        merged.results += bytesOf(tensors[output.index()]);
    return merged;
}

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
    NamedPart part;
    if (row->gathering == Gathering::Merged && operations.size() > 1)
        part.m_members.push_back(mergedProduct(executable, operations, options));
    else
        for (const Operation* operation : operations)
            part.m_members.push_back(memberOf(executable, *operation));
    if (row->gathering != Gathering::Masked)
        return part;
    // A mask of a row of scores is added to all of them.
    const Operation& softmax = *operations.front();
    const Tensor& scores = executable.graph.tensor(softmax.inputs.front());
    Tensor mask = scores;
    mask.extents.assign({scores.extents.back()});
    Operation addition;
    addition.id = softmax.id;
    addition.attributes = Binary{BinaryFunction::Add};
    addition.inputs = {core::TensorId(0), core::TensorId(1)};
    addition.outputs = {core::TensorId(0)};
    const std::vector<Tensor> tensors{scores, mask};
    PlanCache cache;
    Member& member = part.m_members.front();
    member.plan = planOperation(addition, tensors, executable.system.target, options, cache);
    member.operands = bytesOf(scores) + bytesOf(mask);
    member.results = bytesOf(scores);
    const auto like = std::ranges::find_if(executable.graph.operations, [](const Operation& operation) {
        return std::holds_alternative<Binary>(operation.attributes);
    });
    if (like != executable.graph.operations.end()) {
        const Member alone = memberOf(executable, *like);
        member.exchangeCode = alone.exchangeCode;
        member.vertexState = alone.vertexState;
        member.controlCode = alone.controlCode;
    }
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
        return total(&Member::vertexState);
    if (name == "exchange_code")
        return total(&Member::exchangeCode);
    if (name == "control_code")
        return total(&Member::controlCode);
    if (name != "total_bytes" && name != "max_tile_bytes")
        return std::nullopt;
    const double bytes = operands + results + temporaries() + vertexCode() + total(&Member::vertexState) +
                         total(&Member::exchangeCode) + total(&Member::controlCode);
    return name == "total_bytes" ? bytes : bytes / tiles;
}

double NamedPart::total(double Member::*bytesPerTile) const {
    double bytes = 0;
    for (const Member& member : m_members)
        bytes += member.*bytesPerTile * static_cast<double>(member.plan.tilesUsed);
    return bytes;
}

double NamedPart::vertexCode() const {
    std::set<std::string> codelets;
    std::int64_t tiles = 0;
    for (const Member& member : m_members) {
        codelets.insert(member.plan.codelets.begin(), member.plan.codelets.end());
        tiles = std::max(tiles, member.plan.tilesUsed);
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
