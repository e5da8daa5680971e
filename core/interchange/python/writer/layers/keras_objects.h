#pragma once

#include "core/base/json.h"
#include "core/interchange/python/writer/text/python_edition.h"

#include <string>
#include <string_view>

namespace core {

/// Keras objects that layers hold, as a program makes them.

/// What a program has to register under the name of an activation, because the edition has none of that name:
/// an expression. Empty: the edition has it. Null: there is no function for it.
[[nodiscard]] const char* functionOfActivation(std::string_view activation, PythonApi api);

/// `tf.keras.initializers.RandomNormal(stddev=0.02)` of {"class_name", "config"}; other values as literals.
[[nodiscard]] std::string initializerText(const Json& value, PythonApi api);

/// `tf.keras.regularizers.l2(0.01)` of {"class_name", "config"}; other values as literals.
[[nodiscard]] std::string regularizerText(const Json& value);

} // namespace core
