#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace core {

/// What a child process may take.
struct ChildLimits {
    /// Beside what the program has already.
    std::uint64_t memoryBytes = std::uint64_t{64} << 20U;
    /// Of the clock; the processor's time is bounded alike.
    std::uint64_t seconds = 5;
    /// Of its answer.
    std::uint64_t answerBytes = std::uint64_t{64} << 20U;
};

enum class ChildEnd : std::uint8_t { Answered, Crashed, TookTooLong, TookTooMuch, NotStarted };

struct ChildAnswer {
    ChildEnd end = ChildEnd::Answered;
    std::string text;
};

/// Hands pieces of an answer to whoever asked.
using ChildWriter = std::function<void(std::string_view piece)>;

/// Does `work` in a copy of this process and answers what it wrote: for libraries that may crash, loop or
/// take all memory over a damaged file. What else the work changes is lost. May be called from any thread;
/// the work must not wait for other threads, which the copy does not have.
[[nodiscard]] ChildAnswer askChild(const std::function<void(const ChildWriter& write)>& work,
                                   const ChildLimits& limits);

} // namespace core
