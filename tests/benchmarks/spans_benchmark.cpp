// Runs of ten million spans, one of slots that are all alike and one in which no two spans last as long: how
// fast each is stored, beside plain inserts of single rows; how soon the timeline shows its first lanes and
// the table of an area; and how long a frame takes while a person zooms and pans. "spans_benchmark 1000000"
// measures another number of them.
#include "core/profile/analysis/compared/step_pieces.h"
#include "core/profile/analysis/path/critical_path.h"
#include "core/profile/analysis/stash_count.h"
#include "core/profile/queries/comparison.h"
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
#include <QThread>
#include <SQLiteCpp/SQLiteCpp.h>
#include <filesystem>

namespace {

using benchmarks::need;

constexpr std::int64_t lanes = 16;
constexpr std::int64_t spanLength = 1000;

/// The spans of a lane, one after the other: four of five work, the fifth waits.
class LaneSpans {
public:
    LaneSpans(std::int64_t lane, bool isRegular)
        : m_lane(static_cast<std::size_t>(lane))
        , m_isRegular(isRegular)
        , m_random(static_cast<std::uint64_t>(lane) + 1) {}

    core::SpanRecord next() {
        core::SpanRecord span;
        span.lane = core::LaneId(m_lane);
        span.kind = m_index % 5 == 4 ? core::SpanKind::Idle
                    : m_index % 2    ? core::SpanKind::Backward
                                     : core::SpanKind::Forward;
        span.start = core::Cycles(m_now);
        span.duration = core::Cycles(m_isRegular ? spanLength : spanLength / 2 + random() % spanLength);
        span.stage = core::StageId(m_lane);
        span.microBatch = m_index / 5;
        span.slot = m_index++;
        m_now += span.duration.value();
        return span;
    }
    [[nodiscard]] core::Cycles end() const { return core::Cycles(m_now); }

private:
    std::int64_t random() {
        constexpr int first = 13;
        constexpr int second = 7;
        constexpr int third = 17;
        m_random ^= m_random << first;
        m_random ^= m_random >> second;
        m_random ^= m_random << third;
        return static_cast<std::int64_t>(m_random >> 1U);
    }

    std::size_t m_lane;
    bool m_isRegular;
    std::uint64_t m_random;
    std::int64_t m_index = 0;
    std::int64_t m_now = 0;
};

core::RunSummary summaryOf() {
    core::RunSummary summary;
    summary.provenance.projectName = "spans";
    summary.provenance.clockHz = 1e9;
    summary.provenance.targetName = "ipu2";
    summary.provenance.ipus = lanes;
    return summary;
}

void store(const std::filesystem::path& path, std::int64_t spans, bool isRegular) {
    auto database = need(core::ProfileDatabase::open(path));
    core::ProfileWriter writer(database);
    core::RunSummary summary = summaryOf();
    writer.begin(summary.provenance);
    std::vector<core::LaneRecord> records;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const auto index = static_cast<std::size_t>(lane);
        records.push_back({core::LaneId(index), core::LaneKind::Compute, core::IpuId(index)});
    }
    writer.lanes(records);
    // In portions, as the simulator tells them.
    constexpr std::size_t portion = 4096;
    std::vector<core::SpanRecord> some;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
        LaneSpans ofLane(lane, isRegular);
        for (std::int64_t i = 0; i < spans / lanes; ++i) {
            some.push_back(ofLane.next());
            if (some.size() == portion) {
                writer.spans(some);
                some.clear();
            }
        }
        summary.step = std::max(summary.step, ofLane.end());
    }
    writer.spans(some);
    writer.finish(summary);
    need(writer.outcome());
}

