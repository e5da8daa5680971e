#include "views/profile/profile_source.h"

namespace views {

void ProfileSource::setPath(const std::filesystem::path& path) {
    if (path == m_path)
        return;
    m_path = path;
    emit changed();
}

} // namespace views
