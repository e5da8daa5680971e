// Losses over a micro-batch and their gradients.
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/bindings/sample_view.h"

#include <algorithm>

namespace simulator {

SampleView::SampleView(const BindRequest& request, bool weighted)
    : prediction(request.inputs[0].as()) {
    const Extents& extents = request.inputs[0].extents();
    classes = extents.empty() ? 1 : extents.back();
    samples = classes == 0 ? 0 : request.inputs[0].elements() / classes;
    if (request.inputs[1].tensor->type == core::DataType::Int32)
        targetClasses = request.inputs[1].as<std::int32_t>();
    else
        target = request.inputs[1].as();
    if (weighted)
        weight = request.inputs[2].as();
}

LossSample SampleView::sample(std::int64_t index, const Loss& attributes, float* scratch) const {
    LossSample sample;
    sample.prediction = prediction + index * classes;
    sample.target = target == nullptr ? nullptr : target + index * classes;
    sample.targetClass = targetClasses == nullptr ? 0 : targetClasses[index];
    sample.classes = classes;
    sample.attributes = &attributes;
    sample.scratch = scratch;
    return sample;
}

bool SampleView::hasBinaryLabels() const {
    return target != nullptr &&
           std::all_of(target, target + samples * classes, [](float t) { return t == 0 || t == 1; });
}

namespace {

bool isHinge(const Loss& loss) {
    return loss.className == "Hinge" || loss.className == "SquaredHinge";
}

void reserveScratch(BoundOperation& bound, const SampleView& view) {
    bound.threadScratch =
        std::max(bound.threadScratch, static_cast<std::size_t>(view.classes) * sizeof(float));
}

} // namespace

void bindLoss(BindRequest& request, BoundOperation& bound) {
    const auto loss = request.attributes<Loss>();
    const SampleView view(request, loss.weighted);
    const LossFunction* function = findLossFunction(loss.className);
    reserveScratch(bound, view);
    float* out = request.outputs[0].as();
    const bool isPerSample = loss.reduction == LossReduction::None;
    float* values = isPerSample ? out : request.takeFloats(view.samples);
    const bool checksLabels = isHinge(loss);
    bound.phases.push_back(
        rangePhase(rowPartition(view.samples, view.classes * 8),
                   [=](const StepState&, std::int64_t begin, std::int64_t end, std::byte* scratch) {
                       const bool isBinary = checksLabels && view.hasBinaryLabels();
                       for (std::int64_t i = begin; i < end; ++i) {
                           LossSample sample = view.sample(i, loss, reinterpret_cast<float*>(scratch));
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

void bindLossGradient(BindRequest& request, BoundOperation& bound) {
    const Loss loss = request.attributes<LossGradient>().forward;
    const SampleView view(request, loss.weighted);
    const LossFunction* function = findLossFunction(loss.className);
    reserveScratch(bound, view);
    const float* dLoss = request.inputs.back().as();
    float* out = request.outputs[0].as();
    const bool isPerSample = loss.reduction == LossReduction::None;
    const double share = loss.reduction == LossReduction::Mean
                             ? 1.0 / static_cast<double>(std::max<std::int64_t>(1, view.samples))
                             : 1.0;
    const bool checksLabels = isHinge(loss);
    bound.phases.push_back(
        rangePhase(rowPartition(view.samples, view.classes * 8), [=](const StepState&, std::int64_t begin,
                                                                     std::int64_t end, std::byte* scratch) {
            const bool isBinary = checksLabels && view.hasBinaryLabels();
            for (std::int64_t i = begin; i < end; ++i) {
                LossSample sample = view.sample(i, loss, reinterpret_cast<float*>(scratch));
                sample.hasBinaryLabels = isBinary;
                const double upstream = dLoss[isPerSample ? i : 0];
                function->gradient(sample, upstream * share * view.weightOf(i), out + i * view.classes);
            }
        }));
}

} // namespace simulator
