#include "views/common/theme/theme.h"

#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/views/common/color_vision.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/theme_table.h"
#include "views/common/theme/widget_theme.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QtTest/QTest>
#include <set>

using views::Role;
using views::Theme;
using views::ThemeKind;

namespace {

const std::array<ThemeKind, 3> everyTheme{ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast};
const std::array<Role, 8> surfaces{Role::Window, Role::Panel, Role::Panel2, Role::Canvas,
                                   Role::Raised, Role::Field, Role::RowAlt, Role::AccentSoft};

/// Fails with the names of both sides, so that the culprit is found at once.
void requireContrast(double limit, const QColor& text, const QColor& surface, const QString& what) {
    const double ratio = views::contrastRatio(text, surface);
    QVERIFY2(ratio >= limit, qPrintable(QStringLiteral("%1: %2 on %3 is %4:1, needs %5:1")
                                            .arg(what, text.name(), surface.name())
                                            .arg(ratio, 0, 'f', 2)
                                            .arg(limit)));
}

void requireDistance(double limit, const QColor& a, const QColor& b, const QString& what) {
    const double distance = tests::worstDistance(a, b);
    QVERIFY2(distance >= limit, qPrintable(QStringLiteral("%1: %2 and %3 are %4 apart, need %5")
                                               .arg(what, a.name(), b.name())
                                               .arg(distance, 0, 'f', 1)
                                               .arg(limit)));
}

} // namespace

class ThemeTest : public QObject {
    Q_OBJECT

private slots:
    void everyRowStandsOnce() {
        std::set<Role> roles;
        for (const views::RoleColors& row : views::roleTable())
            QVERIFY(roles.insert(row.role).second);
        QCOMPARE(roles.size(), views::roleCount);
        std::set<core::MemoryCategory> categories;
        for (const views::CategoryColors& row : views::categoryTable())
            QVERIFY(categories.insert(row.category).second);
        QCOMPARE(categories.size(), core::memoryCategoryCount);
    }

    void textIsReadableOnEverySurface() {
        for (const ThemeKind kind : everyTheme) {
            const Theme theme(kind);
            const double limit = kind == ThemeKind::HighContrast ? 7.0 : 4.5;
            for (const Role surface : surfaces) {
                for (const Role text : {Role::Text, Role::Text2, Role::Text3})
                    requireContrast(limit, theme.color(text), theme.color(surface),
                                    QStringLiteral("text %1 on %2").arg(int(text)).arg(int(surface)));
            }
            requireContrast(limit, theme.color(Role::OnAccent), theme.color(Role::AccentFill),
                            "primary button");
            requireContrast(limit, theme.color(Role::ToolTipText2), theme.color(Role::ToolTip), "tooltip");
        }
    }

    void severitiesAndLinksAreReadableOnTheirSoftFill() {
        const std::array<std::pair<Role, Role>, 5> pairs{{{Role::Error, Role::ErrorSoft},
                                                          {Role::Warning, Role::WarningSoft},
                                                          {Role::Success, Role::SuccessSoft},
                                                          {Role::Info, Role::InfoSoft},
                                                          {Role::AccentText, Role::AccentSoft}}};
        for (const ThemeKind kind : everyTheme) {
            const Theme theme(kind);
            for (const auto& [text, fill] : pairs) {
                requireContrast(4.5, theme.color(text), theme.color(fill), "on its soft fill");
                requireContrast(4.5, theme.color(text), theme.color(Role::Panel), "on panels");
            }
        }
    }

    void stagesStandOutAndCarryReadableNumbers() {
        for (const ThemeKind kind : everyTheme) {
            const Theme theme(kind);
            for (std::size_t k = 0; k < views::stageColorCount; ++k) {
                const QString name = Theme::stageColorName(k);
                requireContrast(kind == ThemeKind::Light ? 2.9 : 3.0, theme.stage(k),
                                theme.color(Role::Panel), name + " on panels");
                requireContrast(4.5, theme.onStage(k), theme.stage(k), "number on " + name);
                requireContrast(7, theme.color(Role::Text), theme.stageLane(k),
                                "text in the lane of " + name);
                requireContrast(4.5, theme.color(Role::Text2), theme.stageTint(k), "text on tint of " + name);
            }
        }
    }

