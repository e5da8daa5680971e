#include "simulator/compiler/ordering/look_ahead.h"

#include <algorithm>
#include <limits>

namespace simulator {

namespace {

class LookAhead {
public:
    LookAhead(const Computation& computation, const OrderingOptions& options)
        : m_computation(computation)
        , m_options(options)
        , m_waitsFor(computation.size())
        , m_readersLeft(computation.bufferBytes.size(), 0) {
        for (std::uint32_t node = 0; node < computation.size(); ++node) {
            m_waitsFor[node] = computation.operands[node].size();
            if (m_waitsFor[node] == 0)
                m_ready.push_back(node);
            for (const std::uint32_t buffer : computation.reads[node])
                ++m_readersLeft[buffer];
        }
        for (std::size_t buffer = 0; buffer < computation.leaves.size(); ++buffer)
            m_readersLeft[buffer] += computation.leaves[buffer] ? 1 : 0;
    }

    NodeOrder order() {
        NodeOrder result;
        result.reserve(m_computation.size());
        const auto take = [&](std::uint32_t node) {
            run(node);
            result.push_back(node);
        };
        for (const std::uint32_t node : std::vector(m_ready))
            take(node);
        while (!m_ready.empty())
            take(bestChoice(m_options.lookAheadDepth, m_options.searchSpaceSize).node);
        return result;
    }

private:
    struct Choice {
        std::uint32_t node = 0;
        std::int64_t liveness = std::numeric_limits<std::int64_t>::max();
    };

    /// The ready node whose best continuation within the budget keeps the least alive.
    Choice bestChoice(std::int64_t depth, std::int64_t budget) {
        Choice best;
        const std::vector<std::uint32_t> candidates = m_ready;
        const std::int64_t share = budget / static_cast<std::int64_t>(candidates.size());
        for (const std::uint32_t node : candidates) {
            std::int64_t liveness = run(node);
            if (depth > 1 && share > 1 && !m_ready.empty())
                liveness = std::max(liveness, bestChoice(depth - 1, share - 1).liveness);
            takeBack(node);
            if (liveness < best.liveness)
                best = {node, liveness};
        }
        return best;
    }

    /// Runs a node; answers what is alive at that step: outputs and the operands that die with it included.
    std::int64_t run(std::uint32_t node) {
        for (const std::uint32_t buffer : m_computation.defines[node])
            m_live += m_computation.bufferBytes[buffer];
        const std::int64_t liveness = m_live;
        for (const std::uint32_t buffer : m_computation.reads[node])
            if (--m_readersLeft[buffer] == 0)
                m_live -= m_computation.bufferBytes[buffer];
        m_ready.erase(std::ranges::find(m_ready, node));
        for (const std::uint32_t user : m_computation.users[node])
            if (--m_waitsFor[user] == 0)
                m_ready.push_back(user);
        std::ranges::sort(m_ready);
        return liveness;
    }

    void takeBack(std::uint32_t node) {
        for (const std::uint32_t user : m_computation.users[node])
            if (m_waitsFor[user]++ == 0)
                m_ready.erase(std::ranges::find(m_ready, user));
        m_ready.insert(std::ranges::lower_bound(m_ready, node), node);
        for (const std::uint32_t buffer : m_computation.reads[node])
            if (m_readersLeft[buffer]++ == 0)
                m_live += m_computation.bufferBytes[buffer];
        for (const std::uint32_t buffer : m_computation.defines[node])
            m_live -= m_computation.bufferBytes[buffer];
    }

    const Computation& m_computation;
    const OrderingOptions& m_options;
    std::vector<std::size_t> m_waitsFor;
    std::vector<std::uint32_t> m_readersLeft;
    std::vector<std::uint32_t> m_ready;
    std::int64_t m_live = 0;
};

} // namespace

NodeOrder lookAheadOrder(const Computation& computation, const OrderingOptions& options) {
    return LookAhead(computation, options).order();
}

} // namespace simulator
