#pragma once

#include "views/document/document.h"

#include <QString>
#include <vector>

namespace views {

/// What a row and a column of the matrix are.
enum class TrafficLevel : std::uint8_t { Layers, Stages, Ipus };

/// Who gives how many bytes to whom with each micro-batch: activations forwards. Backwards the gradients of
/// the same tensors go the other way, as many bytes of them.
struct TrafficMatrix {
    struct Group {
        QString name;
        /// Calls in it, in post-order.
        std::vector<InvocationKey> calls;
    };
    std::vector<Group> groups;
    /// Row by row: from the row's group to the column's.
    std::vector<double> bytes;

    [[nodiscard]] double traffic(std::size_t from, std::size_t to) const {
        return bytes[from * groups.size() + to];
    }
    /// How much of its traffic the one that has less of it exchanges with the other (0 … 1), in both
    /// directions: 1 where it has nobody else. A pair of high affinity is better left together. 1 with
    /// itself.
    [[nodiscard]] double affinity(std::size_t a, std::size_t b) const;
    /// The largest between two different groups.
    [[nodiscard]] double largestTraffic() const;
};

/// Most rows: what has more layers is shown in runs of neighbours.
inline constexpr std::size_t mostTrafficRows = 256;

/// Of the layers of the document as far as their shapes are known; in post-order. Stages and IPUs of a
/// project without a pipeline are one. A tensor that several layers of one group read goes there once.
[[nodiscard]] TrafficMatrix trafficMatrix(const Document& document, TrafficLevel level);

/// From, to, bytes, affinity: every pair that exchanges something.
[[nodiscard]] QString trafficCsv(const TrafficMatrix& matrix);

} // namespace views
