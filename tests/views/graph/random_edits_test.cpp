#include "core/project/blocks/repeat_blocks.h"
#include "tests/support/random_graphs.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/graph/graph_view.h"

#include <QApplication>
#include <QImage>
#include <QScreen>
#include <cstdlib>
#include <random>

using namespace views;

namespace {

/// How many edits; the bar of ten thousand takes IPU_WORKBENCH_RANDOM_EDITS=10000.
int editCount() {
    bool isGiven = false;
    const int count = qEnvironmentVariableIntValue("IPU_WORKBENCH_RANDOM_EDITS", &isGiven);
    return isGiven ? count : 600;
}

/// Equal but for the rounding at the edges of lines and icons that a clip brings about: squares of a few
/// pixels are as light as one another.
bool areAlike(const QImage& a, const QImage& b) {
    constexpr int square = 6;
    constexpr int rounding = 12;
    if (a.size() != b.size())
        return false;
    const auto coarse = [](const QImage& image) {
        return image.scaled(image.size() / square, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    };
    const QImage one = coarse(a);
    const QImage other = coarse(b);
    for (int y = 0; y < one.height(); ++y) {
        for (int x = 0; x < one.width(); ++x) {
            if (std::abs(qGray(one.pixel(x, y)) - qGray(other.pixel(x, y))) > rounding)
                return false;
        }
    }
    return true;
}

/// Somebody who does anything, and what the project was after each step.
class Restless {
public:
    explicit Restless(unsigned seed)
        : m_random(seed)
        , m_view(m_document, m_selection, m_intents) {
        m_document.keepSelection(m_selection);
        m_view.resize(900, 600);
        m_view.show();
        core::Project project;
        project.name = "random";
        project.model = tests::randomGraph(m_random);
        m_document.open(std::move(project), {});
        m_states.emplace_back(m_document.project());
    }

    void step() {
        const int index = m_document.undoStack().index();
        const core::Project before = m_document.project();
        switch (m_random() % 8) {
        case 0:
            undo();
            break;
        case 1:
            redo();
            break;
        default:
            edit();
            note(index, before);
        }
        check();
    }

    /// All the way back and forth.
    void checkEnds() {
        const core::Project last = m_document.project();
        const int end = m_document.undoStack().index();
        while (m_document.undoStack().canUndo())
            undo();
        QVERIFY(m_document.project() == *m_states.front());
        while (m_document.undoStack().index() < end)
            redo();
        QVERIFY(m_document.project() == last);
    }

    [[nodiscard]] int edits() const { return m_edits; }

private:
    void undo() {
        if (!m_document.undoStack().canUndo())
            return;
        m_document.undoStack().undo();
        compare();
    }
    void redo() {
        if (!m_document.undoStack().canRedo())
            return;
        m_document.undoStack().redo();
        compare();
    }
    void compare() {
        const auto& expected = m_states[std::size_t(m_document.undoStack().index())];
        if (expected)
            QVERIFY2(m_document.project() == *expected, qPrintable(m_document.undoStack().undoText()));
    }
    /// What came of an edit: one step or more, or nothing at all where it was refused.
    void note(int index, const core::Project& before) {
        const int now = m_document.undoStack().index();
        if (now == index) {
            QVERIFY2(m_document.project() == before, "a refused edit changed the project");
            return;
        }
        QVERIFY(now > index);
        m_edits += now - index;
        m_states.resize(std::size_t(index) + 1);
        m_states.resize(std::size_t(now) + 1);
        m_states.back() = m_document.project();
    }

    /// What holds whatever was done.
    void check() {
        const core::Project& project = m_document.project();
        for (const InvocationKey& key : m_selection.state().invocations)
            QVERIFY2(m_view.canvas().model().find(key) >= 0, ("selected and gone: " + key.path).c_str());
        QVERIFY(project.assignment.stages.empty() ||
                project.assignment.stages.size() == core::assignableInvocations(project.model).size());
        std::set<std::string> names;
        for (const core::Layer& layer : project.model.layers)
            QVERIFY2(names.insert(layer.name).second, layer.name.c_str());
        QCOMPARE(m_view.canvas().geometry().placeOf.size(), m_view.canvas().model().nodes.size());
        checkScreen();
        checkDrawing();
    }
    /// The screen shows what all of the canvas looks like, though each frame drew only what had changed.
    void checkScreen() {
        for (int i = 0; i < 3; ++i)
            QApplication::processEvents();
        CanvasView& canvas = m_view.canvas();
        const QRect place(canvas.mapTo(&m_view, QPoint()), canvas.size());
        const QImage screen = m_view.screen()->grabWindow(m_view.winId()).toImage().copy(place);
        QVERIFY2(areAlike(screen, canvas.grab().toImage()), qPrintable(m_document.undoStack().undoText()));
    }
    /// What followed the edits is what is drawn of the project anew.
    void checkDrawing() {
        const CanvasModel followed = m_view.canvas().model();
        const std::vector<QRectF> places = m_view.canvas().geometry().placeOf;
        m_view.canvas().scene().rebuild();
        const CanvasModel& fresh = m_view.canvas().model();
        QVERIFY2(m_view.canvas().geometry().placeOf == places, qPrintable(m_document.undoStack().undoText()));
        for (std::size_t i = 0; i < fresh.nodes.size(); ++i) {
            QVERIFY(followed.nodes[i].key == fresh.nodes[i].key);
            QCOMPARE(followed.nodes[i].attributes, fresh.nodes[i].attributes);
            QCOMPARE(followed.nodes[i].isLocked, fresh.nodes[i].isLocked);
            QCOMPARE(followed.nodes[i].isMuted, fresh.nodes[i].isMuted);
        }
    }

    [[nodiscard]] std::size_t any(std::size_t count) { return std::size_t(m_random() % count); }
    [[nodiscard]] InvocationKey anyCall() {
        const auto& nodes = m_view.canvas().model().nodes;
        return nodes.empty() ? InvocationKey{"none", 0} : nodes[any(nodes.size())].key;
    }
    void selectSome() {
        std::set<InvocationKey> keys;
        for (std::size_t i = 0; i <= any(4) && !m_view.canvas().model().nodes.empty(); ++i)
            keys.insert(anyCall());
        m_selection.selectInvocations(std::move(keys));
    }
    [[nodiscard]] QString anyClass() {
        static const QStringList classes{"Dense",   "Add",     "ReLU",   "Concatenate",       "InputLayer",
                                         "Dropout", "Flatten", "Conv2D", "LayerNormalization"};
        return classes[qsizetype(any(std::size_t(classes.size())))];
    }

    void edit() {
        CanvasCommands& commands = m_view.commands();
        const CanvasModel& model = m_view.canvas().model();
        selectSome();
        // A model that grows without end says nothing more.
        if (model.nodes.size() > 40)
            return commands.removeSelection(any(2) == 0);
        const core::StageId stage(any(4));
        switch (any(24)) {
        case 0:
            return commands.addLayer(anyClass(), std::optional(TensorSource{anyCall(), 0}), QPointF(10, 20));
        case 1:
        case 2:
            return commands.addBehindSelection(anyClass(), any(2) == 0);
        case 3:
        case 4:
            return commands.connectTo({anyCall(), 0}, anyCall(), any(3));
        case 5:
            if (!model.edges.empty())
                commands.disconnect(model, {int(any(model.edges.size()))});
            return;
        case 6:
            return commands.removeSelection(any(2) == 0);
        case 7:
            return commands.duplicateSelection();
        case 8:
            commands.copySelection();
            return commands.paste(any(2) == 0);
        case 9:
            return commands.rename(anyCall(), QStringLiteral("name_%1").arg(any(30)));
        case 10:
            return commands.assignToStage(m_selection.state().invocations, stage);
        case 11:
            return commands.splitEvenly(1 + any(4));
        case 12:
            return commands.moveCut(any(3), any(12));
        case 13:
            return commands.toggleLocks();
        case 14:
            return commands.setStageProportion(stage, std::string("0.3"));
        case 17:
            return commands.groupSelection(QStringLiteral("group_%1").arg(any(3)));
        case 18:
            return commands.ungroup("group_" + std::to_string(any(3)));
        case 19:
            return commands.writeNote(any(3) == 0 ? QString() : QStringLiteral("a note"));
        case 20:
            return commands.repeatLayers({anyCall().path, anyCall().path}, 2 + any(2));
        case 21:
            return commands.toggleOutputs();
        case 22:
            if (!model.edges.empty())
                commands.insertLayer(anyClass(), model, int(any(model.edges.size())));
            return;
        default:
            return commands.assignToIpu(stage, core::IpuId(any(4)));
        }
    }

    std::mt19937 m_random;
    Document m_document;
    Selection m_selection;
    tests::RecordedIntents m_intents;
    GraphView m_view;
    /// By the place in the history; nothing where one action made several steps.
    std::vector<std::optional<core::Project>> m_states;
    int m_edits = 0;
};

} // namespace

/// Whatever is done on the canvas, undone and done again, ends where it should.
class RandomEditsTest : public QObject {
    Q_OBJECT

private slots:
    void everyStepIsTakenBackAndDoneAgain() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        int edits = 0;
        for (unsigned seed = 1; edits < editCount() && !QTest::currentTestFailed(); ++seed) {
            Restless person(seed);
            constexpr int most = 150;
            for (int i = 0; i < most && edits + person.edits() < editCount() && !QTest::currentTestFailed();
                 ++i)
                person.step();
            if (!QTest::currentTestFailed())
                person.checkEnds();
            edits += person.edits();
            if (QTest::currentTestFailed())
                qWarning("seed %u", seed);
        }
        QVERIFY(edits >= editCount() || QTest::currentTestFailed());
    }
};

REGISTER_WIDGET_TEST("random_edits", RandomEditsTest)
#include "random_edits_test.moc"
