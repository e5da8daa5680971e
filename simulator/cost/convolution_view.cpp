#include "simulator/cost/convolution_view.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace simulator {

namespace {

using core::real;

using core::ceilDivide;
using Form = ConvolutionProblem::Form;

/// Shape of the matrix unit's passes over a problem: how many small groups share one, and how the kernel's
/// rows fill the input channels.
ConvolutionView ampView(const ConvolutionProblem& problem, const MatrixUnit& unit) {
    ConvolutionView view;
    view.problem = problem;
    view.unit = unit;
    view.innerGrain = unit.inputChannels();
    view.columnGrain = unit.units;
    const std::int64_t widest = std::max(problem.inner, problem.columns);
    const std::int64_t available = std::min(unit.inputChannels(), unit.units);
    if (problem.groups > 1 && widest * 2 <= available)
        view.groupsPerPass = std::min(problem.groups, available / std::max<std::int64_t>(widest, 1));
    view.groups = ceilDivide(problem.groups, view.groupsPerPass);
    if (problem.form != Form::Window)
        return view;
    view.kernelOuter = problem.window.kernel[0];
    view.kernelInner = problem.window.kernel[1] * problem.window.kernel[2];
    const std::int64_t channels = problem.inner * view.groupsPerPass;
    if (problem.window.axes >= 2 && channels * 2 <= unit.inputChannels() && view.kernelOuter > 1) {
        view.kernelHeight = channels * 4 <= unit.inputChannels() && view.kernelOuter > 2 ? 4 : 2;
        view.kernelOuter = ceilDivide(view.kernelOuter, view.kernelHeight);
    }
    return view;
}

/// Views of a problem in one operand order.
std::vector<ConvolutionView> viewsInOrder(const ConvolutionProblem& problem, const MatrixUnit& unit,
                                          bool swapped) {
    std::vector<ConvolutionView> views{ampView(problem, unit)};
    const bool channelwise = problem.groups > 1 && problem.inner <= 4 && problem.inner == problem.columns;
    if (problem.form == Form::Window && channelwise) {
        ConvolutionView view;
        view.problem = problem;
        view.unit = unit;
        view.groups = problem.groups;
        view.columnGrain = problem.columns;
        view.innerGrain = problem.inner;
        if (problem.inner == 1) {
            view.method = ConvolutionMethod::Vmac;
            views.push_back(view);
        }
        if (unit.operandBytes == 2 && problem.inner != 3) {
            view.method = ConvolutionMethod::Slic;
            view.kernelOuter = problem.window.kernel[0] * problem.window.kernel[2];
            view.kernelInner = ceilDivide(problem.window.kernel[1], 4);
            views.push_back(view);
        }
    }
    if (problem.inner <= unit.inputChannels() && problem.columns <= unit.units) {
        ConvolutionView view;
        view.problem = problem;
        view.unit = unit;
        view.method = ConvolutionMethod::Hmac;
        view.groups = problem.groups;
        views.push_back(view);
    }
    for (ConvolutionView& view : views)
        view.swapped = swapped;
    return views;
}

ConvolutionProblem swappedProblem(ConvolutionProblem problem) {
    std::swap(problem.rows, problem.columns);
    if (problem.form == Form::WindowAsRows)
        problem.form = Form::WindowAsColumns;
    return problem;
}

} // namespace

std::vector<ConvolutionView> viewsOf(const ConvolutionProblem& problem, const MatrixUnit& unit) {
    std::vector<ConvolutionView> views = viewsInOrder(problem, unit, false);
    if (problem.maySwap && problem.form != Form::Window)
        for (const ConvolutionView& view : viewsInOrder(swappedProblem(problem), unit, true))
            views.push_back(view);
    return views;
}

double vertexCycles(const ConvolutionView& view, const TileShares& shares) {
    const std::int64_t positions = view.problem.window.positions();
    switch (view.method) {
    case ConvolutionMethod::Slic: {
        const auto side = static_cast<std::int64_t>(std::ceil(std::sqrt(real(shares.rows))));
        const std::int64_t perBlock = 4 / std::min<std::int64_t>(4, view.problem.columns);
        return slicCycles(view.unit, {side, ceilDivide(shares.rows, side), view.problem.window.stride[0],
                                      ceilDivide(shares.groups, perBlock),
                                      view.kernelOuter * view.kernelInner, view.problem.inner});
    }
    case ConvolutionMethod::Vmac:
        return vmacCycles(view.unit, {shares.rows, positions, shares.groups});
    case ConvolutionMethod::Hmac:
        return hmacCycles(view.unit, {shares.rows, positions, shares.inner, shares.columns, shares.groups});
    case ConvolutionMethod::Amp:
        break;
    }
    if (view.kernelOuter * view.kernelInner == 1)
        return conv1x1Cycles(view.unit, {shares.rows, shares.groups, shares.inner, shares.columns, 1, true},
                             true);
    // Rows of a square patch, cut so that the workers get equal numbers of elements.
    const auto side = static_cast<std::int64_t>(std::ceil(std::sqrt(real(shares.rows))));
    const std::int64_t workers = view.unit.workers;
    const std::int64_t runsPerWorker =
        ceilDivide(ceilDivide(shares.rows, std::max<std::int64_t>(side, 1)), workers);
    const std::int64_t elements = ceilDivide(shares.rows, workers);
    return convNx1Cycles(view.unit, {runsPerWorker * workers,
                                     ceilDivide(elements, std::max<std::int64_t>(runsPerWorker, 1)),
                                     shares.groups, shares.inner, shares.columns, 1, view.kernelHeight,
                                     shares.kernelOuter, view.kernelInner});
}

} // namespace simulator
