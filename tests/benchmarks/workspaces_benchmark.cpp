/// How soon each workspace of the window shows a stored run, how long it holds up the window's thread
/// meanwhile, and how much memory the window takes.
///
/// workspaces_benchmark PROJECT            (QT_QPA_PLATFORM=offscreen without a display)
///
/// The runs are those beside the project: NAME.profiles.sqlite.

#include "app/services/catalogue/view_table.h"
#include "app/window/main_window.h"
#include "tests/benchmarks/frames.h"
#include "views/timeline/timeline_canvas.h"
#include "views/timeline/timeline_view.h"

#include <QApplication>
#include <QTemporaryDir>
#include <ctime>

namespace {

/// What a person notices as a stop, in ms.
constexpr double holdLimit = 100;
constexpr double megabyteLimit = 400;

struct Wait {
    double all = 0;     ///< until everything is there
    double longest = 0; ///< that the window's thread did nothing else in one go
};

/// Until no thread of the process has worked for a while.
Wait waitForAnswers(QElapsedTimer clock) {
    constexpr double quiet = 300;
    constexpr double most = 120'000;
    constexpr double idleShare = 0.15; // what waiting itself takes
    constexpr double portion = 50;
    Wait wait;
    double now = double(clock.nsecsElapsed()) / 1e6;
    wait.longest = wait.all = now;
    double portionStart = now;
    std::clock_t used = std::clock();
    while (now - wait.all < quiet && now < most) {
        const double before = benchmarks::threadMilliseconds();
        QApplication::processEvents(QEventLoop::AllEvents, 1);
        wait.longest = std::max(wait.longest, benchmarks::threadMilliseconds() - before);
        now = double(clock.nsecsElapsed()) / 1e6;
        if (now - portionStart > portion) {
            const std::clock_t usedNow = std::clock();
            if (1e3 * double(usedNow - used) / CLOCKS_PER_SEC > idleShare * (now - portionStart))
                wait.all = now;
            portionStart = now;
            used = usedNow;
        }
        QThread::msleep(1);
    }
    return wait;
}

} // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    if (argc < 2) {
        fmt::print(stderr, "workspaces_benchmark PROJECT\n");
        return 2;
    }
    const QTemporaryDir folder;
    app::MainWindow window(folder.filePath("settings.ini"));
    window.resize(1600, 1000);
    window.show();
    QElapsedTimer clock;
    clock.start();
    if (!window.files().open(argv[1])) {
        fmt::print(stderr, "{} is no project\n", argv[1]);
        return 1;
    }
    const Wait opening = waitForAnswers(clock);
    fmt::print("{:<10} {:>8} {:>8} {:>8}\n", "workspace", "ms", "held ms", "MB");
    const auto tell = [](const char* name, const Wait& wait) {
        const double memory = benchmarks::peakMegabytes();
        fmt::print("{:<10} {:>8.0f} {:>8.0f} {:>8.0f}{}{}\n", name, wait.all, wait.longest, memory,
                   wait.longest > holdLimit ? "  stops" : "", memory > megabyteLimit ? "  too much" : "");
        std::fflush(stdout);
    };
    tell("opening", opening);
    for (const app::WorkspaceRow& row : app::workspaceRows()) {
        clock.restart();
        window.workspaces().show(row.id);
        tell(row.key, waitForAnswers(clock));
        if (row.id != views::WorkspaceId::Timeline)
            continue;
        clock.restart();
        window.workspaces().view<views::TimelineView>().canvas().setCriticalPath(true);
        tell(" its path", waitForAnswers(clock));
    }
    return 0;
}
