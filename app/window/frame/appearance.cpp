#include "app/window/frame/appearance.h"

#include "views/common/theme/widget_theme.h"

#include <QApplication>
#include <QFontInfo>
#include <algorithm>

namespace app {

namespace {

double systemScale() {
    constexpr double bodySize = 12;
    static const double scale = std::clamp(QFontInfo(QApplication::font()).pixelSize() / bodySize, 1.0, 2.5);
    return scale;
}

} // namespace

Appearance::Appearance(WindowSettings& settings, QObject* parent)
    : QObject(parent)
    , m_settings(settings)
    , m_scale(systemScale()) {
    connect(&m_system, &SystemScheme::changed, this, &Appearance::apply);
    apply();
}

void Appearance::choose(const QString& name) {
    if (name == m_settings.theme())
        return;
    m_settings.setTheme(name);
    apply();
}

void Appearance::setForcesHatches(bool forces) {
    m_settings.setForcesHatches(forces);
    apply();
}

void Appearance::apply() {
    views::ThemeKind kind = m_system.kind();
    for (const auto candidate :
         {views::ThemeKind::Light, views::ThemeKind::Dark, views::ThemeKind::HighContrast}) {
        if (views::themeName(candidate) == m_settings.theme())
            kind = candidate;
    }
    views::applyTheme(*qApp, views::Theme(kind, m_scale, m_settings.forcesHatches()));
    emit changed();
}

} // namespace app
