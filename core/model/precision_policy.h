#pragma once

#include "core/base/json.h"
#include "core/model/data_type.h"

#include <optional>
#include <string_view>

namespace core {

/// Element types of a layer's arithmetic and of its weights: Keras' dtype policy.
struct PrecisionPolicy {
    DataType compute = DataType::Float32;
    DataType variable = DataType::Float32;

    bool operator==(const PrecisionPolicy&) const = default;
};

/// "float32", "float16", "mixed_float16", or any element type. "bfloat16" and "mixed_bfloat16", which an IPU
/// does not have, are taken as their float16 counterparts. Nothing for any other text.
[[nodiscard]] std::optional<PrecisionPolicy> precisionFromName(std::string_view name);

/// The policy a layer's `dtype` attribute names, in every form Keras writes; nothing when it names none.
[[nodiscard]] std::optional<PrecisionPolicy> precisionFromJson(const Json& dtype);

/// What holds for a layer whose file says `dtype` in a run whose precision is `global`: the global policy
/// replaces plain float32, a layer that names anything else keeps it.
[[nodiscard]] PrecisionPolicy resolvePrecision(const Json& dtype, const PrecisionPolicy& global);

} // namespace core
