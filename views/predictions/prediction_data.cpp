#include "views/predictions/prediction_data.h"

#include "core/profile/queries/training_queries.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/theme.h"

#include <QCoreApplication>
#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace views {

namespace {

QString predictionText(const char* text) {
    return QCoreApplication::translate("views::PredictionsView", text);
}

/// Six significant digits, as the tables of a run have them; what is not finite by its name.
QString valueText(double value) {
    return std::isfinite(value) ? QString::number(value, 'g', 6)
           : std::isnan(value)  ? QStringLiteral("nan")
                                : (value > 0 ? QStringLiteral("inf") : QStringLiteral("−inf"));
}

TableCell valueCell(double value) {
    return numberCell(valueText(value), value);
}

/// The first values of a sample.
TableCell valuesCell(std::span<const double> values) {
    constexpr std::size_t shown = 12;
    QStringList texts;
    for (std::size_t i = 0; i < std::min(shown, values.size()); ++i)
        texts << valueText(values[i]);
    return textCell(texts.join(QStringLiteral(", ")) +
                    (values.size() > shown ? QStringLiteral(", …") : QString()));
}

/// Places of the largest value and of the next, which is behind the end for a single one.
std::pair<std::size_t, std::size_t> largestTwo(std::span<const double> values) {
    const auto rank = [&](std::size_t i) { return std::isnan(values[i]) ? -HUGE_VAL : values[i]; };
    std::size_t first = 0;
    std::size_t second = values.size();
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (rank(i) > rank(first)) {
            second = first;
            first = i;
        } else if (second == values.size() || rank(i) > rank(second)) {
            second = i;
        }
    }
    return {first, second};
}

struct Extent {
    double least = 0;
    double most = 0;
    double mean = 0;
};

/// Of the finite values; zeros where there are none.
Extent extentOf(std::span<const double> values) {
    Extent extent;
    double sum = 0;
    std::size_t count = 0;
    for (const double value : values) {
        if (!std::isfinite(value))
            continue;
        extent.least = count == 0 ? value : std::min(extent.least, value);
        extent.most = count == 0 ? value : std::max(extent.most, value);
        sum += value;
        ++count;
    }
    extent.mean = count == 0 ? 0 : sum / static_cast<double>(count);
    return extent;
}

QImage pixelsOf(const PredictedOutput& output, std::span<const double> values) {
    const std::vector<std::int64_t>& shape = output.record.shape;
    const int rows = int(shape[1]);
    const int columns = int(shape[2]);
    const std::size_t channels = shape.size() == 4 ? std::size_t(shape[3]) : 1;
    const Extent extent = extentOf(values);
    const double scale = extent.most > extent.least ? 255 / (extent.most - extent.least) : 0;
    QImage image(columns, rows, QImage::Format_ARGB32);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const std::size_t first =
                (std::size_t(row) * std::size_t(columns) + std::size_t(column)) * channels;
            const auto level = [&](std::size_t channel) {
                const double value = values[first + channel];
                return std::isfinite(value)
                           ? std::clamp(int(std::lround((value - extent.least) * scale)), 0, 255)
                           : 0;
            };
            const bool isColoured = channels >= 3;
            image.setPixel(column, row,
                           qRgba(level(0), level(isColoured ? 1 : 0), level(isColoured ? 2 : 0),
                                 channels == 4 ? level(3) : 255));
        }
    }
    return image;
}

} // namespace

bool PredictedOutput::isImage() const {
    const auto& shape = record.shape;
    const bool hasChannels = shape.size() == 4 && (shape[3] == 1 || shape[3] == 3 || shape[3] == 4);
    return hasChannels || (shape.size() == 3 && shape[1] > 1 && shape[2] > 1);
}

core::Result<std::vector<PredictedOutput>> loadPredictions(const core::ProfileDatabase& database,
                                                           core::RunId run) {
    auto records = core::loadModelOutputs(database, run);
    if (!records)
        return core::failure(std::move(records.error()));
    const auto values = core::loadOutputValues(database, run);
    if (!values)
        return core::failure(values.error());
    std::vector<PredictedOutput> outputs;
    for (core::ModelOutputRecord& record : *records) {
        PredictedOutput output;
        output.perSample = 1;
        for (std::size_t axis = 1; axis < record.shape.size(); ++axis)
            output.perSample *= std::size_t(std::max<std::int64_t>(0, record.shape[axis]));
        // A value that is missing, in a damaged database, is no number.
        output.values.assign(output.perSample * std::size_t(std::max<std::int64_t>(0, record.storedSamples)),
                             std::numeric_limits<double>::quiet_NaN());
        for (const core::OutputValueRecord& value : *values) {
            const std::size_t place =
                std::size_t(value.sample) * output.perSample + std::size_t(value.element);
            if (value.output == record.output && value.sample >= 0 && value.element >= 0 &&
                place < output.values.size())
                output.values[place] = value.value;
        }
        output.record = std::move(record);
        outputs.push_back(std::move(output));
    }
    return outputs;
}

