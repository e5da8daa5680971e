#include "views/graph/layout/stage_layout.h"

#include "tests/support/test_registry.h"
#include "tests/views/graph/canvas_samples.h"
#include "views/graph/model/group_detection.h"

#include <QtTest/QTest>
#include <map>
#include <set>

using namespace views;

namespace {

/// What must hold of every drawing, whatever the model.
void requireSound(const CanvasModel& model, const CanvasGeometry& geometry) {
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        QVERIFY(geometry.boxOf[i] >= 0);
        QVERIFY(geometry.bounds.contains(geometry.placeOf[i]));
    }
    std::map<int, std::set<int>> edges;
    for (const EdgeShape& shape : geometry.edges)
        edges[shape.edge].insert(1);
    for (std::size_t e = 0; e < model.edges.size(); ++e) {
        const int from = geometry.boxOf[std::size_t(model.edges[e].from)];
        const int to = geometry.boxOf[std::size_t(model.edges[e].to)];
        QVERIFY2(from == to || edges.contains(int(e)), "an edge is not drawn");
    }
    for (const EdgeShape& shape : geometry.edges) {
        for (const QPolygonF& piece : shape.pieces) {
            for (int p = 0; p + 1 < piece.size(); ++p)
                QVERIFY(std::abs(piece[p].x() - piece[p + 1].x()) < 0.6 ||
                        std::abs(piece[p].y() - piece[p + 1].y()) < 0.6);
        }
    }
    for (std::size_t a = 0; a < geometry.boxes.size() && geometry.boxes.size() < 400; ++a) {
        for (std::size_t b = a + 1; b < geometry.boxes.size(); ++b) {
            const BoxShape& one = geometry.boxes[a];
            const BoxShape& other = geometry.boxes[b];
            if (one.depth == other.depth)
                QVERIFY2(!one.rect.intersects(other.rect), "boxes overlap");
        }
    }
}

/// A way begins at a port of its source's box and ends at one of its target's.
void requireEndsOnPorts(const CanvasModel& model, const CanvasGeometry& geometry) {
    const auto isPort = [](const std::vector<QPointF>& ports, const QPointF& point) {
        return std::any_of(ports.begin(), ports.end(), [&](const QPointF& port) {
            return std::abs(port.x() - point.x()) < 0.6 && std::abs(port.y() - point.y()) < 0.6;
        });
    };
    for (const EdgeShape& shape : geometry.edges) {
        const CanvasEdge& edge = model.edges[std::size_t(shape.edge)];
        const BoxShape& from = geometry.boxes[std::size_t(geometry.boxOf[std::size_t(edge.from)])];
        const BoxShape& to = geometry.boxes[std::size_t(geometry.boxOf[std::size_t(edge.to)])];
        bool starts = false;
        bool ends = false;
        for (const QPolygonF& piece : shape.pieces) {
            starts = starts || isPort(from.outPorts, piece.front());
            ends = ends || isPort(to.inPorts, piece.back());
        }
        QVERIFY(starts);
        QVERIFY(ends);
    }
}

bool crossesABox(const CanvasGeometry& geometry, const QRectF& box) {
    for (const EdgeShape& shape : geometry.edges) {
        for (const QPolygonF& piece : shape.pieces) {
            for (int i = 0; i + 1 < piece.size(); ++i) {
                if (QRectF(piece[i], piece[i + 1])
                        .normalized()
                        .adjusted(-0.5, -0.5, 0.5, 0.5)
                        .intersects(box))
                    return true;
            }
        }
    }
    return false;
}

std::string textOf(const CanvasModel& model, const CanvasGeometry& geometry) {
    std::string text;
    for (const ColumnShape& column : geometry.columns)
        text += "column " + std::to_string(column.stage.index()) + " x " + std::to_string(int(column.left)) +
                ".." + std::to_string(int(column.right())) + ", " + std::to_string(column.invocations) +
                " layers\n";
    for (const BoxShape& box : geometry.boxes) {
        text += std::string(std::size_t(2 * box.depth), ' ') +
                (box.group >= 0 ? (box.isCollapsed ? "[+] " : "[-] ") : "") + boxId(model, box) + " " +
                std::to_string(int(box.rect.x())) + "," + std::to_string(int(box.rect.y())) + " " +
                std::to_string(int(box.rect.width())) + "x" + std::to_string(int(box.rect.height()));
        for (const auto& [node, rect] : box.rows)
            text += " · " + model.nodes[std::size_t(node)].key.path;
        text += "\n";
    }
    return text;
}

