#include "app/window/dialogs/reading_dialog.h"

#include <QDialog>
#include <QEventLoop>
#include <QFutureWatcher>
#include <QLabel>
#include <QProgressBar>
#include <QSemaphore>
#include <QVBoxLayout>
#include <QtConcurrent/QtConcurrentRun>

namespace app {

namespace {

/// Says what is done; it goes when that is over, not before.
class ReadingDialog final : public QDialog {
public:
    ReadingDialog(QWidget* window, const QString& what)
        : QDialog(window) {
        setWindowTitle(QStringLiteral("IPU Workbench"));
        setWindowModality(Qt::ApplicationModal);
        auto* label = new QLabel(what, this);
        label->setTextFormat(Qt::PlainText);
        auto* bar = new QProgressBar(this);
        bar->setRange(0, 0);
        auto* layout = new QVBoxLayout(this);
        layout->addWidget(label);
        layout->addWidget(bar);
    }

    void reject() override {}
};

} // namespace

void workAside(QWidget* window, const QString& what, const std::function<void()>& work) {
    QSemaphore isDone;
    QFuture<void> future = QtConcurrent::run([&] {
        const QSemaphoreReleaser releaser(isDone);
        work();
    });
    constexpr int momentMs = 150;
    if (!isDone.tryAcquire(1, momentMs)) {
        ReadingDialog dialog(window, what);
        QEventLoop loop;
        QFutureWatcher<void> watcher;
        QObject::connect(&watcher, &QFutureWatcher<void>::finished, &loop, &QEventLoop::quit);
        watcher.setFuture(future);
        dialog.show();
        loop.exec();
    }
    // The program may be asked to quit meanwhile; what is worked with belongs to the caller.
    future.waitForFinished();
}

} // namespace app
