#include "simulator/compiler/lowering/functions/einsum.h"

#include "simulator/compiler/lowering/layer_lowering.h"

#include <algorithm>
#include <map>

namespace simulator {
namespace {

using core::TensorId;

struct Equation {
    std::string left;
    std::string right;
    std::string output;
};

std::optional<Equation> parse(std::string_view text) {
    const std::size_t comma = text.find(',');
    const std::size_t arrow = text.find("->");
    if (comma == std::string_view::npos || arrow == std::string_view::npos || comma > arrow)
        return std::nullopt;
    return Equation{std::string(text.substr(0, comma)),
                    std::string(text.substr(comma + 1, arrow - comma - 1)),
                    std::string(text.substr(arrow + 2))};
}

bool has(const std::string& letters, char letter) {
    return letters.find(letter) != std::string::npos;
}

/// Letters of `of` that are in (`in`) and not in (`notIn`) the others.
std::string lettersOf(const std::string& of, const std::vector<const std::string*>& in,
                      const std::vector<const std::string*>& notIn) {
    std::string result;
    for (const char letter : of) {
        const bool isWanted =
            std::ranges::all_of(in, [&](const std::string* other) { return has(*other, letter); }) &&
            std::ranges::none_of(notIn, [&](const std::string* other) { return has(*other, letter); });
        if (isWanted)
            result += letter;
    }
    return result;
}

/// x with the axes `letters` in the order `wanted`.
TensorId ordered(GraphBuilder& build, TensorId x, const std::string& letters, const std::string& wanted) {
    std::vector<std::int64_t> permutation;
    for (const char letter : wanted)
        permutation.push_back(static_cast<std::int64_t>(letters.find(letter)));
    return build.transpose(x, std::move(permutation));
}

/// Sums over axes that are in one operand alone.
TensorId withoutOwnAxes(GraphBuilder& build, TensorId x, std::string& letters, const std::string& other,
                        const std::string& output) {
    std::vector<std::int64_t> axes;
    std::string kept;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        if (has(other, letters[i]) || has(output, letters[i]))
            kept += letters[i];
        else
            axes.push_back(static_cast<std::int64_t>(i));
    }
    letters = kept;
    return build.reduce(ReduceFunction::Sum, x, std::move(axes), false);
}

} // namespace

std::string withoutEllipsis(std::string_view equation, std::size_t leftRank, std::size_t rightRank) {
    std::string text(equation);
    std::erase(text, ' ');
    if (text.find("...") == std::string::npos)
        return text;
    std::string spare;
    for (char letter = 'A'; letter <= 'Z'; ++letter) {
        if (!has(text, letter))
            spare += letter;
    }
    const std::size_t comma = text.find(',');
    const auto lettersIn = [&](std::size_t begin, std::size_t end) {
        return static_cast<std::size_t>(std::count_if(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                                      text.begin() + static_cast<std::ptrdiff_t>(end),
                                                      [](char c) { return c != '.'; }));
    };
    std::size_t width = 0;
    if (text.substr(0, comma).find("...") != std::string::npos)
        width = std::max(width, leftRank - lettersIn(0, comma));
    const std::size_t arrow = text.find("->");
    if (comma != std::string::npos && text.substr(comma, arrow - comma).find("...") != std::string::npos)
        width = std::max(width, rightRank - lettersIn(comma + 1, arrow));
    for (std::size_t at = text.find("..."); at != std::string::npos; at = text.find("..."))
        text.replace(at, 3, spare.substr(0, width));
    return text;
}

core::Result<TensorId> addEinsum(GraphBuilder& build, std::string_view text, TensorId left, TensorId right) {
    const auto parsed = parse(text);
    if (!parsed || parsed->left.size() != build.rank(left) || parsed->right.size() != build.rank(right))
        return cannotLower("cannot compute the summation \"" + std::string(text) + "\"",
                           "write it like \"abc,cd->abd\", one letter per axis");
    Equation equation = *parsed;
    std::map<char, std::int64_t> extents;
    for (std::size_t i = 0; i < equation.left.size(); ++i)
        extents[equation.left[i]] = build.extents(left)[i];
    for (std::size_t i = 0; i < equation.right.size(); ++i)
        extents[equation.right[i]] = build.extents(right)[i];
    left = withoutOwnAxes(build, left, equation.left, equation.right, equation.output);
    right = withoutOwnAxes(build, right, equation.right, equation.left, equation.output);

    const std::string batch = lettersOf(equation.left, {&equation.right, &equation.output}, {});
    const std::string summed = lettersOf(equation.left, {&equation.right}, {&equation.output});
    const std::string rows = lettersOf(equation.left, {&equation.output}, {&equation.right});
    const std::string columns = lettersOf(equation.right, {&equation.output}, {&equation.left});
    const auto product = [&](const std::string& letters) {
        std::int64_t count = 1;
        for (const char letter : letters)
            count *= extents[letter];
        return count;
    };
    const auto shaped = [&](const std::string& a, const std::string& b) {
        Extents result;
        for (const char letter : batch)
            result.push_back(extents[letter]);
        result.push_back(product(a));
        result.push_back(product(b));
        return result;
    };
    const TensorId leftMatrix =
        build.reshape(ordered(build, left, equation.left, batch + rows + summed), shaped(rows, summed));
    const TensorId rightMatrix = build.reshape(
        ordered(build, right, equation.right, batch + summed + columns), shaped(summed, columns));
    const TensorId result = build.add(MatMul{}, {leftMatrix, rightMatrix}, "matmul");
    Extents open;
    for (const char letter : batch + rows + columns)
        open.push_back(extents[letter]);
    return ordered(build, build.reshape(result, std::move(open)), batch + rows + columns, equation.output);
}

} // namespace simulator
