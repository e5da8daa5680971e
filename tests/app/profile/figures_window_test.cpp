#include "core/project/project_edit.h"
#include "tests/app/profile/compared_figures.h"
#include "tests/app/profile/stored_program.h"
#include "tests/support/test_registry.h"
#include "views/common/widgets/segmented_control.h"
#include "views/comparison/comparison_view.h"
#include "views/flame/flame_view.h"
#include "views/liveness/liveness_view.h"
#include "views/plan/schedule/schedule_view.h"
#include "views/profile/verdict_button.h"
#include "views/profile/verdict_strip.h"
#include "views/program/program_view.h"
#include "views/roofline/roofline_view.h"
#include "views/tiles/tiles_view.h"
#include "views/timeline/timeline_canvas.h"
#include "views/timeline/timeline_view.h"
#include "views/training/training_view.h"

#include <QCheckBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTreeView>

using tests::BatchTwin;
using tests::found;
using tests::number;
using tests::RanWindow;
using tests::ShownTable;
using tests::sqlName;
using tests::tablePanel;

namespace {

/// Reads every table of every view of a window and holds it against the batch.
class FigureWalk {
public:
    explicit FigureWalk(const RanWindow& ran)
        : m_window(*ran.bench.window)
        , m_twin(ran)
        , m_show(m_twin.ask({"show", "last"}))
        , m_step(m_show["step_cycles"].get<double>())
        , m_clockHz(m_show["target"]["clock_hz"].get<double>())
        , m_operations(
              m_twin.numbers("SELECT layer, stage, count(*) FROM v_operation WHERE run = (SELECT max(run) "
                             "FROM v_run) GROUP BY 1, 2"))
        , m_inOperations(m_twin.rows(
              "SELECT name, layer, stage, phase, sum(duration_cycles) FROM v_operation_span WHERE "
              "run = (SELECT max(run) FROM v_run) GROUP BY 1, 2, 3, 4")) {}

    [[nodiscard]] const QStringList& complaints() const { return m_complaints; }

    void timeline() {
        auto& view = shown<views::TimelineView>(views::WorkspaceId::Timeline);
        waitFor([&] { return view.canvas().scene().window != nullptr; });
        area(view);
        gaps(view);
        layers(view);
        criticalPath(view);
    }

    /// Every occurrence of an operation lies in a run of the program that holds it, recomputed ones as well.
    void occurrences() {
        const QString ofRun = "run = (SELECT max(run) FROM v_run) AND micro_batch = 0";
        std::map<QString, std::pair<double, double>> programs;
        for (const core::Json& row : m_twin.rows(
                 "SELECT stage, kind, start_cycles, duration_cycles FROM v_span WHERE kind <> 'idle' AND "
                 "stage IS NOT NULL AND " +
                 ofRun))
            programs[BatchTwin::text(row[0]) + BatchTwin::text(row[1])] = {number(row[2]),
                                                                           number(row[2]) + number(row[3])};
        const core::Json found =
            m_twin.rows("SELECT stage, phase, min(start_cycles), max(start_cycles + duration_cycles), "
                        "sum(duration_cycles) FROM v_operation_span WHERE " +
                        ofRun + " GROUP BY 1, 2");
        for (const core::Json& row : found) {
            const QString program = BatchTwin::text(row[0]) + BatchTwin::text(row[1]);
            const auto [from, to] = programs[program];
            if (number(row[2]) < from || number(row[3]) > to || number(row[4]) > to - from)
                m_complaints << "operations of " + program + " do not lie in it";
        }
        for (const char* phase : {"forward", "backward", "recompute"})
            for (const auto& [program, time] : programs)
                if (program.endsWith(phase) && std::ranges::none_of(found, [&](const core::Json& row) {
                        return BatchTwin::text(row[0]) + BatchTwin::text(row[1]) == program;
                    }))
                    m_complaints << "no operation in " + program;
    }

    void memory() {
        auto& view = shown<views::LivenessView>(views::WorkspaceId::Memory);
        ipus(view);
        peak(view);
        tiles();
    }

