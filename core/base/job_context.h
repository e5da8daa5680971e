#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

namespace core {

/// What long work reports: how far it is (0 … 1) and what it is doing. Called from the thread that works, at
/// any rate; whoever listens throttles.
using Progress = std::function<void(double fraction, std::string_view activity)>;

/// How long work is asked to stop and reports how far it is. Cheap to copy; the default never stops and tells
/// nobody.
struct JobContext {
    std::stop_token stopToken;
    Progress progress;

    [[nodiscard]] bool isCancelled() const { return stopToken.stop_requested(); }
    void report(double fraction, std::string_view activity) const {
        if (progress)
            progress(fraction, activity);
    }
};

} // namespace core
