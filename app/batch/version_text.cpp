#include "app/batch/version_text.h"

#include "app/batch/report.h"
#include "core/base/version.h"
#include "core/profile/profile_schema.h"

#include <fmt/format.h>

namespace app {

std::string versionText(bool asJson) {
    if (asJson) {
        core::Json json = reportJson("version");
        json["program"] = core::programVersion;
        json["database_schema"] = core::profileSchemaVersion;
        return core::toText(json);
    }
    return fmt::format("ipu-workbench {}\ndatabase schema {}\n", core::programVersion,
                       core::profileSchemaVersion);
}

} // namespace app
