#include "views/graph/model/cut_costs.h"

#include <algorithm>
#include <array>

namespace views {

namespace {

/// What a layer costs the stage it is on; a stage that recomputes runs it forwards twice.
core::Cycles costOn(const core::StageEstimate& stage, const core::InvocationEstimate& layer) {
    const bool recomputes = stage.recompute.value() > 0;
    return layer.forward + layer.backward + (recomputes ? layer.forward : core::Cycles());
}

} // namespace

std::vector<core::Cycles> cutCosts(const CanvasModel& model, const core::PlanEstimate& estimate,
                                   const std::vector<CutPoint>& points, std::size_t cut) {
    if (cut + 1 >= estimate.stages.size())
        return {};
    /// Place in the assignment, and what the layer costs before and behind the cut.
    struct Layer {
        std::size_t entry = 0;
        std::array<core::Cycles, 2> costs;
    };
    std::vector<Layer> layers;
    // What a stage works beside its layers stays with it.
    std::array<core::Cycles, 2> besides{estimate.stages[cut].perMicroBatch(),
                                        estimate.stages[cut + 1].perMicroBatch()};
    for (const core::InvocationEstimate& invocation : estimate.invocations) {
        const int index = model.find(invocation.layer, invocation.call);
        if (index < 0)
            continue;
        const CanvasNode& node = model.nodes[std::size_t(index)];
        if (!node.assignable || !node.stage.isValid() || node.stage.index() < cut ||
            node.stage.index() > cut + 1)
            continue;
        layers.push_back(
            {*node.assignable,
             {costOn(estimate.stages[cut], invocation), costOn(estimate.stages[cut + 1], invocation)}});
        const std::size_t side = node.stage.index() - cut;
        besides[side] =
            core::Cycles(std::max<std::int64_t>(0, (besides[side] - layers.back().costs[side]).value()));
    }
    if (layers.empty())
        return {};
    core::Cycles others;
    for (std::size_t stage = 0; stage < estimate.stages.size(); ++stage) {
        if (stage != cut && stage != cut + 1)
            others = std::max(others, estimate.stages[stage].perMicroBatch());
    }
    std::vector<core::Cycles> costs;
    for (const CutPoint& point : points) {
        std::array<core::Cycles, 2> sides = besides;
        for (const Layer& layer : layers)
            sides[layer.entry < point.entry ? 0 : 1] += layer.costs[layer.entry < point.entry ? 0 : 1];
        costs.push_back(std::max({others, sides[0], sides[1]}));
    }
    return costs;
}

} // namespace views
