#pragma once

#include "app/window/frame/window_settings.h"
#include "views/document/document.h"
#include "views/document/latest_runner.h"

#include <QDateTime>
#include <QObject>
#include <QTimer>
#include <filesystem>
#include <string>
#include <vector>

namespace app {

/// Unsaved work that a program which is gone left behind.
struct UnsavedWork {
    QString file;
    /// The project's own file; empty when it had none.
    std::filesystem::path project;
    QString name;
    QDateTime kept;
    /// The project itself.
    std::string text;
};

/// Keeps unsaved work beside the project some seconds after an edit, and takes it away when it is saved or
/// given up. What a crash left is offered at the next start.
class Recovery final : public QObject {
    Q_OBJECT

public:
    Recovery(views::Document& document, WindowSettings& settings, QObject* parent = nullptr);
    ~Recovery() override;

    /// Newest first; never that of a program that still runs.
    [[nodiscard]] std::vector<UnsavedWork> leftBehind() const;
    void discard(const UnsavedWork& work);
    /// Nothing of the present project needs to be kept any more.
    void forget();
    /// Writes at once instead of some seconds later.
    void keepNow();

    static constexpr int delayMilliseconds = 4000;

signals:
    void kept();

private:
    void forgetFile(const QString& file);

    views::Document& m_document;
    WindowSettings& m_settings;
    QTimer m_timer;
    QString m_file;
    views::LatestRunner m_writer;
};

} // namespace app