BlockOptions allCollapsed(const CanvasModel& model) {
    BlockOptions options;
    for (const CanvasGroup& group : model.groups)
        options.collapsed.insert(group.id);
    return options;
}

} // namespace

class StageLayoutTest : public QObject {
    Q_OBJECT

private slots:
    void groupsFollowThePrefixesOfNames() {
        const CanvasModel model = tests::resnet50(4);
        QCOMPARE(model.groups.size(), std::size_t{16});
        QCOMPARE(model.groups[0].members.size(), std::size_t{12}); // with a shortcut
        const int node = model.find({"conv3_block1_1_conv", 0});
        QCOMPARE(model.groups[std::size_t(model.groupOf[std::size_t(node)])].id, std::string("conv3_block1"));
        QCOMPARE(nameWithin(model, node), "1_conv");
        QCOMPARE(model.groupOf[std::size_t(model.find({"conv1_conv", 0}))], -1);
    }

    void numberedCopiesAreNoGroup() {
        tests::CanvasSample sample;
        int at = sample.add("input", "InputLayer", {});
        for (int i = 0; i < 8; ++i)
            at = sample.add(i == 0 ? QString("dense") : QStringLiteral("dense_%1").arg(i), "Dense", {at});
        QVERIFY(sample.finish().groups.empty());
    }

    void whatAPathLeavesAndComesBackToIsNoGroup() {
        tests::CanvasSample sample;
        const int input = sample.add("input", "InputLayer", {});
        int at = sample.add("block_a", "Dense", {input});
        at = sample.add("block_b", "Dense", {at});
        at = sample.add("other", "Dense", {at});
        at = sample.add("block_c", "Dense", {at});
        at = sample.add("block_d", "Dense", {at});
        sample.add("block_e", "Dense", {at});
        QVERIFY(sample.finish().groups.empty());
    }

    void followersDockUnderTheirProducer() {
        const CanvasModel model = tests::resnet50(1);
        const std::vector<int> heads = dockFollowers(model, true);
        const int conv = model.find({"conv1_conv", 0});
        QCOMPARE(heads[std::size_t(model.find({"conv1_bn", 0}))], conv);
        QCOMPARE(heads[std::size_t(model.find({"conv1_relu", 0}))], conv);
        // The output of the first block feeds two branches of the next and still docks: it has one input.
        QCOMPARE(heads[std::size_t(model.find({"conv2_block1_out", 0}))],
                 model.find({"conv2_block1_add", 0}));
    }

    void aFollowerOnAnotherStageStandsAlone() {
        tests::CanvasSample sample;
        const int input = sample.add("input", "InputLayer", {});
        const int conv = sample.add("conv", "Conv2D", {input});
        const int relu = sample.add("relu", "Activation", {conv});
        sample.split({conv, relu});
        const CanvasModel model = sample.finish();
        QCOMPARE(dockFollowers(model, true)[std::size_t(relu)], relu);
        QCOMPARE(dockFollowers(model, false)[std::size_t(relu)], conv);
    }

    void everySampleIsSoundInEveryState_data() {
        QTest::addColumn<int>("sample");
        QTest::addColumn<int>("stages");
        for (int sample = 0; sample < 3; ++sample) {
            for (const int stages : {1, 2, 4, 7})
                QTest::addRow("sample %d, %d stages", sample, stages) << sample << stages;
        }
    }
    void everySampleIsSoundInEveryState() {
        QFETCH(int, sample);
        QFETCH(int, stages);
        const auto count = std::size_t(stages);
        const CanvasModel model = sample == 0   ? tests::resnet50(count)
                                  : sample == 1 ? tests::chain(40, count)
                                                : tests::unet(count);
        BlockOptions toRight;
        toRight.flow = FlowDirection::Right;
        BlockOptions collapsedToRight = allCollapsed(model);
        collapsedToRight.flow = FlowDirection::Right;
        for (const BlockOptions& options : {BlockOptions{}, allCollapsed(model), toRight, collapsedToRight}) {
            const CanvasGeometry columns = layOutStages(model, options, 1000);
            requireSound(model, columns);
            requireEndsOnPorts(model, columns);
            QCOMPARE(columns.columns.size(), count);
            QVERIFY(columns.bounds.width() >= 999);
            const CanvasGeometry free = layOutFreely(model, options);
            requireSound(model, free);
            requireEndsOnPorts(model, free);
        }
    }

