#include "app/window/appearance.h"

#include "views/common/active_theme.h"

#include <QApplication>
#include <QFontInfo>
#include <QPalette>
#include <algorithm>

namespace app {

namespace {

/// What the system wore before the program put on its own palette: asked once, kept for later windows.
views::ThemeKind systemKind() {
    static const views::ThemeKind kind = QApplication::palette().color(QPalette::Window).lightness() < 128
                                             ? views::ThemeKind::Dark
                                             : views::ThemeKind::Light;
    return kind;
}

double systemScale() {
    constexpr double bodySize = 12;
    static const double scale = std::clamp(QFontInfo(QApplication::font()).pixelSize() / bodySize, 1.0, 2.5);
    return scale;
}

} // namespace

Appearance::Appearance(WindowSettings& settings, QObject* parent)
    : QObject(parent)
    , m_settings(settings)
    , m_systemKind(systemKind())
    , m_scale(systemScale()) {
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
    views::ThemeKind kind = m_systemKind;
    for (const auto candidate :
         {views::ThemeKind::Light, views::ThemeKind::Dark, views::ThemeKind::HighContrast}) {
        if (views::themeName(candidate) == m_settings.theme())
            kind = candidate;
    }
    views::applyTheme(*qApp, views::Theme(kind, m_scale, m_settings.forcesHatches()));
    emit changed();
}

} // namespace app
