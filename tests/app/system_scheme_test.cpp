#include "app/window/frame/system_scheme.h"

#include "app/window/frame/appearance.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest/QTest>

using views::ThemeKind;

class SystemSchemeTest : public QObject {
    Q_OBJECT

private slots:
    void thePortalSaysDarkLightOrNothing() {
        app::SystemScheme scheme;
        const ThemeKind start = scheme.kind();
        QSignalSpy changed(&scheme, &app::SystemScheme::changed);
        scheme.take("color-scheme", 1U);
        QVERIFY(scheme.kind() == ThemeKind::Dark);
        scheme.take("color-scheme", 2U);
        QVERIFY(scheme.kind() == ThemeKind::Light);
        scheme.take("color-scheme", 7U);
        scheme.take("accent-color", 1U);
        scheme.take("color-scheme", "dark");
        QVERIFY(scheme.kind() == ThemeKind::Light);
        scheme.take("contrast", 1U);
        QVERIFY(scheme.kind() == ThemeKind::HighContrast);
        scheme.take("contrast", 0U);
        scheme.take("color-scheme", 0U);
        QVERIFY(scheme.kind() == start);
        QVERIFY(changed.count() >= 3);
    }

    void theProgramFollowsUntilThePersonChooses() {
        QTemporaryDir folder;
        app::WindowSettings settings(folder.filePath("settings.ini"));
        app::Appearance appearance(settings);
        appearance.choose("system");
        appearance.system().take("color-scheme", 1U);
        QVERIFY(views::themeOf(nullptr).kind() == ThemeKind::Dark);
        appearance.system().take("color-scheme", 2U);
        QVERIFY(views::themeOf(nullptr).kind() == ThemeKind::Light);
        appearance.choose("high-contrast");
        appearance.system().take("color-scheme", 1U);
        QVERIFY(views::themeOf(nullptr).kind() == ThemeKind::HighContrast);
    }
};

REGISTER_WIDGET_TEST("system_scheme", SystemSchemeTest)
#include "system_scheme_test.moc"