    void operations() {
        const auto& view = shown<views::ProgramView>(views::WorkspaceId::Program);
        waitFor([&] { return !view.operations().content().rows.empty(); });
        const core::Json rows = m_twin.rows(
            "SELECT name, cycles, compute_cycles, exchange_cycles, sync_cycles, flops, tiles_used, "
            "exchange_bytes, temporary_bytes_per_tile, output_bytes FROM v_operation ORDER BY operation");
        const ShownTable table(view.operations(), m_clockHz, m_complaints);
        if (rows.size() != table.rows())
            return table.complain("other rows than the query");
        // However often they run, and also where they are recomputed.
        std::map<QString, double> perStep;
        double all = 0;
        for (const core::Json& of : m_inOperations) {
            perStep[BatchTwin::text(of[0])] += number(of[4]);
            all += number(of[4]);
        }
        table.hold({"Operation", "Kind", "Layer", "Phase"},
                   [&](std::size_t row, const QString& column) -> std::optional<double> {
                       const core::Json& twin = rows[row];
                       const double inStep = found(perStep, BatchTwin::text(twin[0])).value_or(0);
                       const std::map<QString, double> numbers{
                           {"One run", twin[1].get<double>()},
                           {"Per step", inStep},
                           {"Share", inStep / all},
                           {"Compute", twin[2].get<double>()},
                           {"Exchange", twin[3].get<double>()},
                           {"Sync", twin[4].get<double>()},
                           {"MFLOP", twin[5].get<double>() / 1e6},
                           {"FLOP/cycle/tile",
                            ratio(twin[5].get<double>(), twin[1].get<double>() * twin[6].get<double>())},
                           {"Tiles", twin[6].get<double>()},
                           {"Exchanged", twin[7].get<double>()},
                           {"Temporary/tile", twin[8].get<double>()},
                           {"Output", twin[9].get<double>()}};
                       return found(numbers, column);
                   });
    }

    /// Beside a second run, which another process records.
    void comparison() {
        const QString project = QString::fromStdString(m_window.document().path().string());
        // Not every schedule can recompute.
        const core::Project& present = m_window.document().project();
        const bool isOtherSchedule = present.assignment.isPipelined() &&
                                     present.pipeline.recomputationMode == core::RecomputationMode::Auto;
        const core::Json second = m_twin.ask(
            {"run", project, "--no-numerics", "--set",
             isOtherSchedule ? "pipeline.schedule=Sequential" : "training.infeed.prefetch_depth=1"});
        if (!second.is_object() || second.value("run", 0) != 2) {
            m_complaints << "there is no second run";
            return;
        }
        auto& view = shown<views::ComparisonView>(views::WorkspaceId::Compare);
        waitFor([&] { return view.scene().data != nullptr && view.scene().data->count() == 2; });
        for (QCheckBox* only : view.findChildren<QCheckBox*>())
            if (only->text() == "Differing only")
                only->setChecked(false);
        const tests::ComparedFigures figures(m_twin, m_clockHz, m_complaints);
        figures.holdMetrics(shownPanel(view, "Metrics"));
        figures.holdStep(shownPanel(view, "Waterfall"));
        figures.holdPieces(shownPanel(view, "Slots"));
        // A range is selected, as by a drag over the lanes.
        const core::Cycles step = view.scene().data->summary(0).step;
        const views::TimeRange range{core::Cycles(step.value() / 5), core::Cycles(step.value() / 3)};
        m_window.selection().selectTime(range);
        const views::TablePanel& waterfall = shownPanel(view, "Waterfall");
        waitFor([&] {
            return !waterfall.content().footer.empty() &&
                   waterfall.content().footer.front().text.startsWith("Range");
        });
        figures.holdRange(waterfall, shownPanel(view, "Slots"), range.from, range.to);
        m_window.selection().selectTime(std::nullopt);
        figures.holdStages(shownPanel(view, "Stages"));
        figures.holdLayers(shownPanel(view, "Layers"));
        figures.holdMemory(shownPanel(view, "Memory"));
    }

