#include "views/training/recorded_painter.h"

#include "views/common/text/number_text.h"
#include "views/common/theme/color_mix.h"
#include "views/training/training_data.h"

#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace views {

namespace {

void recordedText(QPainter& painter, const QRectF& rect, int flags, const QString& text, const Theme& theme,
                  Role role, double size = 11) {
    painter.setFont(theme.font(size));
    painter.setPen(theme.color(role));
    painter.drawText(rect, flags, text);
}

/// The text of panels or the colour behind it, whichever contrasts more with `fill`.
QColor readableOn(const QColor& fill, const Theme& theme) {
    const QColor text = theme.color(Role::Text);
    const QColor other = theme.color(Role::Canvas);
    return contrastRatio(text, fill) >= contrastRatio(other, fill) ? text : other;
}

QImage imageOf(const core::SampleImageRecord& record) {
    const std::int64_t line = record.columns * record.channels;
    if (line <= 0 || static_cast<std::int64_t>(record.pixels.size()) != record.rows * line)
        return {};
    const QImage::Format format = record.channels == 1   ? QImage::Format_Grayscale8
                                  : record.channels == 3 ? QImage::Format_RGB888
                                                         : QImage::Format_RGBA8888;
    return QImage(record.pixels.data(), static_cast<int>(record.columns), static_cast<int>(record.rows), line,
                  format)
        .copy();
}

} // namespace

