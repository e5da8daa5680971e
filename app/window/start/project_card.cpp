#include "app/window/start/project_card.h"

#include "app/window/start/model_picture.h"
#include "core/project/project.h"
#include "views/common/text/elided_text.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/control_painters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/chip.h"
#include "views/document/layer_count.h"

#include <QEvent>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <map>

namespace app {

using views::Role;
using views::toQString;

namespace {

constexpr double drawingHeight = 92;
constexpr double textLineHeight = 16;
constexpr int textLines = 3;
constexpr double cardMargin = 12;
constexpr double cardHeight = 150 + textLines * textLineHeight;
constexpr std::size_t maximumColumns = 8;
constexpr std::size_t maximumStrokes = 7;

/// As many words as fit into a line; at least one.
QString fittingWords(const QString& text, const QFontMetricsF& metrics, double width) {
    qsizetype end = 0;
    for (qsizetype space = text.indexOf(u' '); space >= 0; space = text.indexOf(u' ', space + 1)) {
        if (end > 0 && metrics.horizontalAdvance(text.left(space)) > width)
            break;
        end = space;
    }
    return metrics.horizontalAdvance(text) <= width || end == 0 ? text : text.left(end);
}

/// A sentence in a few lines; what is longer still is in the last one.
QStringList linesOf(const QString& text, const QFontMetricsF& metrics, double width) {
    QStringList lines;
    QString rest = text;
    while (!rest.isEmpty()) {
        lines.push_back(lines.size() + 1 < textLines ? fittingWords(rest, metrics, width) : rest);
        rest = rest.mid(lines.back().size()).trimmed();
    }
    return lines;
}

void paintLines(QPainter& painter, const QRectF& rect, const QString& text, const views::Theme& theme) {
    const QFont font = theme.font(11);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(theme.color(views::Role::Text2));
    QRectF line(rect.left(), rect.top(), rect.width(), rect.height() / textLines);
    for (const QString& words : linesOf(text, metrics, rect.width())) {
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(words, Qt::ElideRight, rect.width()));
        line.translate(0, line.height());
    }
}

} // namespace

ProjectSketch sketchOf(const core::Project& project) {
    ProjectSketch sketch;
    std::map<std::size_t, std::size_t> layers;
    for (const core::StageId stage : project.assignment.stages) {
        if (stage.isValid())
            ++layers[stage.index()];
    }
    for (const auto& [stage, count] : layers)
        sketch.stages.push_back({stage, count});
    // Without stages: as many columns as its layers fill, so that large models look large.
    for (std::size_t left = layers.empty() ? project.model.layers.size() : 0; left > 0;) {
        const std::size_t part = std::min(left, maximumStrokes);
        sketch.stages.push_back({0, part});
        left -= part;
    }
    sketch.facts = views::countedText(views::layerCount(project.model), ProjectCard::tr("layer"),
                                      ProjectCard::tr("layers"));
    if (!project.assignment.stages.empty())
        sketch.facts +=
            QStringLiteral(" · ") +
            views::countedText(
                std::int64_t(project.assignment.stageCount()),
                project.assignment.isSharding ? ProjectCard::tr("shard") : ProjectCard::tr("stage"),
                project.assignment.isSharding ? ProjectCard::tr("shards") : ProjectCard::tr("stages"));
    sketch.system = QStringLiteral("%1 × %2").arg(project.system.ipus).arg(toQString(project.system.target));
    if (project.assignment.isPipelined())
        sketch.system = toQString(project.pipeline.schedule) + QStringLiteral(" · ") + sketch.system;
    return sketch;
}

