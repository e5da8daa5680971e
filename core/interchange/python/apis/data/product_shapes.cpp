// Products of arrays and linear algebra. One row per function.
#include "core/interchange/python/apis/data/product_shapes.h"

#include "core/interchange/python/draft/sample_shapes.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <vector>

namespace core {

namespace {

Json operandShape(const PythonApiCall& call, std::size_t position) {
    constexpr std::array<std::string_view, 2> names{"a", "b"};
    const PythonValue* given = call.arguments.find(names.at(position), position);
    return given == nullptr ? Json() : shapeOf(*given);
}

/// dot() and inner(): the last axis of one with an axis of the other, the last or the last but one.
Json shapeWithoutAxes(const PythonApiCall& call, std::size_t fromEnd) {
    const Json a = operandShape(call, 0);
    Json b = operandShape(call, 1);
    if (!a.is_array() || !b.is_array())
        return nullptr;
    if (a.empty() || b.empty())
        return a.empty() ? b : a;
    Json made(a.begin(), a.end() - 1);
    b.erase(b.size() - std::min(fromEnd, b.size()));
    made.insert(made.end(), b.begin(), b.end());
    return made;
}

Json shapeOfDotted(const PythonApiCall& call) {
    return shapeWithoutAxes(call, 2);
}

Json shapeOfInner(const PythonApiCall& call) {
    return shapeWithoutAxes(call, 1);
}

/// matmul(): matrices in the last two axes; a vector is one without an axis.
Json shapeOfMultiplied(const PythonApiCall& call) {
    Json a = operandShape(call, 0);
    Json b = operandShape(call, 1);
    if (!a.is_array() || !b.is_array() || a.empty() || b.empty())
        return nullptr;
    const auto turn = [&](const char* name, Json& shape) {
        const PythonValue* turns = call.arguments.keyword(name);
        if (turns != nullptr && turns->constant() == true && shape.size() > 1)
            std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    };
    turn("transpose_a", a);
    turn("transpose_b", b);
    const auto beforeMatrix = [](const Json& shape) {
        return Json(shape.begin(), shape.end() - (shape.size() > 1 ? 2 : 1));
    };
    Json before = broadcastShapes(beforeMatrix(a), beforeMatrix(b));
    if (a.size() > 1)
        before.push_back(a[a.size() - 2]);
    if (b.size() > 1)
        before.push_back(b.back());
    return before;
}

/// tensordot(a, b, axes): what is left of the axes of both.
Json shapeOfContracted(const PythonApiCall& call) {
    const Json a = operandShape(call, 0);
    const Json b = operandShape(call, 1);
    const PythonValue* given = call.arguments.find("axes", 2);
    if (!a.is_array() || !b.is_array())
        return nullptr;
    std::vector<bool> goesOfA(a.size(), false);
    std::vector<bool> goesOfB(b.size(), false);
    constexpr std::int64_t byDefault = 2;
    if (given == nullptr || given->isWhole()) {
        const std::int64_t count = given == nullptr ? byDefault : given->constant().get<std::int64_t>();
        if (count < 0 || count > static_cast<std::int64_t>(std::min(a.size(), b.size())))
            return nullptr;
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            goesOfA[a.size() - 1 - i] = true;
            goesOfB[i] = true;
        }
    } else {
        if (given->items().size() != 2)
            return nullptr;
        for (std::size_t side = 0; side < 2; ++side) {
            const PythonValue& axes = given->items()[side];
            std::vector<bool>& goes = side == 0 ? goesOfA : goesOfB;
            for (const PythonValue& one : axes.is<PythonList>() ? axes.items() : PythonValues{axes}) {
                const auto at = axisAt(&one, goes.size());
                if (!at)
                    return nullptr;
                goes[*at] = true;
            }
        }
    }
    Json made = Json::array();
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!goesOfA[i])
            made.push_back(a[i]);
    for (std::size_t i = 0; i < b.size(); ++i)
        if (!goesOfB[i])
            made.push_back(b[i]);
    return made;
}

Json shapeOfOuter(const PythonApiCall& call) {
    return Json::array({flatExtent(operandShape(call, 0)), flatExtent(operandShape(call, 1))});
}

Json shapeOfNumberAlone(const PythonApiCall&) {
    return Json::array();
}

/// kron(): each extent times that of the other.
Json shapeOfBlocks(const PythonApiCall& call) {
    return productOfShapes(operandShape(call, 0), operandShape(call, 1));
}

