#include "views/common/widgets/notice_bar.h"

#include "views/common/theme/color_mix.h"
#include "views/common/theme/control_painters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace views {

namespace {

struct Tone {
    Role line;
    Role fill;
    const char* icon;
};

Tone toneOf(ChipTone tone) {
    switch (tone) {
    case ChipTone::Error:
        return {Role::Error, Role::ErrorSoft, "error"};
    case ChipTone::Warning:
        return {Role::Warning, Role::WarningSoft, "warn"};
    case ChipTone::Success:
        return {Role::Success, Role::SuccessSoft, "ok"};
    case ChipTone::Accent:
        return {Role::AccentText, Role::AccentSoft, "bulb"};
    case ChipTone::Info:
    case ChipTone::Neutral:
        return {Role::Info, Role::InfoSoft, "info"};
    }
    return {Role::Info, Role::InfoSoft, "info"};
}

} // namespace

NoticeBar::NoticeBar(QWidget* parent)
    : QFrame(parent)
    , m_layout(new QHBoxLayout(this))
    , m_text(new QLabel(this)) {
    const Theme& theme = themeOf(this);
    m_layout->setContentsMargins(theme.ipx(36), theme.ipx(6), theme.ipx(8), theme.ipx(6));
    m_layout->setSpacing(theme.ipx(6));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_layout->addWidget(m_text, 1);
    setMinimumHeight(theme.ipx(36));
}

void NoticeBar::setMessage(ChipTone tone, const QString& text) {
    m_tone = tone;
    m_text->setText(text);
    setAccessibleName(m_text->text());
    for (QPushButton* button : m_buttons)
        button->deleteLater();
    m_buttons.clear();
    update();
}

QPushButton* NoticeBar::addButton(const QString& text, const QString& kind) {
    auto* button = new QPushButton(text, this);
    button->setProperty("kind", kind);
    button->setProperty("small", true);
    m_layout->addWidget(button);
    m_buttons.push_back(button);
    return button;
}

void NoticeBar::addCloseButton() {
    QPushButton* button = addButton({}, QStringLiteral("quiet"));
    button->setIcon(icon(this, QStringLiteral("close")));
    button->setAccessibleName(tr("Close"));
    button->setToolTip(tr("Close this message"));
    connect(button, &QPushButton::clicked, this, [this] {
        hide();
        emit closed();
    });
}

void NoticeBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = themeOf(this);
    const Tone tone = toneOf(m_tone);
    const QColor line = theme.color(tone.line);
    paintCard(painter, rect(), theme.px(6), theme.color(tone.fill), mix(theme.color(tone.fill), line, 0.5),
              theme.frameWidth());
    const double side = theme.px(16);
    paintIcon(painter, QRectF(theme.px(12), height() / 2.0 - side / 2, side, side),
              QString::fromUtf8(tone.icon), line);
}

QString severityIcon(core::Severity severity) {
    return QString::fromUtf8(toneOf(severityTone(severity)).icon);
}

Role severityRole(core::Severity severity) {
    return toneOf(severityTone(severity)).line;
}

ChipTone severityTone(core::Severity severity) {
    switch (severity) {
    case core::Severity::Error:
        return ChipTone::Error;
    case core::Severity::Warning:
        return ChipTone::Warning;
    case core::Severity::Note:
        return ChipTone::Info;
    }
    return ChipTone::Info;
}

} // namespace views
