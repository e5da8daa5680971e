#include "app/window/start/recovery.h"

#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "core/base/json.h"
#include "core/interchange/project/project_file.h"
#include "core/platform/process_identity.h"
#include "core/platform/temporary_file.h"

#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <cerrno>
#include <cstring>

namespace app {

namespace fs = std::filesystem;
using views::toQString;

namespace {

/// Unsaved work is seen by those who see the project; that of a project without a file by its person alone.
std::uint32_t modeOf(const fs::path& project) {
    constexpr std::uint32_t ownerOnly = 0600;
    std::error_code error;
    const fs::file_status status = fs::status(project, error);
    if (project.empty() || error || !fs::exists(status))
        return ownerOnly;
    // Its person must be able to write it again, also where the project is read-only.
    return static_cast<std::uint32_t>(status.permissions() & fs::perms::all) | ownerOnly;
}

bool isSameFile(const fs::path& one, const fs::path& other) {
    std::error_code error;
    return one.lexically_normal() == other.lexically_normal() || fs::equivalent(one, other, error);
}

core::Diagnostic keepRefused(const QString& file, int reason) {
    return core::makeError(core::Trouble::World, "autosave/not-written", {file.toStdString(), ""},
                           "unsaved work cannot be kept: " + std::string(std::strerror(reason)),
                           {"save the project, or free space on the disk"});
}

} // namespace

Recovery::Recovery(views::Document& document, WindowSettings& settings, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_settings(settings) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(delayMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &Recovery::keepNow);
    connect(&document, &views::Document::projectChanged, this, [this] {
        if (m_document.isDirty())
            m_timer.start();
    });
    connect(&document, &views::Document::dirtyChanged, this, [this](bool isDirty) {
        if (isDirty)
            m_timer.start();
        else
            forget();
    });
    connect(&document, &views::Document::pathChanged, this, [this] {
        if (!m_files.isEmpty() && m_files.front() != autosaveFile(m_document.path()))
            forget();
    });
}

Recovery::~Recovery() = default;

void Recovery::keepNow() {
    m_timer.stop();
    if (!m_document.isOpen() || !m_document.isDirty())
        return;
    const fs::path project = m_document.path();
    m_files = QStringList(autosaveFile(project));
    if (!project.empty())
        m_files << autosaveFileElsewhere(project);
    noteFiles(m_files);
    m_writer.request([this, snapshot = m_document.snapshot(), project, files = m_files,
                      mode = modeOf(project), name = m_document.title().toStdString(),
                      now = QDateTime::currentDateTime().toString(Qt::ISODate).toStdString()](
                         const core::JobContext& job) -> views::LatestRunner::Deliver {
        const core::Json json = {{"project_file", project.string()},
                                 {"name", name},
                                 {"kept", now},
                                 {"process", core::currentProcess()},
                                 {"project", core::toJson(*snapshot)}};
        const std::string text = core::toText(json);
        int reason = 0;
        for (const QString& file : files) {
            reason = core::replaceFile(file.toStdString(), text, mode);
            // Saved meanwhile: whoever asked for it removes what it finds, this removes what came later.
            if (job.isCancelled())
                QFile::remove(file);
            if (reason == 0)
                break;
        }
        return [this, reason, file = files.front()] {
            if (reason != 0) {
                emit refused({keepRefused(file, reason)});
                return;
            }
            forgetFiles(std::exchange(m_adopted, {}));
            emit kept();
        };
    });
}

void Recovery::noteFiles(const QStringList& files) {
    QStringList known = m_settings.recoveryFiles();
    const auto count = known.size();
    for (const QString& file : files) {
        if (!known.contains(file))
            known << file;
    }
    if (known.size() != count)
        m_settings.setRecoveryFiles(known);
}

void Recovery::forgetFiles(const QStringList& files) {
    QStringList known = m_settings.recoveryFiles();
    const auto count = known.size();
    for (const QString& file : files) {
        QFile::remove(file);
        m_claims.erase(file);
        known.removeAll(file);
    }
    if (known.size() != count)
        m_settings.setRecoveryFiles(known);
}

void Recovery::forget() {
    m_timer.stop();
    if (!m_files.isEmpty()) {
        m_writer.cancel();
        forgetFiles(std::exchange(m_files, {}));
    }
    forgetFiles(std::exchange(m_adopted, {}));
}

std::vector<UnsavedWork> Recovery::readAll(const QStringList& files) {
    std::vector<UnsavedWork> works;
    core::Diagnostics troubles;
    QStringList known = m_settings.recoveryFiles();
    const auto count = known.size();
    for (const QString& file : files) {
        if (m_files.contains(file) || m_adopted.contains(file) || !QFile::exists(file))
            continue;
        if (!isAutosaveFile(file)) {
            known.removeAll(file);
            continue;
        }
        auto work = readUnsavedWork(file);
        if (work) {
            if (!core::isAlive(work->process))
                works.push_back(std::move(*work));
            continue;
        }
        const QString aside = setAside(file);
        known.removeAll(file);
        for (core::Diagnostic& trouble : work.error()) {
            if (!aside.isEmpty())
                trouble.hints.push_back("it was renamed to " + aside.toStdString());
            troubles.push_back(std::move(trouble));
        }
    }
    if (known.size() != count)
        m_settings.setRecoveryFiles(known);
    // Reported once the window exists: the first look comes while it is made.
    if (!troubles.empty())
        QMetaObject::invokeMethod(
            this, [this, troubles = std::move(troubles)] { emit damaged(troubles); }, Qt::QueuedConnection);
    std::sort(works.begin(), works.end(),
              [](const UnsavedWork& a, const UnsavedWork& b) { return a.kept > b.kept; });
    return works;
}

std::vector<UnsavedWork> Recovery::leftBehind() {
    return readAll(m_settings.recoveryFiles());
}

std::vector<UnsavedWork> Recovery::leftBehindOf(const fs::path& project) {
    const QStringList beside = autosaveFilesBeside(project);
    QStringList files = m_settings.recoveryFiles();
    for (const QString& file : beside) {
        if (!files.contains(file))
            files << file;
    }
    std::vector<UnsavedWork> works = readAll(files);
    std::erase_if(works, [&](const UnsavedWork& work) {
        return !beside.contains(work.file) && !isSameFile(work.project, project);
    });
    // The folder may have been moved since.
    for (UnsavedWork& work : works)
        work.project = project;
    return works;
}

void Recovery::adopt(const UnsavedWork& work) {
    m_adopted << work.file;
    keepNow();
}

bool Recovery::claim(const UnsavedWork& work) {
    if (m_claims.contains(work.file))
        return true;
    auto claim = core::FileLock::take(work.file.toStdString());
    if (claim)
        m_claims.emplace(work.file, *std::move(claim));
    return m_claims.contains(work.file);
}

void Recovery::release(const UnsavedWork& work) {
    m_claims.erase(work.file);
}

void Recovery::discard(const UnsavedWork& work) {
    if (claim(work))
        forgetFiles({work.file});
}

} // namespace app
