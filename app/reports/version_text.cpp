#include "app/reports/version_text.h"

#include "app/reports/report.h"
#include "core/base/version.h"
#include "core/profile/schema/profile_schema.h"
#include "simulator/cost/cost_model_version.h"
#include "simulator/engine/records/engine_version.h"

#include <fmt/format.h>

namespace app {

std::string versionText(bool asJson) {
    if (!asJson)
        return fmt::format("ipu-workbench {}\nengine {}\ncost model {}\ndatabase schema {}\n",
                           core::programVersion, simulator::engineVersion, simulator::costModelVersion,
                           core::profileSchemaVersion());
    core::Json json = reportJson("version");
    json["program"] = core::programVersion;
    json["engine"] = simulator::engineVersion;
    json["cost_model"] = simulator::costModelVersion;
    json["database_schema"] = core::profileSchemaVersion();
    return core::toText(json);
}

} // namespace app
