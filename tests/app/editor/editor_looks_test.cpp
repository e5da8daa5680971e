#include "app/window/start/start_page.h"
#include "tests/app/editor/person.h"
#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/graph/graph_view.h"
#include "views/graph/stage_strip.h"
#include "views/profile/tables/table_panel.h"

#include <QApplication>
#include <QLabel>
#include <QTableView>
#include <algorithm>
#include <set>

using tests::Person;
using tests::WindowBench;

namespace {

/// A person before the small pipelined perceptron, and what its canvas looks like.
struct Easel {
    Easel()
        : person(*bench.window, {1280, 800}) {
        const bool isOpen = bench.window->files().open(bench.writeProject()) && bench.waitForEstimate();
        Q_ASSERT(isOpen);
        Q_UNUSED(isOpen)
        person.press("Escape");
    }
    const core::Project& project() const { return bench.window->document().project(); }
    const views::BoxShape& boxOf(const std::string& layer) const {
        const views::CanvasView& canvas = person.canvas();
        const int node = canvas.model().find({layer, 0});
        return canvas.geometry().boxes[std::size_t(canvas.geometry().boxOf[std::size_t(node)])];
    }
    /// The colour of a box where nothing is written, and of its stripe.
    QColor fillOf(const std::string& layer) const {
        return colourAt(boxOf(layer).rect.bottomRight() - QPointF(9, 5));
    }
    QColor stripeOf(const std::string& layer) const {
        return colourAt(QPointF(boxOf(layer).rect.left() + 1.5, boxOf(layer).rect.center().y()));
    }
    QColor colourAt(const QPointF& canvas) const {
        const QPoint at = person.canvas().viewport().toView(canvas).toPoint();
        return person.canvas().grab().toImage().pixelColor(at);
    }

    WindowBench bench;
    Person person;
};

} // namespace

/// What one sees of a model in the real window, and what one comes back to.
class EditorLooksTest : public QObject {
    Q_OBJECT

private slots:
    void init() { views::applyTheme(*qApp, views::Theme(views::ThemeKind::Light)); }

    void inASmallWindowBareNumbersHaveNames() {
        Easel easel;
        QStringList names;
        for (const QLabel* label : easel.bench.window->findChildren<QLabel*>())
            if (label->isVisible())
                names << label->text();
        QVERIFY2(names.contains("Micro-batches") && names.contains("Replicas"),
                 qPrintable(names.join(" | ")));
        easel.person.keep("small-toolbar");
    }

    void heatColoursTheLayerThatTakesLongestMost() {
        Easel easel;
        std::string longest;
        std::string shortest;
        core::Cycles most;
        core::Cycles least;
        for (const core::InvocationEstimate& layer : easel.bench.window->document().estimate()->invocations) {
            if (longest.empty() || layer.forward > most) {
                longest = layer.layer;
                most = layer.forward;
            }
            if (shortest.empty() || layer.forward < least) {
                shortest = layer.layer;
                least = layer.forward;
            }
        }
        QVERIFY(longest != shortest);
        const QColor plain = easel.fillOf(longest);
        QCOMPARE(easel.fillOf(shortest), plain);
        easel.person.click(*easel.person.button("Heat"));
        easel.person.keep("heat-1280-light");
        QVERIFY(easel.fillOf(longest) != plain);
        QVERIFY(easel.fillOf(longest).hsvSaturation() > easel.fillOf(shortest).hsvSaturation());
        easel.person.click(*easel.person.button("Heat"));
        QCOMPARE(easel.fillOf(longest), plain);
    }

