// A run of ten million spans: how fast it is stored, beside plain inserts of single rows; how soon the
// timeline shows its first lanes and the table of an area; and how long a frame takes while a person zooms
// and pans. "spans_benchmark 1000000" measures another number of them.
#include "core/profile/queries/run_queries.h"
#include "core/profile/writer/profile_writer.h"
#include "tests/benchmarks/frames.h"
#include "tests/support/recorded_intents.h"
#include "views/common/theme/widget_theme.h"
#include "views/profile/tables/table_panel.h"
#include "views/timeline/timeline_canvas.h"
#include "views/timeline/timeline_view.h"

#include <QTableView>
#include <QTemporaryDir>
#include <SQLiteCpp/SQLiteCpp.h>
#include <filesystem>

namespace {

using benchmarks::need;

constexpr std::int64_t lanes = 16;
constexpr std::int64_t spanLength = 1000;

/// The span of a lane: four of five work, the fifth waits.
core::SpanRecord spanAt(std::int64_t lane, std::int64_t index) {
    core::SpanRecord span;
    span.lane = core::LaneId(static_cast<std::size_t>(lane));
    span.kind = index % 5 == 4 ? core::SpanKind::Idle
                : index % 2    ? core::SpanKind::Backward
                               : core::SpanKind::Forward;
    span.start = core::Cycles(index * spanLength);
    span.duration = core::Cycles(spanLength);
    span.stage = core::StageId(static_cast<std::size_t>(lane));
    span.microBatch = index / 5;
    span.slot = index;
    return span;
}

core::RunSummary summaryOf(std::int64_t spans) {
    core::RunSummary summary;
    summary.provenance.projectName = "spans";
    summary.provenance.clockHz = 1e9;
    summary.provenance.targetName = "ipu2";
    summary.provenance.ipus = lanes;
    summary.step = core::Cycles(spans / lanes * spanLength);
    return summary;
}

void store(const std::filesystem::path& path, std::int64_t spans) {
    auto database = need(core::ProfileDatabase::open(path));
    core::ProfileWriter writer(database);
    const core::RunSummary summary = summaryOf(spans);
    writer.begin(summary.provenance);
    std::vector<core::LaneRecord> records;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const auto index = static_cast<std::size_t>(lane);
        records.push_back({core::LaneId(index), core::LaneKind::Compute, core::IpuId(index)});
    }
    writer.lanes(records);
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
        std::vector<core::SpanRecord> some;
        some.reserve(static_cast<std::size_t>(spans / lanes));
        for (std::int64_t i = 0; i < spans / lanes; ++i)
            some.push_back(spanAt(lane, i));
        writer.spans(some);
    }
    writer.finish(summary);
    need(writer.outcome());
}

/// The same columns, each row by one step of a prepared statement, all in one transaction.
void storeRowByRow(const std::filesystem::path& path, std::int64_t spans) {
    SQLite::Database database(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec("PRAGMA journal_mode = WAL");
    database.exec(
        "CREATE TABLE span(run_id INTEGER, lane INTEGER, start_cycles INTEGER, sequence INTEGER, "
        "duration_cycles INTEGER, kind INTEGER, stage INTEGER, micro_batch INTEGER, slot INTEGER, bytes "
        "INTEGER, cause INTEGER, blame_stage INTEGER, part INTEGER, offset_cycles INTEGER, "
        "PRIMARY KEY(run_id, lane, start_cycles, sequence)) WITHOUT ROWID");
    SQLite::Transaction transaction(database);
    SQLite::Statement insert(database, "INSERT INTO span VALUES (1,?,?,0,?,?,?,?,?,NULL,?,NULL,0,0)");
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
        for (std::int64_t i = 0; i < spans / lanes; ++i) {
            const core::SpanRecord span = spanAt(lane, i);
            insert.bind(1, lane);
            insert.bind(2, span.start.value());
            insert.bind(3, span.duration.value());
            insert.bind(4, static_cast<int>(span.kind));
            insert.bind(5, static_cast<std::int64_t>(span.stage.value()));
            insert.bind(6, span.microBatch);
            insert.bind(7, span.slot);
            if (span.kind == core::SpanKind::Idle)
                insert.bind(8, static_cast<int>(span.cause));
            else
                insert.bind(8);
            insert.exec();
            insert.reset();
        }
    }
    transaction.commit();
}

