#include "core/interchange/trace/event_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static_cast<void>(core::readEventTrace({reinterpret_cast<const char*>(data), size}, "trace"));
    return 0;
}
