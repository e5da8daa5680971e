#include "app/window/start/unsaved_work.h"

#include "core/base/file.h"
#include "core/base/fingerprint.h"
#include "core/base/json.h"
#include "core/platform/process_identity.h"
#include "views/common/text/number_text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <fmt/format.h>

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

core::Diagnostic damaged(const QString& file, const std::string& place, std::string message) {
    return core::makeError(core::Trouble::World, "autosave/damaged", {file.toStdString(), place},
                           std::move(message),
                           {"open the project itself; what the file holds can be read as JSON"});
}

/// A text of the file; it may be left out, but is nothing else than a text.
core::Result<std::string> textOf(const core::Json& json, const char* key, const QString& file) {
    const auto found = json.find(key);
    if (found == json.end() || found->is_null())
        return std::string();
    if (!found->is_string())
        return core::failure(damaged(file, std::string("/") + key, fmt::format("\"{}\" is not a text", key)));
    return found->get<std::string>();
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

core::Result<UnsavedWork> readUnsavedWork(const QString& file) {
    const std::string path = file.toStdString();
    const auto text = core::readFile(path, unsavedWorkLimit);
    if (!text)
        return core::failure(text.error());
    const auto json = core::parseJson(*text, path);
    if (!json)
        return core::failure(json.error());
    if (!json->is_object())
        return core::failure(damaged(file, "", "holds no unsaved work"));
    UnsavedWork work;
    work.file = file;
    std::string kept;
    std::string name;
    std::string project;
    const std::array<std::pair<const char*, std::string*>, 4> texts{
        {{"project_file", &project}, {"name", &name}, {"kept", &kept}, {"process", &work.process}}};
    for (const auto& [key, field] : texts) {
        auto value = textOf(*json, key, file);
        if (!value)
            return core::failure(value.error());
        *field = std::move(*value);
    }
    const auto content = json->find("project");
    if (content == json->end() || !content->is_object())
        return core::failure(damaged(file, "/project", "\"project\" is not a project"));
    work.text = core::toText(*content);
    work.project = project;
    work.name = name.empty() ? QFileInfo(file).fileName() : toQString(name);
    work.kept = QDateTime::fromString(toQString(kept), Qt::ISODate);
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
