#pragma once

#include "core/model/attribute_definition.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace core {

using Attributes = std::vector<AttributeDefinition>;

/// The lists one after the other.
[[nodiscard]] Attributes joined(std::initializer_list<Attributes> lists);

/// use_bias, then initializer, regularizer and constraint of each named weight ("kernel", "bias", …) grouped
/// as Keras groups them, and the activity regularizer. "bias" starts at zeros, "recurrent" orthogonal, the
/// others glorot_uniform.
[[nodiscard]] Attributes weightObjects(std::initializer_list<std::string> weights);

/// padding "valid" or "same" (and "causal" where asked), in any of Keras' spellings.
[[nodiscard]] AttributeDefinition paddingMode(bool withCausal = false);
/// channels_last or channels_first; null means channels_last.
[[nodiscard]] AttributeDefinition dataFormat();
/// strides of `rank` field axes, default 1.
[[nodiscard]] AttributeDefinition strides(std::size_t rank);
[[nodiscard]] AttributeDefinition dilationRate(std::size_t rank);
/// Rate of a random layer, 0 … 1.
[[nodiscard]] AttributeDefinition rate(std::string name, std::string documentation);
[[nodiscard]] AttributeDefinition seed();
[[nodiscard]] AttributeDefinition epsilon(double byDefault);

} // namespace core
