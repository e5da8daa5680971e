#pragma once

#include "core/interchange/trace/event_trace.h"

// Private to the folder.

namespace core {

/// The events of a Chrome trace. Source of the format: "Trace Event Format", Google, 2016.
[[nodiscard]] Result<EventTrace> readChromeEvents(std::string_view text, const std::string& file);

} // namespace core