void paintConfusion(QPainter& painter, const QRectF& rect, const ConfusionMatrix& matrix,
                    const Theme& theme) {
    if (matrix.classes == 0)
        return;
    const double total = static_cast<double>(std::max<std::int64_t>(1, matrix.total()));
    const double label = theme.px(34);
    const QRectF head(rect.left(), rect.top(), rect.width(), theme.px(20));
    recordedText(painter, head, Qt::AlignLeft | Qt::AlignVCenter,
                 QStringLiteral("%1 of %2 samples in the class they belong to (%3)")
                     .arg(groupedText(matrix.correct()), groupedText(matrix.total()),
                          percentText(static_cast<double>(matrix.correct()) / total)),
                 theme, Role::Text2);
    const QRectF area = rect.adjusted(label, head.height() + label, 0, 0);
    const auto classes = static_cast<double>(matrix.classes);
    const double side = std::floor(std::min({area.width() / classes, area.height() / classes, theme.px(64)}));
    if (side < 1)
        return;
    const QRectF grid(area.left(), area.top(), side * classes, side * classes);
    recordedText(painter, QRectF(grid.left(), head.bottom(), grid.width(), label / 2), Qt::AlignCenter,
                 QStringLiteral("predicted"), theme, Role::Text3);
    painter.save();
    painter.translate(rect.left(), grid.bottom());
    painter.rotate(-90);
    recordedText(painter, QRectF(0, 0, grid.height(), label / 2), Qt::AlignCenter, QStringLiteral("truth"),
                 theme, Role::Text3);
    painter.restore();
    // Labels and counts only where they can be read.
    const bool isReadable = side >= theme.px(22);
    const std::size_t labelled =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(theme.px(22) / std::max(1.0, side))));
    for (std::size_t truth = 0; truth < matrix.classes; ++truth) {
        const double ofTruth = static_cast<double>(std::max<std::int64_t>(1, matrix.ofTruth(truth)));
        const double offset = static_cast<double>(truth) * side;
        if (truth % labelled == 0) {
            const QString number = QString::number(truth);
            recordedText(painter, QRectF(grid.left() + offset, grid.top() - label / 2, side, label / 2),
                         Qt::AlignCenter | Qt::TextDontClip, number, theme, Role::Text2);
            recordedText(painter,
                         QRectF(grid.left() - label / 2, grid.top() + offset, label / 2 - theme.px(3), side),
                         Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, number, theme, Role::Text2);
        }
        for (std::size_t predicted = 0; predicted < matrix.classes; ++predicted) {
            const QRectF cell(grid.left() + static_cast<double>(predicted) * side, grid.top() + offset, side,
                              side);
            const std::int64_t count = matrix.at(truth, predicted);
            const double share = static_cast<double>(count) / ofTruth;
            const Role hue = truth == predicted ? Role::AccentFill : Role::Error;
            const QColor fill = mix(theme.color(Role::Panel2), theme.color(hue), std::sqrt(share) * 0.9);
            painter.fillRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), fill);
            if (isReadable && count > 0) {
                painter.setPen(readableOn(fill, theme));
                painter.setFont(theme.font(11));
                painter.drawText(cell, Qt::AlignCenter, groupedText(count));
            }
        }
    }
    painter.setPen(QPen(theme.color(Role::Border), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(grid);
}

void paintHistograms(QPainter& painter, const QRectF& rect, const RecordedTensor& tensor,
                     const Theme& theme) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    double densest = 0;
    std::vector<const core::TensorStatisticsRecord*> records;
    for (const core::TensorStatisticsRecord* record : tensor.updates)
        if (!record->histogram.empty() && std::isfinite(record->minimum) && std::isfinite(record->maximum)) {
            records.push_back(record);
            low = std::min(low, record->minimum);
            high = std::max(high, record->maximum);
        }
    if (records.empty())
        return recordedText(painter, rect, Qt::AlignCenter, QStringLiteral("no finite values were recorded"),
                            theme, Role::Text3);
    if (high <= low)
        low -= 0.5, high += 0.5;
    const QRectF area = rect.adjusted(theme.px(70), theme.px(24), -theme.px(8), -theme.px(22));
    const auto most = static_cast<std::size_t>(std::max(1.0, area.height() / theme.px(14)));
    std::vector<const core::TensorStatisticsRecord*> shown;
    const std::size_t count = std::min(most, records.size());
    for (std::size_t i = 0; i < count; ++i)
        shown.push_back(records[count == 1 ? records.size() - 1 : i * (records.size() - 1) / (count - 1)]);
    // Values per unit of the axis, so that a narrow tensor is tall and a wide one flat.
    const auto density = [&](const core::TensorStatisticsRecord& record, std::size_t bin) {
        const double width =
            std::max((record.maximum - record.minimum) / static_cast<double>(record.histogram.size()),
                     (high - low) / 1e4);
        return static_cast<double>(record.histogram[bin]) / width;
    };
    for (const core::TensorStatisticsRecord* record : shown)
        for (std::size_t bin = 0; bin < record->histogram.size(); ++bin)
            densest = std::max(densest, density(*record, bin));
    const double line = area.height() / static_cast<double>(shown.size() + 1);
    const double tallest = std::min(area.height() * 0.5, line * 4);
    const auto x = [&](double value) { return area.left() + (value - low) / (high - low) * area.width(); };
    const Activity activity =
        tensor.kind == core::TrainedTensorKind::Weight ? Activity::Forward : Activity::Backward;
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const core::TensorStatisticsRecord& record = *shown[i];
        const double base = area.top() + line * static_cast<double>(i + 2);
        const double step = (record.maximum - record.minimum) / static_cast<double>(record.histogram.size());
        QPainterPath path(QPointF(x(record.minimum), base));
        for (std::size_t bin = 0; bin < record.histogram.size(); ++bin)
            path.lineTo(x(record.minimum + (static_cast<double>(bin) + 0.5) * step),
                        base - tallest * (densest > 0 ? density(record, bin) / densest : 0));
        path.lineTo(x(record.maximum), base);
        const double age =
            shown.size() < 2 ? 1 : static_cast<double>(i) / static_cast<double>(shown.size() - 1);
        QColor fill = mix(theme.color(Role::Canvas), theme.activity(activity), 0.35 + 0.55 * age);
        painter.setPen(QPen(theme.color(Role::Canvas), 1.2));
        painter.setBrush(fill);
        painter.drawPath(path);
        if (i % std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(theme.px(14) / line))) == 0 ||
            i + 1 == shown.size())
            recordedText(painter, QRectF(rect.left(), base - theme.px(12), theme.px(64), theme.px(14)),
                         Qt::AlignRight | Qt::AlignVCenter, groupedText(record.update), theme, Role::Text2,
                         10);
    }
    painter.setPen(QPen(theme.color(Role::Border), 1));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    recordedText(painter, QRectF(rect.left(), rect.top(), theme.px(64), theme.px(20)),
                 Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("update"), theme, Role::Text3, 10);
    for (int tick = 0; tick <= 4; ++tick) {
        const double value = low + (high - low) * tick / 4;
        const QRectF place(x(value) - theme.px(50), area.bottom() + theme.px(4), theme.px(100), theme.px(16));
        const int align = tick == 0 ? Qt::AlignHCenter : tick == 4 ? Qt::AlignRight : Qt::AlignHCenter;
        recordedText(painter, tick == 4 ? place.translated(-theme.px(50), 0) : place,
                     align | Qt::AlignVCenter, QString::number(value, 'g', 3), theme, Role::Text2, 10);
    }
}

