#pragma once

#include "views/profile/remedy.h"

#include <QObject>
#include <filesystem>
#include <memory>
#include <optional>

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

    /// Changes of the open project that take less memory, the cheapest first; nothing while they are looked
    /// for.
    [[nodiscard]] const std::optional<std::vector<Remedy>>& remedies() const { return m_remedies; }
    void setRemedies(std::optional<std::vector<Remedy>> remedies);

signals:
    void changed();
    void referenceChanged();
    void remediesChanged();

private:
    std::filesystem::path m_path;
    std::shared_ptr<const ReferenceTrace> m_reference;
    std::optional<std::vector<Remedy>> m_remedies;
};

} // namespace views
