// Matrix products, sums over letters, and eight-bit numbers with a scale.
#include "core/model/onnx/onnx_operator.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace core {

namespace {

using Call = OnnxOperatorCall;
using Facts = RuleResult<OnnxFacts>;

/// NumPy's matmul: vectors are promoted, leading axes broadcast.
Facts productOf(OnnxExtents a, OnnxExtents b, DataType type) {
    if (a.empty() || b.empty())
        return refuse("multiplies by a scalar", "use Mul");
    const bool isRow = a.size() == 1;
    const bool isColumn = b.size() == 1;
    if (isRow)
        a.insert(a.begin(), 1);
    if (isColumn)
        b.push_back(1);
    const std::int64_t inner = a.back();
    if (inner != b[b.size() - 2])
        return refuse(fmt::format("multiplies {} columns by {} rows", inner, b[b.size() - 2]),
                      "give matrices that fit");
    auto batch = onnxBroadcast({a.begin(), a.end() - 2}, {b.begin(), b.end() - 2});
    if (!batch)
        return tl::unexpected(batch.error());
    OnnxExtents extents = std::move(*batch);
    if (!isRow)
        extents.push_back(a[a.size() - 2]);
    if (!isColumn)
        extents.push_back(b.back());
    const Count flops = elementsOf(extents) * 2 * Count(inner);
    return OnnxFacts{{{std::move(extents), type}}, flops};
}

Facts matrixProduct(const Call& call) {
    return productOf(call.extents(0), call.extents(1), call.type());
}
Facts integerProduct(const Call& call) {
    return productOf(call.extents(0), call.extents(1), DataType::Int32);
}
Facts quantizedProduct(const Call& call) {
    return productOf(call.extents(0), call.extents(3), call.type(7));
}

Facts generalProduct(const Call& call) {
    if (call.rank(0) != 2 || call.rank(1) != 2)
        return refuse("multiplies tensors that are no matrices", "flatten them");
    OnnxExtents a = call.extents(0);
    OnnxExtents b = call.extents(1);
    if (call.node.integer("transA", 0) != 0)
        std::swap(a[0], a[1]);
    if (call.node.integer("transB", 0) != 0)
        std::swap(b[0], b[1]);
    Facts facts = productOf(a, b, call.type());
    if (!facts || !call.has(2))
        return facts;
    const auto sum = onnxBroadcast(facts->outputs[0].extents, call.extents(2));
    if (!sum || *sum != facts->outputs[0].extents)
        return refuse("adds a bias that does not fit", "give one element for each column");
    return facts;
}

/// The letters of each operand and of the output; "..." stands for capital letters aligned at the end.
struct LetterSum {
    std::vector<std::string> operands;
    std::string output;
};

/// Letters for `width` axes that "..." stands for.
std::string spareLetters(const std::string& text, std::size_t width) {
    std::string spare;
    for (char letter = 'Z'; letter >= 'A' && spare.size() < width; --letter) {
        if (text.find(letter) == std::string::npos)
            spare.insert(spare.begin(), letter);
    }
    return spare;
}

std::optional<LetterSum> letterSum(const Call& call) {
    std::string text = call.node.text("equation", "");
    std::erase(text, ' ');
    const std::size_t arrow = text.find("->");
    const std::string left = text.substr(0, arrow);
    LetterSum sum;
    for (std::size_t begin = 0; begin <= left.size();) {
        const std::size_t end = std::min(left.find(',', begin), left.size());
        sum.operands.push_back(left.substr(begin, end - begin));
        begin = end + 1;
    }
    if (sum.operands.size() != call.inputs.size())
        return std::nullopt;
    std::size_t widest = 0;
    for (std::size_t i = 0; i < sum.operands.size(); ++i) {
        std::string& letters = sum.operands[i];
        if (!call.has(i))
            return std::nullopt;
        const auto rank = static_cast<std::size_t>(call.rank(i));
        if (const std::size_t dots = letters.find("..."); dots != std::string::npos) {
            if (letters.size() - 3 > rank)
                return std::nullopt;
            const std::size_t width = rank - (letters.size() - 3);
            widest = std::max(widest, width);
            letters.replace(dots, 3, spareLetters(text, width));
        }
        if (letters.size() != rank)
            return std::nullopt;
    }
    const std::string dots = spareLetters(text, widest);
    if (arrow != std::string::npos) {
        sum.output = text.substr(arrow + 2);
        if (const std::size_t at = sum.output.find("..."); at != std::string::npos)
            sum.output.replace(at, 3, dots);
        return sum;
    }
    std::string all;
    for (const std::string& operand : sum.operands)
        all += operand;
    std::string once;
    for (const char letter : all) {
        if (std::ranges::count(all, letter) == 1 && dots.find(letter) == std::string::npos)
            once += letter;
    }
    std::ranges::sort(once);
    sum.output = dots + once;
    return sum;
}

Facts letterProduct(const Call& call) {
    const auto sum = letterSum(call);
    if (!sum)
        return refuse("has an equation that does not fit its operands", "name every axis once", "attributes");
    std::map<char, std::int64_t> extentOf;
    for (std::size_t i = 0; i < sum->operands.size(); ++i) {
        for (std::size_t axis = 0; axis < sum->operands[i].size(); ++axis) {
            const std::int64_t extent = call.extents(i)[axis];
            const auto [known, isNew] = extentOf.emplace(sum->operands[i][axis], extent);
            if (!isNew && known->second != extent)
                return refuse(fmt::format("has a letter for both {} and {} elements", known->second, extent),
                              "use another letter", "attributes");
        }
    }
    OnnxExtents extents;
    for (const char letter : sum->output) {
        if (!extentOf.contains(letter))
            return refuse("has an equation that names an axis of no operand", "name one of them",
                          "attributes");
        extents.push_back(extentOf.at(letter));
    }
    Count flops = 2;
    for (const auto& [letter, extent] : extentOf)
        flops *= Count(extent);
    return OnnxFacts{{{std::move(extents), call.type()}}, flops};
}

Facts quantized(const Call& call) {
    return onnxOutput(call.extents(), call.has(2) ? call.type(2) : DataType::UInt8, 3);
}
Facts dequantized(const Call& call) {
    return onnxOutput(call.extents(), DataType::Float32, 2);
}
/// Values, scale, zero point.
Facts quantizedDynamically(const Call& call) {
    return OnnxFacts{{{call.extents(), DataType::UInt8}, {{}, DataType::Float32}, {{}, DataType::UInt8}},
                     elementsOf(call.extents()) * 5};
}

constexpr OnnxOperator productRows[]{
    {"DequantizeLinear", dequantized, 2, 0, inputsAt({1, 2})},
    {"DynamicQuantizeLinear", quantizedDynamically},
    {"Einsum", letterProduct},
    {"Gemm", generalProduct, 2},
    {"MatMul", matrixProduct, 2},
    {"MatMulInteger", integerProduct, 2},
    {"QLinearMatMul", quantizedProduct, 8, 0, inputsAt({1, 2, 4, 5, 6, 7})},
    {"QuantizeLinear", quantized, 2, 0, inputsAt({1, 2})},
};

} // namespace

std::span<const OnnxOperator> productOnnxOperators() {
    return productRows;
}

} // namespace core