void paintSketch(QPainter& painter, const QRectF& rect, const ProjectSketch& sketch,
                 const views::Theme& theme) {
    const std::size_t columns = std::min(sketch.stages.size(), maximumColumns);
    if (columns == 0)
        return;
    std::size_t most = 1;
    for (const ProjectSketch::Stage& stage : sketch.stages)
        most = std::max(most, stage.layers);
    const double gap = theme.px(12);
    const double width = std::min(theme.px(58), (rect.width() - gap * double(columns - 1)) / double(columns));
    const double left = rect.center().x() - (width * double(columns) + gap * double(columns - 1)) / 2;
    const double step = rect.height() / double(maximumStrokes);
    QPointF before;
    for (std::size_t i = 0; i < columns; ++i) {
        const ProjectSketch::Stage& stage = sketch.stages[i];
        const double share = double(stage.layers) / double(most);
        const auto strokes = std::max<std::size_t>(
            1, std::min(stage.layers, std::size_t(share * double(maximumStrokes) + 0.5)));
        const double x = left + double(i) * (width + gap);
        const double top = rect.center().y() - double(strokes) * step / 2;
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(QPen(theme.color(Role::Text3), 1.2));
        const QPointF entry(x, rect.center().y());
        if (i > 0)
            painter.drawLine(before, entry);
        before = QPointF(x + width, rect.center().y());
        for (std::size_t k = 0; k < strokes; ++k) {
            const QRectF node(x, top + double(k) * step + 1.5, width, step - 3);
            views::paintCard(painter, node, theme.px(2.5), theme.color(Role::Raised),
                             theme.color(Role::BorderStrong));
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.stage(stage.stage));
            painter.drawRoundedRect(QRectF(node.left(), node.top(), theme.px(3.5), node.height()), 1.5, 1.5);
        }
    }
    if (sketch.stages.size() > columns) {
        painter.setPen(theme.color(Role::Text3));
        painter.setFont(theme.font(10));
        painter.drawText(rect.adjusted(0, rect.height() - theme.px(4), 0, theme.px(12)), Qt::AlignRight,
                         QStringLiteral("+%1").arg(sketch.stages.size() - columns));
    }
}

