#pragma once

#include "core/base/result.h"
#include "simulator/numerics/bindings/bound_operation.h"
#include "simulator/numerics/user_operation.h"

namespace simulator {

/// The function of a user operation, loaded and tried out once for these operands: in a process of its own
/// first, and here only when that went well. Refuses ("numerics/user-operation") a library named without a
/// folder (the system's are never searched), one that cannot be loaded, was built against another interface,
/// misses the function, or whose function fails, crashes, hangs or writes where it should not.
[[nodiscard]] core::Result<ipu_user_function> loadUserFunction(const BindRequest& request);

} // namespace simulator
