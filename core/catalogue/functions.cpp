#include "core/catalogue/functions.h"

#include <algorithm>
#include <string>

namespace core {

namespace {

constexpr auto unaryRows = unaryDefinitions();
constexpr auto binaryRows = binaryDefinitions();

template <class Rows>
constexpr bool isInOrder(const Rows& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (static_cast<std::size_t>(rows[i].function) != i)
            return false;
    }
    return true;
}
static_assert(isInOrder(unaryRows), "one row for each unary function, in their order");
static_assert(isInOrder(binaryRows), "one row for each binary function, in their order");

/// Whether a list that is separated and enclosed by blanks has the name.
bool lists(std::string_view names, std::string_view name) {
    if (name.empty() || name.find(' ') != std::string_view::npos)
        return false;
    return names.find(' ' + std::string(name) + ' ') != std::string_view::npos;
}

} // namespace

const UnaryDefinition& definitionOf(UnaryFunction function) {
    return unaryRows[static_cast<std::size_t>(function)];
}

const BinaryDefinition& definitionOf(BinaryFunction function) {
    return binaryRows[static_cast<std::size_t>(function)];
}

const UnaryDefinition* unaryCalled(std::string_view name) {
    for (const UnaryDefinition& row : unaryRows) {
        if (lists(row.calls, name))
            return &row;
    }
    return nullptr;
}

BinaryCall binaryCalled(std::string_view name) {
    for (const BinaryDefinition& row : binaryRows) {
        if (lists(row.calls, name))
            return {&row, false};
        if (lists(row.swappedCalls, name))
            return {&row, true};
    }
    return {};
}

const UnaryDefinition* unaryOfOnnxGate(std::string_view name) {
    const auto row = std::ranges::find_if(
        unaryRows, [name](const UnaryDefinition& unary) { return unary.onnxGate.name == name; });
    return name.empty() || row == unaryRows.end() ? nullptr : &*row;
}

const UnaryDefinition* unaryOfOnnx(std::string_view operation) {
    for (const UnaryDefinition& row : unaryRows) {
        if (!operation.empty() && row.onnx == operation)
            return &row;
    }
    return nullptr;
}

const BinaryDefinition* binaryOfOnnx(std::string_view operation) {
    for (const BinaryDefinition& row : binaryRows) {
        if (!operation.empty() && row.onnx == operation)
            return &row;
    }
    return nullptr;
}

std::string_view firstCall(std::string_view calls) {
    calls.remove_prefix(std::min<std::size_t>(1, calls.size()));
    return calls.substr(0, calls.find(' '));
}

std::string_view toString(UnaryFunction function) {
    return definitionOf(function).name;
}

std::string_view toString(BinaryFunction function) {
    return definitionOf(function).name;
}

} // namespace core
