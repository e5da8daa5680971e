#include "core/interchange/sweep/sweep.h"

#include "core/base/object_reader.h"
#include "core/interchange/templates/template_catalogue.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace core {

namespace {

constexpr std::string_view formatName = "ipu-workbench-sweep";
constexpr std::int64_t formatVersion = 1;

/// A number of a sequence by its place, so that a point needs no other point: SplitMix64 (Steele, Lea, Flood,
/// "Fast Splittable Pseudorandom Number Generators", 2014).
std::uint64_t numberAt(std::uint64_t seed, std::uint64_t place) {
    std::uint64_t x = seed + (place + 1) * 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
}

/// 0 ≤ share < 1 of a random number of 53 bits.
double shareOf(std::uint64_t random) {
    return static_cast<double>(random) * 0x1p-53;
}

/// Whole numbers that doubles tell apart.
bool isCounted(const SweepRange& range) {
    return range.isWhole && range.high - range.low < 0x1p53;
}

std::int64_t gridSize(const Sweep& sweep) {
    if (sweep.grid.empty())
        return 0;
    double size = 1;
    for (const auto& [path, values] : sweep.grid)
        size *= static_cast<double>(values.size());
    return static_cast<std::int64_t>(std::min(size, 1e15));
}

/// Reads the parts of a sweep file.
class SweepReader {
public:
    SweepReader(const Json& document, const std::string& file)
        : m_file(file)
        , m_reader(document, file, "", m_findings) {}

    [[nodiscard]] Result<Sweep> read() {
        readFormat();
        readSubject();
        if (const auto numerics = m_reader.readBool("numerics"))
            m_sweep.numerics = *numerics;
        readGrid();
        readList();
        readRandom();
        readConditions();
        m_reader.finish();
        if (m_findings.empty() && m_sweep.pointCount() == 0)
            m_reader.refuse("grid", "sweep/empty", "the file asks for no point",
                            {"give a \"grid\" of values, a \"list\" of points or \"random\" samples"});
        if (m_findings.empty() && m_sweep.pointCount() > mostSweepPoints)
            m_reader.refuse("grid", "sweep/too-many",
                            fmt::format("the file asks for more than {} points", mostSweepPoints),
                            {"take fewer values, or \"random\" samples of them"});
        if (hasErrors(m_findings))
            return failure(std::move(m_findings));
        return std::move(m_sweep);
    }

private:
    void readFormat() {
        const auto format = m_reader.readText("format");
        if (format && *format != formatName)
            m_reader.refuse("format", "sweep/format", fmt::format("\"{}\" is another format", *format),
                            {fmt::format("a sweep file says \"{}\"", formatName)});
        m_reader.require("format");
        (void)m_reader.readInteger("version", formatVersion, formatVersion);
        m_reader.require("version");
    }

    void readSubject() {
        const auto project = m_reader.readText("project");
        const Json* made = m_reader.readObject("template");
        if (project.has_value() == (made != nullptr)) {
            m_reader.refuse(project ? "template" : "project", "sweep/subject",
                            project ? "a sweep is of a project or of a template, not of both"
                                    : "the file does not say what is varied",
                            {"\"project\": \"net.ipuproj\", or \"template\": {\"name\": \"bert\"}"});
            return;
        }
        if (project) {
            m_sweep.project = *project;
            return;
        }
        Json arguments = *made;
        const Json name = arguments.value("name", Json());
        if (!name.is_string() || findTemplate(name.get<std::string>()) == nullptr) {
            m_reader.refuse("template", "sweep/template", "the template's name is not one known here",
                            {"`new` lists the templates; write {\"name\": \"bert\", \"layers\": 24}"});
            return;
        }
        m_sweep.templateName = name.get<std::string>();
        arguments.erase("name");
        m_sweep.templateArguments = std::move(arguments);
    }

