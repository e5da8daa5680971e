#pragma once

#include <cstdint>
#include <string_view>

namespace core {

/// The signals by which people and systems ask a program to end (SIGINT, SIGTERM, and SIGHUP where nohup did
/// not silence it) wait for `awaitEndingSignal` from now on: in this thread, and in those that it makes
/// later.
void holdEndingSignals();
/// Waits for one of them; false after `milliseconds` without one.
[[nodiscard]] bool awaitEndingSignal(std::int64_t milliseconds);

/// A file that grows beyond the limit of the system is an error of writing from now on, not the end of the
/// program.
void refuseOversizedFiles();

/// Ends the program here and now: nothing is flushed, no destructor runs. `lastWords` go to standard error.
[[noreturn]] void endAtOnce(int code, std::string_view lastWords = {});

} // namespace core
