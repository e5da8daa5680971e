#include "core/interchange/trace/event_trace.h"

#include "core/interchange/trace/chrome_events.h"
#include "core/interchange/trace/perfetto_events.h"

namespace core {

Result<EventTrace> readEventTrace(std::string_view bytes, const std::string& file) {
    const auto refuse = [&](const char* code, std::string message, std::string hint) {
        return failure(makeError(Trouble::Input, code, {file, ""}, std::move(message), {std::move(hint)}));
    };
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return refuse("trace/format", "the trace is empty", "record or export it again");
    if (bytes.starts_with("\x1f\x8b"))
        return refuse("trace/packed", "the trace is packed by gzip", "unpack it first: gunzip -k FILE");
    // A Trace message begins with the field 1, whose tag is a line feed too.
    if (bytes[first] == '{' || bytes[first] == '[')
        return readChromeEvents(bytes, file);
    if (bytes.starts_with('\n'))
        return readPerfettoEvents(bytes, file);
    return refuse("trace/format", "this is neither a Chrome trace nor one of Perfetto",
                  "give a trace of JSON events, or one that ui.perfetto.dev opens");
}

} // namespace core
