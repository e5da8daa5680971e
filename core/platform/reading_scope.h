#pragma once

#include <atomic>

namespace core {

/// Lives while its thread reads an input (a file, or the answer of the process that reads one) or waits for
/// the reader of a FIFO. Nothing is half written then, so a program that is asked to stop and does not may
/// end at once.
class ReadingScope {
public:
    ReadingScope() { ++count(); }
    ~ReadingScope() { --count(); }
    ReadingScope(const ReadingScope&) = delete;
    ReadingScope& operator=(const ReadingScope&) = delete;

    /// Whether any thread reads.
    [[nodiscard]] static bool isActive() { return count() > 0; }

private:
    static std::atomic<int>& count() {
        static std::atomic<int> number = 0;
        return number;
    }
};

} // namespace core
