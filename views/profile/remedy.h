#pragma once

#include <QString>
#include <functional>
#include <vector>

namespace views {

/// A change of the open project that takes less memory; it was simulated.
struct Remedy {
    /// "Recompute activations instead of keeping them".
    QString text;
    /// "peak 312.1 MiB (−62.5 MiB), −3.1 % samples/s".
    QString effect;
    /// Makes the change, which can be undone.
    std::function<void()> apply;
};

} // namespace views
