#include "app/window/dialogs/information.h"

#include "app/reports/version_text.h"
#include "app/services/feature_table.h"
#include "app/window/main_window.h"
#include "views/common/theme/active_theme.h"
#include "views/common/theme/icons.h"
#include "views/graph/graph_view.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace app {

namespace {

struct KeyRow {
    const char* group;
    const char* keys;
    const char* meaning;
};

/// What views do with keys and mouse beside their actions.
constexpr KeyRow keyRows[]{
    {"Model", "Tab, Space, double click", "Add a layer by search"},
    {"Model", "1 … 9, 0", "Put the selection on that stage"},
    {"Model", "Ctrl+1 … Ctrl+9", "Put the selection's stage on that IPU"},
    {"Model", "drag a cut line", "Move the boundary between two stages"},
    {"Model", "drag from a port", "Connect; on empty ground: add what fits"},
    {"Model", "Ctrl+right drag", "Cut connections"},
    {"Model", "Del, Ctrl+Del", "Delete; delete and reconnect"},
    {"Model", "Space+drag, middle drag, wheel", "Pan; zoom at the mouse"},
    {"Model", "arrows, Shift+arrows", "Nudge by 1 or 10 steps of the grid"},
    {"Model", "Ctrl+click, Alt+click", "Add to the selection; select the branch"},
    {"Model", "Enter", "Attributes of the selection"},
    {"Timeline", "W, S, Ctrl+wheel, +, −", "Zoom"},
    {"Timeline", "A, D, Shift+drag, middle drag", "Pan"},
    {"Timeline", "Home, 0", "Show all"},
    {"Timeline", "F", "Centre the selection; again: fit it"},
    {"Timeline", "drag", "Area: time × lanes"},
    {"Timeline", ". and ,", "Next and previous span of the lane"},
    {"Timeline", "] and [", "Follow the micro-batch forward and back"},
    {"Timeline", "M, Shift+M, Del", "Mark for now; keep a mark; delete it"},
    {"Timeline", "R", "Area of the selection"},
    {"Timeline", "P", "Pin the lane"},
    {"Timeline", "Ctrl+P, Ctrl+F, N, Shift+N", "Find a lane; find an event; next, previous"},
    {"Timeline", "Q", "Tables below"},
    {"Schedule", "arrows, . and ,", "Next and previous work of an IPU; other IPUs"},
    {"Schedule", "] and [", "Follow the micro-batch forward and back"},
    {"Schedule", "wheel, Shift+wheel", "Scroll"},
    {"Memory", "click", "Freeze a column"},
    {"Memory", "Shift+click", "Add a column and the difference"},
    {"Memory", "Ctrl+wheel, +, −, Home", "Zoom; show all"},
    {"Tables", "Ctrl+C", "Copy the chosen rows"},
    {"Tables", "click on a header, right click on it", "Sort; choose columns"},
    {"Everywhere", "Esc", "Clear, one level at a time"},
};

QString cap(const QString& keys) {
    return QStringLiteral("<span style='font-family:monospace'>%1</span>").arg(keys.toHtmlEscaped());
}

ShortcutGroup windowGroup(MainWindow& window) {
    ShortcutGroup group{MainWindow::tr("Window"), {}};
    for (const ActionTable::Entry& entry : window.actions().entries()) {
        if (entry.action == nullptr || entry.action->shortcut().isEmpty())
            continue;
        group.rows.emplace_back(
            QKeySequence::listToString(entry.action->shortcuts(), QKeySequence::NativeText),
            entry.action->text().remove(u'&'));
    }
    return group;
}

void showPage(MainWindow& window, const QString& title, const QString& html, const QSize& size) {
    QDialog dialog(&window);
    dialog.setWindowTitle(title);
    auto* layout = new QVBoxLayout(&dialog);
    auto* text = new QTextBrowser(&dialog);
    text->setOpenExternalLinks(true);
    text->setFont(views::activeTheme().font(12));
    text->setHtml(html);
    text->setAccessibleName(title);
    layout->addWidget(text);
    auto* buttons = new QDialogButtonBox(&dialog);
    QPushButton* done = buttons->addButton(MainWindow::tr("Close"), QDialogButtonBox::RejectRole);
    QObject::connect(done, &QPushButton::clicked, &dialog, &QDialog::reject);
    layout->addWidget(buttons);
    const views::Theme& theme = views::activeTheme();
    dialog.resize(QSize(theme.ipx(size.width()), theme.ipx(size.height())).boundedTo(window.size() * 0.9));
    dialog.exec();
}

} // namespace

