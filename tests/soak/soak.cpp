// Hours in front of one window, in minutes: random commands of the palette, with runs, cancelled runs and
// other projects between them. soak.py drives it.
//
// usage: soak SECONDS SEED LOG [SCRIPT]
// LOG gets each step before it is made. With SCRIPT the steps of that file are made instead of random ones.
// Exit code 1: undo was not exact, or in ten minutes or more the memory grew by more than a twentieth.

#include "app/window/dialogs/command_palette.h"
#include "app/window/dialogs/run_finder.h"
#include "app/window/main_window.h"
#include "core/platform/helper_process.h"
#include "tests/app/window_bench.h"
#include "views/graph/graph_view.h"

#include <QApplication>
#include <QDialog>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <malloc.h>
#include <map>
#include <random>
#include <string>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/allocator_interface.h>
#endif

namespace {

std::size_t bytesInUse() {
#if defined(__SANITIZE_ADDRESS__)
    return __sanitizer_get_current_allocated_bytes();
#else
    return mallinfo2().uordblks;
#endif
}

/// Milliseconds that this thread worked: a busy machine makes no stall.
qint64 workedMilliseconds() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return qint64(time.tv_sec) * 1000 + time.tv_nsec / 1000000;
}

/// How long the event loop did not come round, by what was done last.
class StallWatch {
public:
    StallWatch() {
        constexpr int interval = 5;
        m_timer.setInterval(interval);
        QObject::connect(&m_timer, &QTimer::timeout, [this] { look(); });
        m_timer.start();
    }
    void begin(const QString& what) {
        look();
        m_what = what;
    }
    void print() const {
        std::vector<std::pair<qint64, QString>> stalls;
        for (const auto& [what, longest] : m_longest)
            stalls.emplace_back(longest, what);
        std::sort(stalls.rbegin(), stalls.rend());
        constexpr qint64 noticed = 100;
        constexpr std::size_t most = 12;
        for (std::size_t i = 0; i < std::min(most, stalls.size()) && stalls[i].first > noticed; ++i)
            std::printf("stall of %lld ms: %s\n", static_cast<long long>(stalls[i].first),
                        qPrintable(stalls[i].second));
    }

private:
    void look() {
        const qint64 now = workedMilliseconds();
        qint64& longest = m_longest[m_what];
        longest = std::max(longest, now - m_last);
        m_last = now;
    }

    QTimer m_timer;
    qint64 m_last = workedMilliseconds();
    QString m_what;
    std::map<QString, qint64> m_longest;
};

class Soak {
public:
    Soak(unsigned int seed, const QString& log)
        : m_random(seed)
        , m_log(log) {
        (void)m_log.open(QIODevice::WriteOnly);
        for (int i = 0; i < 3; ++i)
            m_projects.push_back(m_bench.writeProject(QStringLiteral("p%1.ipuproj").arg(i), 1 + i));
        m_bench.dialogs->unsaved = app::Dialogs::Unsaved::Discard;
        m_bench.dialogs->confirms = true;
        m_bench.dialogs->file = QString::fromStdString(m_projects[0].string());
        m_bench.dialogs->target = m_bench.folder.filePath("saved.ipuproj");
        m_bench.window->show();
        m_answers.setInterval(50);
        QObject::connect(&m_answers, &QTimer::timeout, [this] { answerDialog(); });
        m_answers.start();
    }

    /// False when something is wrong.
    bool make(const QString& step) {
        m_log.write(step.toUtf8() + "\n");
        m_log.flush();
        m_stalls.begin(step);
        m_step = step;
        app::MainWindow& window = *m_bench.window;
        const QString kind = step.section(' ', 0, 0);
        const QString rest = step.section(' ', 1);
        if (kind == "command") {
            choose(rest);
        } else if (kind == "open") {
            window.files().open(m_projects[static_cast<std::size_t>(rest.toInt()) % m_projects.size()]);
        } else if (kind == "select") {
            select(rest.toUInt());
        } else if (kind == "wait") {
            QTest::qWait(rest.toInt());
        } else if (kind == "undo-and-redo") {
            return isUndoExact();
        }
        QTest::qWait(1);
        return true;
    }

    QString randomStep() {
        const unsigned int dice = below(100);
        if (dice < 12)
            return QStringLiteral("select %1").arg(below(1U << 16U));
        if (dice < 18)
            return QStringLiteral("wait %1").arg(below(300));
        if (dice < 22)
            return QStringLiteral("open %1").arg(below(3));
        if (dice < 27)
            return QStringLiteral("undo-and-redo");
        QString pattern = QStringLiteral(">");
        const auto entries = app::paletteEntries(sources(), pattern);
        for (int attempt = 0; attempt < 50; ++attempt) {
            const views::SearchEntry& entry = entries[below(static_cast<unsigned int>(entries.size()))];
            if (entry.isEnabled && entry.id != "file.quit")
                return "command " + entry.id;
        }
        return QStringLiteral("wait 10");
    }