    /// Every step of the tree, as the rows of the program in the database give it.
    void programTree() {
        const auto& view = shown<views::ProgramView>(views::WorkspaceId::Program);
        const QAbstractItemModel& model = *view.tree().model();
        waitFor([&] { return model.rowCount() > 0; });
        const tests::StoredProgram program(m_twin, m_show);
        std::function<void(const QModelIndex&, std::int64_t)> walk = [&](const QModelIndex& parent,
                                                                         std::int64_t above) {
            const std::vector<std::int64_t>& children = program.childrenOf(above);
            if (std::size_t(model.rowCount(parent)) != children.size())
                return complainOfStep(above, "children", "", QString::number(children.size()));
            for (int row = 0; row < model.rowCount(parent); ++row) {
                const std::int64_t step = children[std::size_t(row)];
                const std::map<QString, double> twins{{"Repeats", program.repeats(step)},
                                                      {"Busiest IPU", program.busiest(step)},
                                                      {"Of parent", program.shareOfParent(step)},
                                                      {"Bytes", program.bytes(step)}};
                for (int column = 1; column < model.columnCount(parent); ++column) {
                    const QString title = model.headerData(column, Qt::Horizontal).toString();
                    const QString unit = title.section("  ", 1);
                    QString told = model.index(row, column, parent).data().toString();
                    const bool isShare = told.endsWith('%');
                    told.remove(u'×').remove(u'%');
                    const auto twin = found(twins, title.section("  ", 0, 0));
                    if (!twin || !ShownTable::agrees(
                                     told, *twin * ShownTable::factorOf(isShare ? "%" : unit, m_clockHz)))
                        complainOfStep(step, title, told, QString::number(twin.value_or(-1)));
                }
                walk(model.index(row, 0, parent), step);
            }
        };
        walk({}, tests::StoredProgram::root);
        // IPUs work beside one another: none is busy for longer than the step lasts.
        const std::int64_t updates =
            program.childrenOf(program.childrenOf(tests::StoredProgram::root).front()).front();
        if (program.busiest(program.childrenOf(updates).front()) > m_step)
            complainOfStep(updates, "Busiest IPU", QString::number(program.busiest(updates)),
                           QString::number(m_step));
    }

    /// The slots of the project's own schedule, then the figures of all schedules.
    void schedule() {
        if (!m_window.document().project().assignment.isPipelined())
            return;
        auto& view = shown<views::ScheduleView>(views::WorkspaceId::Schedule);
        const QString project = QString::fromStdString(m_window.document().path().string());
        const core::Json slotList = m_twin.ask({"schedule", project}, false)["slots"];
        const ShownTable table(shownPanel(view, "Work by slot"), m_clockHz, m_complaints);
        std::vector<std::vector<double>> work;
        for (const core::Json& slot : slotList) {
            std::map<int, core::Json> ofIpu;
            for (const auto& [ipu, items] : slot["ipus"].items())
                ofIpu[std::stoi(ipu)] = items;
            for (const auto& [ipu, items] : ofIpu)
                for (const core::Json& item : items)
                    work.push_back({number(slot["slot"]), double(ipu), number(item[1]), number(item[2])});
        }
        if (table.rows() > work.size())
            return table.complain("more work than the batch");
        table.hold({"Part", "Work"}, [&](std::size_t row, const QString& column) {
            const std::map<QString, double> numbers{{"Slot", work[row][0]},
                                                    {"IPU", work[row][1]},
                                                    {"Stage", work[row][2]},
                                                    {"Micro-batch", work[row][3]}};
            return found(numbers, column);
        });
        for (QPushButton* button : view.findChildren<QPushButton*>())
            if (button->text() == "Side by side")
                QTest::mouseClick(button, Qt::LeftButton);
        const core::Json outcomes = m_twin.ask({"schedule", project, "--all"}, false)["schedules"];
        const ShownTable all(shownPanel(view, "Figures by schedule"), m_clockHz, m_complaints);
        if (all.rows() != outcomes.size())
            return all.complain("other schedules than the batch");
        all.hold({"Schedule", "Note", "Idle", "Measured, 4 of 5"},
                 [&](std::size_t row, const QString& column) {
                     const std::map<QString, double> numbers{
                         {"Samples/s", number(outcomes[row]["samples_per_second"])},
                         {"Update", number(outcomes[row]["step_cycles"])},
                         {"Fullest IPU", number(outcomes[row]["peak_bytes"])}};
                     return found(numbers, column);
                 });
        for (std::size_t row = 0; row < outcomes.size(); ++row)
            if (!ShownTable::agrees(all.text(row, "Idle").remove(u'%'),
                                    100 * number(outcomes[row]["idle_fraction"])))
                all.complain(all.first(row) + ": idle is not that of the batch");
        holdRanges(all, outcomes);
    }

