#pragma once

#include "core/base/quantity.h"

#include <cstdint>
#include <string>

namespace core {

/// One call of a batch callback, in an execution that stands for all of a run's.
struct CallbackRecord {
    /// "on_train_batch_begin", "on_test_batch_end", …
    std::string name;
    /// The step that the call names, from the execution's first.
    std::int64_t step = 0;
    /// Whose step it is, or whose logs it sees.
    std::int64_t replica = 0;
    /// When the host makes the call, from the execution's start; asynchronous ones may come after its end.
    Cycles at;
    /// When the first of what it tells of happened on the device: the step began, or the oldest results that
    /// no call before reported were with the host.
    Cycles due;

    /// Behind (or, negative, ahead of) the device.
    [[nodiscard]] Cycles late() const { return at - due; }
    bool operator==(const CallbackRecord&) const = default;
};

} // namespace core
