// Matrix products.
#include "simulator/compiler/lowering/functions/einsum.h"
#include "simulator/compiler/lowering/onnx/onnx_call.h"

#include <algorithm>
#include <fmt/format.h>

namespace simulator {
namespace {

using core::DataType;
using core::TensorId;

/// NumPy's matmul: vectors are promoted, leading axes broadcast.
core::Result<TensorId> addProduct(GraphBuilder& build, TensorId left, TensorId right) {
    Extents a = build.extents(left);
    Extents b = build.extents(right);
    if (a.empty() || b.empty())
        return refuseOnnx("multiplies by a scalar");
    const bool isRow = a.size() == 1;
    const bool isColumn = b.size() == 1;
    if (isRow)
        a.insert(a.begin(), 1);
    if (isColumn)
        b.push_back(1);
    if (a.back() != b[b.size() - 2])
        return refuseOnnx(fmt::format("cannot multiply {} columns by {} rows", a.back(), b[b.size() - 2]));
    left = build.reshape(left, a);
    right = build.reshape(right, b);
    const Extents leftBatch(a.begin(), a.end() - 2);
    const Extents rightBatch(b.begin(), b.end() - 2);
    const auto batch = commonExtents(leftBatch, rightBatch);
    if (!batch)
        return refuseOnnx("its operands' extents do not fit");
    const auto spread = [&](TensorId x, const Extents& own) {
        Extents extents = *batch;
        extents.insert(extents.end(), own.end() - 2, own.end());
        return build.broadcast(x, std::move(extents));
    };
    // One matrix on the right serves a whole batch as it stands.
    if (!rightBatch.empty()) {
        left = spread(left, a);
        right = spread(right, b);
    }
    TensorId y = build.add(MatMul{}, {left, right}, "matmul");
    Extents extents = build.extents(y);
    if (isColumn)
        extents.pop_back();
    if (isRow)
        extents.erase(extents.end() - (isColumn ? 1 : 2));
    return build.reshape(y, std::move(extents));
}

OnnxOutputs matmul(OnnxCall& call) {
    const auto y = addProduct(call.build, call.input(0), call.input(1));
    return y ? one(*y) : core::failure(y.error());
}

/// An 8-bit operand less its zero point (one number, or one per row or column), as float32.
core::Result<TensorId> centred(OnnxCall& call, std::size_t position, std::size_t zero, bool isLeft) {
    GraphBuilder& build = call.build;
    const TensorId x = build.cast(call.input(position), DataType::Float32);
    if (!call.has(zero))
        return x;
    TensorId point = build.cast(call.input(zero), DataType::Float32);
    if (isLeft && call.rank(zero) == 1)
        point = build.reshape(point, {call.extents(zero)[0], 1});
    return broadcastBinary(build, BinaryFunction::Subtract, x, point);
}

OnnxOutputs integerProduct(OnnxCall& call) {
    const auto left = centred(call, 0, 2, true);
    const auto right = centred(call, 1, 3, false);
    if (!left || !right)
        return core::failure(left ? right.error() : left.error());
    const auto y = addProduct(call.build, *left, *right);
    return y ? one(call.build.cast(*y, DataType::Int32)) : core::failure(y.error());
}

/// (a − za)·sa times (b − zb)·sb, quantized again.
OnnxOutputs quantizedProduct(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const auto left = centred(call, 0, 2, true);
    const auto right = centred(call, 3, 5, false);
    if (!left || !right)
        return core::failure(left ? right.error() : left.error());
    const auto product = addProduct(build, *left, *right);
    if (!product)
        return core::failure(product.error());
    const TensorId scales = build.binary(BinaryFunction::Multiply, call.input(1), call.input(4));
    const TensorId factor = build.binary(BinaryFunction::Divide, scales, call.input(6));
    const auto scaled = broadcastBinary(build, BinaryFunction::Multiply, *product, factor);
    if (!scaled)
        return core::failure(scaled.error());
    return one(saturated(build, *scaled, call.input(7)));
}

/// alpha·A·B + beta·C.
OnnxOutputs gemm(OnnxCall& call) {
    GraphBuilder& build = call.build;
    if (call.rank(0) != 2 || call.rank(1) != 2)
        return refuseOnnx("takes matrices");
    const MatMul product{call.node.integer("transA", 0) != 0, call.node.integer("transB", 0) != 0};
    const std::int64_t inner = call.extents(0)[product.transposeLeft ? 0 : 1];
    if (inner != call.extents(1)[product.transposeRight ? 1 : 0])
        return refuseOnnx("its matrices do not fit");
    TensorId y = build.scaleShift(build.add(product, {call.input(0), call.input(1)}, "matmul"),
                                  call.node.number("alpha", 1));
    if (!call.has(2))
        return one(y);
    const double beta = call.node.number("beta", 1);
    const auto sum = broadcastBinary(build, BinaryFunction::Add, y, build.scaleShift(call.input(2), beta));
    return sum ? one(*sum) : core::failure(sum.error());
}

/// One operand of an Einstein summation with repeated letters taken along the diagonal.
core::Result<TensorId> withoutRepeats(GraphBuilder& build, TensorId x, std::string& letters) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const std::size_t j = letters.find(letters[i], i + 1);
        if (j == std::string::npos)
            continue;
        const std::int64_t extent = build.extents(x)[i];
        if (extent != build.extents(x)[j])
            return refuseOnnx("a letter stands for different extents");
        // The identity matrix picks the diagonal; the other axis is summed away.
        std::vector<double> identity(static_cast<std::size_t>(extent * extent), 0);
        for (std::int64_t k = 0; k < extent; ++k)
            identity[static_cast<std::size_t>(k * extent + k)] = 1;
        Extents shape(letters.size(), 1);
        shape[i] = extent;
        shape[j] = extent;
        const TensorId mask =
            build.constant("diagonal", std::move(identity), {std::move(shape), build.type(x)});
        x = build.reduce(ReduceFunction::Sum, build.binary(BinaryFunction::Multiply, x, mask),
                         {static_cast<std::int64_t>(j)}, false);
        letters.erase(j, 1);
        --i;
    }
    return x;
}

