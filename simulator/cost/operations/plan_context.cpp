#include "simulator/cost/operations/plan_context.h"

#include <algorithm>
#include <cmath>

namespace simulator {

namespace {

constexpr std::int64_t mostElements = std::int64_t{1} << 44;

} // namespace

std::int64_t countElements(const Extents& extents) {
    std::int64_t elements = 1;
    for (const std::int64_t extent : extents) {
        if (extent <= 0)
            return 0;
        elements = extent > mostElements / elements ? mostElements : elements * extent;
    }
    return elements;
}

std::int64_t saturated(double count) {
    constexpr double most = 1e17;
    return static_cast<std::int64_t>(std::llround(std::clamp(count, 0.0, most)));
}

const Tensor& PlanContext::tensor(const std::vector<core::TensorId>& ids, std::size_t index) const {
    static const Tensor nothing{{}, "", {0}, core::DataType::Float32, TensorRole::Activation, {}};
    if (index >= ids.size() || !ids[index].isValid() || ids[index].index() >= m_tensors.size())
        return nothing;
    return m_tensors[ids[index].index()];
}

const Tensor& PlanContext::input(std::size_t index) const {
    return tensor(m_operation.inputs, index);
}

const Tensor& PlanContext::output(std::size_t index) const {
    return tensor(m_operation.outputs, index);
}

std::int64_t PlanContext::tiles() const {
    const std::int64_t all = std::max<std::int64_t>(m_target.tiles, 1);
    return m_options.tiles > 0 ? std::min(m_options.tiles, all) : all;
}

std::int64_t PlanContext::elementsOnTile(std::int64_t elements) const {
    if (!m_options.inheritedLayout)
        return core::ceilDivide(elements, tiles());
    const double mean = static_cast<double>(elements) / static_cast<double>(tiles());
    return std::min(elements, static_cast<std::int64_t>(std::ceil(mean * m_target.layoutImbalance)));
}

void PlanTally::addSupersteps(std::int64_t count) {
    m_supersteps += count;
}

void PlanTally::addLocalStep() {
    m_localSteps += 1;
}

void PlanTally::addRelayout(double bytesPerTile, double cyclesPerByte) {
    // Beside a superstep's usual overhead: pointer set-up of the copies.
    constexpr double copySetUp = 300;
    addReceived(bytesPerTile);
    addCompute(bytesPerTile * cyclesPerByte);
    addSupersteps(1);
    m_extraOverhead += copySetUp;
}

void PlanTally::setTemporary(double bytesPerTile) {
    m_temporary = std::max(m_temporary, bytesPerTile);
}

void PlanTally::addCodelet(std::string name) {
    if (std::ranges::find(m_codelets, name) == m_codelets.end())
        m_codelets.push_back(std::move(name));
}

void PlanTally::addSplit(std::string_view name, std::int64_t value) {
    m_split.emplace_back(name, value);
}

OperationPlan PlanTally::finish() const {
    const IpuTarget& target = m_context.target();
    OperationPlan plan;
    plan.tilesUsed = std::min(m_tilesUsed, m_context.tiles());
    plan.compute = core::Cycles(saturated(m_compute));
    plan.exchange = core::Cycles(saturated(m_exchange));
    const auto steps = static_cast<double>(m_supersteps);
    const double overhead =
        (steps + static_cast<double>(m_localSteps)) * static_cast<double>(target.superstepOverheadCycles) +
        m_extraOverhead;
    plan.overhead = core::Cycles(saturated(overhead));
    plan.sync =
        plan.overhead + core::Cycles(saturated(steps * static_cast<double>(target.internalSyncCycles)));
    plan.supersteps = m_supersteps + m_localSteps;
    plan.flops = core::Flops(saturated(m_flops));
    plan.exchangeBytes = core::Bytes(saturated(m_exchangeBytes));
    plan.temporaryPerTile = core::Bytes(saturated(std::ceil(m_temporary + m_rearranged)));
    plan.vertexStatePerTile = core::Bytes(m_footprint.state);
    plan.exchangeCodePerTile = core::Bytes(m_footprint.exchange);
    plan.controlCodePerTile = core::Bytes(m_footprint.control);
    plan.codelets = m_codelets;
    for (const std::string& codelet : m_codelets)
        plan.vertexCodePerTile += core::Bytes(codeletBytes(codelet));
    plan.split = m_split;
    return plan;
}

} // namespace simulator