    void everyStageHasItsColourOnItsBoxesAndItsHead() {
        Easel easel;
        const views::Theme& theme = views::themeOf(easel.bench.window.get());
        auto* heads = easel.bench.window->findChild<views::StageHeaderStrip*>();
        const QImage strip = heads->grab().toImage();
        const views::CanvasModel& model = easel.person.canvas().model();
        std::set<std::size_t> seen;
        for (const views::CanvasNode& node : model.nodes) {
            const std::size_t stage = node.stage.index();
            seen.insert(stage);
            QCOMPARE(easel.stripeOf(node.key.path), theme.stage(stage));
            const QPoint foot = heads->headRect(stage).bottomLeft().toPoint() + QPoint(40, -2);
            QCOMPARE(strip.pixelColor(foot), theme.stage(stage));
        }
        QCOMPARE(seen.size(), std::size_t(2));
    }

    void aThemeIsTakenAtOnce() {
        Easel easel;
        const auto lightness = [&] {
            return easel.person.canvas().grab().toImage().pixelColor(easel.person.emptyGround()).lightness();
        };
        QVERIFY(lightness() > 200);
        easel.person.command("theme dark");
        QTRY_VERIFY(lightness() < 60);
        easel.person.command("theme high contrast");
        QTRY_VERIFY(lightness() < 20);
        easel.person.command("theme light");
        QTRY_VERIFY(lightness() > 200);
    }

    void aBlockIsGroupedFoldedAndOpenedInPlace() {
        Easel easel;
        Person& person = easel.person;
        const std::string first = easel.project().model.layers[2].name;
        const std::string second = easel.project().model.layers[3].name;
        person.click(person.canvas(), person.placeOf(first));
        person.click(person.canvas(), person.placeOf(second), Qt::ControlModifier);
        person.whenAsked([&] {
            person.press("Ctrl+A");
            person.type("head");
            person.press("Return");
        });
        person.press("Ctrl+G");
        QCOMPARE(person.canvas().model().groups.size(), std::size_t(1));
        const auto isFolded = [&] {
            return std::ranges::any_of(person.canvas().geometry().boxes, &views::BoxShape::isCollapsed);
        };
        const bool before = isFolded();
        person.press("C");
        QCOMPARE(isFolded(), !before);
        person.press("C");
        QCOMPARE(isFolded(), before);
        person.press("Ctrl+Shift+G");
        QVERIFY(person.canvas().model().groups.empty());
    }

    void severalLayersAreGivenOneValue() {
        Easel easel;
        Person& person = easel.person;
        const std::string first = easel.project().model.layers[1].name;
        const std::string second = easel.project().model.layers[2].name;
        person.click(person.canvas(), person.placeOf(first));
        person.click(person.canvas(), person.placeOf(second), Qt::ControlModifier);
        person.setField("units", "96");
        for (const std::string& layer : {first, second})
            QCOMPARE(easel.project().model.layer(*easel.project().model.findLayer(layer)).config["units"],
                     core::Json(96));
    }

    void whatWasOpenedLastComesFirstAndIsOpenedAgain() {
        Easel easel;
        Person& person = easel.person;
        person.press("Ctrl+W");
        const auto* page = easel.bench.window->findChild<app::StartPage*>();
        QTRY_VERIFY(page->isVisible());
        const views::TablePanel* recents = nullptr;
        for (const views::TablePanel* table : page->findChildren<views::TablePanel*>())
            recents = table;
        QVERIFY(recents != nullptr && recents->isVisible());
        person.keep("start-again-1280-light");
        const QTableView& table = recents->table();
        const QPoint row = table.visualRect(table.model()->index(0, 0)).center();
        // In view without scrolling.
        const QPoint inWindow = table.viewport()->mapTo(easel.bench.window.get(), row);
        QVERIFY(easel.bench.window->rect().contains(inWindow));
        QVERIFY(inWindow.y() < 300);
        person.doubleClick(*table.viewport(), row);
        QTRY_VERIFY(easel.bench.window->document().isOpen());
        QCOMPARE(easel.project().name, std::string("small"));
    }
};

REGISTER_WIDGET_TEST("editor_looks", EditorLooksTest)
#include "editor_looks_test.moc"
