#include "app/reports/report.h"

#include "core/base/file.h"
#include "core/text/visible_text.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace app {

namespace fs = std::filesystem;

namespace {

core::Diagnostic refusal(const std::string& file, std::string code, std::string message, std::string hint) {
    return core::makeError(core::Trouble::World, std::move(code), {file, ""}, std::move(message),
                           {std::move(hint)});
}

/// Each line of a row's JSON stands in a list of the outermost object.
std::string indented(std::string_view json) {
    std::string text = "    ";
    for (const char letter : json) {
        text += letter;
        if (letter == '\n')
            text += "    ";
    }
    return text;
}

/// The report's JSON with its rows where its list of them is empty.
core::Result<void> writeRowsAsJson(const Report& report, const core::WritePiece& write) {
    const std::string text = core::toText(report.json);
    const std::string place = fmt::format("\n  \"{}\": [", report.rows->key);
    const std::size_t at = text.find(place) + place.size();
    if (auto begun = write(std::string_view(text).substr(0, at)); !begun)
        return begun;
    bool isFirst = true;
    const auto writeRow = [&](std::string_view row) {
        const std::string between = isFirst ? "\n" : ",\n";
        isFirst = false;
        return write(between + indented(row));
    };
    if (auto written = report.rows->visit(RowForm::Json, writeRow); !written)
        return written;
    return write((isFirst ? "" : "\n  ") + text.substr(at));
}

core::Result<void> writeRows(const Report& report, RowForm form, const core::WritePiece& write) {
    // Rows are short and calls of the system take long.
    constexpr std::size_t pieceBytes = std::size_t{1} << 18U;
    std::string piece;
    const core::WritePiece collect = [&](std::string_view text) -> core::Result<void> {
        piece += text;
        if (piece.size() < pieceBytes)
            return {};
        return write(std::exchange(piece, {}));
    };
    auto written = form == RowForm::Json ? writeRowsAsJson(report, collect) : collect(report.rows->csvTitles);
    if (written && form == RowForm::Csv)
        written = report.rows->visit(form, collect);
    return written ? write(piece) : written;
}

core::Result<void> writeStreamed(const Report& report, const OutputOptions& options) {
    const core::ContentPieces content = [&](const core::WritePiece& write) {
        return writeRows(report, options.json ? RowForm::Json : RowForm::Csv, write);
    };
    if (!options.toFile())
        return content([](std::string_view piece) { return writeToStdout(std::string(piece)); });
    return core::writePiecesAtomically(options.file, content,
                                       options.force ? core::Overwrite::Replace : core::Overwrite::Refuse);
}

/// Those beside take their places last but one: what cannot be written leaves them all as they were.
core::Result<void> writeWithFilesBeside(const Report& report, const std::string& file,
                                        core::Overwrite overwrite) {
    const core::ContentPieces content = [&](const core::WritePiece& write) {
        auto written = write(report.content.value_or(""));
        for (const Report::FileBeside& beside : report.filesBeside)
            if (written)
                written = core::writeFileAtomically(beside.path, beside.bytes, overwrite);
        return written;
    };
    return core::writePiecesAtomically(file, content, overwrite);
}

} // namespace

bool OutputOptions::keepsFile() const {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    return toFile() && (!fs::exists(status) || fs::is_regular_file(status));
}

core::Result<void> checkOutput(const OutputOptions& options) {
    if (!options.toFile())
        return {};
    std::error_code error;
    const fs::file_status status = fs::status(options.file, error);
    if (fs::is_directory(status))
        return core::failure(
            refusal(options.file, "file/is-a-folder", "is a folder", "name a file inside it"));
    if (fs::is_regular_file(status) && !options.force)
        return core::failure(
            refusal(options.file, "file/exists", "exists already", "use --force to replace it"));
    const fs::path folder = fs::path(options.file).parent_path();
    if (!folder.empty() && !fs::is_directory(folder, error))
        return core::failure(refusal(options.file, "file/missing-folder",
                                     fmt::format("the folder {} does not exist", folder.string()),
                                     "make the folder first"));
    return {};
}

core::Result<void> write(const Report& report, const OutputOptions& options) {
    if (report.rows && (options.json || options.csv))
        return writeStreamed(report, options);
    // Names of a project are in every text; whatever made it, no control of a terminal leaves here.
    const std::string text = options.json  ? core::toText(report.json)
                             : options.csv ? report.csv
                                           : core::visibleLines(report.text);
    if (!options.toFile())
        return writeToStdout(report.content && !options.json ? *report.content : text);
    const auto overwrite = options.force ? core::Overwrite::Replace : core::Overwrite::Refuse;
    const auto written =
        report.filesBeside.empty()
            ? core::writeFileAtomically(options.file, report.content.value_or(text), overwrite)
            : writeWithFilesBeside(report, options.file, overwrite);
    if (!written || !report.content)
        return written;
    return writeToStdout(options.json ? text : core::visibleLines(report.besideContent));
}

core::Result<void> writeToStdout(const std::string& data) {
    const bool isWritten = std::fwrite(data.data(), 1, data.size(), stdout) == data.size();
    if (!isWritten || std::fflush(stdout) != 0)
        return core::failure(refusal("stdout", "stdout/not-writable",
                                     fmt::format("cannot be written: {}", std::strerror(errno)),
                                     "write to a file with -o FILE"));
    return {};
}

core::Json reportJson(std::string_view verb) {
    return {{"schema", fmt::format("ipu-workbench/{}", verb)}, {"version", 1}};
}

std::string counted(std::int64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

core::Json finite(double value) {
    return std::isfinite(value) ? core::Json(value) : core::Json();
}

} // namespace app
