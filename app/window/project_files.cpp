#include "app/window/project_files.h"

#include "app/services/run/stored_data.h"
#include "app/services/run/system_findings.h"
#include "app/window/dialogs/reading_dialog.h"
#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "core/base/fingerprint.h"
#include "core/interchange/importer_catalogue.h"
#include "core/interchange/project/project_file.h"
#include "core/interchange/templates/template_project.h"
#include "core/platform/temporary_file.h"
#include "core/profile/schema/profile_database.h"
#include "views/document/layer_count.h"

#include <QApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>

namespace app {

namespace fs = std::filesystem;

namespace {

using views::toQString;

QString projectFilter() {
    return ProjectFiles::tr("Projects (*.ipuproj);;All files (*)");
}

QString patterns(const std::vector<std::string_view>& endings) {
    QStringList texts;
    for (const std::string_view ending : endings)
        texts += u'*' + toQString(ending);
    return texts.join(u' ');
}

/// Everything that can be imported, then program by program.
QString importFilter() {
    std::vector<std::string_view> all;
    QStringList filters;
    for (const core::ImporterFamily& family : core::importerFamilies()) {
        all.insert(all.end(), family.endings.begin(), family.endings.end());
        filters += QStringLiteral("%1 (%2)").arg(toQString(family.name), patterns(family.endings));
    }
    filters.prepend(ProjectFiles::tr("Models (%1)").arg(patterns(all)));
    filters += ProjectFiles::tr("All files (*)");
    return filters.join(QStringLiteral(";;"));
}

QString scratchPattern() {
    const std::string pattern = core::temporaryPattern("ipu-workbench");
    return pattern.empty() ? QDir::temp().filePath(QStringLiteral("ipu-workbench-XXXXXX"))
                           : toQString(pattern);
}

fs::path toPath(const QString& text) {
    return text.toStdString();
}

core::Result<core::Project> loadFrom(const fs::path& path, core::Diagnostics& warnings) {
    auto file = core::loadProject(path);
    if (!file)
        return core::failure(std::move(file.error()));
    warnings = std::move(file->warnings);
    return std::move(file->project);
}

} // namespace

QString fileName(const fs::path& path) {
    return toQString(path.filename().string());
}

ProjectFiles::ProjectFiles(views::Document& document, WindowSettings& settings, Recovery& recovery,
                           Dialogs& dialogs, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_settings(settings)
    , m_recovery(recovery)
    , m_dialogs(dialogs)
    , m_scratch(scratchPattern()) {
    connect(&m_watch, &FileWatch::changed, this, &ProjectFiles::noticeChange);
    connect(&document, &views::Document::pathChanged, this, [this] {
        if (m_document.path().empty())
            m_watch.follow({}, {});
    });
}

bool ProjectFiles::show(const QString& what, const Loader& load, const fs::path& path,
                        const fs::path& folder) {
    core::Diagnostics warnings;
    // Before it is read: what is written meanwhile is news then.
    std::optional<std::string> content = contentOf(path);
    auto project = load(warnings);
    if (!project) {
        emit failed(what, project.error());
        return false;
    }
    // Asked only now: a file that cannot be read does not cost the open project.
    if (!mayLeave())
        return false;
    if (path.empty())
        ++m_unsavedCount;
    m_document.open(std::move(*project), path, folder);
    m_watch.follow(path, std::move(content));
    for (const core::Diagnostic& warning : warnings)
        emit noticed(views::ChipTone::Warning, toQString(warning.message));
    return true;
}

bool ProjectFiles::open(const fs::path& path) {
    const fs::path full = fs::absolute(path).lexically_normal();
    if (bool isOpened = false; hasLeftBehind(full, isOpened))
        return isOpened;
    if (!show(tr("%1 could not be opened").arg(fileName(full)),
              [&](core::Diagnostics& warnings) { return loadFrom(full, warnings); }, full, {}))
        return false;
    m_settings.setFolder(toQString(full.parent_path().string()));
    noteRecent();
    emit noticed(views::ChipTone::Info, tr("Opened %1").arg(toQString(full.string())));
    return true;
}

bool ProjectFiles::openByDialog() {
    const QString path = m_dialogs.chooseFile(tr("Open project"), m_settings.folder(), projectFilter());
    return !path.isEmpty() && open(toPath(path));
}

bool ProjectFiles::openCopy(const fs::path& path) {
    const fs::path full = fs::absolute(path).lexically_normal();
    return show(
        tr("%1 could not be opened").arg(fileName(full)),
        [&](core::Diagnostics& warnings) { return loadFrom(full, warnings); }, {}, full.parent_path());
}

bool ProjectFiles::newEmpty() {
    return show(tr("No new project"),
                [](core::Diagnostics&) -> core::Result<core::Project> {
                    core::Project project;
                    project.name = "untitled";
                    project.model.name = "model";
                    // Made-up samples of the model's own shapes, until other data are chosen.
                    project.training.dataset = core::DatasetSpec{"synthetic", core::Json::object()};
                    return project;
                },
                {}, {});
}

bool ProjectFiles::newFromTemplate(const std::string& name, const core::Json& arguments) {
    return newMade(tr("The template %1 could not be used").arg(toQString(name)),
                   [&] { return core::newProject(name, arguments); });
}

bool ProjectFiles::newMade(const QString& failure, const std::function<core::Result<core::Project>()>& make) {
    return show(failure, [&](core::Diagnostics&) { return make(); }, {}, {});
}

namespace {

/// Stores the arrays of a program beside it as NAME.data.npz, or under the first such name that no other file
/// has. Where that cannot be, made-up samples take their place.
void storeData(core::Project& project, const std::vector<core::DataArray>& data, const fs::path& program) {
    const std::string archive = dataArchive(data);
    if (archive.empty())
        return;
    constexpr int mostTries = 100;
    for (int number = 1; number <= mostTries; ++number) {
        const std::string ending = number == 1 ? ".data.npz" : ".data-" + std::to_string(number) + ".npz";
        const std::string name = program.stem().string() + ending;
        const fs::path path = program.parent_path() / name;
        std::error_code error;
        const bool isThere = fs::exists(path, error);
        const auto known = isThere ? core::readFile(path) : core::Result<std::string>(std::string());
        if (isThere && (!known || *known != archive))
            continue;
        if (isThere || core::writeFileAtomically(path, archive, core::Overwrite::Refuse))
            return nameDataArchive(project, name);
        break;
    }
    for (core::DatasetSpec* dataset : storedDatasets(project))
        *dataset = core::DatasetSpec{"synthetic", core::Json::object()};
}

core::Result<core::Project> importedModel(const fs::path& path, core::Diagnostics& warnings) {
    auto bytes = core::readFile(path, core::FileLimit::weights);
    if (!bytes)
        return core::failure(std::move(bytes.error()));
    std::vector<core::DataArray> data;
    core::ImportChoice choice;
    choice.data = &data;
    choice.digits = digitsFolder();
    choice.systemFindings = [&path](const core::Project& project) {
        return systemFindings(project, path.string(), path.parent_path());
    };
    auto file = core::importProject(*bytes, path.string(), choice);
    if (!file)
        return core::failure(std::move(file.error()));
    storeData(file->project, data, fs::absolute(path));
    warnings = std::move(file->warnings);
    const core::Importer* importer = core::findImporter(*bytes, path.string());
    if (importer != nullptr && importer->readWeights != nullptr)
        file->project.training.weights = fs::absolute(path).string();
    return std::move(file->project);
}

} // namespace

bool ProjectFiles::importModel(const fs::path& path) {
    return show(
        tr("%1 could not be imported").arg(fileName(path)),
        [&](core::Diagnostics& warnings) {
            core::Result<core::Project> project;
            // A file from anybody may take seconds until it is read or refused.
            workAside(QApplication::activeWindow(), tr("Reading %1 …").arg(fileName(path)),
                      [&] { project = importedModel(path, warnings); });
            return project;
        },
        {}, path.parent_path());
}

bool ProjectFiles::importByDialog() {
    const QString path = m_dialogs.chooseFile(tr("Import a model"), m_settings.folder(), importFilter());
    return !path.isEmpty() && importModel(toPath(path));
}

/// Whether the person chose unsaved work instead of the file; `isOpened` tells whether that was opened then.
bool ProjectFiles::hasLeftBehind(const fs::path& path, bool& isOpened) {
    for (const UnsavedWork& work : m_recovery.leftBehindOf(path)) {
        // Another window asks about it.
        if (!m_recovery.claim(work))
            continue;
        const auto kept = core::readProject(work.text, work.file.toStdString());
        const auto saved = core::loadProject(path);
        // Saved by another way meanwhile: there is nothing to ask.
        if (kept && saved && kept->project == saved->project) {
            m_recovery.discard(work);
            continue;
        }
        switch (m_dialogs.askLeftBehind(fileName(path), work.kept,
                                        QFileInfo(toQString(path.string())).lastModified())) {
        case Dialogs::LeftBehind::Restore:
            isOpened = restore(work);
            return true;
        case Dialogs::LeftBehind::Discard:
            m_recovery.discard(work);
            break;
        case Dialogs::LeftBehind::Later:
            m_recovery.release(work);
            return false;
        }
    }
    return false;
}

bool ProjectFiles::restore(const UnsavedWork& work) {
    if (!m_recovery.claim(work)) {
        emit noticed(views::ChipTone::Warning,
                     tr("Another window has taken the unsaved work of %1").arg(work.name));
        return false;
    }
    const bool isShown = show(tr("The unsaved work of %1 could not be restored").arg(work.name),
                              [&](core::Diagnostics& warnings) -> core::Result<core::Project> {
                                  auto file = core::readProject(work.text, work.file.toStdString());
                                  if (!file)
                                      return core::failure(std::move(file.error()));
                                  warnings = std::move(file->warnings);
                                  return std::move(file->project);
                              },
                              work.project, {});
    if (!isShown) {
        m_recovery.release(work);
        return false;
    }
    m_document.markUnsaved();
    m_recovery.adopt(work);
    if (!work.project.empty())
        noteRecent();
    emit noticed(views::ChipTone::Info, tr("Restored the unsaved work of %1").arg(work.name));
    return true;
}

bool ProjectFiles::save() {
    if (!m_document.isOpen())
        return false;
    return m_document.path().empty() ? saveAs() : saveTo(m_document.path());
}

bool ProjectFiles::saveAs() {
    if (!m_document.isOpen())
        return false;
    const QString folder = m_settings.folder().isEmpty() ? QDir::homePath() : m_settings.folder();
    QString proposal = toQString(m_document.path().string());
    if (proposal.isEmpty())
        proposal = QDir(folder).filePath(m_document.title() + QStringLiteral(".ipuproj"));
    const QString chosen = m_dialogs.chooseFileToWrite(tr("Save project as"), proposal, projectFilter(),
                                                       QStringLiteral("ipuproj"));
    if (chosen.isEmpty())
        return false;
    return saveTo(fs::absolute(toPath(chosen)).lexically_normal());
}

bool ProjectFiles::saveTo(const fs::path& path) {
    if (path == m_document.path() && m_watch.look() == FileWatch::State::Changed) {
        if (!settle(true))
            return false;
        // Taken from the file: it holds the project already.
        if (!m_document.isDirty())
            return true;
    }
    if (const auto saved = core::saveProject(m_document.project(), path, core::Overwrite::Replace); !saved) {
        emit failed(tr("%1 could not be saved").arg(fileName(path)), saved.error());
        return false;
    }
    if (m_document.path().empty())
        keepRuns(path);
    m_document.markSaved(path);
    m_watch.follow(path, core::fingerprint(core::writeProject(m_document.project())));
    emit changeSettled();
    m_settings.setFolder(toQString(path.parent_path().string()));
    noteRecent();
    emit settled();
    emit noticed(views::ChipTone::Success, tr("Saved %1").arg(toQString(path.string())));
    return true;
}

/// Runs made before the project had a file go with it.
void ProjectFiles::keepRuns(const fs::path& path) {
    const fs::path from = database();
    const fs::path to = core::defaultDatabasePath(path);
    std::error_code error;
    if (!fs::exists(from, error) || fs::exists(to, error))
        return;
    for (const char* end : {"", "-wal"}) {
        fs::path source = from;
        fs::path target = to;
        source += end;
        target += end;
        if (fs::exists(source, error))
            fs::copy_file(source, target, error);
    }
    if (error)
        emit noticed(views::ChipTone::Warning,
                     tr("The runs made so far could not be copied beside the file"));
}

bool ProjectFiles::revert() {
    if (!m_document.isOpen() || m_document.path().empty())
        return false;
    const fs::path path = m_document.path();
    if (m_document.isDirty() &&
        !m_dialogs.confirm(tr("Revert %1 to the saved file?").arg(fileName(path)),
                           tr("All changes since then, and their history, are lost."), tr("Revert")))
        return false;
    core::Diagnostics warnings;
    std::optional<std::string> content = contentOf(path);
    auto project = loadFrom(path, warnings);
    if (!project) {
        emit failed(tr("%1 could not be read again").arg(fileName(path)), project.error());
        return false;
    }
    m_document.open(std::move(*project), path);
    m_watch.follow(path, std::move(content));
    emit changeSettled();
    emit settled();
    emit noticed(views::ChipTone::Info, tr("Reverted to %1").arg(toQString(path.string())));
    return true;
}

void ProjectFiles::noticeChange() {
    if (!m_document.isOpen() || m_document.path().empty())
        return;
    if (m_watch.look() == FileWatch::State::Missing) {
        m_document.markUnsaved();
        emit changedOnDisk(true);
        return;
    }
    const auto theirs = core::loadProject(m_document.path());
    if (theirs && theirs->project == m_document.project()) {
        m_watch.accept();
        m_document.markSaved(m_document.path());
        emit changeSettled();
        return;
    }
    emit changedOnDisk(false);
}

bool ProjectFiles::settle(bool isSaving) {
    const fs::path path = m_document.path();
    ChangedFile file;
    file.name = fileName(path);
    file.changed = QFileInfo(toQString(path.string())).lastModified();
    file.isSaving = isSaving;
    if (const auto theirs = core::loadProject(path))
        file.difference =
            core::differenceOf(core::writeProject(m_document.project()), core::writeProject(theirs->project));
    else
        file.difference.trouble = theirs.error().front().message;
    switch (m_dialogs.askChanged(file)) {
    case ChangedFileDialog::Choice::KeepMine:
        return keepMine();
    case ChangedFileDialog::Choice::TakeTheirs:
        return takeTheirs();
    case ChangedFileDialog::Choice::Cancel:
        break;
    }
    return false;
}

bool ProjectFiles::keepMine() {
    m_watch.accept();
    m_document.markUnsaved();
    emit changeSettled();
    return true;
}

bool ProjectFiles::takeTheirs() {
    const fs::path path = m_document.path();
    std::optional<std::string> content = contentOf(path);
    core::Diagnostics warnings;
    auto theirs = loadFrom(path, warnings);
    if (!theirs) {
        emit failed(tr("%1 could not be read again").arg(fileName(path)), theirs.error());
        return false;
    }
    const auto taken = m_document.apply(
        tr("Take %1 from disk").arg(fileName(path)),
        [&](const core::Project&) -> core::Result<core::Project> { return std::move(*theirs); });
    if (!taken)
        return false;
    m_document.markSaved(path);
    m_watch.follow(path, std::move(content));
    emit changeSettled();
    emit settled();
    emit noticed(views::ChipTone::Info, tr("Took %1 from disk; undo brings yours back").arg(fileName(path)));
    return true;
}

bool ProjectFiles::close() {
    if (!mayLeave())
        return false;
    m_document.close();
    return true;
}

bool ProjectFiles::mayLeave() {
    if (!m_document.isDirty())
        return true;
    switch (m_dialogs.askUnsaved(m_document.title())) {
    case Dialogs::Unsaved::Save:
        return save();
    case Dialogs::Unsaved::Discard:
        emit settled();
        return true;
    case Dialogs::Unsaved::Cancel:
        break;
    }
    return false;
}

fs::path ProjectFiles::database() const {
    if (!m_document.isOpen())
        return {};
    if (!m_document.path().empty())
        return core::defaultDatabasePath(m_document.path());
    return toPath(m_scratch.filePath(QStringLiteral("unsaved-%1.profiles.sqlite").arg(m_unsavedCount)));
}

void ProjectFiles::noteRecent() {
    const core::Project& project = m_document.project();
    WindowSettings::Recent recent;
    recent.path = toQString(m_document.path().string());
    recent.opened = QDateTime::currentDateTime();
    recent.model = views::countedText(views::layerCount(project.model), tr("layer"), tr("layers"));
    recent.stages = int(project.assignment.stageCount());
    recent.system = QStringLiteral("%1 · %2 × %3")
                        .arg(toQString(project.pipeline.schedule))
                        .arg(project.system.ipus)
                        .arg(toQString(project.system.target));
    m_settings.noteRecent(recent);
}

} // namespace app