    void readGrid() {
        const Json* grid = m_reader.readObject("grid");
        if (grid == nullptr)
            return;
        for (const auto& [path, values] : grid->items()) {
            if (!values.is_array() || values.empty())
                refuse("/grid/" + path, "a grid takes a list of values for each path",
                       "write for example \"training.batch_size\": [4, 8]");
            else
                m_sweep.grid.emplace_back(path, values.get<std::vector<Json>>());
        }
    }

    void readList() {
        const Json* list = m_reader.readList("list");
        if (list == nullptr)
            return;
        for (std::size_t i = 0; i < list->size(); ++i) {
            const Json& entry = (*list)[i];
            if (!entry.is_object()) {
                refuse(fmt::format("/list/{}", i), "a point of the list is an object of paths and values",
                       "write for example {\"replicas\": 2}");
                continue;
            }
            std::vector<ProjectSetting> point;
            for (const auto& [path, value] : entry.items())
                point.push_back({path, value});
            m_sweep.list.push_back(std::move(point));
        }
    }

    void readRandom() {
        const Json* random = m_reader.readObject("random");
        if (random == nullptr)
            return;
        ObjectReader reader(*random, m_file, "/random", m_findings);
        m_sweep.samples = reader.readInteger("samples", 1, mostSweepPoints).value_or(0);
        reader.require("samples");
        m_sweep.seed = static_cast<std::uint64_t>(
            reader.readInteger("seed", 0, std::numeric_limits<std::int64_t>::max()).value_or(0));
        const Json* ranges = reader.readObject("ranges");
        reader.require("ranges");
        reader.finish();
        if (ranges == nullptr)
            return;
        for (const auto& [path, value] : ranges->items())
            readRange(path, value);
    }

    void readRange(const std::string& path, const Json& value) {
        SweepRange range{path, 0, 0, false, {}};
        const bool hasBounds = value.is_array() && value.size() == 2 && value[0].is_number() &&
                               value[1].is_number() && value[0].get<double>() <= value[1].get<double>();
        const bool hasChoices = value.is_object() && value.size() == 1 && value.contains("choices") &&
                                value["choices"].is_array() && !value["choices"].empty();
        if (hasBounds) {
            range.low = value[0].get<double>();
            range.high = value[1].get<double>();
            range.isWhole = value[0].is_number_integer() && value[1].is_number_integer();
        } else if (hasChoices) {
            range.choices = value["choices"].get<std::vector<Json>>();
        } else {
            refuse("/random/ranges/" + path, "a range is [LOW, HIGH] with LOW ≤ HIGH",
                   "for values of another kind write {\"choices\": [\"Grouped\", \"Interleaved\"]}");
            return;
        }
        m_sweep.ranges.push_back(std::move(range));
    }

    void readConditions() {
        const auto texts = m_reader.readTexts("where");
        for (std::size_t i = 0; texts && i < texts->size(); ++i) {
            auto condition = PointCondition::parse((*texts)[i], m_file, fmt::format("/where/{}", i));
            if (condition)
                m_sweep.conditions.push_back(std::move(*condition));
            else
                m_findings.insert(m_findings.end(), condition.error().begin(), condition.error().end());
        }
    }

    void refuse(const std::string& place, std::string message, std::string hint) {
        m_findings.push_back(
            makeError(Trouble::Input, "sweep/value", {m_file, place}, std::move(message), {std::move(hint)}));
    }

    std::string m_file;
    Diagnostics m_findings;
    ObjectReader m_reader;
    Sweep m_sweep;
};

} // namespace

std::uint64_t SweepRange::place(std::uint64_t random) const {
    if (!choices.empty())
        return static_cast<std::uint64_t>(shareOf(random) * static_cast<double>(choices.size()));
    return isCounted(*this) ? static_cast<std::uint64_t>(shareOf(random) * (high - low + 1)) : random;
}

