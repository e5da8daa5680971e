#pragma once

#include "core/base/diagnostic.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace app {

enum class RowForm { Json, Csv };

/// Rows of a table that are too many to be held: they are asked for when they are written.
struct RowStream {
    /// Under which JSON has them; `Report::json` says where.
    std::string key;
    /// The title line of CSV.
    std::string csvTitles;
    /// Hands over one row after the other, as `ReportTable::row` has it.
    std::function<core::Result<void>(RowForm form, const core::WritePiece& write)> visit;
};

/// What a verb found out, in the forms in which it can be printed.
struct Report {
    /// For people; ends with a line break.
    std::string text;
    /// One object, schema and version first.
    core::Json json;
    /// Where the data is a table.
    std::string csv;
    /// The rows of `json` and `csv` where they are not held there.
    std::optional<RowStream> rows;
    /// The data itself where it is a document of its own (a project, a picture, a trace): what `-o` takes.
    std::optional<std::string> content;
    /// Files that `content` names and that stand beside it: they are written with it, or none of them is.
    struct FileBeside {
        std::filesystem::path path;
        std::string bytes;
    };
    std::vector<FileBeside> filesBeside = {};
    /// For people, on stdout where `content` goes to a file; ends with a line break.
    std::string besideContent;
    /// What goes to stderr. With an error among them the verb fails: its JSON is the error object, with the
    /// keys of `json` behind.
    core::Diagnostics diagnostics;
    /// A correct answer that is a "no": exit code 1.
    bool isNegative = false;
};

/// How a verb is asked to answer.
struct OutputOptions {
    bool json = false;
    bool csv = false;
    /// Empty or "-": stdout.
    std::string file;
    bool force = false;

    [[nodiscard]] bool toFile() const { return !file.empty() && file != "-"; }
    /// To a file of a folder, so that others can stand beside it: no device and no pipe.
    [[nodiscard]] bool keepsFile() const;
};

/// Refuses at once what could only fail after the work: a file that exists without `--force`, a folder.
[[nodiscard]] core::Result<void> checkOutput(const OutputOptions& options);

/// Writes the report to stdout or its file. Errors (Trouble::World) of the file system.
[[nodiscard]] core::Result<void> write(const Report& report, const OutputOptions& options);

/// Writes data to stdout; "stdout/not-writable" when it is closed or full.
[[nodiscard]] core::Result<void> writeToStdout(const std::string& data);

/// The start of a verb's JSON object.
[[nodiscard]] core::Json reportJson(std::string_view verb);

/// "1 error", "2 errors".
[[nodiscard]] std::string counted(std::int64_t count, std::string_view noun);

/// The number, or null where JSON cannot say it.
[[nodiscard]] core::Json finite(double value);

} // namespace app
