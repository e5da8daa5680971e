#include "app/window/damage_watch.h"

#include "core/profile/queries/damage_report.h"

#include <QElapsedTimer>

namespace app {

void DamageWatch::look(const std::filesystem::path& database) {
    std::error_code error;
    if (database == m_path)
        return;
    m_path = database;
    m_runner.cancel();
    if (database.empty() || !std::filesystem::exists(database, error))
        return;
    m_runner.request([this, database](const core::JobContext& job) -> views::LatestRunner::Deliver {
        constexpr qint64 patienceMs = 20'000;
        QElapsedTimer clock;
        clock.start();
        const auto opened = core::ProfileDatabase::open(database, {core::DatabaseAccess::ReadOnly});
        core::Diagnostics damage =
            opened
                ? core::damageOf(*opened, [&] { return job.isCancelled() || clock.hasExpired(patienceMs); })
                : opened.error();
        return [this, damage = std::move(damage)] {
            if (!damage.empty())
                emit found(damage);
        };
    });
}

} // namespace app
