#include "tests/views/common/component_board.h"

#include "tests/support/test_registry.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"

#include <QApplication>
#include <QLabel>
#include <QToolTip>
#include <QtTest/QTest>

using views::Theme;
using views::ThemeKind;

class ComponentBoardTest : public QObject {
    Q_OBJECT

private slots:
    void everyThemeDrawsEveryComponentInItsOwnColours() {
        QImage previous;
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
            views::applyTheme(*qApp, Theme(kind));
            tests::ComponentBoard board;
            board.resize(1600, 720);
            board.show();
            const QImage image = board.grab().toImage();
            QVERIFY(image != previous);
            QCOMPARE(image.pixelColor(2, 2), Theme(kind).color(views::Role::Window));
            previous = image;
            tests::keepPicture(board, "components-" + views::themeName(kind));
        }
        views::applyTheme(*qApp, Theme(ThemeKind::Light));
    }

    void everyIconDrawsSomethingInTheWantedColour() {
        QVERIFY(views::iconNames().size() > 60);
        for (const QString& name : views::iconNames()) {
            const QImage image = views::iconPixmap(name, Qt::red, 32, 1).toImage();
            QVERIFY2(!image.isNull(), qPrintable(name));
            int drawn = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x)
                    drawn += image.pixelColor(x, y).alpha() > 128 ? 1 : 0;
            }
            QVERIFY2(drawn > 20, qPrintable(name));
        }
        QVERIFY(views::iconPixmap("no-such-icon", Qt::red, 16, 1).isNull());
    }

    void anIconFollowsTheTheme() {
        const QIcon icon = views::icon(nullptr, "play", views::Role::Text);
        views::applyTheme(*qApp, Theme(ThemeKind::Dark));
        const QColor dark = icon.pixmap(16, 16).toImage().pixelColor(7, 8);
        views::applyTheme(*qApp, Theme(ThemeKind::Light));
        const QColor light = icon.pixmap(16, 16).toImage().pixelColor(7, 8);
        QVERIFY(dark.lightness() > light.lightness());
    }

    void aNameThatLooksLikeMarkupIsShownAsItIs() {
        views::applyTheme(*qApp, Theme(ThemeKind::Light));
        const QString name = QStringLiteral("<img src='file:///x.png'><b>x</b>");
        QWidget window;
        QLabel shown(name, &window);
        QLabel rich(QStringLiteral("<b>x</b>"), &window);
        rich.setTextFormat(Qt::RichText);
        shown.ensurePolished();
        rich.ensurePolished();
        QCOMPARE(shown.textFormat(), Qt::PlainText);
        QCOMPARE(rich.textFormat(), Qt::RichText);
        QToolTip::showText(QPoint(5, 5), name, &window);
        int tips = 0;
        for (const QWidget* widget : QApplication::topLevelWidgets()) {
            const auto* tip = qobject_cast<const QLabel*>(widget);
            if (tip == nullptr || tip->text() != name)
                continue;
            ++tips;
            QCOMPARE(tip->textFormat(), Qt::PlainText);
        }
        QCOMPARE(tips, 1);
        QToolTip::hideText();
    }

    void aWindowMayHaveAThemeOfItsOwn() {
        views::applyTheme(*qApp, Theme(ThemeKind::Light));
        QWidget light;
        {
            QWidget dark;
            auto* inside = new QLabel(&dark);
            views::applyTheme(dark, Theme(ThemeKind::Dark));
            QVERIFY(views::themeOf(inside).kind() == ThemeKind::Dark);
            QVERIFY(views::themeOf(&light).kind() == ThemeKind::Light);
            inside->ensurePolished();
            // Known to be wrong, cause not found yet: colours that come from the palette stay the
            // application's.
            QEXPECT_FAIL("", "the palette inside stays the application's", Continue);
            QCOMPARE(inside->palette().color(QPalette::WindowText),
                     Theme(ThemeKind::Dark).color(views::Role::Text));
            const auto brightness = [](const QWidget& widget) {
                const QIcon icon = views::icon(&widget, "play", views::Role::Text);
                return icon.pixmap(16, 16).toImage().pixelColor(7, 8).lightness();
            };
            QVERIFY(brightness(*inside) > brightness(light));
        }
        QVERIFY(views::themeOf(nullptr).kind() == ThemeKind::Light);
    }
};

REGISTER_WIDGET_TEST("component_board", ComponentBoardTest)
#include "component_board_test.moc"
