#pragma once

#include "app/window/frame/window_settings.h"
#include "app/window/start/unsaved_work.h"
#include "core/platform/file_descriptor.h"
#include "views/document/document.h"
#include "views/document/latest_runner.h"

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <map>
#include <vector>

namespace app {

/// Keeps unsaved work beside the project some seconds after an edit, and takes it away when it is saved or
/// given up. What a crash left is offered at the next start, and whenever its project is opened.
class Recovery final : public QObject {
    Q_OBJECT

public:
    Recovery(views::Document& document, WindowSettings& settings, QObject* parent = nullptr);
    ~Recovery() override;

    /// Newest first; never that of a program that still runs. What cannot be read is set aside and reported
    /// by `damaged`.
    [[nodiscard]] std::vector<UnsavedWork> leftBehind();
    /// That of one project, also what a program with other settings left beside it.
    [[nodiscard]] std::vector<UnsavedWork> leftBehindOf(const std::filesystem::path& project);
    /// Before anything is decided about it: false when another process decides just now, or has decided. What
    /// is claimed stays so until it is discarded, adopted and kept, or released.
    [[nodiscard]] bool claim(const UnsavedWork& work);
    /// The decision is put off.
    void release(const UnsavedWork& work);
    void discard(const UnsavedWork& work);
    /// The work has become the present project: its file goes as soon as this process keeps it itself.
    void adopt(const UnsavedWork& work);
    /// Nothing of the present project needs to be kept any more.
    void forget();
    /// Writes at once instead of some seconds later.
    void keepNow();

    static constexpr int delayMilliseconds = 4000;

signals:
    void kept();
    /// The disk refused to keep the work, wherever it was tried.
    void refused(const core::Diagnostics& why);
    /// Files that hold no unsaved work were set aside.
    void damaged(const core::Diagnostics& why);

private:
    void forgetFiles(const QStringList& files);
    void noteFiles(const QStringList& files);
    [[nodiscard]] std::vector<UnsavedWork> readAll(const QStringList& files);

    views::Document& m_document;
    WindowSettings& m_settings;
    QTimer m_timer;
    /// Where the present project is kept: beside it, else elsewhere. Empty: it was not yet.
    QStringList m_files;
    /// What the present project was restored from, until it is kept itself.
    QStringList m_adopted;
    /// Of two processes that open the same project, not both restore what a crash left, nor one discards what
    /// the other shows.
    std::map<QString, core::FileLock> m_claims;
    views::LatestRunner m_writer;
};

} // namespace app
