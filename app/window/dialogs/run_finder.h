#pragma once

#include "core/profile/analysis/run_search.h"
#include "views/profile/profile_query.h"

#include <QObject>
#include <QString>
#include <filesystem>
#include <optional>
#include <vector>

namespace app {

/// Looks in a stored run for what is typed into the palette: operations, tensors and events, a few of each.
class RunFinder final : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// What is known of a text, which is asked for where it is another than before; empty until it is found.
    const std::vector<core::SearchHit>& hitsOf(const std::filesystem::path& path, core::RunId run,
                                               const QString& text);
    [[nodiscard]] const std::vector<core::SearchHit>& hits() const { return m_hits; }

signals:
    void found();

private:
    std::filesystem::path m_path;
    std::optional<core::RunId> m_run;
    QString m_text;
    std::vector<core::SearchHit> m_hits;
    views::ProfileQuery m_query;
};

} // namespace app
