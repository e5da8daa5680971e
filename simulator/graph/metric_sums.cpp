#include "simulator/graph/metric_sums.h"

#include <algorithm>
#include <cmath>

namespace simulator {
namespace {

double ratioOf(double part, double whole) {
    return whole == 0 ? 0 : part / whole;
}

bool isCount(std::string_view name) {
    return name == "TruePositives" || name == "TrueNegatives" || name == "FalsePositives" ||
           name == "FalseNegatives";
}

/// Area under the receiver operating characteristic by trapezoids between its thresholds, as Keras.
double areaOf(std::span<const double> sums) {
    double area = 0;
    double lastX = 0;
    double lastY = 0;
    for (std::size_t i = 0; i + 4 <= sums.size(); i += 4) {
        const double x = ratioOf(sums[i + 1], sums[i + 1] + sums[i + 2]);
        const double y = ratioOf(sums[i], sums[i] + sums[i + 3]);
        if (i > 0)
            area += (lastX - x) * (lastY + y) / 2;
        lastX = x;
        lastY = y;
    }
    return area;
}

/// Mean over the classes that occur of intersection over union.
double overlapOf(std::span<const double> sums) {
    const auto classes = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(sums.size()))));
    double sum = 0;
    double count = 0;
    for (std::size_t k = 0; k < classes; ++k) {
        double either = -sums[k * classes + k];
        for (std::size_t other = 0; other < classes; ++other)
            either += sums[k * classes + other] + sums[other * classes + k];
        sum += ratioOf(sums[k * classes + k], either);
        count += either > 0 ? 1 : 0;
    }
    return ratioOf(sum, count);
}

} // namespace

std::int64_t metricSums(const Metric& metric, const Extents& prediction) {
    const std::int64_t width = prediction.empty() ? 1 : prediction.back();
    if (metric.className == "AUC")
        return 4 * static_cast<std::int64_t>(metric.parameter);
    if (metric.className == "MeanIoU")
        return width * width;
    if (isCount(metric.className))
        return 1;
    const bool isRatio = metric.className == "Precision" || metric.className == "Recall" ||
                         metric.className == "RootMeanSquaredError";
    return isRatio || metric.weighted ? 2 : 0;
}

double metricOf(std::string_view className, std::span<const double> sums) {
    if (className == "AUC")
        return areaOf(sums);
    if (className == "MeanIoU")
        return overlapOf(sums);
    if (isCount(className))
        return sums[0];
    if (className == "Precision" || className == "Recall")
        return ratioOf(sums[0], sums[0] + sums[1]);
    const double mean = ratioOf(sums[0], sums[1]);
    return className == "RootMeanSquaredError" ? std::sqrt(mean) : mean;
}

} // namespace simulator