    void boxesStandInTheColumnOfTheirStage() {
        const CanvasModel model = tests::resnet50(4);
        const CanvasGeometry geometry = layOutStages(model, {}, 1000);
        for (const BoxShape& box : geometry.boxes) {
            const ColumnShape& column = geometry.columns[box.stage.index()];
            QVERIFY(box.rect.left() >= column.left && box.rect.right() <= column.right());
        }
    }

    void noLineRunsThroughABoxThatWasDroppedOnIt() {
        CanvasModel model = tests::unet(2);
        CanvasNode& dropped = model.nodes.emplace_back();
        dropped.key = {"dropped", 0};
        dropped.name = "dropped";
        dropped.stage = core::StageId(1);
        model.groupOf.push_back(-1);
        model.index();
        const int node = int(model.nodes.size()) - 1;
        const CanvasGeometry before = layOutStages(model, {}, 1000);
        int crossed = 0;
        for (const EdgeShape& shape : before.edges) {
            for (const QPolygonF& piece : shape.pieces) {
                for (int i = 0; i + 1 < piece.size(); ++i) {
                    // Beside the middle of every long piece, so that the box would lie over it.
                    const QPointF middle = (piece[i] + piece[i + 1]) / 2;
                    if ((piece[i + 1] - piece[i]).manhattanLength() < 90)
                        continue;
                    const CanvasGeometry geometry =
                        layOutStages(model, {}, 1000, {{"dropped", middle + QPointF(30, 0)}});
                    requireSound(model, geometry);
                    requireEndsOnPorts(model, geometry);
                    const QRectF box = geometry.placeOf[std::size_t(node)].adjusted(1, 1, -1, -1);
                    QVERIFY(!crossesABox(geometry, box));
                    crossed += crossesABox(before, box) ? 1 : 0;
                }
            }
        }
        QVERIFY2(crossed > 0, "no line had to make way");
    }

    void tensorsThatSkipStagesAreMarked() {
        const CanvasModel model = tests::unet(4);
        const CanvasGeometry geometry = layOutStages(model, {}, 0);
        const auto passing = std::count_if(geometry.edges.begin(), geometry.edges.end(),
                                           [](const EdgeShape& shape) { return shape.isPassThrough; });
        QVERIFY(passing >= 2);
    }

    void aLineBackIsMarked() {
        tests::CanvasSample sample;
        const int input = sample.add("input", "InputLayer", {});
        const int a = sample.add("a", "Dense", {input});
        const int b = sample.add("b", "Dense", {a});
        sample.split({input, b});
        CanvasModel model = sample.finish();
        model.nodes[std::size_t(b)].stage = core::StageId(0);
        const CanvasGeometry geometry = layOutStages(model, {}, 0);
        requireSound(model, geometry);
        QVERIFY(std::any_of(geometry.edges.begin(), geometry.edges.end(),
                            [](const EdgeShape& shape) { return shape.runsBackwards; }));
    }

    void theDrawingOfASmallModelStaysAsItIs() {
        tests::CanvasSample sample;
        int at = sample.add("image", "InputLayer", {}, {}, "28×28×1");
        const int conv = at = sample.add("conv", "Conv2D", {at}, "3×3, 8", "26×26×8");
        at = sample.add("relu", "Activation", {at}, "relu", "26×26×8");
        const int pool = sample.add("pool", "MaxPooling2D", {at}, "2×2", "13×13×8");
        at = sample.add("merge", "Concatenate", {at, pool}, {}, "13×13×16");
        const int last = sample.add("dense", "Dense", {at}, "10", "10");
        sample.split({conv + 1, last});
        const CanvasModel model = sample.finish();
        QCOMPARE(textOf(model, layOutStages(model, {}, 500)), std::string("column 0 x 0..250, 2 layers\n"
                                                                          "column 1 x 250..500, 3 layers\n"
                                                                          "image 51,14 148x34\n"
                                                                          "conv 51,70 148x52 · relu\n"
                                                                          "pool 301,36 148x34\n"
                                                                          "merge 301,97 148x34\n"
                                                                          "dense 301,153 148x34\n"));
    }

