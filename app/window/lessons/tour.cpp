#include "app/window/lessons/tour.h"

#include "views/common/theme/widget_theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

namespace app {

namespace {

constexpr int cardWidth = 340;

/// Where a card of this size is beside the part: below it, above it, at a side, and inside only where the
/// part leaves no room around it.
QPoint cardPlace(const QRect& spot, const QSize& card, const QRect& window, int gap) {
    const int x = std::clamp(spot.center().x() - card.width() / 2, window.left() + gap,
                             std::max(window.left() + gap, window.right() - card.width() - gap));
    const int y = std::clamp(spot.center().y() - card.height() / 2, window.top() + gap,
                             std::max(window.top() + gap, window.bottom() - card.height() - gap));
    if (spot.isEmpty())
        return {x, y};
    if (spot.bottom() + gap + card.height() + gap < window.bottom())
        return {x, spot.bottom() + gap};
    if (spot.top() - gap - card.height() - gap > window.top())
        return {x, spot.top() - gap - card.height()};
    if (spot.right() + gap + card.width() + gap < window.right())
        return {spot.right() + gap, y};
    if (spot.left() - gap - card.width() - gap > window.left())
        return {spot.left() - gap - card.width(), y};
    return {spot.right() - card.width() - gap, spot.top() + gap};
}

} // namespace

Tour::Tour(std::vector<TourStep> steps, QWidget& window)
    : QWidget(&window)
    , m_steps(std::move(steps))
    , m_card(new QFrame(this))
    , m_title(new QLabel(m_card))
    , m_text(new QLabel(m_card))
    , m_count(new QLabel(m_card))
    , m_back(new QPushButton(tr("Back"), m_card))
    , m_next(new QPushButton(m_card)) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_DeleteOnClose);
    const views::Theme& theme = views::themeOf(&window);
    m_card->setProperty("surface", "card");
    m_card->setFixedWidth(theme.ipx(cardWidth));
    auto* layout = new QVBoxLayout(m_card);
    layout->setContentsMargins(theme.ipx(16), theme.ipx(14), theme.ipx(16), theme.ipx(12));
    layout->setSpacing(theme.ipx(8));
    m_title->setFont(theme.font(14, QFont::DemiBold));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    m_count->setProperty("role", "text3");
    layout->addWidget(m_title);
    layout->addWidget(m_text);
    auto* row = new QHBoxLayout;
    auto* leaving = new QPushButton(tr("Leave"), m_card);
    leaving->setProperty("kind", "quiet");
    m_next->setProperty("kind", "primary");
    row->addWidget(m_count);
    row->addStretch(1);
    row->addWidget(leaving);
    row->addWidget(m_back);
    row->addWidget(m_next);
    layout->addLayout(row);
    for (QPushButton* button : {leaving, m_back, m_next})
        button->setProperty("small", true);
    connect(leaving, &QPushButton::clicked, this, &Tour::leave);
    connect(m_back, &QPushButton::clicked, this, &Tour::goBack);
    connect(m_next, &QPushButton::clicked, this, &Tour::goOn);
    window.installEventFilter(this);
    setGeometry(window.rect());
    show();
    raise();
    showStep();
}

QString Tour::text() const {
    return m_text->text();
}

void Tour::goOn() {
    if (m_step + 1 >= m_steps.size())
        return leave();
    ++m_step;
    showStep();
}

void Tour::goBack() {
    if (m_step == 0)
        return;
    --m_step;
    showStep();
}

void Tour::leave() {
    close();
}

void Tour::showStep() {
    const TourStep& step = m_steps[m_step];
    m_part = step.show();
    m_title->setText(step.title);
    m_text->setText(step.text);
    m_count->setText(tr("%1 of %2").arg(m_step + 1).arg(m_steps.size()));
    m_back->setEnabled(m_step > 0);
    m_next->setText(m_step + 1 < m_steps.size() ? tr("Next") : tr("Done"));
    setAccessibleName(tr("Tour, step %1: %2").arg(m_step + 1).arg(step.title));
    setAccessibleDescription(step.text);
    place();
    setFocus();
    // A dock that was opened for the step has its place after the next round of layouts.
    QTimer::singleShot(0, this, &Tour::place);
}

void Tour::place() {
    const views::Theme& theme = views::themeOf(this);
    setGeometry(parentWidget()->rect());
    const bool isSeen = m_part != nullptr && m_part->isVisible();
    m_spot =
        isSeen ? QRect(m_part->mapTo(parentWidget(), QPoint()), m_part->size()).intersected(rect()) : QRect();
    // What is explained can be used: no part of this widget is over it, but where the card has no other room.
    const QMargins margins = m_card->layout()->contentsMargins();
    m_text->setFixedHeight(m_text->heightForWidth(m_card->width() - margins.left() - margins.right()));
    m_card->layout()->activate();
    m_card->setFixedHeight(m_card->layout()->sizeHint().height());
    m_card->move(cardPlace(m_spot, m_card->size(), rect(), theme.ipx(12)));
    setMask(QRegion(rect()).subtracted(QRegion(m_spot)).united(QRegion(m_card->geometry())));
    raise();
    update();
}

void Tour::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const views::Theme& theme = views::themeOf(this);
    QColor dim = theme.color(views::Role::Shadow);
    dim.setAlphaF(0.55F);
    painter.fillRect(rect(), dim);
    if (m_spot.isEmpty())
        return;
    painter.setPen(QPen(theme.color(views::Role::Accent), theme.px(3)));
    painter.drawRect(m_spot.adjusted(-2, -2, 2, 2));
}

void Tour::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Right:
        return goOn();
    case Qt::Key_Left:
        return goBack();
    case Qt::Key_Escape:
        return leave();
    default:
        QWidget::keyPressEvent(event);
    }
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() &&
        (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest))
        QTimer::singleShot(0, this, &Tour::place);
    return QWidget::eventFilter(watched, event);
}

} // namespace app