    /// "12 406.0 to 15 984.9 samples/s, 48.65 to 54.53 MiB" of every schedule that has figures.
    static void holdRanges(const ShownTable& table, const core::Json& outcomes) {
        static const QRegularExpression ranges("^(.*) to (.*)\\ssamples/s, (.*) to (.*)\\s(\\w+)$",
                                               QRegularExpression::UseUnicodePropertiesOption);
        for (std::size_t row = 0; row < outcomes.size(); ++row) {
            const QString told = table.text(row, "Measured, 4 of 5");
            const core::Json& twin = outcomes[row];
            const auto found = ranges.match(told);
            if (!twin["refusal"].is_null()) {
                if (told != QStringLiteral("–"))
                    table.complain(table.first(row) + ": a range without figures");
                continue;
            }
            const double bytes = ShownTable::factorOf(found.captured(5), 1);
            const std::array wanted{
                number(twin["samples_per_second_low"]), number(twin["samples_per_second_high"]),
                number(twin["peak_bytes_low"]) * bytes, number(twin["peak_bytes_high"]) * bytes};
            for (int part = 0; part < 4; ++part)
                if (!found.hasMatch() ||
                    !ShownTable::agrees(found.captured(part + 1), wanted[std::size_t(part)]))
                    table.complain(table.first(row) + ": its range is not that of the batch");
        }
    }

    void roofline() {
        auto& view = shown<views::RooflineView>(views::WorkspaceId::Roofline);
        std::map<QString, double> inOperations;
        for (const core::Json& of : m_inOperations)
            inOperations[BatchTwin::text(of[2])] += number(of[4]);
        const QStringList groupings{"operation", "layer", "stage"};
        for (int i = 0; i < groupings.size(); ++i) {
            QTest::mouseClick(view.groupings().button(i), Qt::LeftButton);
            const core::Json points = m_twin.ask({"roofline", "last", "--by", groupings[i]})["points"];
            waitFor([&] { return view.table().content().rows.size() == points.size(); });
            const ShownTable table(view.table(), m_clockHz, m_complaints);
            if (table.rows() != points.size())
                return table.complain("other points than the batch by " + groupings[i]);
            table.hold({"Operation", "Layer", "Kind", "Phase", "Stage", "Precision", "Bound"},
                       [&](std::size_t row, const QString& column) -> std::optional<double> {
                           const core::Json& point = points[row];
                           static const std::map<QString, const char*> names{
                               {"Intensity", "flops_per_byte"}, {"Achieved", "flops_per_second"},
                               {"Of roof", "share_of_roof"},    {"Of peak", "share_of_peak"},
                               {"Time per step", "cycles"},     {"MFU", "mfu"}};
                           const auto name = names.find(column);
                           if (column == "Operations")
                               return operationsOf(point);
                           if (column == "Time per step" && groupings[i] == "stage")
                               return inOperations[BatchTwin::text(point["stage"])];
                           if (name == names.end())
                               return std::nullopt;
                           // What computes nothing has no rate, and what is not exchanged no intensity.
                           return number(point[name->second]);
                       });
        }
    }

    void flame() {
        auto& view = shown<views::FlameView>(views::WorkspaceId::Flame);
        const QStringList groupings{"stage", "phase", "layer", "kind", "ipu"};
        for (int i = 0; i < groupings.size(); ++i) {
            QTest::mouseClick(view.groupings().button(i), Qt::LeftButton);
            const core::Json nodes =
                m_twin.ask({"flame", "last", "--by", groupings[i], "--depth", "1"})["nodes"];
            waitFor([&] { return view.table().content().rows.size() + 1 == nodes.size(); });
            const ShownTable table(view.table(), m_clockHz, m_complaints);
            if (table.rows() + 1 != nodes.size())
                return table.complain("other parts than the batch by " + groupings[i]);
            table.hold({"Name", "Level", "Stage"},
                       [&](std::size_t row, const QString& column) -> std::optional<double> {
                           static const std::map<QString, const char*> names{{"Time", "cycles"},
                                                                             {"Of all", "share"},
                                                                             {"Of part", "share_of_parent"},
                                                                             {"Runs", "runs"}};
                           const auto name = names.find(column);
                           return name == names.end() ? std::nullopt
                                                      : std::optional(number(nodes[row + 1][name->second]));
                       });
        }
    }

