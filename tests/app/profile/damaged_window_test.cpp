#include "tests/app/profile/ran_window.h"
#include "tests/support/test_registry.h"
#include "views/liveness/liveness_chart.h"
#include "views/liveness/liveness_view.h"
#include "views/timeline/timeline_canvas.h"
#include "views/timeline/timeline_view.h"

#include <QFile>
#include <QLabel>
#include <SQLiteCpp/SQLiteCpp.h>

using tests::RanWindow;
using tests::WindowBench;

namespace {

/// Zeroes the pages of a table that hold its rows: all of them, or the first.
void damage(const std::filesystem::path& path, const std::string& table, bool isWhole) {
    std::vector<std::int64_t> pages;
    std::int64_t size = 0;
    {
        SQLite::Database database(path.string(), SQLite::OPEN_READONLY);
        size = database.execAndGet("PRAGMA page_size").getInt64();
        SQLite::Statement all(database,
                              "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path");
        all.bind(1, table);
        while (all.executeStep())
            pages.push_back(all.getColumn(0).getInt64());
    }
    QVERIFY2(!pages.empty(), table.c_str());
    if (!isWhole)
        pages = {pages.front()};
    QFile file(QString::fromStdString(path.string()));
    QVERIFY(file.open(QIODevice::ReadWrite));
    for (const std::int64_t page : pages) {
        file.seek((page - 1) * size);
        file.write(QByteArray(int(size), '\0'));
    }
}

/// What the views in the middle of the window say is lost.
QStringList told(const app::MainWindow& window) {
    QStringList texts;
    for (const QLabel* label : window.findChildren<QLabel*>("losses"))
        if (label->isVisible())
            texts << label->text();
    return texts;
}

/// A view waits for its answer.
bool isReading(const app::MainWindow& window) {
    return std::ranges::any_of(window.findChildren<QLabel*>(), [](const QLabel* label) {
        return label->isVisible() && label->text().startsWith("Reading the run");
    });
}

} // namespace

/// A window on a file of which pages are damaged.
class DamagedWindowTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] std::filesystem::path inFolder(const char* name) const {
        return (m_folder.path() + "/" + name).toStdString();
    }

private slots:
    void initTestCase() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        std::filesystem::copy_file(ran.bench.folder.filePath("small.ipuproj").toStdString(),
                                   inFolder("small.ipuproj"));
        SQLite::Database database(ran.bench.window->source().path().string(), SQLite::OPEN_READONLY);
        database.exec("VACUUM INTO '" + inFolder("whole.sqlite").string() + "'");
    }

    void everyViewSaysWhatIsLostAndShowsTheRest_data() {
        QTest::addColumn<QString>("table");
        QTest::addColumn<bool>("isWhole");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* table, bool isWhole, const char* words) {
            QTest::addRow("%s%s", table, isWhole ? ", all of it" : "") << table << isWhole << words;
        };
        for (const bool isWhole : {false, true}) {
            row("live_range", isWhole, "lifetimes of tensors");
            row("liveness_step", isWhole, "memory over the steps");
            row("program_step", isWhole, "steps of the program");
            row("operation", isWhole, "operations");
            row("span_block", isWhole, "events of the timeline");
        }
        row("tile_memory", false, "memory of the tiles");
        row("span_shape", true, "events of the timeline");
        row("lane", true, "lanes of the timeline");
        row("metric", true, "training curves");
        row("stage", true, "");
        row("ipu_memory", true, "");
        row("idle_total", true, "");
    }

    void everyViewSaysWhatIsLostAndShowsTheRest() {
        QFETCH(const QString, table);
        QFETCH(const bool, isWhole);
        QFETCH(const QString, words);
        const WindowBench bench;
        const std::filesystem::path project = bench.folder.filePath("small.ipuproj").toStdString();
        const std::filesystem::path database = core::defaultDatabasePath(project);
        std::filesystem::copy_file(inFolder("small.ipuproj"), project);
        std::filesystem::copy_file(inFolder("whole.sqlite"), database);
        if (table == "tile_memory" && SQLite::Database(database.string(), SQLite::OPEN_READONLY)
                                              .execAndGet("SELECT count(*) FROM tile_memory")
                                              .getInt() == 0)
            QSKIP("the run has no tiles");
        damage(database, table.toStdString(), isWhole);
        app::MainWindow& window = *bench.window;
        window.show();
        QVERIFY(window.files().open(project));
        QVERIFY(bench.waitForEstimate());
        window.selection().selectRun(core::RunId(1));
        QStringList said;
        // An answer may be on its way when its view is looked at first.
        constexpr int mostRounds = 10;
        for (int round = 0; round == 0 || (round < mostRounds && !said.join(u' ').contains(words)); ++round)
            for (const app::WorkspaceRow& row : app::workspaceRows()) {
                window.workspaces().show(row.id);
                QTRY_VERIFY_WITH_TIMEOUT(!isReading(window), 20000);
                QTest::qWait(50);
                said += told(window);
            }
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (!folder.isEmpty()) {
            for (const auto workspace : {views::WorkspaceId::Timeline, views::WorkspaceId::Memory}) {
                window.resize(1280, 800);
                window.workspaces().show(workspace);
                QTest::qWait(300);
                window.grab().save(QStringLiteral("%1/damaged-%2-%3-%4.png")
                                       .arg(folder, table)
                                       .arg(isWhole ? "whole" : "part")
                                       .arg(int(workspace)));
            }
        }
        QVERIFY2(said.join(u' ').contains(words), qPrintable(said.join(u'\n')));
        // What another table holds is there.
        const bool isTime = table.startsWith("span") || table == "lane";
        if (!isTime) {
            const auto& scene = window.workspaces().view<views::TimelineView>().canvas().scene();
            QTRY_VERIFY(scene.window != nullptr && scene.window->spanCount > 0);
        }
        if (!table.startsWith("live") && table != "ipu_memory") {
            const auto& scene = window.workspaces().view<views::LivenessView>().chart().scene();
            QTRY_VERIFY(scene.data != nullptr && !scene.data->ranges.empty());
        }
    }
};

REGISTER_WIDGET_TEST("damaged_window", DamagedWindowTest)
#include "damaged_window_test.moc"