/// Milliseconds until something is so, while the window lives.
template <class Condition>
double waitFor(Condition&& isSo) {
    QElapsedTimer clock;
    clock.start();
    constexpr int mostMilliseconds = 120'000;
    while (!isSo() && clock.elapsed() < mostMilliseconds)
        QApplication::processEvents(QEventLoop::AllEvents, 5);
    return double(clock.nsecsElapsed()) / 1e6;
}

void measureStorage(const std::filesystem::path& folder, std::int64_t spans) {
    // Memory first: it is what the run itself needs, too.
    const double stored = benchmarks::milliseconds(1, [&] { store(folder / "spans.sqlite", spans); });
    const double plain = benchmarks::milliseconds(1, [&] { storeRowByRow(folder / "plain.sqlite", spans); });
    fmt::print("{} spans stored: {:.2f} s, {:.0f} spans/s, file {:.0f} MB, process {:.0f} MB at most\n",
               spans, stored / 1e3, double(spans) / stored * 1e3,
               double(std::filesystem::file_size(folder / "spans.sqlite")) / 1e6,
               benchmarks::peakMegabytes());
    fmt::print("  prepared inserts of single rows: {:.2f} s, {:.0f} rows/s; the program is {:.2f} times as "
               "fast\n",
               plain / 1e3, double(spans) / plain * 1e3, plain / stored);
    std::fflush(stdout);
    std::filesystem::remove(folder / "plain.sqlite");
}

void measureTimeline(const std::filesystem::path& path) {
    views::Document document;
    views::Selection selection;
    views::ProfileSource source;
    tests::RecordedIntents intents;
    source.setPath(path);
    QElapsedTimer opening;
    opening.start();
    views::TimelineView view(document, selection, source, intents);
    view.resize(2560, 1440);
    view.show();
    const views::TimelineScene& scene = view.canvas().scene();
    waitFor([&] { return scene.frame != nullptr && scene.window != nullptr; });
    view.canvas().repaint();
    benchmarks::print("opened to first lanes, painted", double(opening.nsecsElapsed()) / 1e6, 300, "ms");
    const auto* area = [&] {
        for (const views::TablePanel* table : view.findChildren<views::TablePanel*>())
            if (table->table().accessibleName() == "Time of each lane in the area")
                return table;
        return static_cast<const views::TablePanel*>(nullptr);
    }();
    benchmarks::print("  from there to the area table of all in view",
                      waitFor([&] { return !area->content().rows.empty(); }), 300, "ms");
    const core::Cycles step = scene.frame->step;
    views::TimelineArea half{core::Cycles(step.value() / 4), core::Cycles(3 * (step.value() / 4)), {}};
    for (std::size_t ipu = 0; ipu < scene.frame->ipus.size(); ++ipu)
        half.ipus.insert(ipu);
    const QString before = views::toPlainText(area->content());
    view.canvas().setArea(half);
    benchmarks::print("  area table of half of the step",
                      waitFor([&] { return views::toPlainText(area->content()) != before; }), 300, "ms");
    view.canvas().setArea(std::nullopt);
    benchmarks::settle(500);
    benchmarks::measureFrames("timeline", view.canvas(), Qt::ControlModifier);
    fmt::print("process {:.0f} MB at most\n", benchmarks::peakMegabytes());
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    views::applyTheme(application, views::Theme(views::ThemeKind::Light));
    QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    constexpr std::int64_t tenMillion = 10'000'000;
    measureStorage(path, argc > 1 ? std::max<std::int64_t>(lanes, std::atoll(argv[1])) : tenMillion);
    measureTimeline(path / "spans.sqlite");
    return 0;
}
