#include "app/services/catalogue/compact_svg.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QXmlStreamReader>
#include <QtTest/QTest>

using tests::Answer;
using tests::Workbench;

namespace {

QImage raster(const QByteArray& svg) {
    QSvgRenderer renderer(svg);
    QImage image(renderer.defaultSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    renderer.render(&painter);
    return image;
}

QStringList drawingsIn(const QString& page) {
    QStringList drawings;
    static const QRegularExpression svg(QStringLiteral("<svg.*?</svg>"),
                                        QRegularExpression::DotMatchesEverythingOption);
    for (const QRegularExpressionMatch& match : svg.globalMatch(page))
        drawings << match.captured(0);
    return drawings;
}

} // namespace

/// `export --format html`.
class HtmlReportTest : public QObject {
    Q_OBJECT

private slots:
    void thePageHasTheFiguresOfShow() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        (void)workbench.run({"run", "p.ipuproj"});
        const Answer answer = workbench.run({"export", "last", "--format", "html"});
        QVERIFY2(answer.code == 0, answer.err);
        const QString page = QString::fromUtf8(answer.out);
        const core::Json shown = workbench.run({"show", "last", "--json"}).json();
        for (const QString& figure :
             {QString::number(shown["step_cycles"].get<qint64>()),
              QStringLiteral("%1 samples/s").arg(shown["samples_per_second"].get<double>(), 0, 'f', 1),
              QStringLiteral("%1 %").arg(100 * shown["idle_fraction"].get<double>(), 0, 'f', 1),
              QString::number(shown["stages"][1]["forward_cycles"].get<qint64>()),
              QStringLiteral("%1 to %2")
                  .arg(shown["intervals"]["step_cycles"][0].get<qint64>())
                  .arg(shown["intervals"]["step_cycles"][1].get<qint64>()),
              QStringLiteral("%1 to %2")
                  .arg(shown["intervals"]["samples_per_second"][0].get<double>(), 0, 'f', 1)
                  .arg(shown["intervals"]["samples_per_second"][1].get<double>(), 0, 'f', 1),
              QStringLiteral("%1 MiB to %2 MiB")
                  .arg(shown["intervals"]["peak_bytes"][0].get<double>() / 1048576, 0, 'f', 1)
                  .arg(shown["intervals"]["peak_bytes"][1].get<double>() / 1048576, 0, 'f', 1),
              QStringLiteral("4 of 5 programs lie within")})
            QVERIFY2(page.contains(figure), qPrintable(figure));
        for (const char* title :
             {"Timeline of one step", "Memory of the fullest IPU", "Stages, per micro-batch",
              "Idle time by cause", "Changes that would help", "Options", "Training"})
            QVERIFY2(page.contains(QLatin1String(title)), title);
        QVERIFY(page.contains(QStringLiteral("pipeline.gradient_accumulation_steps_per_replica")));
    }

    void thePageAsksForNothingAndRunsNothing() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj",
                               {{"\"name\": \"example\"", R"("name": "<script>alert(1)</script>")"}});
        (void)workbench.run({"run", "p.ipuproj", "--no-numerics"});
        const Answer answer = workbench.run({"export", "last", "--format", "html"});
        QVERIFY(answer.out.size() < 3'000'000);
        QString page = QString::fromUtf8(answer.out);
        QVERIFY(page.contains(QStringLiteral("&lt;script&gt;")));
        QVERIFY(!page.contains(QStringLiteral("<script")));
        // Names of XML vocabularies are no addresses.
        static const QRegularExpression vocabulary(QStringLiteral("xmlns(:xlink)?=\"[^\"]*\""));
        page.remove(vocabulary);
        QVERIFY(!page.contains(QStringLiteral("http")));
        QVERIFY(!page.contains(QStringLiteral("src=")));
        const QStringList drawings = drawingsIn(page);
        QCOMPARE(drawings.size(), 4);
        for (const QString& drawing : drawings) {
            QXmlStreamReader reader(drawing);
            while (!reader.atEnd())
                reader.readNext();
            QVERIFY2(!reader.hasError() || reader.errorString().contains(QStringLiteral("xlink")),
                     qPrintable(reader.errorString()));
        }
    }

    /// A row for each IPU where their lanes are too many to be read, and too much to be sent.
    void aPageOfManyIpusIsSmallEnoughToBeSent() {
        const Workbench workbench;
        std::string hidden = "8";
        for (int layer = 1; layer < 64; ++layer)
            hidden += ",8";
        QCOMPARE(workbench
                     .run({"new", "mlp", QString::fromStdString("hidden=" + hidden), "stages=64",
                           "accumulation=512", "-o", "p.ipuproj"})
                     .code,
                 0);
        QCOMPARE(workbench.run({"run", "p.ipuproj", "--no-numerics"}).code, 0);
        const Answer answer = workbench.run({"export", "last", "--format", "html"});
        QVERIFY2(answer.code == 0, answer.err);
        QVERIFY2(answer.out.size() < 3'000'000, qPrintable(QString::number(answer.out.size())));
        const QString page = QString::fromUtf8(answer.out);
        QVERIFY(page.contains(QStringLiteral("Timeline of one step")));
        QVERIFY(page.contains(QStringLiteral("IPU 63")));
    }

    void aCompactDrawingIsTheSamePicture_data() {
        QTest::addColumn<QString>("view");
        for (const char* view : {"timeline", "liveness", "schedule", "training", "tiles"})
            QTest::newRow(view) << view;
    }
    void aCompactDrawingIsTheSamePicture() {
        QFETCH(const QString, view);
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        (void)workbench.run({"run", "p.ipuproj"});
        const Answer drawn = workbench.run({"export", "last", "--format", "svg", "--view", view});
        QVERIFY2(drawn.code == 0, drawn.err);
        const std::string compact = app::compactSvg(drawn.out.toStdString(), "x-");
        QVERIFY(compact.size() < static_cast<std::size_t>(drawn.out.size()));
        QVERIFY(raster(QByteArray::fromStdString(compact)) == raster(drawn.out));
    }

    void aRunWithoutSpansHasThePageWithoutItsTimeline() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        (void)workbench.run({"run", "p.ipuproj", "--no-numerics", "--profile", "none"});
        const Answer answer = workbench.run({"export", "last", "--format", "html"});
        QVERIFY2(answer.code == 0, answer.err);
        QVERIFY(answer.out.contains("Stages, per micro-batch"));
        QCOMPARE(workbench.run({"export", "p.ipuproj", "--format", "html"}).code, 2);
    }
};

REGISTER_WIDGET_TEST("html_report", HtmlReportTest)
#include "html_report_test.moc"
