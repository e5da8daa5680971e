#include "tests/app/profile/ran_window.h"
#include "tests/support/test_registry.h"
#include "views/common/widgets/segmented_control.h"
#include "views/roofline/roofline_canvas.h"
#include "views/roofline/roofline_view.h"
#include "views/timeline/timeline_canvas.h"
#include "views/timeline/timeline_view.h"

using tests::RanWindow;

namespace {

/// A visible point that no other covers.
std::optional<std::size_t> clearPoint(const views::RooflineCanvas& canvas) {
    const views::RooflineScene& scene = canvas.scene();
    for (std::size_t i = 0; i < scene.points().size(); ++i) {
        const QPointF at = canvas.plane().place(scene.points()[i], scene.data->clockHz);
        if (!scene.points()[i].layer.empty() && views::pointAt(scene, canvas.plane(), at, 1) == i)
            return i;
    }
    return std::nullopt;
}

} // namespace

/// The roofline among the other views of a window.
class RooflineWindowTest : public QObject {
    Q_OBJECT

private slots:
    void anOperationChosenThereIsLitInTheTimeline() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        app::MainWindow& window = *ran.bench.window;
        QTest::keyClick(&window, Qt::Key_8, Qt::ControlModifier | Qt::AltModifier);
        auto* view = window.findChild<views::RooflineView*>();
        QVERIFY(view != nullptr);
        QTRY_VERIFY(view->canvas().scene().data != nullptr);
        QTRY_VERIFY(view->canvas().isVisible());
        const auto point = clearPoint(view->canvas());
        QVERIFY(point.has_value());
        const core::RooflinePoint one = view->canvas().scene().points()[*point];
        QTest::mouseClick(&view->canvas(), Qt::LeftButton, {},
                          view->canvas().plane().place(one, view->canvas().scene().data->clockHz).toPoint());
        auto& timeline = window.workspaces().view<views::TimelineView>();
        window.workspaces().show(views::WorkspaceId::Timeline);
        QTRY_VERIFY(timeline.canvas().scene().programs != nullptr);
        QVERIFY(timeline.canvas().state().layers.contains(one.name));
        QVERIFY(timeline.canvas().state().layers.contains(one.layer));
        QVERIFY(!timeline.canvas().state().highlighted.empty());
    }

    void picturesToLookAt() {
        if (!qEnvironmentVariableIsSet("IPU_WORKBENCH_PICTURES"))
            QSKIP("IPU_WORKBENCH_PICTURES names no folder");
        for (const auto& [example, name] : {std::pair("encoder/encoder.ipuproj", "small"),
                                            std::pair("resnet50/resnet50.ipuproj", "large")}) {
            const RanWindow ran(example);
            QVERIFY(ran.isReady);
            ran.bench.window->workspaces().show(views::WorkspaceId::Roofline);
            auto* view = ran.bench.window->findChild<views::RooflineView*>();
            QTRY_VERIFY(view->canvas().scene().data != nullptr);
            ran.takePictures(QStringLiteral("roofline-") + name);
            view->groupings().button(1)->click();
            ran.takePictures(QStringLiteral("roofline-layers-") + name);
        }
    }
};

REGISTER_WIDGET_TEST("roofline_window", RooflineWindowTest)
#include "roofline_window_test.moc"
