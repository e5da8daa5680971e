#include "app/window/exports.h"

#include "app/services/catalogue/export_document.h"
#include "app/services/catalogue/view_table.h"
#include "app/services/plan/schedule_chart.h"
#include "core/base/file.h"
#include "core/profile/queries/run_queries.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/widget_theme.h"
#include "views/plan/schedule/schedule_painter.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>

namespace app {

using views::toQString;

namespace {

QString pictureKinds() {
    return Exports::tr("SVG drawing (*.svg);;PNG picture (*.png);;PDF page (*.pdf)");
}

/// "CSV (*.csv)".
QString kindOf(const ExportFormat& format) {
    return QStringLiteral("%1 (*.%2)").arg(toQString(format.fileKind), toQString(format.suffix));
}

/// What a file system may not like in a name.
QString asFileName(QString name) {
    for (const QChar bad : {u'/', u'\\', u':', u'*', u'?', u'"', u'<', u'>', u'|'})
        name.replace(bad, u'-');
    return name;
}

core::Result<core::ProfileDatabase> reading(const std::filesystem::path& path) {
    return core::ProfileDatabase::open(path, {core::DatabaseAccess::ReadOnly});
}

} // namespace

Exports::Exports(const views::Document& document, const views::Selection& selection,
                 const views::ProfileSource& source, WindowSettings& settings, Dialogs& dialogs,
                 QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_selection(selection)
    , m_source(source)
    , m_settings(settings)
    , m_dialogs(dialogs) {
    m_pool.setMaxThreadCount(1);
}

/// What was begun is finished: half a file helps nobody.
Exports::~Exports() {
    m_pool.waitForDone();
}

QString Exports::proposal(const QString& name, const QString& suffix) const {
    const QString folder = m_settings.folder().isEmpty() ? QDir::homePath() : m_settings.folder();
    return QDir(folder).filePath(asFileName(name) + u'.' + suffix);
}

QString Exports::runName(const QString& what) const {
    const QString project = QFileInfo(m_document.title()).completeBaseName();
    return QStringLiteral("%1-run%2-%3").arg(project).arg(m_selection.state().run->value()).arg(what);
}

void Exports::keepFolder(const QString& path) {
    m_settings.setFolder(QFileInfo(path).absolutePath());
}

void Exports::write(const QString& name, const QString& suffix, const QString& kind, Maker make) {
    const QString path = m_dialogs.chooseFileToWrite(tr("Export"), proposal(name, suffix), kind, suffix);
    if (path.isEmpty())
        return;
    keepFolder(path);
    ++m_busy;
    emit noticed(views::ChipTone::Info, tr("Writing %1 …").arg(path));
    m_pool.start([this, path, make = std::move(make)] {
        core::Diagnostics trouble;
        if (const auto text = make(); !text) {
            trouble = text.error();
        } else if (const auto written =
                       core::writeFileAtomically(path.toStdString(), *text, core::Overwrite::Replace);
                   !written) {
            trouble = written.error();
        }
        QMetaObject::invokeMethod(
            this,
            [this, path, trouble] {
                --m_busy;
                if (trouble.empty())
                    emit noticed(views::ChipTone::Success, tr("Saved %1").arg(path));
                else
                    emit failed(tr("%1 could not be exported").arg(QFileInfo(path).fileName()), trouble);
            },
            Qt::QueuedConnection);
    });
}

void Exports::writeProject(const ExportFormat& format, const std::string& variant) {
    if (!m_document.isOpen())
        return;
    const QString suffix = toQString(format.suffix);
    QString file = QFileInfo(m_document.title()).completeBaseName();
    if (suffix == QStringLiteral("csv"))
        file += QStringLiteral("-schedule");
    write(file, suffix, kindOf(format),
          [&format, variant, project = m_document.snapshot(), path = m_document.path().string()] {
              return format.ofProject(*project, core::RunMode::Train, path, variant);
          });
}

void Exports::writeRun(const ExportFormat& format, const std::string& variant) {
    if (!m_selection.state().run)
        return;
    const QString what = variant.empty() ? QStringLiteral("trace") : toQString(variant);
    write(runName(what), toQString(format.suffix), kindOf(format),
          [&format, variant, database = m_source.path(),
           run = *m_selection.state().run]() -> core::Result<std::string> {
              const auto open = reading(database);
              if (!open)
                  return core::failure(open.error());
              return format.ofRun(*open, run, variant);
          });
}

void Exports::writePicture(const QString& name) {
    const auto view = findRunPicture(name.toStdString());
    if (!view || !m_selection.state().run)
        return;
    const QString what = tr("The picture could not be made");
    const auto database = reading(m_source.path());
    if (!database)
        return emit failed(what, database.error());
    RunPictureRequest request;
    request.runs = {*m_selection.state().run};
    request.baseline = request.runs.front();
    request.ipu = m_selection.state().ipu;
    request.microBatch = m_selection.state().microBatch;
    if (view->ofSeveralRuns) {
        const auto rows = core::listRuns(*database);
        if (!rows)
            return emit failed(what, rows.error());
        constexpr std::size_t mostCompared = 6;
        for (auto row = rows->rbegin(); row != rows->rend() && request.runs.size() < mostCompared; ++row) {
            if (row->state == core::RunState::Complete && row->run != request.baseline)
                request.runs.push_back(row->run);
        }
    }
    const auto picture = view->paint(*database, request, views::themeOf(QApplication::activeWindow()));
    if (!picture)
        return emit failed(what, picture.error());
    save(*picture);
}

void Exports::writeSchedulePicture() {
    if (!m_document.isOpen())
        return;
    const auto chart =
        projectScheduleChart(m_document.project(), core::RunMode::Train, m_document.path().string());
    if (!chart)
        return emit failed(tr("The picture could not be made"), chart.error());
    views::ScheduleState state;
    state.microBatch = m_selection.state().microBatch;
    save(views::schedulePicture(*chart, views::themeOf(QApplication::activeWindow()), {}, state));
}

void Exports::save(const views::Picture& picture) {
    const QString path =
        m_dialogs.chooseFileToWrite(tr("Save picture"), proposal(picture.title, QStringLiteral("svg")),
                                    pictureKinds(), QStringLiteral("svg"));
    if (path.isEmpty())
        return;
    keepFolder(path);
    if (const auto saved = views::savePicture(picture, path); !saved)
        return emit failed(tr("The picture could not be saved"), saved.error());
    emit noticed(views::ChipTone::Success, tr("Saved %1").arg(path));
}

void Exports::saveTable(const QString& name, const QString& csv) {
    write(name, QStringLiteral("csv"), kindOf(*findExportFormat("csv")),
          [text = csv.toStdString()]() -> core::Result<std::string> { return text; });
}

std::vector<ExportEntry> exportEntries() {
    const QString menu = QStringLiteral("File/Export");
    std::vector<ExportEntry> entries;
    for (const ExportFormat& format : exportFormats()) {
        for (const ExportVariant& variant : variantsOf(format)) {
            if (format.ofProject == nullptr)
                continue;
            const QString name =
                toQString(format.name) + (variant.name.empty() ? QString() : u'-' + toQString(variant.name));
            entries.push_back(
                {"export." + name, menu, Exports::tr("%1…").arg(toQString(variant.title)), false,
                 [&format, variant](Exports& exports) { exports.writeProject(format, variant.name); }});
        }
    }
    entries.push_back({"export.schedule-picture", menu, Exports::tr("Picture of the schedule…"), false,
                       [](Exports& exports) { exports.writeSchedulePicture(); }});
    entries.push_back({{}, menu, {}, false, {}});
    for (const ExportFormat& format : exportFormats()) {
        for (const ExportVariant& variant : variantsOf(format)) {
            if (format.ofRun == nullptr)
                continue;
            const bool isOnly = variant.name.empty();
            const QString id =
                "export." + toQString(format.name) + (isOnly ? QString() : u'.' + toQString(variant.name));
            entries.push_back(
                {id, isOnly ? menu : menu + u'/' + toQString(format.title),
                 Exports::tr("%1…").arg(toQString(variant.title)), true,
                 [&format, variant](Exports& exports) { exports.writeRun(format, variant.name); }});
        }
    }
    entries.push_back({{}, menu, {}, false, {}});
    for (const RunPicture& picture : runPictures()) {
        const QString name = toQString(picture.name);
        entries.push_back({"export.picture." + name, menu,
                           Exports::tr("Picture: %1…").arg(toQString(picture.title)), true,
                           [name](Exports& exports) { exports.writePicture(name); }});
    }
    return entries;
}

} // namespace app