ProjectCard::ProjectCard(const QString& title, const QString& text, QWidget* parent)
    : QAbstractButton(parent)
    , m_text(text) {
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(text);
    setToolTip(title + u'\n' + text);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ProjectCard::setSketch(const ProjectSketch& sketch) {
    m_sketch = sketch;
    update();
}

void ProjectCard::setDrawn(std::shared_ptr<const DrawnModel> drawn) {
    m_drawn = std::move(drawn);
    m_picture = {};
    update();
}

void ProjectCard::changeEvent(QEvent* event) {
    QAbstractButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        m_picture = {};
}

QPushButton* ProjectCard::addButton(const QString& text) {
    m_button = new QPushButton(text, this);
    m_button->setProperty("kind", "primary");
    m_button->setProperty("small", true);
    m_button->setCursor(Qt::ArrowCursor);
    return m_button;
}

void ProjectCard::setFavourite(bool isFavourite) {
    if (m_star == nullptr) {
        m_star = new QToolButton(this);
        m_star->setCheckable(true);
        m_star->setAutoRaise(true);
        m_star->setProperty("small", true);
        m_star->setIcon(views::icon(this, QStringLiteral("star")));
        m_star->setCursor(Qt::ArrowCursor);
        m_star->setFocusPolicy(Qt::TabFocus);
        connect(m_star, &QToolButton::clicked, this, [this](bool isOn) {
            setFavourite(isOn);
            emit favouriteChanged(isOn);
        });
    }
    m_star->setChecked(isFavourite);
    m_star->setToolTip(isFavourite ? tr("A favourite: it comes first. Click to take it back.")
                                   : tr("Make it a favourite, which comes first"));
    m_star->setAccessibleName(tr("Favourite: %1").arg(text()));
}

QSize ProjectCard::sizeHint() const {
    const views::Theme& theme = views::themeOf(this);
    return {theme.ipx(210), theme.ipx(cardHeight)};
}

bool ProjectCard::isTextWhole() const {
    const views::Theme& theme = views::themeOf(this);
    const QFontMetricsF metrics(theme.font(11));
    const double inner = width() - 2 * theme.px(cardMargin);
    return std::ranges::all_of(linesOf(m_text, metrics, inner),
                               [&](const QString& line) { return metrics.horizontalAdvance(line) <= inner; });
}

void ProjectCard::resizeEvent(QResizeEvent* event) {
    QAbstractButton::resizeEvent(event);
    const views::Theme& theme = views::themeOf(this);
    if (m_star != nullptr) {
        m_star->adjustSize();
        // Beside the figures at the foot, so that it lies on no drawing and no name.
        m_star->move(width() - m_star->width() - theme.ipx(6), height() - m_star->height() - theme.ipx(6));
    }
    if (m_button == nullptr)
        return;
    m_button->adjustSize();
    m_button->move(width() - m_button->width() - theme.ipx(10), theme.ipx(drawingHeight + 5));
}

/// A drawing of hundreds of boxes is painted once, not whenever the pointer passes.
void ProjectCard::paintPicture(QPainter& painter, const QRectF& place, const views::Theme& theme) {
    const double ratio = devicePixelRatioF();
    const QSize size = (place.size() * ratio).toSize();
    if (m_picture.size() != size) {
        m_picture = QPixmap(size);
        m_picture.setDevicePixelRatio(ratio);
        m_picture.fill(theme.color(Role::Canvas));
        QPainter inside(&m_picture);
        paintThumbnail(inside, QRectF(QPointF(), place.size()), *m_drawn, theme);
    }
    painter.drawPixmap(place.topLeft(), m_picture);
}

void ProjectCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const views::Theme& theme = views::themeOf(this);
    const QRectF card(rect());
    const double radius = theme.px(8);
    const bool isFirst = m_button != nullptr;
    views::paintCard(painter, card, radius, theme.color(underMouse() ? Role::Hover : Role::Panel),
                     theme.color(isFirst        ? Role::Accent
                                 : underMouse() ? Role::BorderStrong
                                                : Role::Border),
                     theme.frameWidth());
    const QRectF drawing(1, 1, card.width() - 2, theme.px(drawingHeight));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Role::Canvas));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawRoundedRect(drawing, radius - 1, radius - 1);
    painter.fillRect(drawing.adjusted(0, radius, 0, 0), theme.color(Role::Canvas));
    painter.fillRect(QRectF(drawing.left(), drawing.bottom(), drawing.width(), 1), theme.color(Role::Border));
    const double margin = theme.px(cardMargin);
    const QRectF place = drawing.adjusted(margin, theme.px(8), -margin, -theme.px(8));
    if (m_drawn)
        paintPicture(painter, place, theme);
    else if (m_sketch)
        paintSketch(painter, place, *m_sketch, theme);
    const double inner = card.width() - 2 * margin;
    const double buttonWidth = isFirst ? m_button->width() + theme.px(6) : 0;
    const auto line = [&](double top, const QFont& font, Role role, const QString& text, double width) {
        painter.setFont(font);
        painter.setPen(theme.color(role));
        const QFontMetricsF metrics(font);
        painter.drawText(QRectF(margin, theme.px(drawingHeight + top), width, theme.px(18)),
                         Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, width));
    };
    line(8, theme.font(12, QFont::DemiBold), Role::Text, text(), inner - buttonWidth);
    paintLines(painter,
               QRectF(margin, theme.px(drawingHeight + 28), inner, theme.px(textLines * textLineHeight)),
               m_text, theme);
    if (m_sketch) {
        const double width = inner - (m_star == nullptr ? 0 : m_star->width());
        QString facts = m_sketch->facts + QStringLiteral(" · ") + m_sketch->system;
        // The layers are drawn above: their number goes before anything is cut.
        if (views::textWidth(facts, theme.font(11)) > width)
            facts = facts.section(QStringLiteral(" · "), 1);
        line(30 + textLines * textLineHeight, theme.font(11), Role::Text3, facts, width);
    }
    if (hasFocus())
        views::paintFocusRing(painter, card.adjusted(3, 3, -3, -3), radius, theme);
}

} // namespace app
