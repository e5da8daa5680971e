#include "simulator/compiler/ordering/post_order.h"

namespace simulator {

NodeOrder postOrderOrder(const Computation& computation, const OrderingOptions&) {
    NodeOrder order;
    order.reserve(computation.size());
    std::vector<bool> isSeen(computation.size(), false);
    struct Visit {
        std::uint32_t node;
        std::size_t nextOperand;
    };
    std::vector<Visit> stack;
    for (std::uint32_t root = 0; root < computation.size(); ++root) {
        if (!computation.users[root].empty())
            continue;
        stack.push_back({root, 0});
        isSeen[root] = true;
        while (!stack.empty()) {
            Visit& visit = stack.back();
            const auto operands = computation.operands[visit.node];
            if (visit.nextOperand == operands.size()) {
                order.push_back(visit.node);
                stack.pop_back();
                continue;
            }
            const std::uint32_t operand = operands[visit.nextOperand++];
            if (!isSeen[operand]) {
                isSeen[operand] = true;
                stack.push_back({operand, 0});
            }
        }
    }
    return order;
}

} // namespace simulator
