#include "simulator/target/target_file.h"

#include "core/base/file.h"
#include "core/base/object_reader.h"
#include "core/text/nearest_name.h"
#include "simulator/target/target_catalogue.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <vector>

namespace simulator {

namespace {

constexpr std::string_view format = "ipu-workbench-target";
constexpr std::int64_t version = 1;
/// Room for a name in listings and records.
constexpr std::size_t longestName = 100;

void readFigure(core::ObjectReader& reader, const TargetFigure& figure, IpuTarget& target) {
    if (std::holds_alternative<bool IpuTarget::*>(figure.member)) {
        if (const auto value = reader.readBool(figure.key))
            setFigure(target, figure, *value ? 1 : 0);
        return;
    }
    if (std::holds_alternative<double IpuTarget::*>(figure.member)) {
        if (const auto value = reader.readNumber(figure.key, figure.low, figure.high))
            setFigure(target, figure, *value);
        return;
    }
    const auto low = static_cast<std::int64_t>(figure.low);
    const auto high = static_cast<std::int64_t>(figure.high);
    if (const auto value = reader.readInteger(figure.key, low, high))
        setFigure(target, figure, static_cast<double>(*value));
}

void readFigures(core::ObjectReader& reader, IpuTarget& target) {
    for (const TargetFigure& figure : targetFigures())
        readFigure(reader, figure, target);
    if (target.executableBytesPerTile > target.memoryPerTileBytes)
        reader.refuse("executable_bytes_per_tile", "out-of-range",
                      fmt::format("{} bytes can hold code, but the tile has only {}",
                                  target.executableBytesPerTile, target.memoryPerTileBytes),
                      {fmt::format("write at most {}", target.memoryPerTileBytes)});
}

std::vector<std::string> targetNames() {
    std::vector<std::string> names;
    for (const CatalogueTarget& entry : targetCatalogue())
        names.push_back(entry.target.name);
    return names;
}

core::Diagnostic unknownTarget(std::string_view name) {
    const std::vector<std::string> names = targetNames();
    const auto nearest = core::nearestName(name, names);
    return core::makeError(
        core::Trouble::Input, "target/unknown", {}, fmt::format("there is no target \"{}\"", name),
        {nearest ? fmt::format("did you mean \"{}\"?", *nearest) : std::string(),
         fmt::format("targets: {}; or the path of a target file", fmt::join(names, ", "))});
}

void requireFormat(core::ObjectReader& reader) {
    reader.require("format");
    if (const auto found = reader.readText("format"); found && *found != format)
        reader.refuse("format", "wrong-format", fmt::format("\"{}\" is not a target file", *found),
                      {fmt::format("write \"format\": \"{}\"", format)});
    reader.require("version");
    if (const auto found = reader.readInteger("version", 1, INT32_MAX); found && *found > version)
        reader.refuse("version", "too-new",
                      fmt::format("version {} is newer than this program reads ({})", *found, version),
                      {"use a newer ipu-workbench, or write the file for this version"});
}

} // namespace

core::Result<IpuTarget> readTarget(std::string_view text, std::string_view file) {
    const auto json = core::parseJson(text, file);
    if (!json)
        return core::failure(json.error());
    core::Diagnostics findings;
    core::ObjectReader reader(*json, std::string(file), "", findings);
    if (hasErrors(findings))
        return core::failure(findings);
    requireFormat(reader);
    IpuTarget target = findTarget("ipu2")->target;
    if (const auto base = reader.readText("based_on")) {
        if (const CatalogueTarget* entry = findTarget(*base))
            target = entry->target;
        else
            reader.refuse("based_on", "target/unknown", unknownTarget(*base).message,
                          unknownTarget(*base).hints);
    }
    reader.require("name");
    if (const auto name = reader.readText("name")) {
        if (name->empty() || name->size() > longestName)
            reader.refuse("name", "out-of-range", fmt::format("a name has 1 to {} bytes", longestName),
                          {"give the target a shorter name"});
        else if (findTarget(*name) != nullptr)
            reader.refuse("name", "name-taken", fmt::format("\"{}\" is a built-in target", *name),
                          {"give the target a name of its own"});
        target.name = *name;
    }
    (void)reader.readText("description");
    readFigures(reader, target);
    core::readOwnIntervals(reader, target.intervals);
    reader.finish();
    if (hasErrors(findings))
        return core::failure(findings);
    return target;
}

core::Result<IpuTarget> resolveTarget(std::string_view nameOrPath, const std::filesystem::path& folder) {
    if (const CatalogueTarget* entry = findTarget(nameOrPath))
        return entry->target;
    // A word without folder or ending can only be meant as a name.
    if (nameOrPath.find_first_of("/.") == std::string_view::npos)
        return core::failure(unknownTarget(nameOrPath));
    constexpr std::uintmax_t largestFile = 1024 * 1024;
    const std::filesystem::path path = folder / std::filesystem::path(nameOrPath);
    const auto text = core::readFile(path, largestFile);
    if (!text)
        return core::failure(text.error());
    return readTarget(*text, path.string());
}

core::Result<IpuTarget> overrideFigures(IpuTarget target, const core::Json& overrides, std::string_view file,
                                        std::string_view pointer) {
    core::Diagnostics findings;
    core::ObjectReader reader(overrides, std::string(file), std::string(pointer), findings);
    if (!hasErrors(findings)) {
        readFigures(reader, target);
        reader.finish();
    }
    if (hasErrors(findings))
        return core::failure(findings);
    return target;
}

core::Json toJson(const IpuTarget& target) {
    core::Json json;
    json["format"] = format;
    json["version"] = version;
    json["name"] = target.name;
    for (const TargetFigure& figure : targetFigures())
        std::visit([&](auto member) { json[std::string(figure.key)] = target.*member; }, figure.member);
    if (target.intervals.hasOwn())
        json["intervals"] = core::ownIntervalsJson(target.intervals);
    return json;
}

} // namespace simulator