    void aMovedBoxTakesItsLinesAlong() {
        const CanvasModel model = tests::chain(3, 1);
        const CanvasGeometry before = layOutFreely(model, {});
        const CanvasGeometry after = layOutFreely(model, {}, {{"layer1", {400, 300}}});
        const int node = model.find({"layer1", 0});
        QCOMPARE(after.placeOf[std::size_t(node)].topLeft(), QPointF(400, 300));
        QCOMPARE(after.placeOf[0], before.placeOf[0]);
        requireSound(model, after);
        requireEndsOnPorts(model, after);
    }

    void linesGoAroundABoxThatWasMoved() {
        tests::CanvasSample sample;
        const int image = sample.add("image", "InputLayer", {}, {}, "8");
        const int a = sample.add("a", "Dense", {image}, "8", "8");
        const int b = sample.add("b", "Dense", {a}, "8", "8");
        const int c = sample.add("c", "Dense", {b}, "8", "8");
        const int d = sample.add("d", "Add", {c, a}, {}, "8");
        sample.add("e", "Dense", {d}, "8", "8");
        const CanvasModel model = sample.finish();
        const CanvasGeometry before = layOutFreely(model, {});
        const QRectF over = before.placeOf[std::size_t(c)];
        // Onto the line past it; far to the side; above what feeds it; on the other side, between two others.
        for (const QPointF& at : {over.topRight() + QPointF(8, 0), over.topRight() + QPointF(400, 20),
                                  QPointF(-300, -200), over.topLeft() + QPointF(-170, 30)}) {
            const CanvasGeometry geometry = layOutFreely(model, {}, {{"b", at}});
            for (const EdgeShape& shape : geometry.edges) {
                for (const QPolygonF& piece : shape.pieces) {
                    for (int i = 0; i + 1 < piece.size(); ++i) {
                        const QRectF line =
                            QRectF(piece[i], piece[i + 1]).normalized().adjusted(-1, -1, 1, 1);
                        QVERIFY2(piece[i].x() == piece[i + 1].x() || piece[i].y() == piece[i + 1].y(),
                                 "aslant");
                        QVERIFY2(!line.intersects(geometry.placeOf[std::size_t(b)].adjusted(3, 3, -3, -3)),
                                 "a line goes through the box that was moved");
                    }
                }
            }
        }
    }

    void connectionsStraightAcrossAreDrawnAsAU() {
        const CanvasModel model = tests::unet(1);
        BlockOptions options;
        for (const CanvasGroup& group : model.groups)
            options.collapsed.insert(group.id);
        const CanvasGeometry geometry = layOutStages(model, options, 900);
        requireSound(model, geometry);
        const auto down = std::ranges::count(geometry.boxes, FlowDirection::Down, &BoxShape::flow);
        const auto up = std::ranges::count(geometry.boxes, FlowDirection::Up, &BoxShape::flow);
        QVERIFY(down >= 3);
        QVERIFY(up >= 3);
        // The way back is right of the way down, and its last box is as high as the first.
        double left = 0;
        double right = 1e9;
        for (const BoxShape& box : geometry.boxes) {
            if (box.flow == FlowDirection::Down)
                left = std::max(left, box.rect.right());
            else
                right = std::min(right, box.rect.left());
        }
        QVERIFY(left < right);
        int level = 0;
        for (const EdgeShape& shape : geometry.edges) {
            const CanvasEdge& edge = model.edges[std::size_t(shape.edge)];
            const BoxShape& from = geometry.boxes[std::size_t(geometry.boxOf[std::size_t(edge.from)])];
            const BoxShape& to = geometry.boxes[std::size_t(geometry.boxOf[std::size_t(edge.to)])];
            if (from.flow != to.flow) {
                ++level;
                QCOMPARE(shape.pieces.front().size(), 4); // down, straight across, up
            }
        }
        QVERIFY(level >= 3);
    }

