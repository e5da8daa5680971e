// Recurrences and Fourier transforms.
#include "core/model/onnx/onnx_operator.h"

#include <fmt/format.h>

namespace core {

namespace {

using Call = OnnxOperatorCall;
using Facts = RuleResult<OnnxFacts>;

/// All states, then the last state (and, of an LSTM, the last memory).
Facts recurrence(const Call& call, std::int64_t gates) {
    if (call.rank(0) != 3 || call.rank(1) != 3 || call.rank(2) != 3)
        return refuse("takes X, W and R of three axes each", "give them");
    const bool isBatchFirst = call.node.integer("layout", 0) == 1;
    const std::int64_t steps = call.extents()[isBatchFirst ? 1 : 0];
    const std::int64_t samples = call.extents()[isBatchFirst ? 0 : 1];
    const std::int64_t units = call.extents(2)[2];
    const std::int64_t directions = call.node.text("direction", "forward") == "bidirectional" ? 2 : 1;
    if (units < 1 || units > largestExtent / 8)
        return refuse("has no units", "give R [directions, gates · units, units]");
    const std::int64_t rows = gates * units;
    const bool fits = call.extents(1) == OnnxExtents{directions, rows, call.extents()[2]} &&
                      call.extents(2) == OnnxExtents{directions, rows, units} &&
                      (!call.has(3) || call.extents(3) == OnnxExtents{directions, 2 * rows}) &&
                      (!call.has(4) || call.extents(4) == OnnxExtents{samples}) && steps > 0;
    if (!fits)
        return refuse(fmt::format("has weights that do not fit {} units", units),
                      "give W [directions, gates · units, inputs] and R [directions, gates · units, units]");
    OnnxExtents all{steps, directions, samples, units};
    OnnxExtents last{directions, samples, units};
    if (isBatchFirst) {
        all = {samples, steps, directions, units};
        last = {samples, directions, units};
    }
    const Count flops = Count(2) * steps * samples * directions * rows * (call.extents()[2] + units);
    return OnnxFacts{{{all, call.type()}, {last, call.type()}, {last, call.type()}}, flops};
}

Facts simpleRecurrence(const Call& call) {
    return recurrence(call, 1);
}
Facts gatedRecurrence(const Call& call) {
    return recurrence(call, 3);
}
Facts memoryRecurrence(const Call& call) {
    return recurrence(call, 4);
}

/// Larger transforms would be matrices of more than 2^24 elements.
constexpr std::int64_t longestTransform = 4096;

std::int64_t bins(const Call& call, std::int64_t length, bool byDefault) {
    return call.node.integer("onesided", byDefault ? 1 : 0) != 0 ? length / 2 + 1 : length;
}

Facts fourier(const Call& call) {
    std::int64_t given = call.node.integer("axis", call.opset < 20 ? 1 : -2);
    if (call.has(2)) {
        const auto list = call.integers(2);
        if (!list || list->size() != 1)
            return refuseUnknownValue(call, "axis");
        given = list->front();
    }
    const auto axis = onnxAxisOf(given, call.rank());
    if (!axis)
        return tl::unexpected(axis.error());
    const OnnxExtents& signal = call.extents();
    std::int64_t length = signal[*axis];
    if (call.has(1)) {
        const auto asked = call.integers(1);
        if (!asked || asked->size() != 1)
            return refuseUnknownValue(call, "length");
        length = asked->front();
    }
    if (*axis + 1 == signal.size() || signal.back() < 1 || signal.back() > 2 || length < 1 ||
        length > longestTransform)
        return refuse("has a signal that cannot be transformed",
                      "give 1 or 2 components on the last axis and at most 4096 points on another");
    OnnxExtents extents = signal;
    extents[*axis] = bins(call, length, false);
    extents.back() = 2;
    const Count flops = elementsOf(extents) * 2 * Count(signal[*axis]) * Count(signal.back());
    return OnnxFacts{{{std::move(extents), call.type()}}, flops};
}

/// signal [N, samples, components], step, window, frame length → [N, frames, bins, 2].
Facts shortFourier(const Call& call) {
    const auto step = call.integers(1);
    if (!step || step->size() != 1 || step->front() < 1)
        return refuseUnknownValue(call, "step");
    std::int64_t length = call.has(2) && call.rank(2) == 1 ? call.extents(2)[0] : 0;
    if (call.has(3)) {
        const auto given = call.integers(3);
        if (!given || given->size() != 1)
            return refuseUnknownValue(call, "frame length");
        length = given->front();
    }
    OnnxExtents signal = call.extents();
    if (signal.size() == 2)
        signal.push_back(1);
    if (signal.size() != 3 || length < 1 || length > longestTransform || signal[1] < length ||
        (call.has(2) && call.extents(2) != OnnxExtents{length}))
        return refuse("has frames that do not fit the signal",
                      "give a window or a length of 1 to 4096 samples, no longer than the signal");
    const std::int64_t frames = (signal[1] - length) / step->front() + 1;
    OnnxExtents extents{signal[0], frames, bins(call, length, true), 2};
    const Count flops = elementsOf(extents) * 2 * Count(length) * Count(signal[2]);
    return OnnxFacts{{{std::move(extents), call.type()}}, flops};
}

constexpr OnnxOperator sequenceRows[]{
    {"DFT", fourier, 1, inputsAt({1, 2})},
    {"GRU", gatedRecurrence, 3},
    {"LSTM", memoryRecurrence, 3},
    {"RNN", simpleRecurrence, 3},
    {"STFT", shortFourier, 2, inputsAt({1, 3}), inputsAt({2})},
};

} // namespace

std::span<const OnnxOperator> sequenceOnnxOperators() {
    return sequenceRows;
}

} // namespace core
