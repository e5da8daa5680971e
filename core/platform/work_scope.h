#pragma once

#include <atomic>

namespace core {

/// Lives while its thread does work of a kind, for a program that is asked to stop and does not.
template <class Kind>
class WorkScope {
public:
    WorkScope() { ++count(); }
    ~WorkScope() { --count(); }
    WorkScope(const WorkScope&) = delete;
    WorkScope& operator=(const WorkScope&) = delete;

    /// Whether any thread does.
    [[nodiscard]] static bool isActive() { return count() > 0; }

private:
    static std::atomic<int>& count() {
        static std::atomic<int> number = 0;
        return number;
    }
};

/// Reads an input (a file, or the answer of the process that reads one) or waits for the reader of a FIFO:
/// nothing is half written then, whatever else goes on, so the program may end at once.
using ReadingScope = WorkScope<struct Reading>;

/// Makes something that an end at once would leave unfinished: a file under another name until it is whole, a
/// run that is recorded.
using WritingScope = WorkScope<struct Writing>;

} // namespace core
