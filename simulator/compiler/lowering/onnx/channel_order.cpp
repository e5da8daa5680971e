#include "simulator/compiler/lowering/onnx/channel_order.h"

namespace simulator {

core::TensorId withChannelsLast(GraphBuilder& build, core::TensorId x) {
    const auto rank = static_cast<std::int64_t>(build.rank(x));
    std::vector<std::int64_t> permutation{0};
    for (std::int64_t i = 2; i < rank; ++i)
        permutation.push_back(i);
    if (rank > 1)
        permutation.push_back(1);
    return build.transpose(x, std::move(permutation));
}

core::TensorId withChannelsSecond(GraphBuilder& build, core::TensorId x) {
    const auto rank = static_cast<std::int64_t>(build.rank(x));
    std::vector<std::int64_t> permutation{0};
    if (rank > 1)
        permutation.push_back(rank - 1);
    for (std::int64_t i = 1; i + 1 < rank; ++i)
        permutation.push_back(i);
    return build.transpose(x, std::move(permutation));
}

} // namespace simulator
