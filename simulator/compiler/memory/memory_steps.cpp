#include "simulator/compiler/memory/memory_steps.h"

#include <algorithm>

namespace simulator {

namespace {

class OrderBuilder {
public:
    OrderBuilder(const LoweredPipeline& pipeline, core::IpuId ipu)
        : m_pipeline(pipeline)
        , m_orders(pipeline.orders) {
        m_order.ipu = ipu;
        m_order.overlapsMicroBatches = pipeline.schedule.hasRamps();
        for (std::size_t stage = 0; stage < pipeline.stageCount; ++stage)
            if (pipeline.ipus[stage] == ipu)
                m_stages.push_back(stage);
    }

    IpuProgramOrder build() {
        if (m_order.overlapsMicroBatches) {
            addBackward(m_stages.begin(), m_stages.end());
            for (const std::size_t stage : m_stages)
                if (!m_orders[stage].weightGradient.empty())
                    add(stage, Phase::WeightGradient, m_orders[stage].weightGradient);
            addForward(m_stages.rbegin(), m_stages.rend());
        } else {
            addForward(m_stages.begin(), m_stages.end());
            addBackward(m_stages.rbegin(), m_stages.rend());
        }
        m_order.fifoStep = lastStep();
        for (const std::size_t stage : m_stages)
            if (!m_pipeline.recomputeInsideBackward)
                add(stage, Phase::Recompute, m_orders[stage].recompute);
        m_order.slotEnd = lastStep();
        endEmptySegments();
        for (const std::size_t stage : m_stages)
            add(stage, Phase::WeightUpdate, m_orders[stage].weightUpdate);
        endEmptySegments();
        return std::move(m_order);
    }

private:
    template <class Iterator>
    void addForward(Iterator first, Iterator last) {
        for (; first != last; ++first)
            add(*first, Phase::Forward, m_orders[*first].forward);
    }
    template <class Iterator>
    void addBackward(Iterator first, Iterator last) {
        for (; first != last; ++first)
            add(*first, Phase::Backward, m_orders[*first].backward);
    }

    [[nodiscard]] std::uint32_t lastStep() const {
        return static_cast<std::uint32_t>(std::max<std::size_t>(m_order.steps.size(), 1) - 1);
    }

    /// A program without operations behind the last step: what arrives for it lands in that step.
    void endEmptySegments() {
        for (ProgramSegment& segment : m_order.segments)
            if (segment.operations.empty())
                segment.firstStep = std::min(segment.firstStep, lastStep());
    }

    void add(std::size_t stage, Phase phase, const std::vector<core::OperationId>& operations) {
        m_order.segments.push_back(
            {core::StageId(stage), phase, static_cast<std::uint32_t>(m_order.steps.size()), operations});
        for (const core::OperationId id : operations)
            m_order.steps.push_back({id, core::StageId(stage), phase});
    }

    const LoweredPipeline& m_pipeline;
    const std::vector<StageOrders>& m_orders;
    std::vector<std::size_t> m_stages;
    IpuProgramOrder m_order;
};

} // namespace

std::vector<IpuProgramOrder> ipuProgramOrders(const LoweredPipeline& pipeline) {
    std::vector<IpuProgramOrder> result;
    const auto ipus = static_cast<std::size_t>(pipeline.system.ipusPerReplica);
    for (std::size_t ipu = 0; ipu < ipus; ++ipu)
        result.push_back(OrderBuilder(pipeline, core::IpuId(ipu)).build());
    return result;
}

} // namespace simulator