    /// What is in use when nothing runs and the first project was just opened.
    std::size_t bytesAtRest() {
        m_stalls.begin("at rest");
        constexpr int patience = 60000;
        m_bench.window->runs().cancel();
        (void)QTest::qWaitFor([this] { return !m_bench.window->runs().isRunning(); }, patience);
        m_bench.window->files().open(m_projects.front());
        (void)m_bench.waitForEstimate();
        QTest::qWait(200);
        return bytesInUse();
    }
    void printStalls() const { m_stalls.print(); }

private:
    app::PaletteSources sources() {
        app::MainWindow& window = *m_bench.window;
        return {window.document(),   window.selection(), window.actions(), window.graph().canvasActions(),
                window.workspaces(), window.intents(),   window.source(),  m_finder};
    }

    void choose(const QString& id) {
        QString pattern = QStringLiteral(">");
        for (const views::SearchEntry& entry : app::paletteEntries(sources(), pattern))
            if (entry.id == id && entry.isEnabled)
                return app::choosePaletteEntry(sources(), id);
    }

    void select(unsigned int number) {
        const views::Document& document = m_bench.window->document();
        if (!document.isOpen() || document.project().model.layers.empty())
            return;
        const auto& layers = document.project().model.layers;
        m_bench.window->selection().selectLayer(layers[number % layers.size()].name);
    }

    /// All the way back and forth again, twice: the same project at the same place.
    bool isUndoExact() {
        views::Document& document = m_bench.window->document();
        QUndoStack& stack = document.undoStack();
        if (!document.isOpen() || stack.count() == 0)
            return true;
        const int present = stack.index();
        std::map<int, core::Project> known;
        const auto look = [&](int index) {
            stack.setIndex(index);
            const auto [place, isNew] = known.try_emplace(index, document.project());
            return isNew || place->second == document.project();
        };
        for (int index = stack.count(); index >= 0; --index)
            (void)look(index);
        for (int index = 0; index <= stack.count(); ++index) {
            if (!look(index)) {
                std::printf("step %d of the history is another project the second time\n", index);
                return false;
            }
        }
        stack.setIndex(present);
        return document.project() == known.at(present);
    }

    void answerDialog() {
        if (auto* popup = QApplication::activePopupWidget())
            popup->close();
        if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) {
            // The step says the answer, so that a script of some of the steps gets the same ones.
            if (qHash(m_step) % 2 == 0)
                dialog->accept();
            else
                dialog->reject();
        }
    }

    unsigned int below(unsigned int bound) {
        return static_cast<unsigned int>(m_random() % std::max(1U, bound));
    }

    std::mt19937 m_random;
    QString m_step;
    QFile m_log;
    tests::WindowBench m_bench;
    app::RunFinder m_finder;
    std::vector<std::filesystem::path> m_projects;
    QTimer m_answers;
    StallWatch m_stalls;
};

QStringList linesOf(const QString& name) {
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts)
                                          : QStringList();
}

} // namespace

int main(int argc, char** argv) {
    if (const auto code = core::serveHelper(std::vector<std::string>(argv + 1, argv + argc)))
        return *code;
    if (argc < 4) {
        std::fprintf(stderr, "usage: soak SECONDS SEED LOG [SCRIPT]\n");
        return 2;
    }
    QApplication application(argc, argv);
    const qint64 milliseconds = 1000 * QString(argv[1]).toLongLong();
    Soak soak(QString(argv[2]).toUInt(), argv[3]);
    QElapsedTimer passed;
    passed.start();
    std::size_t early = 0;
    int steps = 0;
    if (argc > 4) {
        for (const QString& step : linesOf(argv[4]))
            if (!soak.make(step))
                return 1;
    } else {
        for (; passed.elapsed() < milliseconds; ++steps) {
            if (!soak.make(soak.randomStep()))
                return 1;
            // What is kept for good is there after a quarter of the time.
            if (early == 0 && passed.elapsed() > milliseconds / 4)
                early = soak.bytesAtRest();
        }
    }
    const std::size_t late = soak.bytesAtRest();
    soak.printStalls();
    if (argc > 4)
        return 0;
    std::printf("%d steps; %zu KiB in use after a quarter, %zu at the end\n", steps, early / 1024,
                late / 1024);
    constexpr qint64 longEnough = 600000;
    const bool hasGrown = milliseconds >= longEnough && late > early + early / 20;
    if (hasGrown)
        std::printf("the memory grew\n");
    return hasGrown ? 1 : 0;
}
