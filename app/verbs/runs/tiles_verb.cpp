#include "app/reports/report_table.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/verb.h"
#include "core/profile/analysis/quantity_words.h"
#include "core/profile/queries/run_queries.h"
#include "views/tiles/tile_map.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace app {

namespace {

constexpr std::int64_t mostOfTiles = 1'000'000'000;

std::string plainSize(core::Bytes bytes) {
    return core::plainWords(0).bytes(bytes);
}

/// What lies on the tiles of an IPU at a step of its program.
class TilesVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command.add_option("RUN", m_run, "A run's number, or last")->required();
        addWholeNumber(command, "--ipu", m_ipu, 0, mostOfTiles, "Otherwise the one with the fullest tile");
        addWholeNumber(command, "--step", m_step, 0, mostOfTiles,
                       "Step of its program; otherwise the one at which a tile has most");
        command
            .add_option_function<std::vector<std::string>>(
                "--tile",
                [this](const std::vector<std::string>& texts) {
                    m_tiles.clear();
                    for (const std::string& text : texts)
                        m_tiles.push_back(readWholeNumber("--tile", text, 0, mostOfTiles));
                },
                "A tile to list (may be repeated); otherwise the fullest")
            ->type_name("TILE")
            ->allow_extra_args(false);
        command.add_flag("--steps", m_wantsSteps, "List the fullest tile at every step");
        m_database.addOption(command);
    }

    core::Result<Report> run(const VerbContext&) override {
        const auto run = m_database.openRun(m_run);
        if (!run)
            return core::failure(run.error());
        auto loaded = views::loadTiles(run->database, run->id,
                                       m_ipu ? std::optional(core::IpuId(static_cast<std::size_t>(*m_ipu)))
                                             : std::nullopt);
        if (!loaded)
            return core::failure(loaded.error());
        auto data = std::make_shared<const views::TileData>(*std::move(loaded));
        if (auto checked = check(*data); !checked)
            return core::failure(checked.error());
        if (m_step)
            data = views::atStep(data, *m_step);
        return reportOf(*data);
    }

