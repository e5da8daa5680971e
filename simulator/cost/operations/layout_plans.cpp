#include "simulator/cost/operations/elementwise_step.h"
#include "simulator/cost/operations/operation_planners.h"
#include "simulator/cost/vertex/access_vertex.h"

#include <algorithm>

namespace simulator {

namespace {

constexpr CodeFootprint layoutFootprint{16, 8, 24};
constexpr CodeFootprint viewFootprint{0, 0, 0};

/// A view: names the same bytes in another way and costs nothing.
OperationPlan view(const PlanContext& context) {
    PlanTally tally(context);
    tally.setFootprint(viewFootprint);
    return tally.finish();
}

/// Bytes that stay neighbours when axes are permuted: those of the trailing axes that keep their place.
std::int64_t runBytes(const Tensor& tensor, const std::vector<std::int64_t>& permutation) {
    std::int64_t run = core::elementBytes(tensor.type);
    for (std::size_t axis = tensor.extents.size(); axis-- > 0;) {
        if (axis < permutation.size() && permutation[axis] != static_cast<std::int64_t>(axis))
            break;
        run = countElements({run, std::max<std::int64_t>(tensor.extents[axis], 1)});
    }
    return run;
}

/// Every output byte travels to another tile and is put in order there.
OperationPlan relayout(const PlanContext& context, double cyclesPerByte) {
    const Tensor& output = context.output();
    const std::int64_t elements = countElements(output.extents);
    const double bytes = bytesPerTile(context, elements, output.type);
    PlanTally tally(context);
    tally.addRelayout(bytes, cyclesPerByte);
    tally.addExchangeBytes(bytes * static_cast<double>(context.tiles()));
    tally.setTemporary(bytes);
    tally.setTilesUsed(tilesFor(context, elements));
    tally.setFootprint(layoutFootprint);
    tally.addCodelet(codeletName(CodeletFamily::Layout, output.type));
    return tally.finish();
}

bool isIdentity(const std::vector<std::int64_t>& permutation, const Extents& extents) {
    std::int64_t last = -1;
    for (const std::int64_t axis : permutation) {
        // Axes of one element may go anywhere.
        if (axis >= 0 && axis < static_cast<std::int64_t>(extents.size()) &&
            extents[static_cast<std::size_t>(axis)] == 1)
            continue;
        if (axis < last)
            return false;
        last = axis;
    }
    return true;
}

} // namespace

static OperationPlan plan(const PlanContext& context, const Reshape&) {
    return view(context);
}

static OperationPlan plan(const PlanContext& context, const RecomputationCheckpoint&) {
    return view(context);
}

static OperationPlan plan(const PlanContext& context, const Transpose& operation) {
    const Tensor& input = context.input();
    if (isIdentity(operation.permutation, input.extents))
        return view(context);
    return relayout(context, relayoutCyclesPerByte(runBytes(input, operation.permutation)));
}

static OperationPlan plan(const PlanContext& context, const Slice& operation) {
    // Neighbouring elements are a view of their tensor; a stride picks them one by one.
    const bool strided = std::ranges::any_of(operation.stride, [](std::int64_t s) { return s != 1; });
    return strided ? relayout(context, relayoutCyclesPerByte(core::elementBytes(context.output().type)))
                   : view(context);
}

static OperationPlan plan(const PlanContext& context, const Concatenate&) {
    return relayout(context, context.target().tileCopyCyclesPerByte);
}

static OperationPlan plan(const PlanContext& context, const Pad&) {
    return relayout(context, context.target().tileCopyCyclesPerByte);
}

static OperationPlan plan(const PlanContext& context, const Broadcast&) {
    return relayout(context, context.target().tileCopyCyclesPerByte);
}

static OperationPlan plan(const PlanContext& context, const ExtractPatches&) {
    return relayout(context, context.target().tileCopyCyclesPerByte);
}

static OperationPlan plan(const PlanContext& context, const ExtractPatchesGradient&) {
    // The patches come back and are added where they overlap.
    const Tensor& patches = context.input();
    const std::int64_t elements = countElements(patches.extents);
    PlanTally tally(context);
    tally.addRelayout(bytesPerTile(context, elements, patches.type), context.target().tileCopyCyclesPerByte);
    addElementwise(tally, context, binaryCost(BinaryFunction::Add), patches.type, elements);
    tally.setFlops(static_cast<double>(elements));
    tally.setFootprint(layoutFootprint);
    tally.addCodelet(codeletName(CodeletFamily::Layout, patches.type));
    return tally.finish();
}

static OperationPlan plan(const PlanContext& context, const Copy&) {
    return relayout(context, context.target().tileCopyCyclesPerByte);
}

std::span<const PartRow<Planner>> layoutPlans() {
    static constexpr PartRow<Planner> rows[]{plannerRow<Reshape, plan>(),
                                             plannerRow<RecomputationCheckpoint, plan>(),
                                             plannerRow<Transpose, plan>(),
                                             plannerRow<Slice, plan>(),
                                             plannerRow<Concatenate, plan>(),
                                             plannerRow<Pad, plan>(),
                                             plannerRow<Broadcast, plan>(),
                                             plannerRow<ExtractPatches, plan>(),
                                             plannerRow<ExtractPatchesGradient, plan>(),
                                             plannerRow<Copy, plan>()};
    return rows;
}

} // namespace simulator
