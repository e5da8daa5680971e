#include "app/window/start/recovery.h"

#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "core/interchange/project/project_file.h"
#include "core/profile/schema/process_identity.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>

namespace app {

namespace fs = std::filesystem;
using views::toQString;

namespace {

/// `.NAME.autosave` beside the project; in the program's own folder for one without a file.
QString autosaveFile(const fs::path& project) {
    if (!project.empty())
        return toQString(project.parent_path().string()) + QStringLiteral("/.") +
               toQString(project.filename().string()) + QStringLiteral(".autosave");
    const QDir folder(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation));
    QDir().mkpath(folder.path());
    return folder.filePath(QStringLiteral("untitled-%1.autosave").arg(QCoreApplication::applicationPid()));
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
        if (!m_file.isEmpty() && m_file != autosaveFile(m_document.path()))
            forget();
    });
}

Recovery::~Recovery() = default;

void Recovery::keepNow() {
    m_timer.stop();
    if (!m_document.isOpen() || !m_document.isDirty())
        return;
    m_file = autosaveFile(m_document.path());
    QStringList files = m_settings.recoveryFiles();
    if (!files.contains(m_file))
        m_settings.setRecoveryFiles(files << m_file);
    m_writer.request([this, snapshot = m_document.snapshot(), path = m_document.path().string(),
                      file = m_file.toStdString(), name = m_document.title().toStdString(),
                      now = QDateTime::currentDateTime().toString(Qt::ISODate).toStdString()](
                         const core::JobContext& job) -> views::LatestRunner::Deliver {
        const core::Json json = {{"project_file", path},
                                 {"name", name},
                                 {"kept", now},
                                 {"process", core::currentProcess()},
                                 {"project", core::toJson(*snapshot)}};
        const bool isWritten =
            core::writeFileAtomically(file, core::toText(json), core::Overwrite::Replace).has_value();
        // Saved meanwhile: whoever asked for it removes what it finds, this removes what came later.
        if (job.isCancelled())
            QFile::remove(toQString(file));
        return [this, isWritten] {
            if (isWritten)
                emit kept();
        };
    });
}

void Recovery::forgetFile(const QString& file) {
    QFile::remove(file);
    QStringList files = m_settings.recoveryFiles();
    if (files.removeAll(file) > 0)
        m_settings.setRecoveryFiles(files);
}

void Recovery::forget() {
    m_timer.stop();
    if (m_file.isEmpty())
        return;
    m_writer.cancel();
    forgetFile(std::exchange(m_file, {}));
}

std::vector<UnsavedWork> Recovery::leftBehind() const {
    std::vector<UnsavedWork> works;
    for (const QString& file : m_settings.recoveryFiles()) {
        const auto text = core::readFile(file.toStdString(), core::FileLimit::project);
        if (!text)
            continue;
        const auto json = core::parseJson(*text, file.toStdString());
        if (!json || !json->is_object() || !json->contains("project"))
            continue;
        if (core::isAlive(json->value("process", std::string())))
            continue;
        works.push_back({file, json->value("project_file", std::string()),
                         toQString(json->value("name", std::string())),
                         QDateTime::fromString(toQString(json->value("kept", std::string())), Qt::ISODate),
                         core::toText((*json)["project"])});
    }
    std::sort(works.begin(), works.end(),
              [](const UnsavedWork& a, const UnsavedWork& b) { return a.kept > b.kept; });
    return works;
}

void Recovery::discard(const UnsavedWork& work) {
    forgetFile(work.file);
}

} // namespace app
