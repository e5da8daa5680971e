#pragma once

#include <QObject>
#include <filesystem>

namespace views {

/// Where the stored runs of the open project are. Views read through connections of their own; the code that
/// writes a run, deletes one or opens another project announces it here.
class ProfileSource final : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Empty while no project is open. The file need not exist yet.
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    void setPath(const std::filesystem::path& path);
    /// The file's runs are others than before.
    void announceChange() { emit changed(); }

signals:
    void changed();

private:
    std::filesystem::path m_path;
};

} // namespace views