    /// The strip says what the batch says, without a click.
    void verdict() {
        m_window.workspaces().show(views::WorkspaceId::Timeline);
        auto* strip = m_window.findChild<views::VerdictStrip*>();
        waitFor([&] { return strip->clauses().size() == 5; });
        const auto numbersAndWords = [](QString text) {
            static const QRegularExpression number(QStringLiteral(R"(\d[\d.]*)"));
            text.remove(views::thinSpace).remove(u' ').remove(u',');
            std::vector<double> numbers;
            for (const auto& match : number.globalMatch(text))
                numbers.push_back(match.captured().toDouble());
            return std::pair(numbers, text.remove(number));
        };
        // The change that is simulated and the run before are the window's own.
        const QStringList lines = strip->text().split('\n');
        for (std::size_t i = 0; i < m_show["verdict"].size(); ++i) {
            const core::Json& answer = m_show["verdict"][i];
            const QString told = lines.value(int(i));
            const QString asked =
                BatchTwin::text(answer["headline"]) + ": " + BatchTwin::text(answer["detail"]);
            const auto [numbers, words] = numbersAndWords(told);
            const auto [expected, expectedWords] = numbersAndWords(asked);
            bool isSame = words == expectedWords && numbers.size() == expected.size();
            for (std::size_t at = 0; isSame && at < numbers.size(); ++at)
                isSame = std::abs(numbers[at] - expected[at]) <= std::max(0.06, 0.006 * expected[at]);
            if (!isSame)
                m_complaints << "verdict: " + told + " is " + asked;
        }
    }

private:
    void complainOfStep(std::int64_t step, const QString& what, const QString& told, const QString& twin) {
        constexpr qsizetype most = 40;
        if (m_complaints.size() < most)
            m_complaints
                << QStringLiteral("program tree, step %1, %2: %3 is %4").arg(step).arg(what, told, twin);
    }
    template <class View>
    View& shown(views::WorkspaceId workspace) {
        m_window.workspaces().show(workspace);
        return m_window.workspaces().view<View>();
    }
    template <class Condition>
    void waitFor(Condition&& isSo) {
        if (!QTest::qWaitFor(isSo, 20000))
            m_complaints
                << QStringLiteral("workspace %1 did not come").arg(int(*m_window.workspaces().current()));
    }
    /// What is behind another tab is filled when it is looked at.
    const views::TablePanel& shownPanel(const QWidget& view, const QString& name) {
        const views::TablePanel& panel = tablePanel(view, name);
        for (QTabWidget* tabs : view.findChildren<QTabWidget*>())
            for (int i = 0; i < tabs->count(); ++i)
                if (tabs->widget(i)->isAncestorOf(&panel) || tabs->widget(i) == &panel)
                    tabs->setCurrentIndex(i);
        waitFor([&] { return !panel.content().rows.empty(); });
        return panel;
    }
    static double ratio(double a, double b) { return b == 0 ? 0 : a / b; }
    /// Of a layer or a stage.
    [[nodiscard]] double operationsOf(const core::Json& point) const {
        double count = 0;
        for (const auto& [key, number] : m_operations) {
            const QStringList parts = key.split('/');
            const QString layer = BatchTwin::text(point["layer"]);
            if (parts.last() == BatchTwin::text(point["stage"]) &&
                (layer.isEmpty() || key == layer + "/" + parts.last()))
                count += number;
        }
        return count;
    }

    void area(const views::TimelineView& view) {
        const views::TablePanel& panelOfArea = shownPanel(view, "Time of each lane in the area");
        const std::map<QString, double> sums = m_twin.numbers(
            "SELECT s.ipu, coalesce(s.cause, s.kind), sum(duration_cycles) FROM v_span s JOIN v_lane l "
            "USING(run, lane) WHERE l.kind = 'compute' AND s.run = (SELECT max(run) FROM v_run) GROUP BY 1, "
            "2");
        const std::size_t ipus = m_show["memory"].size();
        const ShownTable table(panelOfArea, m_clockHz, m_complaints);
        if (table.rows() != ipus)
            table.complain("other lanes than IPUs");
        table.hold(
            {"Lane", "Time in range"},
            [&](std::size_t row, const QString& column) -> std::optional<double> {
                double sum = 0;
                double busy = 0;
                for (const auto& [key, cycles] : sums) {
                    const QStringList parts = key.split('/');
                    if (row < ipus && parts[0].toUInt() != row)
                        continue;
                    sum += parts[1] == sqlName(column) ? cycles : 0;
                    const bool isWork =
                        QStringList{"forward", "backward", "recompute", "weight_gradient", "weight_update"}
                            .contains(parts[1]);
                    busy += isWork ? cycles : 0;
                }
                return column == "Busy" ? busy / m_step / (row < ipus ? 1.0 : double(ipus)) : sum;
            },
            ipus > 1);
    }

