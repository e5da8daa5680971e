#include "app/window/reference_file.h"

#include "app/window/dialogs/reading_dialog.h"
#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "views/common/text/number_text.h"
#include "views/profile/time/reference_trace.h"

#include <QApplication>
#include <memory>

namespace app {

namespace fs = std::filesystem;
using views::toQString;

namespace {

core::Result<views::ReferenceTrace> readReference(const fs::path& path) {
    const auto bytes = core::readFile(path, core::FileLimit::table);
    if (!bytes)
        return core::failure(bytes.error());
    auto trace = core::readEventTrace(*bytes, path.string());
    if (!trace)
        return core::failure(trace.error());
    return views::makeReferenceTrace(toQString(path.filename().string()), *std::move(trace));
}

} // namespace

ReferenceFile::ReferenceFile(views::ProfileSource& source, WindowSettings& settings, Dialogs& dialogs,
                             QObject* parent)
    : QObject(parent)
    , m_source(source)
    , m_settings(settings)
    , m_dialogs(dialogs) {}

bool ReferenceFile::isTrace(const fs::path& path) {
    return path.extension() == ".perfetto-trace" || path.extension() == ".pftrace";
}

bool ReferenceFile::open(const fs::path& path) {
    const QString name = toQString(path.filename().string());
    core::Result<views::ReferenceTrace> trace;
    workAside(QApplication::activeWindow(), tr("Reading %1 …").arg(name),
              [&] { trace = readReference(path); });
    if (!trace) {
        emit failed(tr("%1 could not be read").arg(name), trace.error());
        return false;
    }
    for (const core::Diagnostic& warning : trace->trace.warnings)
        emit noticed(views::ChipTone::Warning, toQString(warning.message));
    m_settings.setFolder(toQString(path.parent_path().string()));
    m_source.setReference(std::make_shared<const views::ReferenceTrace>(*std::move(trace)));
    emit noticed(views::ChipTone::Info, tr("%1 is beside the runs, in Timeline and Compare").arg(name));
    return true;
}

bool ReferenceFile::openByDialog() {
    const QString path = m_dialogs.chooseFile(
        tr("Open a trace as reference"), m_settings.folder(),
        tr("Chrome and Perfetto traces (*.json *.perfetto-trace *.pftrace);;All files (*)"));
    return !path.isEmpty() && open(path.toStdString());
}

} // namespace app
