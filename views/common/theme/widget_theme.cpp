#include "views/common/theme/widget_theme.h"

#include "views/common/theme/theme_table.h"
#include "views/common/theme/workbench_style.h"

#include <QApplication>
#include <QFile>
#include <QPalette>
#include <QPixmapCache>
#include <QRegularExpression>
#include <QToolTip>
#include <QWidget>
#include <array>
#include <map>
#include <utility>

namespace views {

namespace {

/// Who was given which theme.
struct GivenThemes {
    Theme application;
    std::map<const QObject*, Theme> widgets;
};

GivenThemes& givenThemes() {
    static GivenThemes themes;
    return themes;
}

constexpr std::array<std::pair<const char*, Role>, 37> sheetNames{{
    {"window", Role::Window},
    {"panel", Role::Panel},
    {"panel2", Role::Panel2},
    {"canvas", Role::Canvas},
    {"raised", Role::Raised},
    {"field", Role::Field},
    {"rowAlt", Role::RowAlt},
    {"hover", Role::Hover},
    {"border", Role::Border},
    {"borderStrong", Role::BorderStrong},
    {"canvasDot", Role::CanvasDot},
    {"hatch", Role::Hatch},
    {"text", Role::Text},
    {"text2", Role::Text2},
    {"text3", Role::Text3},
    {"disabled", Role::Disabled},
    {"accent", Role::Accent},
    {"accentFill", Role::AccentFill},
    {"accentFillHover", Role::AccentFillHover},
    {"onAccent", Role::OnAccent},
    {"accentSoft", Role::AccentSoft},
    {"accentText", Role::AccentText},
    {"error", Role::Error},
    {"errorSoft", Role::ErrorSoft},
    {"warning", Role::Warning},
    {"warningFill", Role::WarningFill},
    {"warningSoft", Role::WarningSoft},
    {"success", Role::Success},
    {"successSoft", Role::SuccessSoft},
    {"info", Role::Info},
    {"infoSoft", Role::InfoSoft},
    {"limit", Role::Limit},
    {"onFill", Role::OnFill},
    {"shadow", Role::Shadow},
    {"toolTip", Role::ToolTip},
    {"toolTipText", Role::ToolTipText},
    {"toolTipText2", Role::ToolTipText2},
}};
static_assert(sheetNames.size() == roleCount);

QPalette paletteOf(const Theme& theme) {
    QPalette palette;
    const std::array<std::pair<QPalette::ColorRole, Role>, 18> roles{{
        {QPalette::Window, Role::Panel},
        {QPalette::WindowText, Role::Text},
        {QPalette::Base, Role::Field},
        {QPalette::AlternateBase, Role::RowAlt},
        {QPalette::ToolTipBase, Role::ToolTip},
        {QPalette::ToolTipText, Role::ToolTipText},
        {QPalette::PlaceholderText, Role::Text3},
        {QPalette::Text, Role::Text},
        {QPalette::Button, Role::Raised},
        {QPalette::ButtonText, Role::Text},
        {QPalette::BrightText, Role::Error},
        {QPalette::Link, Role::AccentText},
        {QPalette::LinkVisited, Role::AccentText},
        {QPalette::Highlight, Role::AccentFill},
        {QPalette::HighlightedText, Role::OnAccent},
        {QPalette::Mid, Role::Border},
        {QPalette::Dark, Role::BorderStrong},
        {QPalette::Light, Role::Panel2},
    }};
    for (const auto& [paletteRole, role] : roles)
        palette.setColor(paletteRole, theme.color(role));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, theme.color(Role::Disabled));
    return palette;
}

} // namespace

const Theme& themeOf(const QWidget* widget) {
    const GivenThemes& themes = givenThemes();
    if (themes.widgets.empty())
        return themes.application;
    for (; widget != nullptr; widget = widget->parentWidget()) {
        if (const auto own = themes.widgets.find(widget); own != themes.widgets.end())
            return own->second;
    }
    return themes.application;
}

QString styleSheet(const Theme& theme) {
    QFile file(QStringLiteral(":/themes/workbench.qss"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString sheet = QString::fromUtf8(file.readAll());
    // Longest names first, so that $text does not eat the beginning of $text2.
    auto names = sheetNames;
    std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) {
        return std::string_view(a.first).size() > std::string_view(b.first).size();
    });
    for (const auto& [name, role] : names)
        sheet.replace(QLatin1Char('$') + QLatin1String(name), theme.color(role).name());
    static const QRegularExpression size(QStringLiteral("#(\\d+)#"));
    for (auto match = size.match(sheet); match.hasMatch(); match = size.match(sheet))
        sheet.replace(match.capturedStart(), match.capturedLength(),
                      QStringLiteral("%1px").arg(theme.ipx(match.captured(1).toInt())));
    return sheet;
}

void applyTheme(QApplication& application, const Theme& theme) {
    givenThemes().application = theme;
    QPixmapCache::clear();
    if (qobject_cast<WorkbenchStyle*>(application.style()) == nullptr && application.styleSheet().isEmpty())
        QApplication::setStyle(new WorkbenchStyle);
    QApplication::setPalette(paletteOf(theme));
    QApplication::setFont(theme.font());
    QToolTip::setFont(theme.font(11));
    application.setStyleSheet(styleSheet(theme));
}

void applyTheme(QWidget& widget, const Theme& theme) {
    std::map<const QObject*, Theme>& themes = givenThemes().widgets;
    if (themes.insert_or_assign(&widget, theme).second)
        QObject::connect(&widget, &QObject::destroyed,
                         [](const QObject* gone) { givenThemes().widgets.erase(gone); });
    widget.setPalette(paletteOf(theme));
    widget.setFont(theme.font());
    widget.setStyleSheet(styleSheet(theme));
}

} // namespace views