/// Sums away letters that nobody else needs and puts the rest in order.
TensorId inOrder(GraphBuilder& build, TensorId x, std::string letters, const std::string& wanted) {
    std::vector<std::int64_t> axes;
    std::string kept;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        if (wanted.find(letters[i]) == std::string::npos)
            axes.push_back(static_cast<std::int64_t>(i));
        else
            kept += letters[i];
    }
    x = build.reduce(ReduceFunction::Sum, x, std::move(axes), false);
    std::vector<std::int64_t> permutation;
    for (const char letter : wanted)
        permutation.push_back(static_cast<std::int64_t>(kept.find(letter)));
    return build.transpose(x, std::move(permutation));
}

struct Summation {
    std::vector<std::string> operands;
    std::string output;
};

/// The equation's parts; "..." becomes capital letters that it does not use, aligned at the end.
std::optional<Summation> parseSummation(const OnnxCall& call) {
    std::string text = call.node.text("equation", "");
    std::erase(text, ' ');
    const std::size_t arrow = text.find("->");
    const std::string left = text.substr(0, arrow);
    Summation sum;
    for (std::size_t begin = 0; begin <= left.size();) {
        const std::size_t end = std::min(left.find(',', begin), left.size());
        sum.operands.push_back(left.substr(begin, end - begin));
        begin = end + 1;
    }
    if (sum.operands.size() != call.inputs.size())
        return std::nullopt;
    std::string spare;
    for (char letter = 'Z'; letter >= 'A'; --letter) {
        if (text.find(letter) == std::string::npos)
            spare.insert(spare.begin(), letter);
    }
    std::size_t widest = 0;
    for (std::size_t i = 0; i < sum.operands.size(); ++i) {
        std::string& letters = sum.operands[i];
        const auto rank = static_cast<std::size_t>(call.rank(i));
        if (const std::size_t dots = letters.find("..."); dots != std::string::npos) {
            if (letters.size() - 3 > rank || rank - (letters.size() - 3) > spare.size())
                return std::nullopt;
            const std::size_t width = rank - (letters.size() - 3);
            widest = std::max(widest, width);
            letters.replace(dots, 3, spare.substr(spare.size() - width));
        }
        if (letters.size() != rank)
            return std::nullopt;
    }
    const std::string rest = spare.substr(spare.size() - widest);
    if (arrow != std::string::npos) {
        sum.output = text.substr(arrow + 2);
        if (const std::size_t dots = sum.output.find("..."); dots != std::string::npos)
            sum.output.replace(dots, 3, rest);
        return sum;
    }
    // Without an arrow: the axes of "...", then every letter that occurs once, in order of the alphabet.
    std::string letters;
    for (const std::string& operand : sum.operands)
        letters += operand;
    std::string once;
    for (const char letter : letters) {
        if (std::ranges::count(letters, letter) == 1 && rest.find(letter) == std::string::npos)
            once += letter;
    }
    std::ranges::sort(once);
    sum.output = rest + once;
    return sum;
}

OnnxOutputs einsum(OnnxCall& call) {
    GraphBuilder& build = call.build;
    auto sum = parseSummation(call);
    if (!sum)
        return refuseOnnx("its equation does not fit its operands");
    std::vector<TensorId> operands = call.inputs;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const auto plain = withoutRepeats(build, operands[i], sum->operands[i]);
        if (!plain)
            return core::failure(plain.error());
        operands[i] = *plain;
    }
    // Two at a time; what later operands or the output need stays.
    while (operands.size() > 1) {
        std::string needed = sum->output;
        for (std::size_t i = 2; i < operands.size(); ++i)
            needed += sum->operands[i];
        for (std::size_t i = 0; i < sum->operands[0].size(); ++i) {
            const std::size_t j = sum->operands[1].find(sum->operands[0][i]);
            if (j != std::string::npos && build.extents(operands[0])[i] != build.extents(operands[1])[j])
                return refuseOnnx("a letter stands for different extents");
        }
        std::string kept;
        for (const char letter : sum->operands[0] + sum->operands[1]) {
            if (needed.find(letter) != std::string::npos && kept.find(letter) == std::string::npos)
                kept += letter;
        }
        const auto product =
            addEinsum(build, fmt::format("{},{}->{}", sum->operands[0], sum->operands[1], kept), operands[0],
                      operands[1]);
        if (!product)
            return core::failure(product.error());
        operands.erase(operands.begin());
        sum->operands.erase(sum->operands.begin());
        operands[0] = *product;
        sum->operands[0] = kept;
    }
    for (const char letter : sum->output) {
        if (sum->operands[0].find(letter) == std::string::npos)
            return refuseOnnx("its equation names an axis that no operand has");
    }
    return one(inOrder(build, operands[0], sum->operands[0], sum->output));
}

constexpr OnnxEntry productNodes[]{
    {"Einsum", einsum},
    {"Gemm", gemm},
    {"MatMul", matmul},
    {"MatMulInteger", integerProduct},
    {"QLinearMatMul", quantizedProduct},
};

} // namespace

std::span<const OnnxEntry> onnxProducts() {
    return productNodes;
}

} // namespace simulator
