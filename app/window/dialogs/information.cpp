#include "app/window/dialogs/information.h"

#include "app/reports/version_text.h"
#include "app/services/features/feature_rows.h"
#include "app/window/dialogs/shortcut_sheet.h"
#include "app/window/frame/action_set.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>

namespace app {

namespace {

/// The context of its texts.
struct Information {
    Q_DECLARE_TR_FUNCTIONS(app::Information)
};

struct KeyRow {
    const char* group;
    const char* keys;
    const char* meaning;
};

/// What views do with keys and mouse beside their actions.
constexpr KeyRow keyRows[]{
    {"Model", "Tab, Space, double click", "Add a layer by search, behind what is selected"},
    {"Model", "1 … 9, 0", "Put the selection on that stage"},
    {"Model", "Ctrl+1 … Ctrl+9", "Put the selection's stage on that IPU"},
    {"Model", "drag a cut line", "Move the boundary between two stages"},
    {"Model", "drag from a port", "Connect; on empty ground: add what fits"},
    {"Model", "Ctrl+right drag", "Cut connections"},
    {"Model", "Del, Ctrl+Del", "Delete; delete and reconnect"},
    {"Model", "Space+drag, middle drag, wheel", "Pan; zoom at the mouse"},
    {"Model", "arrows, Shift+arrows", "Select the nearest box in that direction; extend the selection"},
    {"Model", "L, Shift+L",
     "Connect the selected layers to the one selected last, or ask what one is to read; disconnect them"},
    {"Model", "Ctrl+Shift+arrows", "Move the cut after the stage by one layer"},
    {"Model", "Ctrl+Tab, Ctrl+Shift+Tab", "Leave the canvas"},
    {"Model", "Alt+arrows, Alt+Shift+arrows", "Nudge by 1 or 10 steps, in the free layout"},
    {"Model", "Ctrl+click, Alt+click", "Add to the selection; select the branch"},
    {"Model", "Enter", "Attributes of the selection"},
    {"System board", "arrows, Ctrl+arrows", "Another stage; put it on the next IPU"},
    {"System board", "0 … 9, L", "Put the stage on that IPU; lock its layers to it"},
    {"System board", "+, −, drag the grip below", "More replicas, fewer"},
    {"Timeline", "W, S, Ctrl+wheel, +, −", "Zoom"},
    {"Timeline", "A, D, Shift+drag, middle drag", "Pan"},
    {"Timeline", "Home, 0", "Show all"},
    {"Timeline", "F", "Centre the selection; again: fit it"},
    {"Timeline", "drag", "Area: time × lanes"},
    {"Timeline", ". and ,", "Next and previous span of the lane"},
    {"Timeline", "] and [", "Follow the micro-batch forward and back"},
    {"Timeline", "M, Shift+M, Del", "Mark for now; keep a mark; delete it"},
    {"Timeline", "T, double click on a mark", "Write a note, which stays with the run"},
    {"Timeline", "R", "Area of the selection"},
    {"Timeline", "P", "Pin the lane"},
    {"Timeline", "Ctrl+P, Ctrl+F, N, Shift+N", "Find or filter lanes; find anything; next, previous"},
    {"Timeline", "Q", "Tables below"},
    {"Schedule", "arrows, . and ,", "Next and previous work of an IPU; other IPUs"},
    {"Schedule", "] and [", "Follow the micro-batch forward and back"},
    {"Schedule", "wheel, Shift+wheel", "Scroll"},
    {"Memory", "click", "Freeze a column"},
    {"Memory", "Shift+click", "Add a column and the difference"},
    {"Memory", "Ctrl+wheel, +, −, Home", "Zoom; show all"},
    {"Roofline", "Right, Left", "Next and previous point from left to right"},
    {"Roofline", "drag, F", "Frame points, which restricts the table; zoom to the frame"},
    {"Roofline", "W, S, wheel, +, −", "Zoom"},
    {"Roofline", "A, D, Shift+drag, middle drag", "Pan"},
    {"Roofline", "Home, 0, double click", "Show all"},
    {"Flame", "Up, Down, Right, Left", "What holds the chosen time, what is in it, its neighbours"},
    {"Flame", "double click, Enter, F", "Give the chosen time the whole width"},
    {"Flame", "Backspace, Home", "Back by one level; show all"},
    {"Tiles", "arrows, Ctrl+arrows, Ctrl+click", "Look at another tile; compare it with the others"},
    {"Tiles", "Page Up, Page Down, drag the strip", "Another step of the program; with Shift a twentieth"},
    {"Tiles", "Home", "The step at which a tile has most"},
    {"Summary", "arrows, Enter", "The next answer; its evidence"},
    {"Tables", "Enter, Backspace in a filter", "Keep the filter and add another; take it back"},
    {"Tables", "right click on a cell", "Only rows with what it says, or without"},
    {"Tables", "Ctrl+E, right click", "How the number comes about: formula, inputs, bound"},
    {"Tables", "Ctrl+C", "Copy the chosen rows"},
    {"Tables", "click on a header, right click on it", "Sort; choose columns"},
    {"Everywhere", "Esc", "Clear, one level at a time; from a panel back to the workspace"},
};

QString cap(const QString& keys) {
    return QStringLiteral("<span style='font-family:monospace'>%1</span>").arg(keys.toHtmlEscaped());
}

ShortcutGroup windowGroup(const ActionSet& actions) {
    ShortcutGroup group{Information::tr("Window"), {}};
    for (const ActionSet::Entry& entry : actions.entries()) {
        if (entry.action == nullptr || entry.action->shortcut().isEmpty())
            continue;
        group.rows.emplace_back(
            QKeySequence::listToString(entry.action->shortcuts(), QKeySequence::NativeText),
            // Not what would be undone just now.
            entry.id == QStringLiteral("edit.undo")   ? Information::tr("Undo")
            : entry.id == QStringLiteral("edit.redo") ? Information::tr("Redo")
                                                      : entry.action->text().remove(u'&'));
    }
    return group;
}

void showPage(QWidget& window, const QString& title, const QString& html, const QSize& size) {
    QDialog dialog(&window);
    dialog.setWindowTitle(title);
    auto* layout = new QVBoxLayout(&dialog);
    auto* text = new QTextBrowser(&dialog);
    text->setOpenExternalLinks(true);
    text->setFont(views::themeOf(&dialog).font(12));
    text->setHtml(html);
    text->setAccessibleName(title);
    layout->addWidget(text);
    auto* buttons = new QDialogButtonBox(&dialog);
    QPushButton* done = buttons->addButton(Information::tr("Close"), QDialogButtonBox::RejectRole);
    QObject::connect(done, &QPushButton::clicked, &dialog, &QDialog::reject);
    layout->addWidget(buttons);
    const views::Theme& theme = views::themeOf(&dialog);
    dialog.resize(QSize(theme.ipx(size.width()), theme.ipx(size.height())).boundedTo(window.size() * 0.9));
    dialog.exec();
}

} // namespace

std::vector<ShortcutGroup> shortcutGroups(const ShortcutSources& sources) {
    std::vector<ShortcutGroup> groups;
    const auto groupOf = [&](const QString& title) -> ShortcutGroup& {
        for (ShortcutGroup& group : groups) {
            if (group.title == title)
                return group;
        }
        return groups.emplace_back(ShortcutGroup{title, {}});
    };
    for (const KeyRow& row : keyRows)
        groupOf(Information::tr(row.group))
            .rows.emplace_back(Information::tr(row.keys), Information::tr(row.meaning));
    ShortcutGroup& model = groupOf(Information::tr("Model"));
    for (const QAction* action : sources.canvasActions) {
        if (!action->shortcut().isEmpty())
            model.rows.emplace_back(QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
                                    action->text());
    }
    groups.push_back(windowGroup(sources.actions));
    std::stable_partition(groups.begin(), groups.end(), [&](const ShortcutGroup& group) {
        return group.title.compare(sources.workspace, Qt::CaseInsensitive) == 0;
    });
    return groups;
}

QString featurePage() {
    const auto text = [](std::string_view words) { return views::toQString(words).toHtmlEscaped(); };
    QString html = Information::tr("<h2>What works</h2><p>Each with what to do in the window, or with a line "
                                   "to paste into a shell at the "
                                   "root of the sources.</p>");
    const auto addSection = [&](const QString& title, const std::vector<Feature>& features) {
        html += QStringLiteral("<h3>%1</h3>").arg(title);
        for (const Feature& feature : features) {
            QStringList shown;
            if (!feature.how.empty())
                shown.append(text(feature.how));
            for (const std::string& command : feature.commands) {
                // In the window itself nobody has to open the window.
                if (!opensTheWindow(command))
                    shown.append(cap(QStringLiteral("ipu-workbench ") + views::toQString(command)));
            }
            if (!feature.except.empty())
                shown.append(text(Information::tr("Except: ").toStdString() + std::string(feature.except)));
            html += QStringLiteral("<p><b>%1</b><br>%2</p>")
                        .arg(text(feature.title), shown.join(QStringLiteral("<br>")));
        }
    };
    addSection(Information::tr("In the window"), windowFeatures());
    addSection(Information::tr("Projects and runs"), workbenchFeatures());
    addSection(Information::tr("The programming system of the IPU"), systemFeatures());
    return html;
}

void showFeaturePage(QWidget& window) {
    showPage(window, Information::tr("What works"), featurePage(), {760, 640});
}

void showShortcutPage(QWidget& window, const ShortcutSources& sources) {
    ShortcutSheet(sources, &window).exec();
}

void showAboutPage(QWidget& window) {
    const QString versions =
        views::toQString(versionText(false)).toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
    const QString html =
        Information::tr(
            "<h2>IPU Workbench</h2><p>Plan, simulate, train and profile pipelined Keras models on "
            "Graphcore IPU systems.</p><p><tt>%1Qt %2</tt></p>"
            "<p>Works offline. No account, no telemetry.</p>"
            "<p>Free software under the GNU General Public License, version 3 or later. Uses Qt, "
            "QCustomPlot, SQLite, Eigen, nlohmann/json, fmt, HDF5, zlib, xxHash and CLI11. Graphcore, "
            "IPU and Poplar are names of Graphcore Ltd, who have no part in this program.</p>")
            .arg(versions, QString::fromLatin1(qVersion()));
    showPage(window, Information::tr("About IPU Workbench"), html, {460, 400});
}

} // namespace app