std::vector<ShortcutGroup> shortcutGroups(MainWindow& window) {
    std::vector<ShortcutGroup> groups;
    const auto groupOf = [&](const QString& title) -> ShortcutGroup& {
        for (ShortcutGroup& group : groups) {
            if (group.title == title)
                return group;
        }
        return groups.emplace_back(ShortcutGroup{title, {}});
    };
    for (const KeyRow& row : keyRows)
        groupOf(MainWindow::tr(row.group))
            .rows.emplace_back(MainWindow::tr(row.keys), MainWindow::tr(row.meaning));
    ShortcutGroup& model = groupOf(MainWindow::tr("Model"));
    for (const QAction* action : window.graph().canvasActions()) {
        if (!action->shortcut().isEmpty())
            model.rows.emplace_back(QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
                                    action->text());
    }
    groups.push_back(windowGroup(window));
    const QString current = window.workspaces().current();
    std::stable_partition(groups.begin(), groups.end(), [&](const ShortcutGroup& group) {
        return group.title.compare(current, Qt::CaseInsensitive) == 0;
    });
    return groups;
}

QString featurePage() {
    QString html =
        MainWindow::tr("<h2>What works</h2><p>Each with a command one can paste, an example or a test that "
                       "shows it; <tt>ipu-workbench features</tt> lists the same.</p>");
    html += QStringLiteral("<table width='100%' cellpadding='3'>");
    for (const Feature& feature : featureTable()) {
        QStringList shown;
        for (const FeatureEvidence& evidence : feature.evidence)
            shown.append(QStringLiteral("%1 %2").arg(views::toQString(toString(evidence.kind)),
                                                     cap(views::toQString(evidence.text))));
        html += QStringLiteral("<tr><td width='7%'><b>%1</b></td><td>%2<br>%3</td></tr>")
                    .arg(views::toQString(feature.id), views::toQString(feature.title).toHtmlEscaped(),
                         shown.join(QStringLiteral("<br>")));
    }
    return html + QStringLiteral("</table>");
}

void showFeaturePage(MainWindow& window) {
    showPage(window, MainWindow::tr("What works"), featurePage(), {760, 640});
}

void showShortcutPage(MainWindow& window) {
    QString html;
    for (const ShortcutGroup& group : shortcutGroups(window)) {
        html += QStringLiteral("<h3>%1</h3><table width='100%' cellpadding='2'>").arg(group.title);
        for (const auto& [keys, meaning] : group.rows)
            html += QStringLiteral("<tr><td width='45%'>%1</td><td>%2</td></tr>")
                        .arg(cap(keys), meaning.toHtmlEscaped());
        html += QStringLiteral("</table>");
    }
    showPage(window, MainWindow::tr("Shortcuts"), html, {640, 640});
}

void showHelpPage(MainWindow& window) {
    const QString html = MainWindow::tr(
        "<h2>How to use IPU Workbench</h2>"
        "<h3>1. Draw or import a model</h3><p>Start from an example, a template or a Keras model. Drag "
        "layers from the "
        "palette at the left, or press <b>Tab</b> on the canvas and type. Shapes appear on every line at "
        "once; what "
        "breaks a rule is listed below the canvas with its cure.</p>"
        "<h3>2. Assign stages</h3><p>Select layers and press <b>1 … 9</b>, use the context menu, or drag the "
        "dashed "
        "cut line between two columns. The gauges under the columns show time, memory, bytes over the cut "
        "and idle "
        "time of the plan under your hand: the figures a run would give. <b>Solve split…</b> finds the best "
        "stages.</p>"
        "<h3>3. Run</h3><p>Press <b>F5</b>. The model is compiled for the simulated system, really trained "
        "on it, and "
        "recorded in a database beside the project. Stop it at any time; a stopped run leaves nothing "
        "behind.</p>"
        "<h3>4. Look</h3><p><b>Timeline</b>: what every IPU does when, why it waits, where one micro-batch "
        "goes. "
        "<b>Memory</b>: what lives when, why an IPU is at its peak, which tile is full. <b>Program</b>: what "
        "was "
        "compiled. <b>Training</b>: what it learned. One selection holds in all of them.</p>"
        "<h3>5. Change and compare</h3><p>Choose another schedule in the toolbar, run again, and compare. "
        "Undo "
        "brings back any state of the project; a stored run can give back the project it was made from.</p>"
        "<h3>Without a window</h3><p><tt>ipu-workbench --help</tt> lists verbs that do the same in "
        "scripts.</p>"
        "<p>Press <b>?</b> for the shortcuts of the view in focus, <b>Ctrl+Shift+P</b> for every "
        "command.</p>");
    showPage(window, MainWindow::tr("How to use it"), html, {640, 620});
}

void showAboutPage(MainWindow& window) {
    const QString versions =
        views::toQString(versionText(false)).toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
    const QString html =
        MainWindow::tr(
            "<h2>IPU Workbench</h2><p>Plan, simulate, train and profile pipelined Keras models on "
            "Graphcore IPU systems.</p><p><tt>%1Qt %2</tt></p>"
            "<p>Works offline. No account, no telemetry.</p>"
            "<p>Free software under the GNU General Public License, version 3 or later. Uses Qt, "
            "QCustomPlot, SQLite, Eigen, nlohmann/json, fmt, HDF5, zlib, xxHash and CLI11. Graphcore, "
            "IPU and Poplar are names of Graphcore Ltd, who have no part in this program.</p>")
            .arg(versions, QString::fromLatin1(qVersion()));
    showPage(window, MainWindow::tr("About IPU Workbench"), html, {460, 400});
}

} // namespace app
