#pragma once

#include "core/interchange/python/language/value.h"

#include <memory>
#include <vector>

namespace core {

/// Several bases of a class as one chain of parents, in Python's method resolution order: super() of the one
/// leads to the next. Null: there are none.
[[nodiscard]] std::shared_ptr<const PythonClass>
chainOfBases(const std::vector<std::shared_ptr<const PythonClass>>& bases);

/// Whether both are one class of the program: where it stands in the chain of another it is a copy.
[[nodiscard]] bool isSameClass(const PythonClass& a, const PythonClass& b);

/// Whether `type` is `base`, or is derived from it.
[[nodiscard]] bool isDerivedFrom(const PythonClass* type, const PythonClass& base);

} // namespace core
