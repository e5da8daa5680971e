#pragma once

#include "app/window/dialogs/dialogs.h"
#include "app/window/frame/window_settings.h"
#include "views/common/widgets/chip.h"
#include "views/profile/profile_source.h"

#include <QObject>
#include <filesystem>

namespace app {

/// Puts a trace of another program beside the runs: a Chrome trace or one of Perfetto, as `compare --trace`
/// reads them.
class ReferenceFile final : public QObject {
    Q_OBJECT

public:
    ReferenceFile(views::ProfileSource& source, WindowSettings& settings, Dialogs& dialogs,
                  QObject* parent = nullptr);

    /// False where it cannot be read; what was there stays then.
    bool open(const std::filesystem::path& path);
    bool openByDialog();
    void close() { m_source.setReference(nullptr); }
    [[nodiscard]] bool isOpen() const { return m_source.reference() != nullptr; }

    /// Whether a file's name says that it is a trace and nothing else.
    [[nodiscard]] static bool isTrace(const std::filesystem::path& path);

signals:
    void failed(const QString& what, const core::Diagnostics& why);
    void noticed(views::ChipTone tone, const QString& text);

private:
    views::ProfileSource& m_source;
    WindowSettings& m_settings;
    Dialogs& m_dialogs;
};

} // namespace app
