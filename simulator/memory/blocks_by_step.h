#pragma once

#include "simulator/memory/memory_plan.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace simulator {

/// Numbers of the blocks of an IPU that come and go, by the step at which they do. A block that lives around
/// the slot's end is two stretches: it begins twice and ends twice.
class BlocksByStep {
public:
    /// The plan needs its steps, the slot's end and its blocks.
    explicit BlocksByStep(const IpuMemoryPlan& plan);

    /// In the order of the plan's blocks.
    [[nodiscard]] std::span<const std::uint32_t> begin(std::uint32_t step) const { return m_begin.at(step); }
    /// Whose last step it is.
    [[nodiscard]] std::span<const std::uint32_t> end(std::uint32_t step) const { return m_end.at(step); }

private:
    /// Step after step in one list.
    class Lists {
    public:
        /// `stepsOf` an interval: the step of its block, and that of the other stretch around the slot's end.
        template <class StepsOf>
        Lists(const IpuMemoryPlan& plan, StepsOf stepsOf);

        [[nodiscard]] std::span<const std::uint32_t> at(std::uint32_t step) const {
            return std::span(m_blocks).subspan(m_first[step], m_first[step + 1] - m_first[step]);
        }

    private:
        std::vector<std::uint32_t> m_first;
        std::vector<std::uint32_t> m_blocks;
    };

    Lists m_begin;
    Lists m_end;
};

} // namespace simulator
