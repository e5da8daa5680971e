#include "views/profile/profile_source.h"

namespace views {

void ProfileSource::setPath(const std::filesystem::path& path) {
    if (path == m_path)
        return;
    m_path = path;
    emit changed();
}

void ProfileSource::setReference(std::shared_ptr<const ReferenceTrace> reference) {
    if (reference == m_reference)
        return;
    m_reference = std::move(reference);
    emit referenceChanged();
}

void ProfileSource::setRemedies(std::optional<std::vector<Remedy>> remedies) {
    m_remedies = std::move(remedies);
    emit remediesChanged();
}

} // namespace views
