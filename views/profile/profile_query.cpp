#include "views/profile/profile_query.h"

namespace views {

ProfileQuery::ProfileQuery(QObject* parent)
    : QObject(parent)
    , m_connection(std::make_shared<Connection>()) {}

core::Result<void> ProfileQuery::open(Connection& connection, const std::filesystem::path& path) {
    std::error_code ignored;
    const bool isSame = connection.database && connection.database->path() == path;
    // A file that was removed and made anew is another one, though it has the same name.
    if (isSame && std::filesystem::exists(path, ignored))
        return {};
    connection.database.reset();
    core::Result<core::ProfileDatabase> opened = core::ProfileDatabase::open(
        path, {.access = core::DatabaseAccess::ReadOnly, .keepsWhatIsLeft = true});
    if (!opened)
        return core::failure(opened.error());
    connection.database.emplace(*std::move(opened));
    return {};
}

} // namespace views
