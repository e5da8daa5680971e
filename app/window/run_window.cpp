#include "app/window/run_window.h"

#include "app/reports/exit_code.h"
#include "app/window/main_window.h"
#include "core/base/version.h"
#include "core/platform/signals.h"

#include <QApplication>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <thread>

namespace app {

namespace {

/// What is not saved is kept before the program ends, and offered at the next start.
void keepAndEnd(MainWindow& window) {
    const auto end = [] { QApplication::exit(static_cast<int>(ExitCode::Interrupted)); };
    if (!window.document().isOpen() || !window.document().isDirty())
        return end();
    QObject::connect(&window.recovery(), &Recovery::kept, &window, end);
    QObject::connect(&window.recovery(), &Recovery::refused, &window, end);
    window.recovery().keepNow();
}

/// Ends the window in order when the session or the terminal ends, or a person presses Ctrl+C there. Outlives
/// the window, whose end waits for what is computed for it.
class EndingWatch {
public:
    void follow(MainWindow& window) {
        m_window = &window;
        m_thread = std::jthread([this](const std::stop_token& over) { watch(over); });
    }
    /// The window is about to go.
    void leave() {
        const std::lock_guard lock(m_mutex);
        m_window = nullptr;
    }

private:
    static constexpr std::int64_t pollMilliseconds = 50;
    static constexpr std::int64_t patienceMilliseconds = 5000;

    static bool isAsked(const std::stop_token& over, std::int64_t milliseconds) {
        for (std::int64_t waited = 0; !over.stop_requested() && waited < milliseconds;
             waited += pollMilliseconds)
            if (core::awaitEndingSignal(pollMilliseconds))
                return true;
        return false;
    }

    void watch(const std::stop_token& over) {
        while (!over.stop_requested()) {
            if (!isAsked(over, patienceMilliseconds))
                continue;
            {
                const std::lock_guard lock(m_mutex);
                if (m_window != nullptr)
                    QMetaObject::invokeMethod(m_window, [window = m_window] { keepAndEnd(*window); });
            }
            // Once more, or no answer: something does not come to its end.
            (void)isAsked(over, patienceMilliseconds);
            if (!over.stop_requested())
                core::endAtOnce(static_cast<int>(ExitCode::Interrupted));
        }
    }

    std::mutex m_mutex;
    MainWindow* m_window = nullptr;
    std::jthread m_thread;
};

} // namespace

int runWindow(int argc, char** argv) {
    // Before Qt makes threads, which would take the signals themselves.
    core::holdEndingSignals();
    QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("ipu-workbench"));
    QApplication::setApplicationName(QStringLiteral("ipu-workbench"));
    QApplication::setApplicationDisplayName(QStringLiteral("IPU Workbench"));
    QApplication::setDesktopFileName(QStringLiteral("ipu-workbench"));
    QApplication::setApplicationVersion(views::toQString(core::programVersion));
    EndingWatch watch;
    MainWindow window;
    watch.follow(window);
    const QStringList arguments = QApplication::arguments();
    std::filesystem::path project;
    if (arguments.size() > 1)
        project = arguments.at(1).toStdString();
    else if (const auto recents = window.settings().recents();
             window.settings().reopensLast() && !recents.empty())
        project = recents.front().path.toStdString();
    // A question about unsaved work is above the window.
    if (!project.empty() && !window.recovery().leftBehindOf(std::filesystem::absolute(project)).empty())
        window.show();
    if (!project.empty())
        window.files().open(project);
    window.show();
    const int code = QApplication::exec();
    watch.leave();
    return code;
}

} // namespace app
