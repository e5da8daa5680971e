#include "simulator/cost/codelet.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace simulator {

namespace {

struct FamilyRow {
    std::string_view name;
    std::int64_t bytes;
};

/// In the order of `CodeletFamily`. Pooling, random, layout and loss are not published; they are set between
/// the element-wise and the gather figures.
constexpr std::array rows{
    FamilyRow{"matmul", 1450}, FamilyRow{"conv", 1450},        FamilyRow{"reduce", 700},
    FamilyRow{"slice", 850},   FamilyRow{"slice-update", 850}, FamilyRow{"elementwise", 250},
    FamilyRow{"pool", 500},    FamilyRow{"random", 400},       FamilyRow{"layout", 300},
    FamilyRow{"loss", 400},    FamilyRow{"partials", 160},
};

std::string_view width(core::DataType type) {
    if (!core::isFloating(type))
        return "integer";
    return core::elementBytes(type) == 2 ? "half" : "float";
}

} // namespace

std::string codeletName(CodeletFamily family, core::DataType type, std::string_view function) {
    const std::string_view name = rows[static_cast<std::size_t>(family)].name;
    if (function.empty())
        return fmt::format("{}/{}", name, width(type));
    return fmt::format("{}/{}/{}", name, width(type), function);
}

std::int64_t codeletBytes(std::string_view name) {
    const std::string_view family = name.substr(0, name.find('/'));
    const auto row = std::ranges::find(rows, family, &FamilyRow::name);
    return row == rows.end() ? 0 : row->bytes;
}

} // namespace simulator