Json shapeOfFirst(const PythonApiCall& call) {
    return operandShape(call, 0);
}

Json shapeOfRightSide(const PythonApiCall& call) {
    return operandShape(call, 1);
}

/// pinv() and matrix_transpose(): the last two axes in turn.
Json shapeOfTurnedMatrix(const PythonApiCall& call) {
    Json shape = operandShape(call, 0);
    if (!shape.is_array() || shape.size() < 2)
        return nullptr;
    std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    return shape;
}

/// det(), trace(): a number for each matrix.
Json shapeOfMatrixNumbers(const PythonApiCall& call) {
    const Json shape = operandShape(call, 0);
    const bool isPlain = call.arguments.list.size() <= 1 && call.arguments.keywords.empty();
    if (!shape.is_array() || shape.size() < 2 || !isPlain)
        return nullptr;
    // NumPy's trace is of the first two axes, all else of the last two.
    return call.path == "np.trace" ? Json(shape.begin() + 2, shape.end())
                                   : Json(shape.begin(), shape.end() - 2);
}

Json shapeOfEigenvalues(const PythonApiCall& call) {
    const Json shape = operandShape(call, 0);
    return shape.is_array() && shape.size() > 1 ? Json(shape.begin(), shape.end() - 1) : Json();
}

/// norm(x, ord, axis): without axes, of all numbers.
Json shapeOfNorm(const PythonApiCall& call) {
    const PythonValue* array = call.arguments.find(call.path.starts_with("tf.") ? "tensor" : "x", 0);
    const PythonValue* keeps = call.arguments.find("keepdims", 3);
    return reducedShape(array == nullptr ? Json() : shapeOf(*array), call.arguments.find("axis", 2),
                        keeps != nullptr && keeps->constant() == true);
}

/// cov() and corrcoef(): of each row with each, or of each column.
Json shapeOfCovariance(const PythonApiCall& call) {
    const PythonValue* array = call.arguments.find(call.name() == "cov" ? "m" : "x", 0);
    const PythonValue* rows = call.arguments.find("rowvar", 2);
    const Json shape = array == nullptr ? Json() : shapeOf(*array);
    const bool isPlain = call.arguments.given("y", 1) == nullptr;
    if (!shape.is_array() || shape.size() > 2 || !isPlain)
        return nullptr;
    if (shape.size() < 2)
        return Json::array();
    const bool areColumns = rows != nullptr && rows->constant() == false;
    const Json extent = shape[areColumns ? 1 : 0];
    return Json::array({extent, extent});
}

/// einsum("ij,jk->ik", a, b): each letter is an extent; "..." stands for axes in front.
Json shapeOfSummed(const PythonApiCall& call) {
    const PythonValue* equation = call.arguments.find("equation", 0);
    if (equation == nullptr || !equation->isText())
        return nullptr;
    std::string text = equation->constant().get<std::string>();
    std::erase(text, ' ');
    const std::size_t arrow = text.find("->");
    std::string inputs = text.substr(0, arrow);
    std::map<char, Json> extents;
    std::map<char, int> uses;
    Json rest = Json::array();
    const std::size_t first = call.arguments.keyword("equation") == nullptr ? 1 : 0;
    constexpr std::string_view dots = "...";
    bool hasDots = false;
    for (std::size_t i = first; i < call.arguments.list.size(); ++i) {
        const std::string letters = inputs.substr(0, inputs.find(','));
        inputs = inputs.size() > letters.size() ? inputs.substr(letters.size() + 1) : "";
        const Json shape = shapeOf(call.arguments.list[i]);
        const std::size_t open = letters.find(dots);
        const std::size_t named = letters.size() - (open == std::string::npos ? 0 : dots.size());
        if (!shape.is_array() || shape.size() < named || (open == std::string::npos && shape.size() != named))
            return nullptr;
        std::size_t axis = 0;
        for (std::size_t at = 0; at < letters.size(); ++at) {
            if (at == open) {
                hasDots = true;
                const std::size_t more = shape.size() - named;
                rest = broadcastShapes(rest, Json(shape.begin() + static_cast<std::ptrdiff_t>(axis),
                                                  shape.begin() + static_cast<std::ptrdiff_t>(axis + more)));
                axis += more;
                at += dots.size() - 1;
                continue;
            }
            Json& extent = extents[letters[at]];
            extent = extent.is_null() || extent == 1 ? shape[axis] : extent;
            ++uses[letters[at]];
            ++axis;
        }
    }
    std::string output =
        arrow == std::string::npos ? std::string(hasDots ? dots : "") : text.substr(arrow + 2);
    for (const auto& [letter, count] : uses) // in the order of the alphabet
        if (arrow == std::string::npos && count == 1)
            output += letter;
    Json made = Json::array();
    for (std::size_t at = 0; at < output.size(); ++at) {
        if (output.compare(at, dots.size(), dots) == 0) {
            made.insert(made.end(), rest.begin(), rest.end());
            at += dots.size() - 1;
            continue;
        }
        const auto known = extents.find(output[at]);
        if (known == extents.end())
            return nullptr;
        made.push_back(known->second);
    }
    return made;
}

