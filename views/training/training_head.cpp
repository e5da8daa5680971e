#include "views/common/text/elided_text.h"
#include "views/common/widgets/chip.h"
#include "views/training/training_plot.h"

#include <QPainter>
#include <algorithm>

namespace views {

namespace {

void paintBar(QPainter& painter, const QRectF& bar, const TrainingData& data, const Theme& theme) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Role::Hover));
    painter.drawRoundedRect(bar, bar.height() / 2, bar.height() / 2);
    const double done = bar.width() * data.progress();
    if (done > 0) {
        painter.setBrush(theme.color(Role::AccentFill));
        painter.drawRoundedRect(QRectF(bar.left(), bar.top(), std::max(bar.height(), done), bar.height()),
                                bar.height() / 2, bar.height() / 2);
    }
    constexpr std::int64_t mostParts = 60;
    if (data.plannedEpochs < 2 || data.plannedEpochs > mostParts)
        return;
    for (std::int64_t i = 1; i < data.plannedEpochs; ++i) {
        const double x =
            bar.left() + bar.width() * static_cast<double>(i) / static_cast<double>(data.plannedEpochs);
        painter.fillRect(QRectF(x - 0.5, bar.top(), 1, bar.height()), theme.color(Role::Canvas));
    }
}

/// "Execution 36 / 58": the name muted, the number not; returns where the next one begins.
double paintCount(QPainter& painter, double x, const QRectF& line, const QString& name, const QString& value,
                  const Theme& theme) {
    const QFont label = theme.font(12);
    const QFont mono = theme.mono(11, QFont::DemiBold);
    const double nameWidth = textWidth(name, label) + theme.px(5);
    const double valueWidth = textWidth(value, mono) + theme.px(18);
    if (x + nameWidth + valueWidth > line.right() + theme.px(18))
        return x;
    painter.setPen(theme.color(Role::Text2));
    painter.setFont(label);
    painter.drawText(QRectF(x, line.top(), nameWidth, line.height()), Qt::AlignVCenter, name);
    painter.setPen(theme.color(Role::Text));
    painter.setFont(mono);
    painter.drawText(QRectF(x + nameWidth, line.top(), valueWidth, line.height()), Qt::AlignVCenter, value);
    return x + nameWidth + valueWidth;
}

} // namespace

double trainingHeadHeight(const Theme& theme) {
    return theme.px(74);
}

void paintTrainingHead(QPainter& painter, const QRectF& rect, const TrainingScene& scene,
                       const Theme& theme) {
    const TrainingData& data = *scene.data;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect, theme.color(Role::Panel));
    const QRectF inner = rect.adjusted(theme.px(14), theme.px(6), -theme.px(14), -theme.px(4));
    const QRectF first(inner.left(), inner.top(), inner.width(), theme.px(26));
    const QFont title = theme.font(17, QFont::DemiBold);
    const bool isTraining = data.provenance.mode == core::RunMode::Train;
    const QString words = !isTraining      ? metricTitle(std::string(core::toString(data.provenance.mode)))
                          : data.isRunning ? QStringLiteral("Epoch %1 of %2")
                                                 .arg(std::max<std::int64_t>(1, data.epochsBegun()))
                                                 .arg(data.plannedEpochs)
                                           : QStringLiteral("%1 %2")
                                                 .arg(data.plannedEpochs)
                                                 .arg(data.plannedEpochs == 1 ? "epoch" : "epochs");
    painter.setFont(title);
    painter.setPen(theme.color(Role::Text));
    painter.drawText(first, Qt::AlignVCenter, words);
    const QString state = data.isRunning ? QStringLiteral("training") : QStringLiteral("complete");
    const double chipX = first.left() + textWidth(words, title) + theme.px(10);
    paintChip(painter, QRectF(chipX, first.center().y() - theme.px(9), chipWidth(state, theme), theme.px(18)),
              state, data.isRunning ? ChipTone::Accent : ChipTone::Success, theme);
    if (data.isRunning) {
        QString time = QStringLiteral("elapsed ") + durationText(data.elapsedSeconds);
        // The first moments tell little about the rest.
        if (data.progress() > 0.02)
            time +=
                QStringLiteral("   left ") + durationText(data.elapsedSeconds * (1 / data.progress() - 1));
        painter.setFont(theme.font(12));
        painter.setPen(theme.color(Role::Text2));
        painter.drawText(first, Qt::AlignVCenter | Qt::AlignRight, time);
    }
    paintBar(painter, QRectF(inner.left(), first.bottom() + theme.px(2), inner.width(), theme.px(8)), data,
             theme);
    const QRectF last(inner.left(), inner.bottom() - theme.px(22), inner.width(), theme.px(20));
    double x = last.left();
    const auto count = [&](std::int64_t done, std::int64_t planned) {
        return data.isRunning ? groupedText(done) + QStringLiteral(" / ") + groupedText(planned)
                              : groupedText(done);
    };
    x = paintCount(painter, x, last, QStringLiteral("Executions"),
                   count(std::int64_t(data.executions.size()), data.plannedExecutions), theme);
    x = paintCount(painter, x, last,
                   isTraining ? QStringLiteral("Weight updates") : QStringLiteral("Pipeline executions"),
                   groupedText(data.updates()), theme);
    x = paintCount(painter, x, last, QStringLiteral("Effective batch"),
                   QStringLiteral("%1 = %2 × %3 × %4")
                       .arg(groupedText(data.effectiveBatch()), groupedText(data.provenance.batchSize),
                            groupedText(data.provenance.microBatches), groupedText(data.provenance.replicas)),
                   theme);
    if (!data.executions.empty())
        x = paintCount(painter, x, last, QStringLiteral("Updates per execution"),
                       groupedText(data.executions.front().updates), theme);
    if (data.isRunning && data.computedSamplesPerSecond() > 0)
        paintCount(painter, x, last, QStringLiteral("Computing"),
                   compactText(data.computedSamplesPerSecond()) + QStringLiteral(" samples/s"), theme);
    painter.restore();
}

} // namespace views
