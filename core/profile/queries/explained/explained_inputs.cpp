#include "core/profile/queries/explained/explained_inputs.h"

#include "core/profile/queries/record_query.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace core {

namespace {

constexpr std::size_t mostParts = 12;

/// Where the parts of a sum are: a query for name and amount, of run ?1 and what ?2 and ?3 are bound to. Each
/// further column is a part of the amount, under its own name.
struct PartsQuery {
    std::string sql;
    std::int64_t place = 0;
    std::string name;
    const char* meaning;
    /// What is left of the figure; null where the parts are no sum: the last one is a count that the others
    /// are divided by.
    const char* rest;
};

std::vector<std::string> metricWords(std::string_view metric) {
    std::vector<std::string> words{""};
    for (const char letter : metric)
        if (letter == '.')
            words.emplace_back();
        else
            words.back() += letter;
    return words;
}

/// Of the steps that the program has, which may be operations of another phase: what is recomputed, or the
/// forward pass of the last stage within its backward pass.
PartsQuery cyclesOfProgram(std::int64_t stage, std::string_view phase) {
    const bool isUpdate = phase == "update";
    return {"SELECT coalesce(layer, '?'), sum(duration_cycles) AS cycles, sum(duration_cycles) FILTER (WHERE "
            "p.kind = 'OnTileExecute') AS compute_cycles, sum(duration_cycles) FILTER (WHERE p.kind = "
            "'DoExchange') AS exchange_cycles, sum(duration_cycles) FILTER (WHERE p.kind = 'Sync') AS "
            "sync_cycles FROM v_program_step AS p JOIN v_operation AS o ON o.run = p.run AND o.operation = "
            "p.operation WHERE p.run = ?1 AND p.stage = ?2 AND p.phase = ?3 AND layer IS NOT NULL GROUP BY "
            "layer ORDER BY cycles DESC",
            stage, isUpdate ? "weight_update" : std::string(phase), "Operations of a layer in this program.",
            isUpdate ? "What no layer has: weights and optimizer state from and to remote memory, exchanges "
                       "and syncs."
                     : "Operations of no layer, exchanges and syncs between them."};
}

/// The categories are columns of the view.
PartsQuery categoriesOfWorstTile(std::int64_t ipu) {
    std::string sql;
    for (std::size_t i = 0; i < memoryCategoryCount; ++i)
        sql += fmt::format("{0}SELECT '{1}', {1} AS bytes FROM worst WHERE {1} > 0",
                           i > 0 ? " UNION ALL " : "", toString(static_cast<MemoryCategory>(i)));
    return {
        "WITH worst AS (SELECT v_tile.* FROM v_tile JOIN v_peak USING (run, ipu) WHERE run = ?1 AND ipu = "
        "?2 AND tile = worst_tile) " +
            sql + " ORDER BY bytes DESC",
        ipu,
        {},
        "Bytes of this category on the tile.",
        "What no category has."};
}

/// Nothing for figures that are no sums, or whose inputs are figures of the summary.
std::optional<PartsQuery> partsQuery(std::string_view metric) {
    const std::vector<std::string> words = metricWords(metric);
    const auto place = [&] { return std::int64_t(std::strtoll(words[1].c_str(), nullptr, 10)); };
    if (words.size() == 3 && words[0] == "stages" && words[2].ends_with("_cycles"))
        return cyclesOfProgram(place(), words[2].substr(0, words[2].size() - std::string("_cycles").size()));
    if (words.size() == 3 && words[0] == "stages" && words[2] == "transfer_bytes")
        return PartsQuery{
            "SELECT coalesce(tensor, '?'), sum(bytes) AS bytes FROM v_transfer WHERE run = ?1 AND "
            "from_stage = ?2 GROUP BY tensor ORDER BY bytes DESC",
            place(),
            {},
            "A tensor that crosses.",
            "What crosses under no name."};
    if (words.size() == 3 && words[0] == "stages" && words[2] == "kept_bytes")
        return PartsQuery{
            "SELECT coalesce(layer, tensor, '?'), 1.0 * sum(bytes) / max(1, (SELECT fifo_depth FROM "
            "v_stage_summary WHERE run = ?1 AND stage = ?2)) AS bytes FROM v_tensor WHERE run = ?1 AND stage "
            "= "
            "?2 AND category = 'stash' GROUP BY 1 ORDER BY bytes DESC",
            place(),
            {},
            "What the backward pass needs of a layer.",
            "Tensors of no layer."};
    if (words.size() == 4 && words[2] == "by_category")
        return PartsQuery{
            "SELECT coalesce(t.layer, t.tensor, '?'), sum(t.bytes) AS bytes FROM v_tensor AS t "
            "LEFT JOIN (SELECT step FROM v_liveness WHERE run = ?1 AND ipu = ?2 ORDER BY total_bytes DESC "
            "LIMIT "
            "1) AS peak WHERE t.run = ?1 AND t.ipu = ?2 AND t.category = ?3 AND (t.is_always_live OR "
            "peak.step BETWEEN t.first_step AND t.last_step) GROUP BY 1 ORDER BY bytes DESC",
            place(), words[3], "Blocks of a layer.", "Blocks of no layer."};
    if (words.size() == 3 && words[2] == "worst_tile_bytes")
        return categoriesOfWorstTile(place());
    if (words.size() == 2 && words[0] == "idle")
        return PartsQuery{
            "SELECT 'IPU ' || ipu, sum(cycles) AS cycles FROM v_idle WHERE run = ?1 AND ?2 = 0 AND "
            "cause = ?3 GROUP BY ipu ORDER BY cycles DESC",
            0, words[1], "Waiting of one IPU.", "Waiting that no lane shows."};
    if (metric == "busy_cycles")
        return PartsQuery{
            "SELECT 'IPU ' || ipu, sum(cycles) AS cycles, sum(cycles) FILTER (WHERE k.name = 'forward') AS "
            "forward, sum(cycles) FILTER (WHERE k.name = 'backward') AS backward, sum(cycles) FILTER (WHERE "
            "k.name = 'recompute') AS recompute, sum(cycles) FILTER (WHERE k.name = 'weight_update') AS "
            "weight_update FROM v_span_sum AS s JOIN lane ON lane.run_id = s.run AND lane.lane = s.lane JOIN "
            "lane_kind ON lane_kind.id = lane.kind AND lane_kind.name = 'compute' JOIN span_kind AS k ON "
            "k.id "
            "= s.kind WHERE s.run = ?1 AND ?2 = 0 AND cause IS NULL GROUP BY ipu ORDER BY ipu",
            0,
            {},
            "Work of one IPU.",
            "Work that no lane shows."};
    if (metric == "launch_cycles")
        return PartsQuery{
            "SELECT name, amount FROM (SELECT execution, 0 AS place, 'host_before_cycles' AS name, "
            "host_before_cycles AS amount FROM v_execution WHERE run = ?1 UNION ALL SELECT execution, 1, "
            "'host_after_cycles', host_after_cycles FROM v_execution WHERE run = ?1 UNION ALL SELECT "
            "execution, "
            "2, 'updates_of_execution', updates FROM v_execution WHERE run = ?1) WHERE ?2 = 0 AND execution "
            "= "
            "0 ORDER BY place",
            0,
            {},
            "Of the first execution: the rendezvous with the host, the last results, the updates between "
            "them.",
            nullptr};
    return std::nullopt;
}

const char* meaningOfColumn(std::string_view column) {
    if (column == "compute_cycles")
        return "Vertices on the tiles, the slowest tile of each.";
    if (column == "exchange_cycles")
        return "Data between tiles before them.";
    if (column == "sync_cycles")
        return "Tiles that wait for one another.";
    return "Programs of this kind over the step.";
}

/// A row of the query with the parts of its amount.
ExplainedInput partOf(SQLite::Statement& row, const PartsQuery& query, const std::string& unit) {
    ExplainedInput part{row.getColumn(0).getString(), row.getColumn(1).getDouble(), unit, query.meaning};
    for (int column = 2; column < row.getColumnCount(); ++column) {
        const std::string name = row.getColumnName(column);
        const double amount = row.getColumn(column).getDouble();
        if (amount <= 0)
            continue;
        part.formula += (part.formula.empty() ? "" : " + ") + name;
        part.inputs.push_back({name, amount, unit, meaningOfColumn(name)});
    }
    if (!part.inputs.empty())
        part.source = FigureSource::Formula;
    return part;
}

} // namespace

