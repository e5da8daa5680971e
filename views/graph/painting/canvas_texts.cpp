#include "views/graph/painting/canvas_texts.h"

#include "views/common/text/elided_text.h"
#include "views/graph/model/group_detection.h"

#include <QFontMetricsF>

namespace views {

namespace {

/// How many letters of a name stand in the first of two lines: as many as have room, up to where a word ends
/// if the second line has room for the others then.
qsizetype lettersAbove(const QString& name, const QFont& font, double above, double below) {
    static const QString ends = QStringLiteral("_-./ ");
    const QFontMetricsF metrics(font); // no text of a cache: every piece is met once
    const double dots = metrics.horizontalAdvance(QChar(0x2026));
    const qsizetype most = metrics.elidedText(name, Qt::ElideRight, above + dots).size() - 1;
    for (qsizetype count = most; count > 0; --count) {
        if (ends.contains(name[count - 1]))
            return metrics.horizontalAdvance(name.mid(count)) <= below ? count : most;
    }
    return most;
}

} // namespace

void CanvasTexts::prepare(const CanvasModel& model, const CanvasGeometry& geometry, const CanvasState& state,
                          const Theme& theme, const QRectF& part) {
    m_boxes.resize(geometry.boxes.size());
    for (std::size_t i = 0; i < m_boxes.size(); ++i) {
        const BoxShape& box = geometry.boxes[i];
        if (m_boxes[i] || (!part.isNull() && !box.rect.intersects(part)))
            continue;
        m_boxes[i] = textOf(model, box, i < state.figures.size() ? state.figures[i].text : QString(),
                            i < state.boxTexts.size() ? state.boxTexts[i] : QString(), theme);
    }
}

CanvasTexts::BoxText CanvasTexts::textOf(const CanvasModel& model, const BoxShape& box, const QString& figure,
                                         const QString& facts, const Theme& theme) {
    const QFont nameFont = theme.font(11, QFont::DemiBold);
    const QFont detailFont = theme.font(10);
    const double width = box.rect.width() - theme.px(31) - theme.px(6);
    const double figureSpace = figure.isEmpty() ? 0 : textWidth(figure, theme.mono(10)) + theme.px(4);
    BoxText text;
    // The figure goes below before the name is cut.
    const auto placeName = [&](const QString& name) {
        text.isFigureBelow = figureSpace > 0 && textWidth(name, nameFont) > width - figureSpace;
        text.name = elidedMiddle(name, nameFont, text.isFigureBelow ? width : width - figureSpace);
        return text.isFigureBelow ? width - figureSpace : width;
    };
    const auto breakName = [&](const QString& name, double below) {
        if (text.name == name)
            return false;
        const qsizetype letters = lettersAbove(name, nameFont, width, below);
        text.nameAbove = name.left(letters);
        text.nameBelow = elidedMiddle(name.mid(letters), nameFont, below);
        return true;
    };
    if (box.group >= 0) {
        const QString& title = model.groups[std::size_t(box.group)].title;
        if (box.isCollapsed) {
            const double space = placeName(title);
            // As long as its name is not whole, facts wait.
            if (breakName(title, space))
                return text;
            // A figure is there whole or not at all.
            const QString first = facts.section(QStringLiteral(" · "), 0, 0);
            text.detail = textWidth(facts, detailFont) <= space ? facts : elidedEnd(first, detailFont, space);
            return text;
        }
        text.name = elidedMiddle(title, nameFont, width);
        const double space = width - textWidth(text.name, nameFont) - theme.px(10);
        text.detail =
            textWidth(facts, detailFont) <= space ? facts : facts.section(QStringLiteral(" · "), 0, 0);
        if (textWidth(text.detail, detailFont) > space)
            text.detail.clear();
        return text;
    }
    const CanvasNode& node = model.nodes[std::size_t(box.node)];
    const QString name = nameWithin(model, box.node);
    const double detailWidth = placeName(name);
    breakName(name, detailWidth);
    const QString full = node.attributes.isEmpty() ? node.className : node.className + u' ' + node.attributes;
    // The class first: attributes that have no room are left out.
    const QString some = wholeFacts(full, detailFont, detailWidth);
    text.detail = textWidth(node.className, detailFont) <= detailWidth && some.endsWith(QChar(0x2026))
                      ? node.className
                      : some;
    for (const auto& [follower, rect] : box.rows)
        text.rows.push_back(elidedMiddle(nameWithin(model, follower), detailFont, width));
    return text;
}

} // namespace views
