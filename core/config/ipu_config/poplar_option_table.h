#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/data_type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace core {

/// What a set of PopLibs options is for.
enum class PoplarOperation : std::uint8_t { Convolution, MatMul, Slice, Pooling };

/// Poplar options in the order given: name and text.
using PoplarFlags = std::vector<std::pair<std::string, std::string>>;

/// What Poplar options say to the planner of operations; nothing where they are silent.
struct PoplarPlanHints {
    /// Share of a tile's memory that temporaries may take, 0 … 1; 0 asks for the plan with the least memory.
    std::optional<double> availableMemoryProportion;
    std::optional<DataType> partialsType;
    std::optional<bool> use128BitConvUnitLoad;

    bool operator==(const PoplarPlanHints&) const = default;
};

/// The hints of checked options, the later of two that say the same. Options that the table does not know for
/// the operation, or that it takes without an effect, say nothing.
[[nodiscard]] PoplarPlanHints planHints(PoplarOperation operation, const PoplarFlags& flags);

/// Reads an object of Poplar options. Poplar takes texts; a number or a switch is read as the text it prints.
/// Files an error for any other value.
[[nodiscard]] PoplarFlags readPoplarFlags(const Json& object, const std::string& file,
                                          const std::string& pointer, Diagnostics& findings);
[[nodiscard]] Json toJson(const PoplarFlags& flags);

/// Files an error for a known option with an impossible value, and a warning for a name that PopLibs does not
/// document, with the nearest one it does. `pointer` is that of the object. Source: createWeights, matMul,
/// embedding and pool of the PopLibs API reference.
void checkPoplarFlags(PoplarOperation operation, const PoplarFlags& flags, const std::string& file,
                      const std::string& pointer, Diagnostics& findings);

} // namespace core
