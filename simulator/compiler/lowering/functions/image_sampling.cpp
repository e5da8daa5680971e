#include "simulator/compiler/lowering/functions/image_sampling.h"

#include <array>
#include <vector>

namespace simulator {

using core::DataType;
using core::TensorId;

namespace {

/// One element that takes part along an axis: its place and its weight (invalid: 1).
struct Tap {
    TensorId place;
    TensorId weight;
};

/// Arithmetic on the places of one axis.
class SampleAxis {
public:
    SampleAxis(GraphBuilder& build, std::int64_t extent, const SampleMode& mode)
        : m_build(build)
        , m_extent(static_cast<double>(extent))
        , m_mode(mode) {}

    /// The elements that a place is read from, as indices inside the image.
    std::vector<Tap> taps(TensorId place) {
        const bool isCubic = m_mode.interpolation == SampleInterpolation::Cubic;
        // Cubic taps reach beyond the image one by one; else the place itself is brought inside.
        std::vector<Tap> list = around(isCubic ? place : bounded(place));
        for (Tap& tap : list) {
            if (isCubic || m_mode.border == SampleBorder::Wrap)
                tap.place = bounded(tap.place);
            if (m_mode.border == SampleBorder::Zeros) {
                const TensorId isInside = inside(tap.place);
                tap.weight = tap.weight.isValid() ? product(tap.weight, isInside) : isInside;
            }
            tap.place = m_build.cast(clipped(tap.place), DataType::Int32);
        }
        return list;
    }

private:
    TensorId product(TensorId a, TensorId b) { return m_build.binary(BinaryFunction::Multiply, a, b); }
    TensorId clipped(TensorId place) { return m_build.unary(UnaryFunction::Clip, place, 0, m_extent - 1); }

    TensorId bounded(TensorId place) {
        switch (m_mode.border) {
        case SampleBorder::Zeros:
            return place;
        case SampleBorder::Edge:
            return clipped(place);
        case SampleBorder::Mirror:
            return clipped(mirrored(place));
        case SampleBorder::Wrap:
            break;
        }
        const TensorId turns = m_build.unary(UnaryFunction::Floor, m_build.scaleShift(place, 1 / m_extent));
        return m_build.binary(BinaryFunction::Subtract, place, m_build.scaleShift(turns, m_extent));
    }

    TensorId mirrored(TensorId place) {
        const double low = m_mode.mirrorsAtCentres ? 0 : -0.5;
        const double span = m_mode.mirrorsAtCentres ? m_extent - 1 : m_extent;
        const DataType type = m_build.type(place);
        if (span <= 0)
            return m_build.scaleShift(place, 0);
        const TensorId distance = m_build.unary(UnaryFunction::Absolute, m_build.scaleShift(place, 1, -low));
        const TensorId turns = m_build.unary(UnaryFunction::Floor, m_build.scaleShift(distance, 1 / span));
        const TensorId rest =
            m_build.binary(BinaryFunction::Subtract, distance, m_build.scaleShift(turns, span));
        const TensorId half = m_build.unary(UnaryFunction::Floor, m_build.scaleShift(turns, 0.5));
        const TensorId odd =
            m_build.binary(BinaryFunction::Greater,
                           m_build.binary(BinaryFunction::Subtract, turns, m_build.scaleShift(half, 2)),
                           m_build.constant(0.5, {}, type));
        return m_build.add(
            Select{}, {odd, m_build.scaleShift(rest, -1, span + low), m_build.scaleShift(rest, 1, low)}, "");
    }

    /// 1 inside the image, 0 outside.
    TensorId inside(TensorId place) {
        const DataType type = m_build.type(place);
        const TensorId low =
            m_build.binary(BinaryFunction::GreaterEqual, place, m_build.constant(0, {}, type));
        const TensorId high =
            m_build.binary(BinaryFunction::LessEqual, place, m_build.constant(m_extent - 1, {}, type));
        return m_build.cast(m_build.binary(BinaryFunction::LogicalAnd, low, high), type);
    }

    std::vector<Tap> around(TensorId place) {
        if (m_mode.interpolation == SampleInterpolation::Nearest)
            return {{m_build.unary(UnaryFunction::Round, place), {}}};
        const TensorId first = m_build.unary(UnaryFunction::Floor, place);
        const TensorId t = m_build.binary(BinaryFunction::Subtract, place, first);
        if (m_mode.interpolation == SampleInterpolation::Linear)
            return {{first, m_build.scaleShift(t, -1, 1)}, {m_build.scaleShift(first, 1, 1), t}};
        constexpr double a = -0.75;
        constexpr std::array<double, 4> inner{a + 2, -(a + 3), 0, 1};
        constexpr std::array<double, 4> outer{a, -5 * a, 8 * a, -4 * a};
        return {{m_build.scaleShift(first, 1, -1), polynomial(m_build.scaleShift(t, 1, 1), outer)},
                {first, polynomial(t, inner)},
                {m_build.scaleShift(first, 1, 1), polynomial(m_build.scaleShift(t, -1, 1), inner)},
                {m_build.scaleShift(first, 1, 2), polynomial(m_build.scaleShift(t, -1, 2), outer)}};
    }

    /// ((c0·d + c1)·d + c2)·d + c3.
    TensorId polynomial(TensorId d, const std::array<double, 4>& c) {
        const TensorId square = m_build.scaleShift(product(m_build.scaleShift(d, c[0], c[1]), d), 1, c[2]);
        return m_build.scaleShift(product(square, d), 1, c[3]);
    }

    GraphBuilder& m_build;
    double m_extent;
    const SampleMode& m_mode;
};

} // namespace

PixelTable::PixelTable(GraphBuilder& build, TensorId images)
    : m_build(build)
    , m_extents(build.extents(images))
    , m_table(build.reshape(images, {m_extents[0] * m_extents[1] * m_extents[2], m_extents[3]})) {}

TensorId PixelTable::at(TensorId image, TensorId y, TensorId x) {
    const TensorId rows =
        m_build.binary(BinaryFunction::Add, m_build.scaleShift(image, static_cast<double>(height())), y);
    const TensorId places =
        m_build.binary(BinaryFunction::Add, m_build.scaleShift(rows, static_cast<double>(width())), x);
    return m_build.add(Gather{0}, {m_table, places}, "pixels");
}

TensorId addSamples(GraphBuilder& build, TensorId images, TensorId y, TensorId x, const SampleMode& mode) {
    const Extents field = build.extents(y);
    PixelTable pixels(build, images);
    const std::vector<Tap> down = SampleAxis(build, pixels.height(), mode).taps(y);
    const std::vector<Tap> across = SampleAxis(build, pixels.width(), mode).taps(x);
    std::vector<double> numbers;
    for (std::int64_t n = 0; n < field[0]; ++n)
        numbers.push_back(static_cast<double>(n));
    const TensorId which = build.constant("images", std::move(numbers), {{field[0], 1, 1}, DataType::Int32});
    const Extents wide{field[0], field[1], field[2], 1};
    TensorId sum;
    for (const Tap& row : down) {
        for (const Tap& column : across) {
            TensorId part = pixels.at(which, row.place, column.place);
            for (const TensorId weight : {row.weight, column.weight}) {
                if (weight.isValid())
                    part = build.binary(BinaryFunction::Multiply, part, build.reshape(weight, wide));
            }
            sum = sum.isValid() ? build.binary(BinaryFunction::Add, sum, part) : part;
        }
    }
    return sum;
}

} // namespace simulator
