// Losses over a micro-batch and their gradients.
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/bindings/sample_view.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>

namespace simulator {

ComparedSamples comparedSamples(const BindRequest& request, bool weighted) {
    ComparedSamples view;
    view.prediction = request.inputs[0].as();
    const Extents& extents = request.inputs[0].extents();
    view.classes = extents.empty() ? 1 : extents.back();
    view.samples = view.classes == 0 ? 0 : request.inputs[0].elements() / view.classes;
    if (request.inputs[1].tensor->type == core::DataType::Int32)
        view.targetClasses = request.inputs[1].as<std::int32_t>();
    else
        view.target = request.inputs[1].as();
    if (weighted)
        view.weight = request.inputs[2].as();
    return view;
}

LossSample lossSample(const ComparedSamples& samples, std::int64_t index, const Loss& attributes,
                      float* scratch) {
    LossSample sample;
    sample.prediction = samples.prediction + index * samples.classes;
    sample.target = samples.target == nullptr ? nullptr : samples.target + index * samples.classes;
    sample.targetClass = samples.targetClasses == nullptr ? 0 : samples.targetClasses[index];
    sample.classes = samples.classes;
    sample.attributes = &attributes;
    sample.scratch = scratch;
    sample.softmax = [](const float* x, float* y, std::int64_t classes) {
        const SoftmaxMap map{x, y, classes, 1, false};
        kernels().softmax.softmax(map, 0, 1);
    };
    return sample;
}

namespace {

void reserveScratch(BoundOperation& bound, const ComparedSamples& view) {
    bound.threadScratch =
        std::max(bound.threadScratch, static_cast<std::size_t>(view.classes) * sizeof(float));
}

} // namespace

static void bindLoss(BindRequest& request, BoundOperation& bound) {
    const auto loss = request.attributes<Loss>();
    const ComparedSamples view = comparedSamples(request, loss.weighted);
    const LossFormula* function = &lossFormula(loss.className);
    reserveScratch(bound, view);
    float* out = request.outputs[0].as();
    const bool isPerSample = loss.reduction == LossReduction::None;
    float* values = isPerSample ? out : request.takeFloats(view.samples);
    const bool checksLabels = function->takesBinaryLabels;
    bound.phases.push_back(
        rangePhase(rowPartition(view.samples, view.classes * 8),
                   [=](const StepState&, std::int64_t begin, std::int64_t end, std::byte* scratch) {
                       const bool isBinary = checksLabels && view.hasBinaryLabels();
                       for (std::int64_t i = begin; i < end; ++i) {
                           LossSample sample = lossSample(view, i, loss, reinterpret_cast<float*>(scratch));
                           sample.hasBinaryLabels = isBinary;
                           values[i] = static_cast<float>(function->value(sample) * view.weightOf(i));
                       }
                   }));
    if (isPerSample)
        return;
    const double share = loss.reduction == LossReduction::Mean
                             ? 1.0 / static_cast<double>(std::max<std::int64_t>(1, view.samples))
                             : 1.0;
    const std::int64_t samples = view.samples;
    bound.phases.push_back({1, [=](const StepState&, std::int64_t, std::byte*) {
                                double sum = 0;
                                for (std::int64_t i = 0; i < samples; ++i)
                                    sum += values[i];
                                *out = static_cast<float>(sum * share);
                            }});
}

static void bindLossGradient(BindRequest& request, BoundOperation& bound) {
    const Loss loss = request.attributes<LossGradient>().forward;
    const ComparedSamples view = comparedSamples(request, loss.weighted);
    const LossFormula* function = &lossFormula(loss.className);
    reserveScratch(bound, view);
    const float* dLoss = request.inputs.back().as();
    float* out = request.outputs[0].as();
    const bool isPerSample = loss.reduction == LossReduction::None;
    const double share = loss.reduction == LossReduction::Mean
                             ? 1.0 / static_cast<double>(std::max<std::int64_t>(1, view.samples))
                             : 1.0;
    const bool checksLabels = function->takesBinaryLabels;
    bound.phases.push_back(
        rangePhase(rowPartition(view.samples, view.classes * 8), [=](const StepState&, std::int64_t begin,
                                                                     std::int64_t end, std::byte* scratch) {
            const bool isBinary = checksLabels && view.hasBinaryLabels();
            for (std::int64_t i = begin; i < end; ++i) {
                LossSample sample = lossSample(view, i, loss, reinterpret_cast<float*>(scratch));
                sample.hasBinaryLabels = isBinary;
                const double upstream = dLoss[isPerSample ? i : 0];
                function->gradient(sample, upstream * share * view.weightOf(i), out + i * view.classes);
            }
        }));
}

std::span<const PartRow<Binding>> lossesBindings() {
    static constexpr PartRow<Binding> rows[]{
        {kindIndex<Loss>(), {bindLoss, keepClassNumbers}},
        {kindIndex<LossGradient>(), {bindLossGradient, keepClassNumbers}}};
    return rows;
}

} // namespace simulator
