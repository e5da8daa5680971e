#include "app/window/project_files.h"

#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "core/interchange/importer_catalogue.h"
#include "core/interchange/project/project_file.h"
#include "core/interchange/templates/template_project.h"
#include "core/profile/schema/profile_database.h"

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

ProjectFiles::ProjectFiles(views::Document& document, WindowSettings& settings, Dialogs& dialogs,
                           QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_settings(settings)
    , m_dialogs(dialogs) {}

bool ProjectFiles::show(const QString& what, const Loader& load, const fs::path& path,
                        const fs::path& folder) {
    core::Diagnostics warnings;
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
    for (const core::Diagnostic& warning : warnings)
        emit told(views::ChipTone::Warning, toQString(warning.message));
    return true;
}

bool ProjectFiles::open(const fs::path& path) {
    const fs::path full = fs::absolute(path).lexically_normal();
    if (!show(tr("%1 could not be opened").arg(fileName(full)),
              [&](core::Diagnostics& warnings) { return loadFrom(full, warnings); }, full, {}))
        return false;
    m_settings.setFolder(toQString(full.parent_path().string()));
    noteRecent();
    emit told(views::ChipTone::Info, tr("Opened %1").arg(toQString(full.string())));
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
                    return project;
                },
                {}, {});
}

bool ProjectFiles::newFromTemplate(const std::string& name) {
    return show(tr("The template %1 could not be used").arg(toQString(name)),
                [&](core::Diagnostics&) { return core::newProject(name, core::Json::object()); }, {}, {});
}

bool ProjectFiles::importModel(const fs::path& path) {
    return show(
        tr("%1 could not be imported").arg(fileName(path)),
        [&](core::Diagnostics& warnings) -> core::Result<core::Project> {
            auto bytes = core::readFile(path, core::FileLimit::weights);
            if (!bytes)
                return core::failure(std::move(bytes.error()));
            auto file = core::importProject(*bytes, path.string());
            if (!file)
                return core::failure(std::move(file.error()));
            warnings = std::move(file->warnings);
            const core::Importer* importer = core::findImporter(*bytes, path.string());
            if (importer != nullptr && importer->readWeights != nullptr)
                file->project.training.weights = fs::absolute(path).string();
            return std::move(file->project);
        },
        {}, path.parent_path());
}

bool ProjectFiles::importByDialog() {
    const QString path = m_dialogs.chooseFile(tr("Import a model"), m_settings.folder(), importFilter());
    return !path.isEmpty() && importModel(toPath(path));
}

bool ProjectFiles::openText(const std::string& text, const fs::path& path, const QString& what) {
    if (!show(what,
              [&](core::Diagnostics& warnings) -> core::Result<core::Project> {
                  auto file = core::readProject(text, path.string());
                  if (!file)
                      return core::failure(std::move(file.error()));
                  warnings = std::move(file->warnings);
                  return std::move(file->project);
              },
              path, {}))
        return false;
    m_document.markUnsaved();
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
    if (const auto saved = core::saveProject(m_document.project(), path, core::Overwrite::Replace); !saved) {
        emit failed(tr("%1 could not be saved").arg(fileName(path)), saved.error());
        return false;
    }
    if (m_document.path().empty())
        keepRuns(path);
    m_document.markSaved(path);
    m_settings.setFolder(toQString(path.parent_path().string()));
    noteRecent();
    emit settled();
    emit told(views::ChipTone::Success, tr("Saved %1").arg(toQString(path.string())));
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
        emit told(views::ChipTone::Warning, tr("The runs made so far could not be copied beside the file"));
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
    auto project = loadFrom(path, warnings);
    if (!project) {
        emit failed(tr("%1 could not be read again").arg(fileName(path)), project.error());
        return false;
    }
    m_document.open(std::move(*project), path);
    emit settled();
    emit told(views::ChipTone::Info, tr("Reverted to %1").arg(toQString(path.string())));
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
    recent.model = views::countedText(std::int64_t(project.model.layers.size()), tr("layer"), tr("layers"));
    recent.stages = int(project.assignment.stageCount());
    recent.system = QStringLiteral("%1 · %2 × %3")
                        .arg(toQString(project.pipeline.schedule))
                        .arg(project.system.ipus)
                        .arg(toQString(project.system.target));
    m_settings.noteRecent(recent);
}

} // namespace app
