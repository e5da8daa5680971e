#include "core/profile/schema/profile_tables.h"

#include "core/profile/schema/memory_tables.h"
#include "core/profile/schema/note_tables.h"
#include "core/profile/schema/program_tables.h"
#include "core/profile/schema/run_tables.h"
#include "core/profile/schema/sweep_tables.h"
#include "core/profile/schema/time_tables.h"
#include "core/profile/schema/training_tables.h"

#include <algorithm>

namespace core {

namespace {

TableText runTable() {
    TableText run = textOf(startedRunTable);
    run.columns.insert(run.columns.begin(), {"id", "INTEGER PRIMARY KEY AUTOINCREMENT"});
    const TableText totals = textOf(runTotalsTable);
    run.columns.insert(run.columns.end(), totals.columns.begin(), totals.columns.end());
    // Columns that came later are at the end, as they do in files that were brought up to date.
    std::stable_sort(run.columns.begin(), run.columns.end(),
                     [](const ColumnText& a, const ColumnText& b) { return a.since < b.since; });
    return run;
}

} // namespace

std::span<const TableText> recordTables() {
    static const std::vector<TableText> tables{
        runTable(),
        textOf(stageTable),
        textOf(ipuMemoryTable),
        textOf(ipuMemoryCategoryTable),
        textOf(idleTotalTable),
        textOf(diagnosticTable),
        textOf(operationTable),
        textOf(programStepTable),
        textOf(transferTable),
        textOf(laneTable),
        textOf(spanTable),
        textOf(spanBinTable),
        textOf(spanShapeTable),
        textOf(spanBlockTable),
        textOf(executionTable),
        textOf(livenessStepTable),
        textOf(liveRangeTable),
        textOf(tileMemoryTable),
        textOf(metricSeriesTable),
        textOf(metricTable),
        textOf(tensorStatisticsTable),
        textOf(confusionTable),
        textOf(samplePredictionTable),
        textOf(sampleImageTable),
        textOf(callbackTable),
        textOf(modelOutputTable),
        textOf(outputValueTable),
        textOf(sweepTable),
        textOf(sweepPointTable),
        textOf(noteTable),
        textOf(queryTable),
    };
    return tables;
}

std::vector<ViewText> profileViews() {
    std::vector<ViewText> views;
    const auto add = [&](const auto& some) { views.insert(views.end(), some.begin(), some.end()); };
    add(runViews);
    add(programViews);
    add(timeViews);
    add(memoryViews);
    add(trainingViews);
    add(sweepViews);
    add(noteViews);
    return views;
}

const std::string_view supportTablesSql = R"sql(
CREATE TABLE text (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
CREATE TABLE project_snapshot (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    content TEXT NOT NULL,
    UNIQUE (hash, content));
)sql";

const std::string_view addedByVersion2Sql = R"sql(
CREATE TABLE trained_tensor_kind (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO trained_tensor_kind (id, name) VALUES (0, 'weight'), (1, 'gradient');

-- `histogram` is a JSON list of counts in equal bins from minimum to maximum. NULL: no finite element.
CREATE TABLE tensor_statistics (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    weight_update INTEGER NOT NULL,
    kind INTEGER NOT NULL REFERENCES trained_tensor_kind,
    tensor_id INTEGER NOT NULL REFERENCES text,
    layer_id INTEGER REFERENCES text,
    epoch INTEGER NOT NULL,
    elements INTEGER NOT NULL,
    not_finite INTEGER NOT NULL,
    norm REAL,
    minimum REAL,
    maximum REAL,
    mean REAL,
    histogram TEXT NOT NULL,
    PRIMARY KEY (run_id, weight_update, kind, tensor_id)) WITHOUT ROWID;

CREATE TABLE confusion (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    output_id INTEGER NOT NULL REFERENCES text,
    epoch INTEGER NOT NULL,
    truth INTEGER NOT NULL,
    predicted INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (run_id, output_id, epoch, truth, predicted)) WITHOUT ROWID;

-- A NULL probability: the output is a value, no class.
CREATE TABLE sample_prediction (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    output_id INTEGER NOT NULL REFERENCES text,
    epoch INTEGER NOT NULL,
    sample INTEGER NOT NULL,
    truth REAL,
    predicted REAL,
    probability REAL,
    PRIMARY KEY (run_id, output_id, epoch, sample)) WITHOUT ROWID;

-- 8 bits per channel, row by row, channels last.
CREATE TABLE sample_image (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    sample INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    columns INTEGER NOT NULL,
    channels INTEGER NOT NULL,
    pixels BLOB NOT NULL,
    PRIMARY KEY (run_id, sample)) WITHOUT ROWID;
)sql";

const std::string_view addedByVersion3Sql = R"sql(
-- The calls of one execution, from its start; all executions of a run have the same.
CREATE TABLE callback (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name_id INTEGER NOT NULL REFERENCES text,
    step INTEGER NOT NULL,
    replica INTEGER NOT NULL,
    at_cycles INTEGER NOT NULL,
    due_cycles INTEGER NOT NULL,
    PRIMARY KEY (run_id, position)) WITHOUT ROWID;
)sql";

} // namespace core