Json SweepRange::value(std::uint64_t place) const {
    if (!choices.empty())
        return choices[place];
    if (isCounted(*this))
        return static_cast<std::int64_t>(low + static_cast<double>(place));
    const double number = low + shareOf(place) * (high - low);
    return isWhole ? Json(static_cast<std::int64_t>(number)) : Json(number);
}

std::int64_t Sweep::pointCount() const {
    return gridSize(*this) + static_cast<std::int64_t>(list.size()) + samples;
}

std::vector<ProjectSetting> Sweep::point(std::int64_t index) const {
    std::vector<ProjectSetting> settings;
    const std::int64_t inGrid = gridSize(*this);
    if (index < inGrid) {
        // The last path turns fastest.
        for (std::size_t i = grid.size(); i-- > 0;) {
            const auto& [path, values] = grid[i];
            const auto count = static_cast<std::int64_t>(values.size());
            settings.push_back({path, values[static_cast<std::size_t>(index % count)]});
            index /= count;
        }
        std::ranges::reverse(settings);
        return settings;
    }
    index -= inGrid;
    if (index < static_cast<std::int64_t>(list.size()))
        return list[static_cast<std::size_t>(index)];
    index -= static_cast<std::int64_t>(list.size());
    for (std::size_t i = 0; i < ranges.size(); ++i)
        settings.push_back({ranges[i].path, ranges[i].value(randomPlace(index, i))});
    return settings;
}

std::uint64_t Sweep::randomPlace(std::int64_t sample, std::size_t range) const {
    const auto place = static_cast<std::uint64_t>(sample) * ranges.size() + range;
    return ranges[range].place(numberAt(seed, place) >> 11U);
}

std::vector<std::string> Sweep::paths() const {
    std::vector<std::string> paths;
    const auto add = [&](const std::string& path) {
        if (std::ranges::find(paths, path) == paths.end())
            paths.push_back(path);
    };
    for (const auto& [path, values] : grid)
        add(path);
    for (const auto& settings : list) {
        for (const ProjectSetting& setting : settings)
            add(setting.path);
    }
    for (const SweepRange& range : ranges)
        add(range.path);
    return paths;
}

Result<Sweep> readSweep(std::string_view text, const std::string& file) {
    const auto document = parseJson(text, file);
    if (!document)
        return failure(document.error());
    if (!document->is_object())
        return failure(makeError(Trouble::Input, "sweep/format", {file, ""}, "a sweep file is a JSON object",
                                 {fmt::format("it begins with {{\"format\": \"{}\", \"version\": {}",
                                              formatName, formatVersion)}));
    return SweepReader(*document, file).read();
}

std::string writeSweep(const Sweep& sweep) {
    Json json = {{"format", formatName}, {"version", formatVersion}};
    if (sweep.templateName.empty()) {
        json["project"] = sweep.project.string();
    } else {
        json["template"] = {{"name", sweep.templateName}};
        json["template"].update(sweep.templateArguments);
    }
    json["numerics"] = sweep.numerics;
    for (const auto& [path, values] : sweep.grid)
        json["grid"][path] = values;
    for (const auto& settings : sweep.list) {
        Json point = Json::object();
        for (const ProjectSetting& setting : settings)
            point[setting.path] = setting.value;
        json["list"].push_back(std::move(point));
    }
    if (sweep.samples > 0) {
        json["random"] = {{"samples", sweep.samples}, {"seed", sweep.seed}, {"ranges", Json::object()}};
        for (const SweepRange& range : sweep.ranges) {
            Json& value = json["random"]["ranges"][range.path];
            if (!range.choices.empty())
                value = {{"choices", range.choices}};
            else if (range.isWhole)
                value = {static_cast<std::int64_t>(range.low), static_cast<std::int64_t>(range.high)};
            else
                value = {range.low, range.high};
        }
    }
    for (const PointCondition& condition : sweep.conditions)
        json["where"].push_back(condition.text());
    return toText(json, 1);
}

} // namespace core
