// Fourier transforms, as products with constant matrices, and mel filters.
#include "simulator/compiler/lowering/onnx/onnx_call.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace simulator {
namespace {

using core::DataType;
using core::TensorId;

/// Larger transforms would be matrices of more than 2^24 elements.
constexpr std::int64_t longestTransform = 4096;

/// One discrete Fourier transform as a matrix [taken · components, bins · 2].
struct Transform {
    /// Elements of the signal, and of them those that are there (the rest is 0).
    std::int64_t length = 1;
    std::int64_t taken = 1;
    std::int64_t bins = 1;
    /// 1: real signal, 2: complex.
    std::int64_t components = 1;
    bool isInverse = false;

    [[nodiscard]] TensorId matrix(GraphBuilder& build, DataType type) const {
        const std::int64_t width = bins * 2;
        std::vector<double> values(static_cast<std::size_t>(taken * components * width), 0.0);
        const double sign = isInverse ? 1 : -1;
        const double scale = isInverse ? 1 / static_cast<double>(length) : 1;
        for (std::int64_t n = 0; n < std::min(taken, length); ++n) {
            for (std::int64_t k = 0; k < bins; ++k) {
                const auto turns = static_cast<double>(n * k % length) / static_cast<double>(length);
                const double cosine = scale * std::cos(2 * std::numbers::pi * turns);
                const double sine = scale * sign * std::sin(2 * std::numbers::pi * turns);
                double* real = &values[static_cast<std::size_t>(n * components * width + 2 * k)];
                real[0] = cosine;
                real[1] = sine;
                if (components == 2) {
                    real[width] = -sine;
                    real[width + 1] = cosine;
                }
            }
        }
        return build.constant("transform", std::move(values), {{taken * components, width}, type});
    }
};

OnnxOutputs fourier(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const std::int64_t rank = call.rank();
    // Since operator set 20 the axis is an input.
    std::int64_t given = call.node.integer("axis", call.opset < 20 ? 1 : -2);
    if (call.has(2)) {
        const auto list = call.integers(2);
        if (!list || list->size() != 1)
            return refuseUnknown(call, "axis");
        given = list->front();
    }
    const auto axis = onnxAxis(given, rank);
    if (rank < 2 || !axis || *axis == rank - 1)
        return refuseOnnx("its axis is not one of the signal's", "leave out the last axis, which holds real "
                                                                 "and imaginary parts");
    Transform transform;
    const Extents extents = call.extents();
    transform.taken = extents[static_cast<std::size_t>(*axis)];
    transform.components = extents.back();
    transform.length = transform.taken;
    if (call.has(1)) {
        const auto length = call.integers(1);
        if (!length || length->size() != 1)
            return refuseUnknown(call, "length");
        transform.length = length->front();
    }
    if (transform.components < 1 || transform.components > 2 || transform.length < 1 ||
        transform.length > longestTransform)
        return refuseOnnx("its signal cannot be transformed",
                          "give 1 or 2 components and at most 4096 points");
    transform.isInverse = call.node.integer("inverse", 0) != 0;
    const bool isOneSided = call.node.integer("onesided", 0) != 0;
    transform.bins = isOneSided ? transform.length / 2 + 1 : transform.length;

    std::vector<std::int64_t> order;
    for (std::int64_t i = 0; i < rank - 1; ++i) {
        if (i != *axis)
            order.push_back(i);
    }
    order.push_back(*axis);
    order.push_back(rank - 1);
    const TensorId moved = build.transpose(call.input(), order);
    Extents rows = build.extents(moved);
    rows.pop_back();
    rows.back() = transform.taken * transform.components;
    const TensorId product =
        build.add(MatMul{}, {build.reshape(moved, rows), transform.matrix(build, call.type())}, "matmul");
    rows.back() = transform.bins;
    rows.push_back(2);
    std::vector<std::int64_t> back(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    return std::vector{build.transpose(build.reshape(product, rows), back)};
}

/// signal [N, samples, components], step, window, frame length → [N, frames, bins, 2].
OnnxOutputs shortTimeFourier(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const auto step = call.integers(1);
    if (!step || step->size() != 1 || step->front() < 1)
        return refuseUnknown(call, "step");
    const bool hasWindow = call.has(2);
    if (hasWindow && call.rank(2) != 1)
        return refuseOnnx("has a window that is no vector", "give one factor for each sample of a frame");
    std::int64_t length = hasWindow ? call.extents(2)[0] : 0;
    if (call.has(3)) {
        const auto given = call.integers(3);
        if (!given || given->size() != 1)
            return refuseUnknown(call, "frame length");
        length = given->front();
    }
    Extents extents = call.extents();
    if (extents.size() == 2)
        extents.push_back(1);
    if (extents.size() != 3 || length < 1 || length > longestTransform || extents[1] < length ||
        (hasWindow && call.extents(2) != Extents{length}))
        return refuseOnnx("its frames do not fit the signal",
                          "give a window or a length of 1 to 4096 samples, no longer than the signal");
    Transform transform{length, length, length, extents[2], false};
    if (call.node.integer("onesided", 1) != 0)
        transform.bins = length / 2 + 1;
    const std::int64_t frames = (extents[1] - length) / step->front() + 1;
    std::vector<double> places;
    for (std::int64_t frame = 0; frame < frames; ++frame) {
        for (std::int64_t i = 0; i < length; ++i)
            places.push_back(static_cast<double>(frame * step->front() + i));
    }
    const TensorId indices =
        build.constant("samples", std::move(places), {{frames, length}, DataType::Int32});
    const TensorId signal = build.reshape(call.input(), extents);
    TensorId cut = build.add(Gather{1}, {signal, indices}, "frames");
    if (hasWindow)
        cut = build.binary(BinaryFunction::Multiply, cut, build.reshape(call.input(2), {length, 1}));
    const TensorId rows = build.reshape(cut, {extents[0], frames, length * extents[2]});
    const TensorId product = build.add(MatMul{}, {rows, transform.matrix(build, call.type())}, "matmul");
    return std::vector{build.reshape(product, {extents[0], frames, transform.bins, 2})};
}

/// Triangles between neighbouring mel frequencies, as the operator's definition rounds them to bins.
OnnxOutputs melFilters(OnnxCall& call) {
    std::vector<double> settings;
    for (std::size_t i = 0; i < 5; ++i) {
        const auto values = call.numbers(i);
        if (!values || values->size() != 1)
            return refuseUnknown(call, "settings");
        settings.push_back(values->front());
    }
    constexpr double most = 1 << 16;
    if (settings[0] < 1 || settings[0] > most || settings[1] < 1 || settings[1] > most || settings[2] < 1 ||
        settings[3] < 0 || settings[4] < settings[3])
        return refuseOnnx("its settings make no filters");
    const auto filters = static_cast<std::int64_t>(settings[0]);
    const auto bins = static_cast<std::int64_t>(settings[1]) / 2 + 1;
    const auto melOf = [](double frequency) { return 2595 * std::log10(1 + frequency / 700); };
    const double low = melOf(settings[3]);
    const double stride = (melOf(settings[4]) - low) / static_cast<double>(filters + 2);
    std::vector<std::int64_t> edges;
    for (std::int64_t i = 0; i < filters + 2; ++i) {
        const double frequency = 700 * (std::pow(10.0, (low + stride * static_cast<double>(i)) / 2595) - 1);
        edges.push_back(static_cast<std::int64_t>(std::floor((settings[1] + 1) * frequency / settings[2])));
    }
    std::vector<double> values(static_cast<std::size_t>(bins * filters), 0.0);
    const auto set = [&](std::int64_t bin, std::int64_t filter, double value) {
        if (bin >= 0 && bin < bins)
            values[static_cast<std::size_t>(bin * filters + filter)] = value;
    };
    for (std::int64_t i = 0; i < filters; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const std::int64_t rise = edges[at + 1] - edges[at];
        const std::int64_t fall = edges[at + 2] - edges[at + 1];
        if (rise == 0)
            set(edges[at + 1], i, 1);
        for (std::int64_t bin = edges[at]; rise > 0 && bin <= edges[at + 1]; ++bin)
            set(bin, i, static_cast<double>(bin - edges[at]) / static_cast<double>(rise));
        for (std::int64_t bin = edges[at + 1]; fall > 0 && bin < edges[at + 2]; ++bin)
            set(bin, i, static_cast<double>(edges[at + 2] - bin) / static_cast<double>(fall));
    }
    const auto type = core::deviceType(static_cast<core::OnnxType>(call.node.integer("output_datatype", 1)));
    if (!type)
        return refuseOnnx("its type is no number");
    return std::vector{call.build.constant("filters", std::move(values), {{bins, filters}, *type})};
}

constexpr OnnxEntry signalNodes[]{
    {"DFT", fourier},
    {"MelWeightMatrix", melFilters},
    {"STFT", shortTimeFourier},
};

} // namespace

std::span<const OnnxEntry> onnxSignals() {
    return signalNodes;
}

} // namespace simulator
