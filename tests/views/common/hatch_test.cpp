#include "tests/support/test_registry.h"
#include "views/common/theme/hatch.h"

#include <QBuffer>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QtTest/QTest>

using views::HatchPattern;

namespace {

QString svgOf(const QRectF& rect, HatchPattern pattern, const QRectF& clip = {}) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(QSize(300, 200));
    QPainter painter(&generator);
    if (!clip.isEmpty())
        painter.setClipRect(clip);
    views::fillHatch(painter, rect, pattern, Qt::black);
    painter.end();
    return QString::fromUtf8(bytes);
}

/// The ends of every line of a drawing.
QList<QPointF> endsIn(const QString& svg) {
    QList<QPointF> ends;
    static const QRegularExpression lines(QStringLiteral("points=\"([^\"]*)\""));
    for (const QRegularExpressionMatch& line : lines.globalMatch(svg)) {
        for (const QString& point : line.captured(1).split(' ', Qt::SkipEmptyParts)) {
            const QStringList pair = point.split(',');
            ends << QPointF(pair[0].toDouble(), pair[1].toDouble());
        }
    }
    return ends;
}

} // namespace

class HatchTest : public QObject {
    Q_OBJECT

private slots:
    void anAreaIsFilledAsByABrush() {
        for (const QPoint moved : {QPoint(), QPoint(0, -37), QPoint(11, 5)}) {
            for (const QRectF& rect :
                 {QRectF(-20.4, -3, 700.2, 390), QRectF(13.5, 40.5, 300, 2), QRectF(60, 40, 0.4, 90)}) {
                QImage laid(640, 400, QImage::Format_RGB32);
                laid.fill(Qt::lightGray);
                QImage filled = laid;
                for (QImage* picture : {&laid, &filled}) {
                    QPainter painter(picture);
                    painter.setClipRect(QRect(5, 8, 590, 370));
                    painter.translate(moved);
                    if (picture == &laid)
                        views::fillHatch(painter, rect, HatchPattern::Slash, Qt::darkBlue);
                    else
                        painter.fillRect(rect, views::hatchBrush(HatchPattern::Slash, Qt::darkBlue, 1));
                }
                QVERIFY(laid == filled);
            }
        }
    }

    void aDrawingHasNoLineOutsideOfItsArea_data() {
        QTest::addColumn<int>("pattern");
        QTest::newRow("slash") << int(HatchPattern::Slash);
        QTest::newRow("backslash") << int(HatchPattern::Backslash);
        QTest::newRow("cross") << int(HatchPattern::Cross);
        QTest::newRow("vertical") << int(HatchPattern::Vertical);
        QTest::newRow("horizontal") << int(HatchPattern::Horizontal);
    }
    void aDrawingHasNoLineOutsideOfItsArea() {
        QFETCH(const int, pattern);
        for (const QRectF& rect :
             {QRectF(20, 30, 90, 40), QRectF(50.5, 10, 3.2, 120), QRectF(0, 0, 300, 200)}) {
            const QList<QPointF> ends = endsIn(svgOf(rect, HatchPattern(pattern)));
            QVERIFY(rect.width() < 5 || ends.size() > 6);
            for (const QPointF& end : ends)
                QVERIFY2(rect.adjusted(-0.01, -0.01, 0.01, 0.01).contains(end),
                         qPrintable(QStringLiteral("%1, %2").arg(end.x()).arg(end.y())));
        }
    }

    void whatIsClippedAroundStaysClipped() {
        const QRectF clip(40, 40, 50, 20);
        const QList<QPointF> ends = endsIn(svgOf({20, 30, 200, 100}, HatchPattern::Slash, clip));
        QVERIFY(!ends.isEmpty());
        for (const QPointF& end : ends)
            QVERIFY(clip.adjusted(-0.01, -0.01, 0.01, 0.01).contains(end));
    }
};

REGISTER_TEST("hatch", HatchTest)
#include "hatch_test.moc"