/// Values and vectors of eigh(), q and r of qr(), u, s and v of svd().
PythonValue shapeOfDecomposed(const PythonApiCall& call) {
    const Json shape = operandShape(call, 0);
    const std::string name = call.name();
    const bool isMatrix = shape.is_array() && shape.size() == 2;
    const auto array = [&](std::initializer_list<Json> extents) {
        return PythonValue(arrayOfShape(isMatrix ? Json(std::vector<Json>(extents)) : Json()));
    };
    const Json rows = isMatrix ? shape[0] : Json();
    const Json columns = isMatrix ? shape[1] : Json();
    const bool areKnown = rows.is_number_integer() && columns.is_number_integer();
    const Json least = areKnown ? std::min(rows, columns) : Json();
    if (name == "eig" || name == "eigh")
        return pythonList({array({rows}), array({rows, rows})}, true);
    const PythonValue* mode = call.arguments.find("mode", 1);
    if (name == "qr")
        return mode == nullptr || mode->constant() == "reduced"
                   ? pythonList({array({rows, least}), array({least, columns})}, true)
                   : PythonValue(PythonData());
    const PythonValue* isFull = call.arguments.find("full_matrices", 1);
    const PythonValue* hasVectors = call.arguments.find("compute_uv", 2);
    if (call.path.starts_with("tf.") || (hasVectors != nullptr && hasVectors->constant() == false))
        return PythonData();
    const bool isWhole = isFull == nullptr || isFull->constant() == true;
    return pythonList(
        {array({rows, isWhole ? rows : least}), array({least}), array({isWhole ? columns : least, columns})},
        true);
}

struct ProductFunction {
    std::string_view name;
    Json (*shape)(const PythonApiCall&);
};
constexpr std::array productFunctions{
    ProductFunction{"dot", shapeOfDotted},
    ProductFunction{"matmul", shapeOfMultiplied},
    ProductFunction{"tensordot", shapeOfContracted},
    ProductFunction{"outer", shapeOfOuter},
    ProductFunction{"inner", shapeOfInner},
    ProductFunction{"vdot", shapeOfNumberAlone},
    ProductFunction{"kron", shapeOfBlocks},
    ProductFunction{"einsum", shapeOfSummed},
    ProductFunction{"inv", shapeOfFirst},
    ProductFunction{"cholesky", shapeOfFirst},
    ProductFunction{"matrix_power", shapeOfFirst},
    ProductFunction{"expm", shapeOfFirst},
    ProductFunction{"pinv", shapeOfTurnedMatrix},
    ProductFunction{"matrix_transpose", shapeOfTurnedMatrix},
    ProductFunction{"solve", shapeOfRightSide},
    ProductFunction{"det", shapeOfMatrixNumbers},
    ProductFunction{"trace", shapeOfMatrixNumbers},
    ProductFunction{"eigvals", shapeOfEigenvalues},
    ProductFunction{"eigvalsh", shapeOfEigenvalues},
    ProductFunction{"norm", shapeOfNorm},
    ProductFunction{"cov", shapeOfCovariance},
    ProductFunction{"corrcoef", shapeOfCovariance},
};

} // namespace

std::optional<PythonValue> productOfSamples(const PythonApiCall& call, const std::string& name) {
    constexpr std::array<std::string_view, 4> several{"eig", "eigh", "qr", "svd"};
    if (std::ranges::find(several, name) != several.end())
        return shapeOfDecomposed(call);
    const auto row = std::ranges::find(productFunctions, name, &ProductFunction::name);
    if (row == productFunctions.end())
        return std::nullopt;
    const bool isNamed = name == "einsum" && call.arguments.list.size() > 1;
    const PythonValue source = call.arguments.list.empty() ? PythonValue()
                               : isNamed                   ? call.arguments.list[1]
                                                           : call.arguments.list[0];
    return likeArray(source, row->shape(call));
}

} // namespace core