    void whatIsCroppedOnItsWayAcrossLeavesTheU() {
        tests::CanvasSample sample;
        int at = sample.add("image", "InputLayer", {}, {}, "64");
        std::vector<int> skips;
        for (const char level : {'a', 'b', 'c'}) {
            at = sample.add(QStringLiteral("conv ") + QChar(level), "Conv2D", {at}, "3×3", "64");
            skips.push_back(sample.add(QStringLiteral("crop ") + QChar(level), "Cropping2D", {at}, {}, "60"));
            at = sample.add(QStringLiteral("pool ") + QChar(level), "MaxPooling2D", {at}, "2×2", "32");
        }
        for (const char level : {'c', 'b', 'a'}) {
            at = sample.add(QStringLiteral("up ") + QChar(level), "UpSampling2D", {at}, "2×2", "60");
            at = sample.add(QStringLiteral("join ") + QChar(level), "Concatenate",
                            {skips[std::size_t(level - 'a')], at}, {}, "60");
            at = sample.add(QStringLiteral("out ") + QChar(level), "Conv2D", {at}, "3×3", "60");
        }
        const CanvasModel model = sample.finish();
        const CanvasGeometry geometry = layOutFreely(model, {});
        requireSound(model, geometry);
        for (const BoxShape& box : geometry.boxes) {
            const QString& name = model.nodes[std::size_t(box.node)].name;
            if (name.startsWith("join") || name.startsWith("out"))
                QCOMPARE(box.flow, FlowDirection::Up);
            else if (!name.startsWith("up"))
                QCOMPARE(box.flow, FlowDirection::Down);
        }
    }

    void aChainOfResidualBlocksIsNoU() {
        tests::CanvasSample sample;
        int at = sample.add("image", "InputLayer", {}, {}, "8");
        const int first = at;
        for (int i = 0; i < 6; ++i) {
            const int block = at;
            at = sample.add(QStringLiteral("a%1").arg(i), "Dense", {at}, "8", "8");
            at = sample.add(QStringLiteral("b%1").arg(i), "Dense", {at}, "8", "8");
            at = sample.add(QStringLiteral("sum%1").arg(i), "Add", {at, block}, {}, "8");
        }
        at = sample.add("all", "Add", {at, first}, {}, "8");
        const CanvasModel model = sample.finish();
        const CanvasGeometry geometry = layOutFreely(model, {});
        QCOMPARE(std::ranges::count(geometry.boxes, FlowDirection::Up, &BoxShape::flow), 0);
        // Nor does its trunk leave the middle.
        for (const BoxShape& box : geometry.boxes)
            QCOMPARE(box.rect.center().x(), geometry.boxes.front().rect.center().x());
    }

    void readFromLeftToRightEveryLineGoesOnToTheRight() {
        BlockOptions options;
        options.flow = FlowDirection::Right;
        for (const CanvasModel& model : {tests::resnet50(2), tests::unet(3), tests::chain(12, 3)}) {
            for (const CanvasGeometry& geometry :
                 {layOutStages(model, options, 900), layOutFreely(model, options)}) {
                requireSound(model, geometry);
                requireEndsOnPorts(model, geometry);
                for (const CanvasEdge& edge : model.edges) {
                    const int from = geometry.boxOf[std::size_t(edge.from)];
                    const int to = geometry.boxOf[std::size_t(edge.to)];
                    if (from != to)
                        QVERIFY(geometry.boxes[std::size_t(from)].rect.right() <
                                geometry.boxes[std::size_t(to)].rect.left());
                }
            }
        }
        // A chain is one straight line through all its stages.
        const CanvasModel chain = tests::chain(12, 3);
        const CanvasGeometry geometry = layOutStages(chain, options, 900);
        for (const BoxShape& box : geometry.boxes)
            QCOMPARE(box.rect.top(), geometry.boxes.front().rect.top());
    }

    void pointsFindBoxesRowsAndLines() {
        const CanvasModel model = tests::resnet50(2);
        const CanvasGeometry geometry = layOutStages(model, {}, 0);
        const int relu = model.find({"conv1_relu", 0});
        QCOMPARE(geometry.nodeAt(geometry.placeOf[std::size_t(relu)].center()), relu);
        const EdgeShape& edge = geometry.edges.front();
        const QPointF middle = (edge.pieces.front()[0] + edge.pieces.front()[1]) / 2;
        QCOMPARE(geometry.edgeAt(middle + QPointF(2, 0), 4), 0);
        QCOMPARE(geometry.nodeAt({-50, -50}), -1);
    }
};

REGISTER_TEST("stage_layout", StageLayoutTest)
#include "stage_layout_test.moc"