    void activitiesCarryReadableLabelsAndVisibleOutlines() {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            const Theme theme(kind);
            for (std::size_t i = 0; i < views::activityCount; ++i) {
                const auto activity = static_cast<views::Activity>(i);
                const QString name = views::activityName(activity);
                requireContrast(5.5, theme.color(Role::OnFill), theme.activity(activity), name);
                requireContrast(4.5, theme.color(Role::Text), theme.activityMuted(activity), "muted " + name);
                requireContrast(3.0, theme.activityOutline(activity), theme.color(Role::Canvas),
                                "outline of " + name);
            }
        }
    }

    void theWorkOfAPhaseHasTheColourOfItsSpans() {
        for (std::size_t i = 0; i < core::phaseCount; ++i) {
            const auto phase = static_cast<core::Phase>(i);
            QCOMPARE(views::activityOf(phase), views::activityOf(core::spanKindOf(phase)).value());
        }
        QCOMPARE(views::activityName(views::activityOf(core::Phase::WeightGradient)),
                 QStringLiteral("weight gradient"));
    }

    void coloursStayApartInEveryKindOfVision() {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            const Theme theme(kind);
            for (std::size_t a = 0; a < 6; ++a) {
                for (std::size_t b = a + 1; b < 6; ++b)
                    requireDistance(13, theme.stage(a), theme.stage(b), QStringLiteral("stages"));
            }
            for (std::size_t k = 0; k < views::stageColorCount; ++k)
                requireDistance(11, theme.stage(k), theme.stage(k + 1),
                                QStringLiteral("neighbouring stages"));
            using views::Activity;
            for (const auto& [a, b] : {std::pair(Activity::Forward, Activity::Backward),
                                       std::pair(Activity::Forward, Activity::WeightUpdate),
                                       std::pair(Activity::Backward, Activity::WeightUpdate)})
                requireDistance(14, theme.activity(a), theme.activity(b), QStringLiteral("activities"));
            for (std::size_t i = 1; i < core::memoryCategoryCount; ++i) {
                const auto below = static_cast<core::MemoryCategory>(i - 1);
                const auto above = static_cast<core::MemoryCategory>(i);
                requireDistance(14, theme.category(below), theme.category(above),
                                QStringLiteral("touching categories %1").arg(i));
            }
        }
    }

    void plainStagesCarryNoHatchUnlessForced() {
        const Theme theme(ThemeKind::Light);
        for (std::size_t k = 0; k < 12; ++k)
            QCOMPARE(theme.stageHatch(k) == views::HatchPattern::None, k < 6);
        const Theme forced(ThemeKind::Light, 1.0, true);
        for (std::size_t k = 0; k < 12; ++k)
            QVERIFY(forced.stageHatch(k) != views::HatchPattern::None);
        QVERIFY(Theme(ThemeKind::HighContrast).forcesHatches());
        QVERIFY(theme.activityHatch(views::Activity::Recompute) != views::HatchPattern::None);
    }

    void sizesGrowWithTheBodyFont() {
        const Theme theme(ThemeKind::Light, 1.5);
        QCOMPARE(theme.ipx(24), 36);
        QCOMPARE(theme.font().pixelSize(), 18);
    }

    void theStyleSheetHasNoPlaceholderLeft() {
        for (const ThemeKind kind : everyTheme) {
            const QString sheet = views::styleSheet(Theme(kind));
            QVERIFY(sheet.size() > 1000);
            QVERIFY(!sheet.contains(QLatin1Char('$')));
            QVERIFY(!sheet.contains(QRegularExpression("#\\d+#")));
        }
    }

    /// Painting asks the theme by role.
    void noColourStandsOutsideTheThemeFile() {
        const QString root = QString::fromStdString((tests::projectRoot() / "views").string());
        const QRegularExpression literal(QStringLiteral("\"#[0-9A-Fa-f]{6}\"|QColor\\(\\d+ *,|qRgb\\("));
        QDirIterator files(root, {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QRegularExpressionMatch match = literal.match(QString::fromUtf8(file.readAll()));
            QVERIFY2(!match.hasMatch(), qPrintable(file.fileName() + ": " + match.captured()));
        }
    }

    void smallLoadsAndTemporariesStandOutFromTheirGround() {
        const Theme light(ThemeKind::Light);
        QVERIFY(views::contrastRatio(light.category(core::MemoryCategory::Temporary),
                                     light.color(Role::Canvas)) > 2.5);
        QVERIFY(views::contrastRatio(light.tileHeat(0.02), light.color(Role::Panel)) > 1.4);
    }
};

REGISTER_WIDGET_TEST("theme", ThemeTest)
#include "theme_test.moc"
