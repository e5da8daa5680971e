#include "app/window/frame/system_scheme.h"

#include "app/platform/settings_portal.h"

#include <QApplication>
#include <QPalette>

namespace app {

namespace {

/// What the system wore before the program put on its own palette: asked once, kept for later windows.
views::ThemeKind startKind() {
    static const views::ThemeKind kind = QApplication::palette().color(QPalette::Window).lightness() < 128
                                             ? views::ThemeKind::Dark
                                             : views::ThemeKind::Light;
    return kind;
}

} // namespace

SystemScheme::SystemScheme(QObject* parent)
    : QObject(parent)
    , m_start(startKind()) {
    followSettingsPortal(*this, [this](const QString& key, const QVariant& value) { take(key, value); });
}

views::ThemeKind SystemScheme::kind() const {
    if (m_wantsContrast)
        return views::ThemeKind::HighContrast;
    if (!m_isDark)
        return m_start;
    return *m_isDark ? views::ThemeKind::Dark : views::ThemeKind::Light;
}

void SystemScheme::take(const QString& key, const QVariant& value) {
    const views::ThemeKind before = kind();
    bool isNumber = false;
    const uint number = value.toUInt(&isNumber);
    if (!isNumber)
        return;
    if (key == QStringLiteral("color-scheme") && number <= 2)
        m_isDark = number == 0 ? std::nullopt : std::optional(number == 1);
    else if (key == QStringLiteral("contrast") && number <= 1)
        m_wantsContrast = number == 1;
    if (kind() != before)
        emit changed();
}

} // namespace app