    void gaps(const views::TimelineView& view) {
        const core::Json gaps = m_twin.ask({"timeline", "last", "--gaps", "0"})["idle_gaps"];
        if (gaps.empty())
            return;
        const ShownTable table(shownPanel(view, "Idle gaps"), m_clockHz, m_complaints);
        if (table.rows() != gaps.size())
            return table.complain("other gaps than the batch");
        for (std::size_t row = 0; row < gaps.size(); ++row) {
            const core::Json& gap = gaps[row];
            const auto word = [&](const char* column) { return table.text(row, column); };
            if (sqlName(word("Cause")) != BatchTwin::text(gap["cause"]) ||
                word("IPU") != "IPU " + BatchTwin::text(gap["ipu"]) ||
                (word("Waits for") != "Stage " + BatchTwin::text(gap["waits_for_stage"]) &&
                 !gap["waits_for_stage"].is_null()))
                table.complain(QStringList{word("Cause"), word("IPU"), word("Waits for")}.join(", ") +
                               " is " + BatchTwin::text(gap));
        }
        table.hold({"Cause", "IPU", "Waits for"},
                   [&](std::size_t row, const QString& column) -> std::optional<double> {
                       const core::Json& gap = gaps[row];
                       const std::map<QString, double> numbers{
                           {"Start", number(gap["start_cycles"])},
                           {"Duration", number(gap["duration_cycles"])},
                           {"Slot", number(gap["slot"])},
                           {"Of step", number(gap["duration_cycles"]) / m_step}};
                       return found(numbers, column);
                   });
    }

    /// A layer whose operations lie on two stages has a row for each; what stages move on their own tiles has
    /// one per stage, and is what their programs take besides operations.
    void layers(const views::TimelineView& view) {
        const QString ofRun = "run = (SELECT max(run) FROM v_run)";
        std::map<QString, double> sums;
        for (const core::Json& of : m_inOperations)
            sums[QStringList{BatchTwin::text(of[1]), BatchTwin::text(of[2]), BatchTwin::text(of[3])}.join(
                '/')] += number(of[4]);
        std::map<QString, double> moved = m_twin.numbers(
            "SELECT s.stage, s.kind, sum(duration_cycles) FROM v_span s JOIN v_lane l USING(run, lane) WHERE "
            "l.kind = 'compute' AND s.kind <> 'idle' AND " +
            ofRun + " GROUP BY 1, 2");
        for (const auto& [key, cycles] : sums)
            moved[key.section('/', -2)] -= cycles;
        for (const auto& [key, cycles] : moved)
            sums["FIFOs and copies on the tiles/" + key] = cycles;
        double all = 0;
        std::map<QString, double> ofLayer;
        for (const auto& [key, cycles] : sums) {
            all += cycles;
            ofLayer[key.left(key.lastIndexOf('/'))] += cycles;
        }
        std::erase_if(ofLayer, [](const auto& layer) { return layer.second == 0; });
        const ShownTable table(shownPanel(view, "Layers"), m_clockHz, m_complaints);
        if (table.rows() != ofLayer.size())
            table.complain(QStringLiteral("%1 rows, %2 layers").arg(table.rows()).arg(ofLayer.size()));
        table.hold({"Layer"}, [&](std::size_t row, const QString& column) -> std::optional<double> {
            const QString layer =
                table.first(row) + "/" + (table.stage(row) ? QString::number(*table.stage(row)) : "null");
            const double total = found(ofLayer, layer).value_or(-1);
            if (column == "Total")
                return total;
            if (column == "Share")
                return total / all;
            return found(sums, layer + "/" + sqlName(column)).value_or(0);
        });
    }

    void criticalPath(const views::TimelineView& view) {
        const views::TablePanel& path = shownPanel(view, "What the critical path is made of");
        const core::Json told = m_twin.ask({"timeline", "last"});
        std::vector<core::Json> rows;
        for (const char* sum : {"critical_path_by_kind", "critical_path_by_stage", "critical_path_by_layer"})
            for (const core::Json& row : told[sum])
                rows.push_back(row);
        const ShownTable table(path, m_clockHz, m_complaints);
        if (table.rows() != rows.size())
            return table.complain("other rows than the batch");
        table.hold({"On the critical path", "Sum by", "If 10 % faster", "Throughput"},
                   [&](std::size_t row, const QString& column) -> std::optional<double> {
                       const char* name = column == "Links"     ? "links"
                                          : column == "Time"    ? "cycles"
                                          : column == "Of step" ? "share_of_step"
                                                                : nullptr;
                       return name == nullptr ? std::nullopt : std::optional(number(rows[row][name]));
                   });
    }

