#include "simulator/numerics/kernels/movement.h"

#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"
#include "tests/support/numerics/random_operands.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <numeric>

using namespace simulator;

namespace {

/// A view of random extents: dense, with gaps, with exchanged axes, backwards, or (the source) broadcast.
struct RandomMove {
    StridedMove move;
    std::vector<std::uint32_t> from;
    std::vector<std::uint32_t> to;
    std::int64_t rows = 1;

    explicit RandomMove(tests::RandomOperands& random) {
        constexpr int last = movementAxes - 1;
        std::vector<int> axes(movementAxes);
        std::iota(axes.begin(), axes.end(), 0);
        const auto used = random.integer(0, 4);
        for (int axis = movementAxes - static_cast<int>(used); axis < movementAxes; ++axis)
            move.extents[axis] = random.integer(random.integer(0, 9) == 0 ? 0 : 1, 5);
        for (int axis = 0; axis < last; ++axis)
            rows *= move.extents[axis];
        const auto strides = [&](std::int64_t* out, bool mayRepeat) {
            if (random.coin())
                std::swap(axes[last], axes[static_cast<std::size_t>(random.integer(4, last))]);
            std::int64_t size = 1;
            for (int i = last; i >= 0; --i) {
                const auto axis = axes[static_cast<std::size_t>(i)];
                out[axis] = mayRepeat && random.integer(0, 5) == 0 ? 0 : size;
                size *= std::max<std::int64_t>(1, move.extents[axis]);
                size += random.integer(0, 5) == 0 ? random.integer(1, 3) : 0;
            }
            return size;
        };
        const std::int64_t fromSize = strides(move.fromStrides, true);
        const std::int64_t toSize = strides(move.toStrides, false);
        from.resize(static_cast<std::size_t>(fromSize));
        to.resize(static_cast<std::size_t>(toSize));
        std::iota(from.begin(), from.end(), 1U);
        move.from = from.data();
        move.to = to.data();
        // Every other axis of the source runs backwards.
        for (int axis = 1; axis < movementAxes; axis += 2) {
            if (move.extents[axis] < 2 || !random.coin())
                continue;
            move.from = static_cast<const std::uint32_t*>(move.from) +
                        (move.extents[axis] - 1) * move.fromStrides[axis];
            move.fromStrides[axis] = -move.fromStrides[axis];
        }
    }

    /// What rows [begin, end) leave in `to`, an element at a time.
    [[nodiscard]] std::vector<std::uint32_t> expected(std::int64_t begin, std::int64_t end) const {
        std::vector<std::uint32_t> result(to.size(), 0);
        for (std::int64_t element = begin * move.extents[movementAxes - 1];
             element < end * move.extents[movementAxes - 1]; ++element) {
            std::int64_t rest = element;
            std::int64_t source = static_cast<const std::uint32_t*>(move.from) - from.data();
            std::int64_t target = 0;
            for (int axis = movementAxes - 1; axis >= 0; --axis) {
                source += rest % move.extents[axis] * move.fromStrides[axis];
                target += rest % move.extents[axis] * move.toStrides[axis];
                rest /= move.extents[axis];
            }
            result[static_cast<std::size_t>(target)] = from[static_cast<std::size_t>(source)];
        }
        return result;
    }
};

} // namespace

class MovementTest : public QObject {
    Q_OBJECT

private slots:
    void everyElementOfTheRowsArrivesAndNoOther() {
        tests::RandomOperands random(11, 0);
        int moved = 0;
        for (int round = 0; round < 3000; ++round) {
            RandomMove one(random);
            const std::int64_t end = random.integer(0, one.rows);
            const std::int64_t begin = random.integer(0, end);
            kernels().movement.move(4)(one.move, begin, end);
            QVERIFY2(one.to == one.expected(begin, end), qPrintable(QString("round %1").arg(round)));
            moved += std::ranges::count_if(one.to, [](std::uint32_t value) { return value != 0; });
        }
        QVERIFY(moved > 10'000);
    }
};

REGISTER_TEST("movement", MovementTest)
#include "movement_test.moc"