private:
    [[nodiscard]] core::Result<void> check(const views::TileData& data) const {
        const auto refusal = [&](const char* code, const char* option, std::string message,
                                 std::string hint) {
            return core::failure(core::makeError(core::Trouble::Input, code, {"", option}, std::move(message),
                                                 {std::move(hint)}));
        };
        if (m_ipu && data.ipu != core::IpuId(static_cast<std::size_t>(*m_ipu)))
            return refusal("run/unknown-ipu", "--ipu",
                           fmt::format("run {} has no IPU {}", data.run.value(), *m_ipu),
                           fmt::format("it has {}, counted from 0", data.ipus.size()));
        if ((m_step || m_wantsSteps) && !data.history)
            return core::failure(views::noTileSteps(data.run));
        if (m_step && *m_step >= static_cast<std::int64_t>(data.history->fullest.size()))
            return refusal("run/unknown-step", "--step",
                           fmt::format("the program of IPU {} has no step {}", data.ipu.value(), *m_step),
                           fmt::format("it has {}, counted from 0", data.history->fullest.size()));
        const auto outside = std::ranges::find_if(
            m_tiles, [&](std::int64_t tile) { return tile >= static_cast<std::int64_t>(data.tiles()); });
        if (outside != m_tiles.end())
            return refusal("run/unknown-tile", "--tile",
                           fmt::format("IPU {} has no tile {}", data.ipu.value(), *outside),
                           fmt::format("it has {}, counted from 0", data.tiles()));
        return {};
    }

    [[nodiscard]] Report reportOf(const views::TileData& data) const {
        const core::TileFigures figures = views::statisticsOf(data, {});
        std::vector<std::size_t> tiles(m_tiles.begin(), m_tiles.end());
        if (tiles.empty())
            tiles.push_back(figures.worst);
        Report report;
        report.json = reportJson("tiles");
        report.json["run"] = data.run.value();
        report.json["ipu"] = data.ipu.value();
        report.json["tiles"] = data.tiles();
        addStep(data, report);
        report.json["memory_per_tile_bytes"] = data.memoryPerTile.value();
        report.json["mean_bytes"] = figures.mean.value();
        report.json["least_bytes"] = figures.least.value();
        report.json["fullest_tile"] = figures.worst;
        report.json["fullest_bytes"] = figures.most.value();
        report.json["tiles_over_limit"] = figures.over;
        report.text += fmt::format(
            "fullest tile {} has {} of {}; mean {}, least {}, worst / mean {:.2f}, over the limit: {}\n",
            figures.worst, plainSize(figures.most), plainSize(data.memoryPerTile), plainSize(figures.mean),
            plainSize(figures.least), figures.imbalance(), figures.over);
        const auto add = [&](const ReportTable& table, const char* key, const std::string& title) {
            report.json[key] = table.json();
            report.text += fmt::format("\n{}\n{}", title, table.text());
            report.csv = table.csv();
        };
        add(categoryTable(data, tiles), "categories", "By category, bytes:");
        if (data.history)
            add(blockTable(data, tiles), "blocks", "What lies there:");
        if (m_wantsSteps)
            add(stepTable(*data.history), "steps", "The fullest tile at every step:");
        return report;
    }

    static void addStep(const views::TileData& data, Report& report) {
        report.json["step"] = data.history ? core::Json(data.step) : core::Json();
        report.json["peak_step"] = data.history ? core::Json(data.history->peakStep()) : core::Json();
        report.json["program_steps"] = data.history ? core::Json(data.history->fullest.size()) : core::Json();
        report.text = fmt::format("run {}, IPU {}", data.run.value(), data.ipu.value());
        if (!data.history) {
            report.text += ", at the peak of its fullest tile (an older version recorded the run)\n";
            return;
        }
        const core::LivenessStepRecord& at = data.history->steps[static_cast<std::size_t>(data.step)];
        report.json["phase"] = std::string(core::toString(at.phase));
        report.json["stage"] = at.stage.isValid() ? core::Json(at.stage.value()) : core::Json();
        report.text += fmt::format(", step {} of {}{}\n", data.step, data.history->fullest.size(),
                                   data.step == data.history->peakStep() ? ", the peak of a tile" : "");
    }

    static ReportTable categoryTable(const views::TileData& data, const std::vector<std::size_t>& tiles) {
        using Align = ReportTable::Align;
        ReportTable table({{"tile", Align::Right},
                           {"category"},
                           {"bytes", Align::Right},
                           {"mean_bytes", Align::Right, "mean of all tiles"}});
        for (const std::size_t tile : tiles)
            for (std::size_t i = 0; i < core::memoryCategoryCount; ++i) {
                const auto category = static_cast<core::MemoryCategory>(i);
                const core::TileFigures figures = views::statisticsOf(data, category);
                if (figures.most.value() > 0)
                    table.add({tile, std::string(core::toString(category)),
                               data.bytes(tile, category).value(), figures.mean.value()});
            }
        return table;
    }

    static ReportTable blockTable(const views::TileData& data, const std::vector<std::size_t>& tiles) {
        using Align = ReportTable::Align;
        ReportTable table({{"tile", Align::Right},
                           {"block"},
                           {"category"},
                           {"bytes", Align::Right},
                           {"layer"},
                           {"stage", Align::Right}});
        const views::TileHistory& history = *data.history;
        for (const std::size_t tile : tiles)
            for (const core::BlockOnTile& block : core::blocksOnTile(
                     history.ranges, history.tiles, static_cast<std::int64_t>(tile), data.step)) {
                const core::LiveRangeRecord& range = history.ranges[block.range];
                table.add({tile, range.name, std::string(core::toString(range.category)), block.bytes.value(),
                           range.layer, stageOrNone(range.stage)});
            }
        return table;
    }

    static ReportTable stepTable(const views::TileHistory& history) {
        using Align = ReportTable::Align;
        ReportTable table({{"step", Align::Right},
                           {"phase"},
                           {"stage", Align::Right},
                           {"fullest_tile", Align::Right},
                           {"fullest_bytes", Align::Right}});
        for (std::size_t step = 0; step < history.fullest.size(); ++step) {
            const core::LivenessStepRecord& at = history.steps[step];
            table.add({step, std::string(core::toString(at.phase)), stageOrNone(at.stage),
                       history.fullest[step].tile, history.fullest[step].bytes.value()});
        }
        return table;
    }

    DatabaseArgument m_database;
    std::string m_run;
    std::optional<std::int64_t> m_ipu;
    std::optional<std::int64_t> m_step;
    std::vector<std::int64_t> m_tiles;
    bool m_wantsSteps = false;
};

} // namespace

VerbDefinition tilesVerb() {
    return {.name = "tiles",
            .summary = "What lies on the tiles of an IPU at a step of its program, and which is fullest when",
            .examples = {"tiles last", "tiles last --ipu 1 --step 120 --tile 0 --tile 17 --json",
                         "tiles 3 --steps --csv"},
            .make = makeVerb<TilesVerb>,
            .hasCsv = true};
}

} // namespace app