Result<MetricExplanation> StoredExplainer::withParts(MetricExplanation explanation) const {
    const std::optional<PartsQuery> query = partsQuery(explanation.metric);
    if (!query)
        return explanation;
    return guarded(m_database, [&]() -> Result<MetricExplanation> {
        SQLite::Statement statement(m_database.connection(), query->sql);
        statement.bind(1, sqlId(m_run));
        statement.bind(2, query->place);
        if (!query->name.empty())
            statement.bind(3, query->name);
        const bool isSum = query->rest != nullptr;
        std::vector<ExplainedInput> parts;
        ExplainedInput rest{"others", 0, explanation.unit, "All smaller ones together."};
        double sum = 0;
        while (statement.executeStep()) {
            ExplainedInput part = partOf(statement, *query, explanation.unit);
            sum += part.value;
            if (parts.size() < mostParts)
                parts.push_back(std::move(part));
            else
                rest.value += part.value;
        }
        if (parts.empty())
            return withoutParts(std::move(explanation));
        if (!isSum)
            parts.back().unit.clear();
        if (rest.value > 0)
            parts.push_back(std::move(rest));
        if (isSum && explanation.value > sum)
            parts.push_back({"the rest", explanation.value - sum, explanation.unit, query->rest});
        explanation.inputs.insert(explanation.inputs.begin(), parts.begin(), parts.end());
        return explanation;
    });
}

