#pragma once

#include "core/profile/records/callback_record.h"
#include "simulator/engine/clock/update_timing.h"

#include <vector>

namespace simulator {

/// Whether batch callbacks come as results arrive. `fit` ignores the wish when the outfeed accumulates over
/// several steps, `evaluate` when it accumulates over an execution; `predict` never does.
[[nodiscard]] bool hasAsynchronousCallbacks(const Executable& executable);

/// The most calls that are kept of one execution; those after them follow the same pattern.
inline constexpr std::size_t mostCallbackRecords = 20'000;

/// The batch callbacks of one execution, in the order of their calls; all executions of a run have the same.
///
/// Synchronous: begin names the execution's first step and comes before the program starts; end names its
/// last step and comes after it, with the logs of the last replica's last micro-batch. Asynchronous: a
/// polling thread makes a begin and an end for each step and replica, back to back, when it finds the step's
/// results. It looks after a millisecond, from its second find on after the smaller of that and the time
/// between its finds / (samples found × 1.9). Source: Keras for IPUs, `extensions_base.py` and
/// `polling_thread.py`. Starting the poll with each execution is the model's.
[[nodiscard]] std::vector<core::CallbackRecord> callbackRecords(const Executable& executable,
                                                                const UpdateTiming& timing);

} // namespace simulator
