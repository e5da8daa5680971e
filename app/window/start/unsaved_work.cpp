#include "app/window/start/unsaved_work.h"

#include "core/base/file.h"
#include "core/base/fingerprint.h"
#include "core/interchange/project/kept_work.h"
#include "core/platform/process_identity.h"
#include "views/common/text/number_text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace app {

namespace fs = std::filesystem;
using views::toQString;

namespace {

constexpr std::uintmax_t unsavedWorkLimit = std::uintmax_t{1} << 30;
const QString autosaveEnding = QStringLiteral(".autosave");

QString ownFolder() {
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    QDir().mkpath(folder);
    return folder;
}

QString tagText() {
    return toQString(core::processTag());
}

} // namespace

QString autosaveFile(const fs::path& project) {
    if (project.empty())
        return QDir(ownFolder()).filePath(QStringLiteral("untitled-") + tagText() + autosaveEnding);
    const QString folder = toQString(project.parent_path().string());
    return QStringLiteral("%1/.%2.%3").arg(folder, toQString(project.filename().string()), tagText()) +
           autosaveEnding;
}

QString autosaveFileElsewhere(const fs::path& project) {
    const QString sum = toQString(core::fingerprint(project.string()).substr(0, 12));
    return QDir(ownFolder())
        .filePath(QStringLiteral("%1-%2-%3").arg(toQString(project.stem().string()), sum, tagText()) +
                  autosaveEnding);
}

QStringList autosaveFilesBeside(const fs::path& project) {
    if (project.empty())
        return {};
    const QString start = u'.' + toQString(project.filename().string());
    const QDir folder(toQString(project.parent_path().string()));
    QStringList files;
    for (const QString& name : folder.entryList(QDir::Files | QDir::Hidden)) {
        if (!name.startsWith(start + u'.') || !name.endsWith(autosaveEnding))
            continue;
        // ".NAME.autosave" was the name before it held the process.
        const QString middle = name.mid(start.size(), name.size() - start.size() - autosaveEnding.size());
        if (middle.isEmpty() || core::ownerOfTag(middle.mid(1).toStdString()) != core::TagOwner::Nobody)
            files << folder.filePath(name);
    }
    return files;
}

bool isAutosaveFile(const QString& file) {
    const QFileInfo info(file);
    return info.fileName().endsWith(autosaveEnding) && info.isFile() && !info.isSymLink();
}

core::Result<UnsavedWork> readUnsavedWork(const QString& file) {
    const std::string path = file.toStdString();
    const auto text = core::readFile(path, unsavedWorkLimit);
    if (!text)
        return core::failure(text.error());
    auto content = core::readKeptWork(*text, path);
    if (!content)
        return core::failure(std::move(content.error()));
    UnsavedWork work;
    work.file = file;
    work.project = content->projectFile;
    work.name = content->name.empty() ? QFileInfo(file).fileName() : toQString(content->name);
    work.kept = QDateTime::fromString(toQString(content->kept), Qt::ISODate);
    work.process = std::move(content->process);
    work.text = std::move(content->project);
    if (!work.kept.isValid())
        work.kept = QFileInfo(file).lastModified();
    return work;
}

QString setAside(const QString& file) {
    QString name = file + QStringLiteral(".damaged");
    for (int number = 2; QFile::exists(name); ++number)
        name = file + QStringLiteral(".damaged-%1").arg(number);
    return QFile::rename(file, name) ? name : QString();
}

} // namespace app