    void ipus(const views::LivenessView& view) {
        const ShownTable table(shownPanel(view, "IPUs"), m_clockHz, m_complaints);
        table.hold({"IPU", "At the peak"}, [&](std::size_t row, const QString& column) {
            const core::Json& memory = m_show["memory"][row];
            const std::map<QString, double> numbers{
                {"Peak", number(memory["peak_bytes"])},
                {"Limit", number(memory["limit_bytes"])},
                {"Headroom", number(memory["limit_bytes"]) - number(memory["peak_bytes"])},
                {"Always live", number(memory["always_live_bytes"])},
                {"Worst tile", number(memory["worst_tile_bytes"])},
                {"Tile", number(memory["worst_tile"])}};
            return found(numbers, column);
        });
    }

    /// The tables of the fullest IPU at its peak.
    void peak(const views::LivenessView& view) {
        std::size_t fullest = 0;
        for (std::size_t i = 0; i < m_show["memory"].size(); ++i)
            if (number(m_show["memory"][i]["peak_bytes"]) > number(m_show["memory"][fullest]["peak_bytes"]))
                fullest = i;
        const core::Json& memory = m_show["memory"][fullest];
        const double peak = number(memory["peak_bytes"]);
        const core::Json live = m_twin.rows(
            QStringLiteral(
                "WITH peak AS MATERIALIZED (SELECT step FROM v_liveness WHERE run = (SELECT "
                "max(run) FROM v_run) AND ipu = %1 ORDER BY total_bytes DESC, step LIMIT 1) "
                "SELECT tensor, coalesce(layer, ''), category, bytes, is_always_live, first_step, stage "
                "FROM v_tensor, peak WHERE run = (SELECT max(run) FROM v_run) AND ipu = %1 AND "
                "step BETWEEN first_step AND last_step")
                .arg(fullest));
        std::map<QString, double> ofCategory;
        std::map<QString, double> ofLayer;
        std::map<QString, double> blocksOfCategory;
        std::map<QString, double> blocksOfLayer;
        std::map<QString, double> ofTensor;
        std::map<QString, double> stashOfStage;
        double sum = 0;
        for (const core::Json& row : live) {
            const QString layer = BatchTwin::text(row[1]);
            const QString category = BatchTwin::text(row[2]);
            const double bytes = number(row[3]);
            ofCategory[category] += bytes;
            if (category == "stash" && !row[6].is_null())
                stashOfStage[QStringLiteral("Stash of stage %1").arg(row[6].get<int>())] += bytes;
            ++blocksOfCategory[category];
            ofLayer[layer.isEmpty() ? "no layer" : layer] += bytes;
            ++blocksOfLayer[layer.isEmpty() ? "no layer" : layer];
            ofTensor[BatchTwin::text(row[0])] += bytes;
            sum += bytes;
        }
        for (const auto& [category, bytes] : memory["by_category"].items())
            if (number(bytes) != ofCategory[QString::fromStdString(category)])
                m_complaints << "blocks of " + QString::fromStdString(category) +
                                    " are not what the summary says";
        if (sum != peak)
            m_complaints << QStringLiteral("blocks at the peak are %1 of %2 bytes").arg(sum).arg(peak);

        const ShownTable categories(shownPanel(view, "By category"), m_clockHz, m_complaints);
        categories.hold({"Category"}, [&](std::size_t row, const QString& column) {
            const QString name = sqlName(categories.first(row));
            return column == "Blocks" ? found(blocksOfCategory, name)
                   : column == "A"    ? found(ofCategory, name)
                   : column.isEmpty() || column == "%"
                       ? std::optional(found(ofCategory, name).value_or(-1) / peak * percent(column))
                       : std::nullopt;
        });
        const ShownTable layers(shownPanel(view, "By layer"), m_clockHz, m_complaints);
        layers.hold({"Layer"}, [&](std::size_t row, const QString& column) {
            const QString name = layers.first(row);
            return column == "Blocks" ? found(blocksOfLayer, name)
                   : column == "A"
                       ? found(ofLayer, name)
                       : std::optional(found(ofLayer, name).value_or(-1) / peak * percent(column));
        });
        const ShownTable why(shownPanel(view, "Why this peak"), m_clockHz, m_complaints);
        double told = 0;
        why.hold({"At the peak", "Because"}, [&](std::size_t row, const QString& column) {
            double always = 0;
            for (const core::Json& block : live)
                always += number(block[4]) != 0 ? number(block[3]) : 0;
            std::map<QString, double> parts{{"Always live", always},
                                            {"Stash", ofCategory["stash"]},
                                            {"Activations", ofCategory["activations"]},
                                            {"Temporaries", ofCategory["temporary"]}};
            parts.insert(stashOfStage.begin(), stashOfStage.end());
            const double bytes = found(parts, why.first(row)).value_or(-1);
            told += column == "Bytes" ? bytes : 0;
            return std::optional(column == "Bytes" ? bytes : bytes / peak * percent(column));
        });
        if (told != peak)
            why.complain(QStringLiteral("its rows are %1 of %2 bytes").arg(told).arg(peak));
    }
    /// A column titled "%" has its hundred in the title.
    static double percent(const QString& column) { return column == "%" ? 100 : 1; }

