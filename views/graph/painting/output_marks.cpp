#include "views/graph/painting/output_marks.h"

#include "views/common/text/elided_text.h"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>

namespace views {

namespace {

void paintMark(QPainter& painter, const QPointF& center, const Theme& theme) {
    const double radius = theme.px(4);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Role::AccentFill));
    painter.drawRoundedRect(QRectF(center.x() - radius, center.y() - radius, 2 * radius, 2 * radius), 1.5,
                            1.5);
}

/// The call and the output whose tensor leaves at a port.
std::pair<int, int> tensorAt(const BoxShape& box, std::size_t port) {
    if (box.group >= 0 && port < box.outTensors.size())
        return box.outTensors[port];
    return {box.members.back(), int(port)};
}

/// Beside the line that would go on from a port.
QRectF labelBeside(const QPointF& port, FlowDirection flow, const QSizeF& size, const Theme& theme) {
    const double aside = theme.px(8);
    const double off = theme.px(2);
    switch (flow) {
    case FlowDirection::Down:
        return {QPointF(port.x() - size.width() - aside, port.y() + off), size};
    case FlowDirection::Up:
        return {QPointF(port.x() - size.width() - aside, port.y() - size.height() - off), size};
    case FlowDirection::Right:
        return {QPointF(port.x() + aside, port.y() - size.height() / 2), size};
    }
    return {};
}

} // namespace

void paintOutputMarks(QPainter& painter, const BoxShape& box, const CanvasModel& model, const Theme& theme) {
    const QString word = QCoreApplication::translate("views::OutputMarks", "output");
    const QFont font = theme.font(10, QFont::DemiBold);
    const double width = textWidth(word, font);
    for (std::size_t i = 0; i < box.outPorts.size(); ++i) {
        const auto [node, output] = tensorAt(box, i);
        if (!std::ranges::binary_search(model.nodes[std::size_t(node)].modelOutputs, output))
            continue;
        const QPointF port = box.outPorts[i];
        paintMark(painter, port, theme);
        painter.setPen(theme.color(Role::AccentText));
        paintLabel(painter, labelBeside(port, box.flow, QSizeF(width, theme.px(13)), theme), word, font);
    }
    for (std::size_t i = 0; box.group < 0 && i < box.rows.size(); ++i) {
        const int above = i == 0 ? box.node : box.rows[i - 1].first;
        if (!model.nodes[std::size_t(above)].modelOutputs.empty())
            paintMark(painter, QPointF(box.rect.right(), box.rows[i].second.top() - theme.px(8)), theme);
    }
}

} // namespace views