/// The same columns, each row by one step of a prepared statement, all in one transaction.
void storeRowByRow(const std::filesystem::path& path, std::int64_t spans, bool isRegular) {
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
        LaneSpans ofLane(lane, isRegular);
        for (std::int64_t i = 0; i < spans / lanes; ++i) {
            const core::SpanRecord span = ofLane.next();
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

/// Milliseconds until something is so, while the window lives. It leaves the processor to those who work.
template <class Condition>
double waitFor(Condition&& isSo) {
    QElapsedTimer clock;
    clock.start();
    constexpr int mostMilliseconds = 120'000;
    constexpr unsigned long pauseMicroseconds = 200;
    while (!isSo() && clock.elapsed() < mostMilliseconds) {
        QApplication::processEvents(QEventLoop::AllEvents, 5);
        QThread::usleep(pauseMicroseconds);
    }
    return double(clock.nsecsElapsed()) / 1e6;
}

void measureStorage(const std::filesystem::path& path, std::int64_t spans, bool isRegular) {
    const std::filesystem::path rows = path.parent_path() / "rows.sqlite";
    // Memory first: it is what the run itself needs, too.
    const double stored = benchmarks::milliseconds(1, [&] { store(path, spans, isRegular); });
    const double memory = benchmarks::peakMegabytes();
    const double plain = benchmarks::milliseconds(1, [&] { storeRowByRow(rows, spans, isRegular); });
    fmt::print("{} {} spans stored: {:.2f} s, {:.0f} spans/s, file {:.1f} MB, process {:.0f} MB at most\n",
               spans, isRegular ? "regular" : "irregular", stored / 1e3, double(spans) / stored * 1e3,
               double(std::filesystem::file_size(path)) / 1e6, memory);
    fmt::print("  prepared inserts of single rows: {:.2f} s, {:.0f} rows/s; the program is {:.2f} times as "
               "fast\n",
               plain / 1e3, double(spans) / plain * 1e3, plain / stored);
    std::fflush(stdout);
    std::filesystem::remove(rows);
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
                      waitFor([&] { return !area->content().rows.empty(); }), 100, "ms");
    const core::Cycles step = scene.frame->step;
    views::TimelineArea half{core::Cycles(step.value() / 4), core::Cycles(3 * (step.value() / 4)), {}};
    for (std::size_t ipu = 0; ipu < scene.frame->ipus.size(); ++ipu)
        half.ipus.insert(ipu);
    const QString before = views::toPlainText(area->content());
    view.canvas().setArea(half);
    benchmarks::print("  area table of half of the step",
                      waitFor([&] { return views::toPlainText(area->content()) != before; }), 100, "ms");
    view.canvas().setArea(std::nullopt);
    benchmarks::settle(500);
    benchmarks::measureFrames("timeline", view.canvas(), Qt::ControlModifier);
    fmt::print("process {:.0f} MB at most\n", benchmarks::peakMegabytes());
}

/// What Memory, Compare and the critical path ask of all work of a run.
void measureAnalyses(const std::filesystem::path& path) {
    const auto database = need(core::ProfileDatabase::open(path, {core::DatabaseAccess::ReadOnly}));
    const core::RunId run(1);
    const auto tell = [](std::string_view what, double milliseconds) {
        fmt::print("  {:<50} {:>10.0f} ms, process {:.0f} MB at most\n", what, milliseconds,
                   benchmarks::peakMegabytes());
        std::fflush(stdout);
    };
    tell("stash of an IPU, counted from its spans",
         benchmarks::milliseconds(1, [&] { need(core::loadStashCounts(database, run, core::IpuId(0))); }));
    const std::vector<core::RunId> runs{run, core::RunId(2)};
    const auto comparison = need(core::compareRuns(database, runs, run));
    tell("two runs, slot by slot",
         benchmarks::milliseconds(1, [&] { need(core::comparePieces(database, comparison)); }));
    tell("critical path",
         benchmarks::milliseconds(1, [&] { static_cast<void>(core::loadCriticalPath(database, run)); }));
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    views::applyTheme(application, views::Theme(views::ThemeKind::Light));
    QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    constexpr std::int64_t tenMillion = 10'000'000;
    const std::int64_t spans = argc > 1 ? std::max<std::int64_t>(lanes, std::atoll(argv[1])) : tenMillion;
    for (const bool isRegular : {true, false}) {
        const std::filesystem::path file = path / (isRegular ? "regular.sqlite" : "irregular.sqlite");
        measureStorage(file, spans, isRegular);
        measureTimeline(file);
        // A second run to compare with.
        store(file, spans, isRegular);
        measureAnalyses(file);
    }
    return 0;
}