    void tiles() {
        const core::Json told = m_twin.ask({"tiles", "last"});
        const auto& views = m_window.findChildren<views::TilesView*>();
        if (views.empty())
            return;
        const ShownTable categories(shownPanel(*views.front(), "Category"), m_clockHz, m_complaints);
        if (categories.rows() != told["categories"].size())
            return categories.complain("other rows than the batch");
        categories.hold({"Category"}, [&](std::size_t row, const QString& column) {
            return std::optional(number(told["categories"][row][column == "Mean" ? "mean_bytes" : "bytes"]) /
                                 (column == "Mean" ? 1024.0 : 1.0));
        });
        const ShownTable blocks(shownPanel(*views.front(), "Blocks"), m_clockHz, m_complaints);
        if (blocks.rows() != told["blocks"].size())
            return blocks.complain("other rows than the batch");
        blocks.hold({"Block", "Category", "Layer"}, [&](std::size_t row, const QString&) {
            return std::optional(number(told["blocks"][row]["bytes"]));
        });
    }

    app::MainWindow& m_window;
    BatchTwin m_twin;
    core::Json m_show;
    double m_step;
    double m_clockHz;
    /// By layer and stage.
    std::map<QString, double> m_operations;
    /// Name, layer, stage and phase of operations, and what they take of the step.
    core::Json m_inOperations;
    QStringList m_complaints;
};

} // namespace

/// Every number of every view is that of the batch.
class FiguresWindowTest : public QObject {
    Q_OBJECT

private slots:
    void everyTableOfEveryViewIsThatOfTheBatch_data() { addExamples(); }
    void everyTableOfEveryViewIsThatOfTheBatch() {
        walk([](FigureWalk& figures) {
            figures.timeline();
            figures.occurrences();
            figures.memory();
            figures.roofline();
            figures.flame();
            figures.verdict();
        });
    }

    void programScheduleAndComparisonAreThoseOfTheBatch_data() { addExamples(); }
    void programScheduleAndComparisonAreThoseOfTheBatch() {
        walk([](FigureWalk& figures) {
            figures.programTree();
            figures.operations();
            figures.schedule();
            figures.comparison();
        });
    }

private:
    static void addExamples() {
        QTest::addColumn<QString>("example");
        QTest::addColumn<int>("recomputation");
        for (const char* example :
             {"encoder/encoder", "resnet50/resnet50", "too-large/too-large", "accumulation/accumulation",
              "replicas/replicas", "sharding/sharding", "tutorial/5-interleaved"})
            QTest::newRow(example) << example << -1;
        for (const core::RecomputationMode mode :
             {core::RecomputationMode::RecomputeThenBackpropagate,
              core::RecomputationMode::RecomputeAndBackpropagateInterleaved})
            QTest::addRow("recomputation %d", int(mode)) << "encoder/encoder" << int(mode);
    }
    /// Walks through the tables of the example of the row.
    static void walk(const std::function<void(FigureWalk& figures)>& through) {
        QFETCH(const QString, example);
        QFETCH(const int, recomputation);
        const views::ProjectEdit change = [&](const core::Project& given) -> core::Result<core::Project> {
            const core::Project project = tests::trainedShortly(given);
            if (recomputation < 0)
                return project;
            core::Result<core::Project> changed = core::withIpuOption(project, "allow_recompute", true);
            if (changed)
                changed->pipeline.recomputationMode = core::RecomputationMode(recomputation);
            return changed;
        };
        const RanWindow ran(qPrintable(example + ".ipuproj"), change);
        QVERIFY(ran.isReady);
        FigureWalk figures(ran);
        through(figures);
        for (const QString& complaint : figures.complaints())
            qWarning("%s", qPrintable(complaint));
        QVERIFY(figures.complaints().isEmpty());
    }
};

REGISTER_WIDGET_TEST("figures_window", FiguresWindowTest)
#include "figures_window_test.moc"