std::vector<SampleCard> sampleCards(const RecordedTraining& recorded, const std::string& output,
                                    std::int64_t epoch) {
    std::vector<SampleCard> cards;
    for (const core::SamplePredictionRecord& prediction : recorded.predictions) {
        if (prediction.output != output || prediction.epoch != epoch)
            continue;
        const auto image = std::find_if(recorded.images.begin(), recorded.images.end(),
                                        [&](const auto& known) { return known.sample == prediction.sample; });
        cards.push_back({&prediction, image == recorded.images.end() ? nullptr : &*image});
    }
    return cards;
}

void paintSamples(QPainter& painter, const QRectF& rect, std::span<const SampleCard> cards,
                  const Theme& theme) {
    const double width = theme.px(128);
    const double picture = theme.px(96);
    const bool hasPictures =
        std::any_of(cards.begin(), cards.end(), [](const SampleCard& card) { return card.image != nullptr; });
    const double height = theme.px(56) + (hasPictures ? picture : 0);
    const auto perRow = std::max<std::size_t>(1, static_cast<std::size_t>(rect.width() / width));
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < cards.size(); ++i) {
        const QRectF card(rect.left() + static_cast<double>(i % perRow) * width,
                          rect.top() + static_cast<double>(i / perRow) * (height + theme.px(8)),
                          width - theme.px(8), height);
        if (card.bottom() > rect.bottom())
            return recordedText(
                painter, QRectF(rect.left(), rect.bottom() - theme.px(16), rect.width(), theme.px(16)),
                Qt::AlignRight, QStringLiteral("and %1 more").arg(cards.size() - i), theme, Role::Text3);
        const core::SamplePredictionRecord& prediction = *cards[i].prediction;
        const bool isClass = std::isfinite(prediction.probability);
        const bool isRight = prediction.truth == prediction.predicted;
        painter.setPen(QPen(theme.color(!isClass  ? Role::Border
                                        : isRight ? Role::Success
                                                  : Role::Error),
                            theme.frameWidth()));
        painter.setBrush(theme.color(Role::Panel));
        painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        QRectF text = card.adjusted(theme.px(8), theme.px(4), -theme.px(8), -theme.px(4));
        if (cards[i].image != nullptr) {
            const QImage image = imageOf(*cards[i].image);
            const QSizeF size =
                QSizeF(image.size())
                    .scaled(picture - theme.px(8), picture - theme.px(8), Qt::KeepAspectRatio);
            painter.drawImage(
                QRectF(QPointF(card.center().x() - size.width() / 2, card.top() + theme.px(8)), size), image);
        }
        if (hasPictures)
            text.setTop(text.top() + picture);
        const double line = text.height() / 3;
        recordedText(painter, QRectF(text.left(), text.top(), text.width(), line),
                     Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("sample %1").arg(prediction.sample),
                     theme, Role::Text3, 10);
        recordedText(painter, QRectF(text.left(), text.top() + line, text.width(), line),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     QStringLiteral("is %1").arg(QString::number(prediction.truth, 'g', 5)), theme,
                     Role::Text2);
        const QString predicted = QString::number(prediction.predicted, 'g', 5);
        recordedText(painter, QRectF(text.left(), text.top() + 2 * line, text.width(), line),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     isClass
                         ? QStringLiteral("said %1, %2").arg(predicted, percentText(prediction.probability))
                         : QStringLiteral("said %1").arg(predicted),
                     theme, Role::Text);
    }
}

} // namespace views