/// The whole in place of its parts, and what one does to have these.
MetricExplanation StoredExplainer::withoutParts(MetricExplanation explanation) const {
    SQLite::Statement level(m_database.connection(), "SELECT profile_level FROM run WHERE id = ?");
    level.bind(1, sqlId(m_run));
    // At the finest level a figure without parts has none.
    if (!(explanation.value > 0) || !level.executeStep() || level.getColumn(0).getString() == "tile")
        return explanation;
    explanation.inputs.insert(explanation.inputs.begin(),
                              {"not recorded", explanation.value, explanation.unit,
                               fmt::format("Its parts were not recorded at the profile level “{}”: run the "
                                           "project again with `--profile tile`.",
                                           level.getColumn(0).getString())});
    return explanation;
}

Result<MetricExplanation> StoredExplainer::explain(const std::string& metric, bool isListed) {
    if (const auto known = m_known.find(metric); known != m_known.end() && !isListed)
        return known->second;
    auto explanation = withParts(*m_explainer.explain(metric));
    if (!explanation)
        return explanation;
    for (ExplainedInput& input : explanation->inputs) {
        if (!m_explainer.has(input.name))
            continue;
        const bool isFigure = m_explainer.isMetric(input.name);
        auto own = isListed && isFigure ? Result<MetricExplanation>(*m_explainer.explain(input.name))
                                        : explain(input.name, isListed);
        if (!own)
            return own;
        input.formula = own->formula;
        if (isListed && isFigure) {
            input.source = FigureSource::Formula;
            continue;
        }
        input.source = own->inputs.empty() ? FigureSource::Counted : FigureSource::Formula;
        input.inputs = std::move(own->inputs);
    }
    if (!isListed)
        m_known.emplace(metric, *explanation);
    return explanation;
}

} // namespace core
