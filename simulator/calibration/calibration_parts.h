#pragma once

#include "core/base/result.h"
#include "simulator/compiler/compile.h"
#include "simulator/compiler/memory/unshared_code.h"
#include "simulator/cost/operations/plan_operation.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simulator {

/// Operations of a compiled transformer that measurements name by themselves: "softmax", "FF-1 matmul". Each
/// has the code of the same operation compiled alone.
class NamedPart {
public:
    /// The part of one layer, counted from 0. Case, spaces and punctuation of the name do not matter.
    /// `options` plan what the model has in pieces and a part as one operation (the product of Q, K and V).
    /// Error: "calibration/no-prediction" with the names of all parts.
    [[nodiscard]] static core::Result<NamedPart> find(const Executable& executable, std::string_view name,
                                                      std::int64_t layer, const PlanOptions& options);

    /// "variables" (the operands), "temporaries", "vertex_code", "vertex_state", "exchange_code",
    /// "control_code", "total_bytes" (all of these and the results) in bytes, "max_tile_bytes" on each tile
    /// used; nothing for other names.
    [[nodiscard]] std::optional<double> figure(std::string_view name) const;

private:
    /// One operation: its plan, its tensors' bytes, its code on each tile that has some.
    struct Member {
        OperationPlan plan;
        double operands = 0;
        double results = 0;
        OperationCode code;
        /// Products rearrange their operands over all tiles, element-wise operations work where their operand
        /// lies.
        std::int64_t codeTiles = 0;
    };
    class Finder;
    [[nodiscard]] double total(std::int64_t OperationCode::*bytesPerTile) const;
    [[nodiscard]] double vertexCode() const;
    /// The most of one operation: they come one after the other.
    [[nodiscard]] double temporaries() const;

    std::vector<Member> m_members;
};

/// The names of all parts, as people write them.
[[nodiscard]] std::vector<std::string> partNames();

} // namespace simulator
