#pragma once

#include "core/interchange/trace/event_trace.h"

// Private to the folder.

namespace core {

/// The slices of track events in a Perfetto trace. Source of the fields: the messages of
/// https://github.com/google/perfetto, protos/perfetto/trace/.
[[nodiscard]] Result<EventTrace> readPerfettoEvents(std::string_view bytes, const std::string& file);

} // namespace core
