#include "app/verbs/base/database_damage.h"

#include "core/profile/queries/damage_report.h"

#include <chrono>

namespace app {

core::Diagnostics databaseDamage(const core::ProfileDatabase& database) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::seconds patience(2);
    return core::damageOf(database, [end = Clock::now() + patience] { return Clock::now() > end; });
}

} // namespace app
