#include "views/graph/painting/canvas_painter.h"

#include "tests/support/test_registry.h"
#include "tests/views/graph/canvas_samples.h"
#include "views/common/theme/widget_theme.h"
#include "views/graph/layout/stage_layout.h"
#include "views/graph/scene/canvas_viewport.h"

#include <QApplication>
#include <QtTest/QTest>
#include <set>

using namespace views;

namespace {

QImage paint(const CanvasModel& model, const CanvasGeometry& geometry, const CanvasState& state,
             const Theme& theme, double zoom) {
    CanvasTexts texts;
    texts.prepare(model, geometry, state, theme);
    QImage image((geometry.bounds.size() * zoom).toSize(), QImage::Format_ARGB32_Premultiplied);
    QPainter painter(&image);
    painter.scale(zoom, zoom);
    CanvasPainter(model, geometry, state, texts, theme).paint(painter, geometry.bounds, zoom);
    return image;
}

void keep(const QImage& image, const QString& name) {
    const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
    if (!folder.isEmpty())
        image.save(folder + "/" + name + ".png");
}

CanvasState sampleState(const CanvasModel& model, const CanvasGeometry& geometry) {
    CanvasState state;
    state.selected.assign(model.nodes.size(), false);
    state.findings.assign(model.nodes.size(), std::nullopt);
    for (const BoxShape& box : geometry.boxes) {
        const int node = box.members.empty() ? 0 : box.members.front();
        state.boxTexts.push_back(
            box.group < 0 ? QString() : QStringLiteral("%1 layers · 282.4 k").arg(box.members.size()));
        state.figures.push_back(box.group < 0
                                    ? NodeFigure{QString::number(node % 150), double(node % 150) / 150}
                                    : NodeFigure{"130", 0.8});
    }
    if (const int node = model.find({"conv3_block1_0_conv", 0}); node >= 0)
        state.selected[std::size_t(node)] = true;
    if (const int node = model.find({"conv1_conv", 0}); node >= 0)
        state.findings[std::size_t(node)] = core::Severity::Warning;
    if (const int node = model.find({"avg_pool", 0}); node >= 0)
        state.findings[std::size_t(node)] = core::Severity::Error;
    return state;
}

} // namespace

class CanvasPainterTest : public QObject {
    Q_OBJECT

private slots:
    void everyThemeAndZoomDrawsTheModel() {
        const CanvasModel model = tests::resnet50(4);
        BlockOptions options;
        for (const CanvasGroup& group : model.groups) {
            if (group.id != "conv3_block1" && group.id != "conv4_block2")
                options.collapsed.insert(group.id);
        }
        const CanvasGeometry geometry = layOutStages(model, options, 1060);
        const CanvasState state = sampleState(model, geometry);
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
            const Theme theme(kind);
            const QImage image = paint(model, geometry, state, theme, 1.5);
            keep(image, "canvas-" + themeName(kind));
            const BoxShape& box = geometry.boxes[std::size_t(geometry.boxOf[0])];
            const QPointF stripe(box.rect.left() + 1.7, box.rect.center().y());
            QCOMPARE(image.pixelColor((stripe * 1.5).toPoint()), theme.stage(0));
        }
        keep(paint(model, geometry, state, Theme(), 0.45), "canvas-45");
        keep(paint(model, geometry, state, Theme(), 0.25), "canvas-25");
        const CanvasGeometry free = layOutFreely(model, options);
        keep(paint(model, free, sampleState(model, free), Theme(), 1), "canvas-free");
        const CanvasModel net = tests::unet(4);
        const CanvasGeometry columns = layOutStages(net, {}, 900);
        keep(paint(net, columns, sampleState(net, columns), Theme(), 1), "canvas-unet");
    }

    void tenThousandLayersAreShownWholeAsADensity() {
        const CanvasModel model = tests::chain(10'000, 2);
        const CanvasGeometry geometry = layOutStages(model, {}, 900);
        const QSize view(900, 500);
        CanvasViewport viewport;
        viewport.fit(geometry.bounds, view, 16);
        QVERIFY(viewport.visible(view).contains(geometry.bounds));
        const CanvasState state = sampleState(model, geometry);
        CanvasTexts texts;
        const Theme theme(ThemeKind::Light);
        texts.prepare(model, geometry, state, theme);
        QImage image(view, QImage::Format_ARGB32_Premultiplied);
        QPainter painter(&image);
        painter.scale(viewport.zoom, viewport.zoom);
        painter.translate(-viewport.origin);
        CanvasPainter(model, geometry, state, texts, theme)
            .paint(painter, viewport.visible(view), viewport.zoom);
        painter.end();
        const int row = view.height() / 2;
        std::set<QRgb> colors;
        for (int x = 0; x < view.width(); ++x)
            colors.insert(image.pixel(x, row));
        QVERIFY(colors.size() >= 3); // both stages beside each other, and what is behind them
        // Nobody zooms farther out than that.
        CanvasViewport farther = viewport;
        farther.zoomAt(QPointF(450, 250), 0.5);
        QCOMPARE(farther.zoom, viewport.zoom);
        keep(image, "canvas-density");
    }

    void cornersAreRoundedAndEndsStay() {
        const QPolygonF line(QVector<QPointF>{{0, 0}, {0, 50}, {50, 50}});
        const QPainterPath path = roundedPath(line, 7);
        QCOMPARE(path.pointAtPercent(0), QPointF(0, 0));
        QCOMPARE(path.pointAtPercent(1), QPointF(50, 50));
        QVERIFY(!path.contains(QPointF(0.2, 49.8)));
        QVERIFY(path.length() < 100);
    }
};

REGISTER_WIDGET_TEST("canvas_painter", CanvasPainterTest)
#include "canvas_painter_test.moc"
