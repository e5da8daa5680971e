#include "views/common/text/elided_text.h"

#include "tests/support/test_registry.h"

#include <QPainter>
#include <QtTest/QTest>

using namespace views;

class ElidedTextTest : public QObject {
    Q_OBJECT

private slots:
    void factsAreLeftOutWhole() {
        const QFont font;
        const QString text = "idle 8.8 %, drain 2.1 %; longest 6.97 ms on IPU 0";
        const auto shown = [&](const QString& room) {
            return wholeFacts(text, font, textWidth(room, font) + 1);
        };
        QCOMPARE(shown(text), text);
        QCOMPARE(shown("idle 8.8 %, drain 2.1 %; longest 6"), QString("idle 8.8 %, drain 2.1 %"));
        QCOMPARE(shown("idle 8.8 %, drain"), QString("idle 8.8 %"));
        QCOMPARE(wholeFacts("a; b, c, d", font, textWidth("a; b, c", font) + 1), QString("a; b, c"));
        // Not even one has room.
        QVERIFY(shown("idle 8").endsWith(QChar(0x2026)));
    }

    void shortAndLongTextBeginWhereTheyAreTold() {
        const auto firstInk = [](Qt::Alignment alignment, const QString& text) {
            QImage image(1400, 30, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            paintElided(painter, image.rect(), alignment, text, QFont());
            painter.end();
            for (int x = 0; x < image.width(); ++x)
                for (int y = 0; y < image.height(); ++y)
                    if (image.pixel(x, y) != QColor(Qt::white).rgb())
                        return x;
            return -1;
        };
        for (const QString& text : {QString("Lifetimes"), QString("Ten letters ").repeated(8)}) {
            QVERIFY2(firstInk(Qt::AlignVCenter, text) >= 0 && firstInk(Qt::AlignVCenter, text) < 5,
                     qPrintable(text));
            QVERIFY(firstInk(Qt::AlignVCenter | Qt::AlignRight, text) > 100);
            QVERIFY(firstInk(Qt::AlignCenter, text) > 100);
        }
    }
};

REGISTER_WIDGET_TEST("elided_text", ElidedTextTest)
#include "elided_text_test.moc"
