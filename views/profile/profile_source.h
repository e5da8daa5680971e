#pragma once

#include <QObject>
#include <filesystem>
#include <memory>

namespace views {

struct ReferenceTrace;

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

    /// A trace of another program beside the runs; null where there is none.
    [[nodiscard]] const std::shared_ptr<const ReferenceTrace>& reference() const { return m_reference; }
    void setReference(std::shared_ptr<const ReferenceTrace> reference);

signals:
    void changed();
    void referenceChanged();

private:
    std::filesystem::path m_path;
    std::shared_ptr<const ReferenceTrace> m_reference;
};

} // namespace views
