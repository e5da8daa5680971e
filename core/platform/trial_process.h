#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace core {

/// How foreign code ended in a process of its own.
struct TrialEnding {
    enum class Kind : std::uint8_t {
        Answered,   ///< came back, with its answer
        Exited,     ///< ended the process, or gave no answer
        Crashed,    ///< `signal` says by what
        TooSlow,    ///< did not come back in time
        NoPipe,     ///< could not be tried: too many open files
        NotStarted, ///< could not be tried: no process
    };
    Kind kind = Kind::NotStarted;
    /// In words of the system.
    std::string signal = {};
};

/// Does `trial` in a copy of this process, whatever that does to it. `trial` fills `answer`, which this
/// process then has. It starts with the memory of this process as it is.
[[nodiscard]] TrialEnding tryInCopy(const std::function<void()>& trial, std::span<std::byte> answer,
                                    unsigned seconds);

} // namespace core
