#pragma once

#include "app/services/catalogue/view_table.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/project_argument.h"
#include "core/profile/schema/profile_database.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/picture_export.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace app {

/// Arguments of a verb that draws views: the view, of which runs, in what dress.
class PictureArgument {
public:
    /// Where no view need be named, a run's is the timeline, a project's the schedule.
    void addOptions(CLI::App& command, bool needsView);

    [[nodiscard]] const std::string& view() const { return m_view; }

    /// The first option given of those that pictures alone take: "--view", "--theme", …; else empty.
    [[nodiscard]] std::string_view givenOption() const;

    /// The picture of the source's view: a run's number, "last", or a project file (schedule only). Needs no
    /// display. Errors (Trouble::Usage): "usage/view", "usage/render"; those of the database and the views.
    [[nodiscard]] core::Result<views::Picture> picture(ProjectArgument& source,
                                                       const DatabaseArgument& database);

private:
    [[nodiscard]] core::Diagnostic unknownView() const;
    [[nodiscard]] core::Result<RunPictureRequest> request(const std::string& source,
                                                          const core::ProfileDatabase& database) const;
    [[nodiscard]] core::Result<views::Picture> ofRuns(const RunPicture& view, const std::string& source,
                                                      const DatabaseArgument& database,
                                                      const views::Theme& theme) const;
    [[nodiscard]] core::Result<views::Picture> ofSweep(const std::filesystem::path& file,
                                                       const DatabaseArgument& database,
                                                       const views::Theme& theme) const;
    [[nodiscard]] core::Result<views::Picture>
    schedule(ProjectArgument& source, const DatabaseArgument& database, const views::Theme& theme) const;
    [[nodiscard]] core::Result<views::Picture> ofSchedule(const core::Project& project, core::RunMode mode,
                                                          const std::string& file, std::string title,
                                                          const views::Theme& theme) const;

    const CLI::App* m_command = nullptr;
    std::string m_view;
    std::vector<std::string> m_moreRuns;
    std::string m_baseline;
    core::RunMode m_mode = core::RunMode::Train;
    views::ThemeKind m_theme = views::ThemeKind::Light;
    double m_width = 0;
    double m_height = 0;
    std::optional<std::int64_t> m_ipu;
    std::optional<std::int64_t> m_microBatch;
    std::optional<std::int64_t> m_step;
    /// What `--by` names, for the views that it means something to.
    struct Grouping {
        std::string_view name;
        std::optional<views::RooflineGrouping> points = {};
        std::optional<core::TimeGrouping> time = {};
    };
    [[nodiscard]] core::Result<void> checkOptions(const std::string& source) const;
    std::optional<Grouping> m_grouping;
};

} // namespace app
