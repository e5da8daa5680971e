#include "core/project/project_edit.h"
#include "tests/app/profile/figure_twins.h"
#include "tests/support/test_registry.h"
#include "views/profile/verdict_strip.h"

#include <QRegularExpression>
#include <algorithm>

using tests::BatchTwin;
using tests::number;
using tests::RanWindow;

namespace {

/// Where a list has its largest value of a field.
std::size_t largestOf(const core::Json& list, const std::function<double(const core::Json&)>& valueOf) {
    std::size_t at = 0;
    for (std::size_t i = 1; i < list.size(); ++i)
        if (valueOf(list[i]) > valueOf(list[at]))
            at = i;
    return at;
}

double slotWork(const core::Json& stage) {
    return number(stage["forward_cycles"]) + number(stage["backward_cycles"]) +
           number(stage["recompute_cycles"]);
}

} // namespace

/// What a person asks of a run is answered as soon as it is there.
class QuestionsWindowTest : public QObject {
    Q_OBJECT

    /// The line of the strip that answers a question, once it matches.
    static QString answer(const views::VerdictStrip& strip, const QString& pattern) {
        const QRegularExpression matching(pattern);
        QString found;
        const bool isThere = QTest::qWaitFor(
            [&] {
                // Numbers and their units stand a narrow space apart.
                for (const QString& line : strip.text().split('\n'))
                    if (found.isEmpty() && matching.match(line.simplified()).hasMatch())
                        found = line.simplified();
                return !found.isEmpty();
            },
            30000);
        if (!isThere)
            qWarning("%s is not in: %s", qPrintable(pattern), qPrintable(strip.text()));
        return found;
    }

private slots:
    void theFiveQuestionsAreAnsweredWithoutAClick_data() {
        QTest::addColumn<QString>("example");
        const std::filesystem::path projects = tests::projectRoot() / "projects";
        std::vector<std::string> examples;
        for (const auto& file : std::filesystem::recursive_directory_iterator(projects))
            if (file.path().extension() == ".ipuproj")
                examples.push_back(std::filesystem::relative(file.path(), projects).string());
        std::ranges::sort(examples);
        QVERIFY(examples.size() > 10);
        for (const std::string& example : examples)
            QTest::newRow(example.c_str()) << QString::fromStdString(example);
    }
    void theFiveQuestionsAreAnsweredWithoutAClick() {
        QFETCH(const QString, example);
        const RanWindow ran(qPrintable(example), tests::trainedShortly);
        QVERIFY(ran.isReady);
        const auto& strip = *ran.bench.window->findChild<views::VerdictStrip*>();
        QTRY_VERIFY(strip.isVisible());
        QTRY_COMPARE(strip.clauses().size(), std::size_t(5));
        const BatchTwin twin(ran);
        const core::Json show = twin.ask({"show", "last"});

        // The bottleneck: the stage that works longest, or what the one IPU does most.
        const core::Json& stages = show["stages"];
        const QString limit =
            stages.size() > 1
                ? QStringLiteral("^(Stages? %1\\b.*sets? the slot|Stages take turns; stage %1 takes "
                                 "longest|The weight update takes).*[0-9] (µs|ms|s) ")
                      .arg(largestOf(stages, slotWork))
                : QStringLiteral("^The (forward|backward|update) work takes [0-9.]+ % of the step: .*[0-9] "
                                 "(µs|ms|s)\\b");
        QVERIFY(!answer(strip, limit).isEmpty());

        // Why IPUs wait: how much, and the cause that most of it has.
        const core::Json causes =
            twin.rows("SELECT cause, sum(cycles) FROM v_idle WHERE run = (SELECT max(run) "
                      "FROM v_run) GROUP BY 1 ORDER BY 2 DESC");
        QVERIFY(!causes.empty());
        const auto cause = causes[0][0].get<std::string>();
        const std::map<std::string, QString> phrases{{"offload", "remote memory"},
                                                     {"transfer", "transfer between IPUs"},
                                                     {"warm_up", "warm-up"},
                                                     {"all_reduce", "all-reduce"},
                                                     {"serial", "turns of other stages"}};
        const auto phrase = phrases.find(cause);
        const QString idle = answer(strip, "^Idle [0-9.]+ %, (all|[0-9.]+ %) by ");
        QVERIFY2(idle.contains("by " +
                               (phrase == phrases.end() ? QString::fromStdString(cause) : phrase->second) +
                               ": "),
                 qPrintable(idle + " / " + QString::fromStdString(cause)));
        // Nobody waits for itself.
        static const QRegularExpression longest("longest .* on IPU ([0-9]+), for stage ([0-9]+)");
        if (const auto match = longest.match(idle); match.hasMatch())
            QVERIFY2(number(stages[match.captured(2).toUInt()]["ipu"]) != match.captured(1).toDouble(),
                     qPrintable(idle));

        // What holds the peak: of the fullest IPU, the category that holds most first.
        const core::Json& memory = show["memory"];
        const std::size_t fullest =
            largestOf(memory, [](const core::Json& of) { return number(of["peak_bytes"]); });
        std::string holder;
        double most = -1;
        for (const auto& [name, bytes] : memory[fullest]["by_category"].items())
            if (number(bytes) > most) {
                holder = name;
                most = number(bytes);
            }
        QVERIFY(!answer(strip, QStringLiteral("^IPU %1 (holds most:|needs) .*[0-9] [KMG]iB.*: at its peak %2 "
                                              "[0-9.]+ [KMG]iB")
                                   .arg(fullest)
                                   .arg(QString::fromStdString(holder).replace('_', ' ')))
                     .isEmpty());

        // What would fix it: a change that was simulated, or that none of them helps.
        QVERIFY(!answer(strip, "^(?!Looking for).*: (.*(samples/s, peak|fits then: peak) .*simulated|.* were "
                               "simulated)$")
                     .isEmpty());

        // How two runs differ: by what was changed, and by how much.
        QVERIFY(!answer(strip, "^No run before it to compare with").isEmpty());
        QVERIFY(ran.bench.window->document().apply("Batch", [](core::Project project) {
            project.training.batchSize *= 2;
            return core::Result<core::Project>(project);
        }));
        QVERIFY(ran.bench.waitForEstimate() && ran.bench.run());
        const core::Json second = twin.ask({"show", "last"});
        const double change = number(second["samples_per_second"]) / number(show["samples_per_second"]) - 1;
        const QString differs = answer(strip, "samples/s against run 1: .*batch");
        static const QRegularExpression percent("^([+−][0-9.]+) %");
        const QString told = percent.match(differs).captured(1);
        QVERIFY2(tests::ShownTable::agrees(told, 100 * change), qPrintable(differs));
    }
};

REGISTER_WIDGET_TEST("questions_window", QuestionsWindowTest)
#include "questions_window_test.moc"