TableContent predictionTable(const PredictedOutput& output) {
    TableContent content;
    content.columns = {
        numberColumn(predictionText("Sample"), predictionText("In the order of the dataset, from 0"))};
    if (output.isVector()) {
        content.columns.push_back(
            numberColumn(predictionText("Class"), predictionText("The place of the largest value")));
        content.columns.push_back(numberColumn(predictionText("Class value")));
        content.columns.push_back(
            numberColumn(predictionText("Next"), predictionText("The place of the second largest value")));
        content.columns.push_back(numberColumn(predictionText("Next value")));
    } else if (output.perSample > 1) {
        content.columns.push_back(numberColumn(predictionText("Smallest")));
        content.columns.push_back(numberColumn(predictionText("Largest")));
        content.columns.push_back(numberColumn(predictionText("Mean")));
    }
    content.columns.push_back({output.perSample > 1 ? predictionText("Values") : predictionText("Value"),
                               ColumnKind::Text,
                               {},
                               0,
                               {},
                               true});
    for (std::size_t sample = 0; sample < output.samples(); ++sample) {
        const std::span<const double> values = output.sample(sample);
        std::vector<TableCell> row{numberCell(QString::number(sample), double(sample))};
        if (output.isVector()) {
            const auto [first, second] = largestTwo(values);
            row.push_back(numberCell(QString::number(first), double(first)));
            row.push_back(valueCell(values[first]));
            row.push_back(numberCell(QString::number(second), double(second)));
            row.push_back(valueCell(values[second]));
        } else if (output.perSample > 1) {
            const Extent extent = extentOf(values);
            row.push_back(valueCell(extent.least));
            row.push_back(valueCell(extent.most));
            row.push_back(valueCell(extent.mean));
        }
        row.push_back(valuesCell(values));
        content.rows.push_back(std::move(row));
    }
    return content;
}

void paintPrediction(QPainter& painter, const QRectF& rect, const PredictedOutput& output, std::size_t sample,
                     const Theme& theme) {
    if (sample >= output.samples())
        return;
    const std::span<const double> values = output.sample(sample);
    const Extent extent = extentOf(values);
    const QRectF head(rect.left(), rect.top(), rect.width(), theme.px(20));
    painter.setPen(theme.color(Role::Text2));
    painter.setFont(theme.font(11));
    painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter,
                     predictionText("Sample %1: %2 to %3")
                         .arg(QString::number(sample), valueText(extent.least), valueText(extent.most)));
    const QRectF area = rect.adjusted(0, head.height() + theme.px(4), 0, 0);
    if (output.isImage()) {
        const QImage image = pixelsOf(output, values);
        const QSizeF size = QSizeF(image.size()).scaled(area.size(), Qt::KeepAspectRatio);
        painter.drawImage(QRectF(QPointF(area.center().x() - size.width() / 2, area.top()), size), image);
        return;
    }
    const double low = std::min(0.0, extent.least);
    const double high = std::max(0.0, extent.most);
    const double unit = high > low ? area.height() / (high - low) : 0;
    const double zero = area.top() + high * unit;
    const double width = area.width() / static_cast<double>(values.size());
    const std::size_t largest = largestTwo(values).first;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i]))
            continue;
        const double left = area.left() + width * static_cast<double>(i);
        const double top = zero - values[i] * unit;
        const QRectF bar(left, std::min(top, zero), std::max(1.0, width - (width > 4 ? 1 : 0)),
                         std::abs(top - zero));
        painter.fillRect(bar, theme.color(i == largest ? Role::AccentFill : Role::Text3));
    }
    painter.setPen(QPen(theme.color(Role::Border), 1));
    painter.drawLine(QPointF(area.left(), zero), QPointF(area.right(), zero));
}

} // namespace views
