#include "core/model/precision_policy.h"

#include <string>

namespace core {

std::optional<PrecisionPolicy> precisionFromName(std::string_view name) {
    if (name == "mixed_float16" || name == "mixed_bfloat16")
        return PrecisionPolicy{DataType::Float16, DataType::Float32};
    if (name == "bfloat16")
        return PrecisionPolicy{DataType::Float16, DataType::Float16};
    if (const auto type = dataTypeFromName(name))
        return PrecisionPolicy{*type, *type};
    return std::nullopt;
}

std::optional<PrecisionPolicy> precisionFromJson(const Json& dtype) {
    if (dtype.is_string())
        return precisionFromName(dtype.get<std::string>());
    if (!dtype.is_object())
        return std::nullopt;
    const auto config = dtype.find("config");
    if (config == dtype.end() || !config->is_object())
        return std::nullopt;
    const auto name = config->find("name");
    return name != config->end() && name->is_string() ? precisionFromName(name->get<std::string>())
                                                      : std::nullopt;
}

PrecisionPolicy resolvePrecision(const Json& dtype, const PrecisionPolicy& global) {
    const std::optional<PrecisionPolicy> own = precisionFromJson(dtype);
    // Keras writes a plain float32, Keras 3 as a DTypePolicy, into every layer that was told nothing; a
    // policy of TensorFlow 2 was meant.
    const bool isMeant = dtype.is_object() && dtype.value("class_name", Json()) == "Policy";
    return own && (isMeant || *own != PrecisionPolicy{}) ? *own : global;
}

} // namespace core
