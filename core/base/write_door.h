#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// What a person allows a project beyond its own folder; a project file cannot say it itself.
struct ProjectGrants {
    /// Files outside the project's folder may be written.
    bool outside = false;
    /// Libraries that its layers name may be loaded: all of them, or these files as long as they hold what
    /// they held when that was allowed.
    bool userCode = false;
    std::map<std::filesystem::path, std::string> libraries = {};

    friend bool operator==(const ProjectGrants&, const ProjectGrants&) = default;
};

/// Stands in every archive that the program writes for a project (the comment of a ZIP file, an attribute of
/// an HDF5 file), so that a later run knows its own files.
inline constexpr std::string_view productMark = "written by ipu-workbench";

/// How the first line of a training log ends, and no other: every reader of CSV takes both ends, and nobody
/// else mixes them, so that a later run knows its own logs from those of Keras.
inline constexpr std::string_view logHeadEnd = "\r\n";

/// Whether the program made this file: an archive with `productMark`, or a training log. A file that cannot
/// be read is not.
[[nodiscard]] bool isOwnProduct(const std::filesystem::path& path);

/// Whether a text is a training log of this program: columns that begin with "epoch" and "loss" and end in
/// `logHeadEnd`, and cells that are numbers.
[[nodiscard]] bool isTrainingLog(std::string_view text);

/// The file that a project means by `name`, with links followed: absolute, or relative to `folder`.
[[nodiscard]] std::filesystem::path namedFile(const std::filesystem::path& folder, const std::string& name);
/// Whether a resolved file is below the folder.
[[nodiscard]] bool isInside(const std::filesystem::path& folder, const std::filesystem::path& file);

struct WriteDoorOptions {
    /// The project's; relative names start here.
    std::filesystem::path folder;
    ProjectGrants grants;
    /// Never written: the project, its database, its data.
    std::vector<std::filesystem::path> kept;
    /// Hears each file once, when it was written first.
    std::function<void(const std::filesystem::path&)> written;
};

/// The one way to every file that a project names for writing. A project may come from anybody, so it writes
/// only below its own folder (elsewhere with a grant), only new files and those that the program made, no
/// hidden ones, which shells and tools read without being asked, and never those that must be kept.
class WriteDoor {
public:
    explicit WriteDoor(WriteDoorOptions options);

    /// The file behind the name, as it may be written now; its folder is made where it is missing. `place`
    /// names the key in diagnostics. Errors: "project/outside", "project/hidden", "project/own-file",
    /// "project/name" (Trouble::Input); "file/exists", "file/is-a-folder", "file/not-regular",
    /// "file/missing-folder", "file/not-writable" (Trouble::World).
    [[nodiscard]] Result<std::filesystem::path> admit(const std::string& name,
                                                      const std::string& place) const;
    /// A file that was admitted has been written.
    void noteWritten(const std::filesystem::path& path);

private:
    [[nodiscard]] bool isKept(const std::filesystem::path& path) const;
    [[nodiscard]] Result<void> checkExisting(const std::filesystem::path& path,
                                             const std::string& place) const;

    WriteDoorOptions m_options;
    std::filesystem::path m_folder;
    std::vector<std::filesystem::path> m_kept;
    std::set<std::filesystem::path> m_written;
};

} // namespace core
