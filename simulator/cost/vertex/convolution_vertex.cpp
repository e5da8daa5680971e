#include "simulator/cost/vertex/convolution_vertex.h"

#include "core/base/quantity.h"

#include <algorithm>

namespace simulator {

namespace {

using core::ceilDivide;

/// Saved per worker call because its state stays in registers; only on the float16 path.
constexpr std::int64_t workerRetention = 7;
/// Supervisor cycles between the end of the fastest worker and the next launch.
constexpr std::int64_t workerTurnaround = 14;
constexpr std::int64_t supervisorInstruction = 6;

bool isCommonPath(const MatrixUnit& unit) {
    return unit.operandBytes == 2;
}

std::int64_t passOfWorkers(const MatrixUnit& unit, std::int64_t slowest, std::int64_t fastest) {
    return std::max(unit.workers * slowest, unit.workers * fastest + workerTurnaround);
}

} // namespace

std::int64_t conv1x1WorkerCycles(const MatrixUnit& unit, std::int64_t elements, bool firstPass) {
    if (!isCommonPath(unit)) {
        switch (elements) {
        case 0:
            return 24;
        case 1:
            return 47;
        case 2:
            return 46;
        default:
            return 46 + 8 * (elements - 3);
        }
    }
    if (elements == 0)
        return firstPass ? 21 : 22;
    if (unit.halfPartialsAtDoubleRate)
        return elements == 1 ? 39 : elements == 2 ? 40 : 41 + 2 + 2 * elements;
    switch (elements) {
    case 1:
        return 31;
    case 2:
        return 40;
    default:
        return (firstPass ? 37 : 38) + 4 * (elements - 3);
    }
}

std::int64_t conv1x1PassCycles(const MatrixUnit& unit, std::int64_t fieldElements, bool firstPass,
                               bool monotone) {
    const std::int64_t saved = isCommonPath(unit) ? workerRetention : 0;
    const std::int64_t most = ceilDivide(fieldElements, unit.workers);
    const std::int64_t least = fieldElements / unit.workers;
    const std::int64_t a = conv1x1WorkerCycles(unit, most, firstPass) - saved;
    const std::int64_t b = conv1x1WorkerCycles(unit, least, firstPass) - saved;
    const std::int64_t cycles = passOfWorkers(unit, std::max(a, b), std::min(a, b));
    // Beyond five elements per worker the formula grows by itself.
    constexpr std::int64_t grows = 5;
    if (!monotone || most > grows || fieldElements <= 1)
        return cycles;
    return std::max(cycles, conv1x1PassCycles(unit, fieldElements - 1, firstPass, true));
}

double conv1x1Cycles(const MatrixUnit& unit, const ConvPartial1x1& work, bool monotone) {
    const double common = isCommonPath(unit) ? 1 : 0;
    const auto load = static_cast<double>(unit.coefficientLoad());
    const auto add = static_cast<double>(conv1x1PassCycles(unit, work.fieldElements, false, monotone));
    const auto first =
        static_cast<double>(conv1x1PassCycles(unit, work.fieldElements, work.firstPass, monotone));
    const auto passes = static_cast<double>(work.passesPerGroup);
    const auto convGroups = static_cast<double>(work.convGroups);
    const auto inGroups = static_cast<double>(work.inGroups);
    const auto outGroups = static_cast<double>(work.outGroups);
    const double addGroup = 19 + passes * (6 + load + add);
    const double firstGroup = 19 - common + passes * (7 + load + first);
    const double perConvGroup = 12 + common + (inGroups - 1) * (15 - common + 1 + outGroups * addGroup) +
                                (10 + 1 + outGroups * firstGroup);
    return 50 + supervisorInstruction * (7 + 3 * (inGroups * convGroups - 1)) + convGroups * perConvGroup;
}

double convNx1Cycles(const MatrixUnit& unit, const ConvPartialNx1& work) {
    const bool half = unit.operandBytes == 2;
    const auto runCycles = [&](std::int64_t n) -> std::int64_t {
        constexpr std::int64_t retention = 9;
        switch (n) {
        case 0:
            return 3 + 17 - retention;
        case 1:
            return 3 + (half ? 29 : 33) - retention;
        case 2:
            return 3 + (half ? 33 : 44) - retention;
        default:
            return 3 + (half ? 34 : 45) + (n - 3) * unit.cyclesPerElement() - retention;
        }
    };
    const std::int64_t runsPerWorker = ceilDivide(work.runs, unit.workers);
    const std::int64_t worker =
        17 + (unit.partialBytes == 2 ? 1 : 0) + runsPerWorker * runCycles(work.runLength);
    const std::int64_t reload = work.kernelHeight == 4 ? 60 : work.kernelHeight == 2 ? 46 : 15;
    const auto onePass = static_cast<double>(unit.coefficientLoad() + reload + 3 + unit.workers * worker);
    const auto convGroups = static_cast<double>(work.convGroups);
    const auto inGroups = static_cast<double>(work.inGroups);
    const auto outGroups = static_cast<double>(work.outGroups);
    const double position = 12 + static_cast<double>(work.passesPerGroup) * onePass;
    const double inner =
        static_cast<double>(work.kernelOuter) * (14 + static_cast<double>(work.kernelInner) * position);
    const double zeroing = convGroups * (17 * outGroups + 6 * (outGroups - 1) + 1) + 6 * (convGroups - 1) + 1;
    return 109 + 6 * 9 + 6 * (half ? 9 : 10) + zeroing +
           convGroups * (16 + inGroups * (14 + outGroups * (14 + inner)));
}

double slicCycles(const MatrixUnit& unit, const ConvSlic& work) {
    // 8 · min(vector, in channels) multiply-adds per cycle: the 1 × 4 window over 4 channels takes two
    // passes.
    constexpr std::int64_t chains = 2;
    const std::int64_t load = work.inputChannels == 4 ? 16 + 18 : 9 + 6 + 12 * 6 + 6 + 16;
    const std::int64_t row = work.stride == 1
                                 ? 15 + std::max<std::int64_t>(work.rowLength - 5, 0)
                                 : 15 + work.stride * std::max<std::int64_t>(work.rowLength - 3, 0);
    const std::int64_t worker = ceilDivide(work.rows, unit.workers) * row;
    return 50 + static_cast<double>(work.channelBlocks) * static_cast<double>(work.windows) *
                    static_cast<double>(load + chains * unit.workers * worker);
}

double vmacCycles(const MatrixUnit& unit, const ConvVmac& work) {
    const std::int64_t positions = std::max<std::int64_t>(work.kernelPositions - 1, 1);
    const bool half = unit.operandBytes == 2;
    const double perElement = 3 + (half ? 3.0 : 2.0) * static_cast<double>(positions) *
                                      static_cast<double>(ceilDivide(work.channels, half ? 8 : 4));
    return 100 +
           static_cast<double>(unit.workers * ceilDivide(work.fieldElements, unit.workers)) * perElement;
}

double hmacCycles(const MatrixUnit& unit, const ConvHmac& work) {
    const std::int64_t width = unit.operandBytes == 2 ? 4 : 2;
    const auto dot = static_cast<double>(3 + 4 + ceilDivide(work.inChannels, width));
    const auto elements = static_cast<double>(ceilDivide(work.fieldElements, unit.workers));
    const double perPosition = elements * (7 + static_cast<double>(work.outChannels) * dot);
    const double worker = work.kernelPositions == 1
                              ? 13 + perPosition
                              : 19 + static_cast<double>(work.kernelPositions) * perPosition;
    return 58 + static_cast<double>(unit.workers * work.convGroups) * worker;
}

double zeroPartialsCycles(const MatrixUnit& unit, std::int64_t elements) {
    return static_cast<double>(ceilDivide(elements * unit.partialBytes, 8) + 14);
}

} // namespace simulator
