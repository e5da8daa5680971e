#include "simulator/numerics/kernels/reduction.h"

#include "simulator/numerics/kernels/functions.h"
#include "simulator/numerics/kernels/kernel_table.h"

namespace simulator::KERNEL_VARIANT {
namespace {

struct Sum {
    static constexpr float start = 0;
    static float of(float x) { return x; }
    static float join(float a, float b) { return a + b; }
};
struct SumOfSquares : Sum {
    static float of(float x) { return x * x; }
};
struct Product {
    static constexpr float start = 1;
    static float of(float x) { return x; }
    static float join(float a, float b) { return a * b; }
};
struct Maximum {
    static constexpr float start = -__builtin_inff();
    static float of(float x) { return x; }
    static float join(float a, float b) { return a > b || a != a ? a : b; }
};
struct Minimum {
    static constexpr float start = __builtin_inff();
    static float of(float x) { return x; }
    static float join(float a, float b) { return a < b || a != a ? a : b; }
};

/// Sums this many values in a row before the partial result joins the others: keeps rounding errors small.
constexpr std::int64_t partialLength = 256;
constexpr int partialSums = 32;

/// One contiguous run. The order depends on the length alone.
template <class Function>
float reduceRun(const float* x, std::int64_t count) {
    float total = Function::start;
    for (std::int64_t begin = 0; begin < count; begin += partialLength * partialSums) {
        const std::int64_t end = smaller(count, begin + partialLength * partialSums);
        float sums[partialSums];
        for (float& sum : sums)
            sum = Function::start;
        std::int64_t i = begin;
        for (; i + partialSums <= end; i += partialSums) {
#pragma GCC ivdep
            for (int lane = 0; lane < partialSums; ++lane)
                sums[lane] = Function::join(sums[lane], Function::of(x[i + lane]));
        }
        for (int lane = 0; i < end; ++i, ++lane)
            sums[lane] = Function::join(sums[lane], Function::of(x[i]));
        for (int width = partialSums / 2; width > 0; width /= 2) {
            for (int lane = 0; lane < width; ++lane)
                sums[lane] = Function::join(sums[lane], sums[lane + width]);
        }
        total = Function::join(total, sums[0]);
    }
    return total;
}

/// Walks the positions of the axes [0, count) that are (not) reduced, last axis fastest.
class AxisWalk {
public:
    AxisWalk(const Reduction& reduction, int count, bool reduced)
        : m_reduction(reduction) {
        std::int64_t stride = 1;
        for (int axis = reductionAxes - 1; axis >= 0; --axis) {
            if (axis < count && reduction.isReduced[axis] == reduced) {
                m_axes[m_count] = axis;
                m_strides[m_count++] = stride;
                m_positions *= reduction.extents[axis];
            }
            stride *= reduction.extents[axis];
        }
    }
    [[nodiscard]] std::int64_t positions() const { return m_positions; }
    /// Element offset of one position.
    [[nodiscard]] std::int64_t offset(std::int64_t position) const {
        std::int64_t offset = 0;
        for (int i = 0; i < m_count; ++i) {
            const std::int64_t extent = m_reduction.extents[m_axes[i]];
            offset += position % extent * m_strides[i];
            position /= extent;
        }
        return offset;
    }

private:
    const Reduction& m_reduction;
    int m_axes[reductionAxes] = {};
    std::int64_t m_strides[reductionAxes] = {};
    int m_count = 0;
    std::int64_t m_positions = 1;
};

template <class Function>
void reduceIntoElements(const Reduction& reduction, std::int64_t begin, std::int64_t end) {
    constexpr int last = reductionAxes - 1;
    const AxisWalk kept(reduction, last, false);
    const AxisWalk reduced(reduction, last, true);
    const std::int64_t run = reduction.extents[last];
    for (std::int64_t row = begin; row < end; ++row) {
        const float* x = reduction.x + kept.offset(row);
        float total = Function::start;
        for (std::int64_t p = 0; p < reduced.positions(); ++p)
            total = Function::join(total, reduceRun<Function>(x + reduced.offset(p), run));
        reduction.out[row] = total * reduction.scale;
    }
}

/// The last axis is kept: whole rows are joined, a stretch of columns at a time.
template <class Function>
void reduceIntoRows(const Reduction& reduction, std::int64_t begin, std::int64_t end) {
    constexpr int last = reductionAxes - 1;
    constexpr std::int64_t stretch = 256;
    const AxisWalk kept(reduction, last, false);
    const AxisWalk reduced(reduction, last, true);
    const std::int64_t columns = reduction.extents[last];
    for (std::int64_t row = begin; row < end; ++row) {
        const float* x = reduction.x + kept.offset(row);
        for (std::int64_t first = 0; first < columns; first += stretch) {
            const std::int64_t width = smaller(columns - first, stretch);
            float totals[stretch];
            for (float& total : totals)
                total = Function::start;
            for (std::int64_t p = 0; p < reduced.positions();) {
                float sums[stretch];
                for (float& sum : sums)
                    sum = Function::start;
                const std::int64_t stop = smaller(reduced.positions(), p + partialLength);
                for (; p < stop; ++p) {
                    const float* from = x + reduced.offset(p) + first;
#pragma GCC ivdep
                    for (std::int64_t j = 0; j < width; ++j)
                        sums[j] = Function::join(sums[j], Function::of(from[j]));
                }
                for (std::int64_t j = 0; j < width; ++j)
                    totals[j] = Function::join(totals[j], sums[j]);
            }
            float* out = reduction.out + row * columns + first;
            for (std::int64_t j = 0; j < width; ++j)
                out[j] = totals[j] * reduction.scale;
        }
    }
}

template <class Function>
void reduceRows(const Reduction& reduction, std::int64_t begin, std::int64_t end) {
    if (reduction.isReduced[reductionAxes - 1])
        reduceIntoElements<Function>(reduction, begin, end);
    else
        reduceIntoRows<Function>(reduction, begin, end);
}

ReductionKernels::Rows rows(ReduceFunction function) {
    switch (function) {
    case ReduceFunction::Sum:
    case ReduceFunction::Mean:
        return reduceRows<Sum>;
    case ReduceFunction::Product:
        return reduceRows<Product>;
    case ReduceFunction::Maximum:
        return reduceRows<Maximum>;
    case ReduceFunction::Minimum:
        return reduceRows<Minimum>;
    case ReduceFunction::SumOfSquares:
        return reduceRows<SumOfSquares>;
    case ReduceFunction::LogSumExp:
    case ReduceFunction::Any:
    case ReduceFunction::All:
        break;
    }
    return nullptr;
}

} // namespace

const ReductionKernels& reductionKernels() {
    static constexpr ReductionKernels kernels{rows};
    return kernels;
}

} // namespace simulator::KERNEL_VARIANT
