#include "app/window/start/start_page.h"

#include "app/services/lessons/lesson.h"
#include "app/window/start/model_picture.h"
#include "app/window/start/project_card.h"
#include "core/base/version.h"
#include "core/interchange/importer_catalogue.h"
#include "core/interchange/project/project_file.h"
#include "core/interchange/templates/template_catalogue.h"
#include "core/interchange/templates/template_project.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/notice_bar.h"
#include "views/profile/tables/table_content.h"
#include "views/profile/tables/table_panel.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace app {

using views::toQString;

namespace {

constexpr int shownRecents = 6;

QLabel* heading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setFont(views::themeOf(parent).font(15, QFont::DemiBold));
    return label;
}

QString whenText(const QDateTime& then) {
    const qint64 days = then.date().daysTo(QDate::currentDate());
    const qint64 minutes = then.secsTo(QDateTime::currentDateTime()) / 60;
    if (days == 0 && minutes < 60)
        return minutes < 2 ? StartPage::tr("now") : StartPage::tr("%1 minutes ago").arg(minutes);
    if (days == 0)
        return StartPage::tr("today, %1").arg(QLocale().toString(then.time(), QStringLiteral("HH:mm")));
    if (days == 1)
        return StartPage::tr("yesterday");
    return QLocale().toString(then.date(), QStringLiteral("d MMMM yyyy"));
}

/// "4-pipelined-sequential" → "4 pipelined sequential".
QString titleOf(const QString& name) {
    QString title = name.section(u'/', -1);
    title.replace(u'-', u' ').replace(u'_', u' ');
    return title.left(1).toUpper() + title.mid(1);
}

/// Title of a template of the catalogue for people: "resnet" → "ResNet" is its documentation's matter.
QString firstSentence(const std::string& documentation) {
    const QString text = toQString(documentation);
    static const QRegularExpression sentenceEnd(QStringLiteral("\\. (?=[A-Z])"));
    const qsizetype end = text.indexOf(sentenceEnd);
    return end < 0 ? text : text.left(end);
}

views::TableContent recentTable(const std::vector<WindowSettings::Recent>& recents) {
    views::TableContent table;
    table.columns = {{StartPage::tr("Project"), views::ColumnKind::Text, {}, 150, {}, false},
                     {StartPage::tr("Folder"), views::ColumnKind::Text, {}, 0, {}, true},
                     {StartPage::tr("Model"), views::ColumnKind::Text, {}, 90, {}, false},
                     {StartPage::tr("Stages"), views::ColumnKind::Number, {}, 60, {}, false},
                     {StartPage::tr("System"), views::ColumnKind::Text, {}, 140, {}, false},
                     {StartPage::tr("Opened"), views::ColumnKind::Text, {}, 110, {}, false}};
    for (const WindowSettings::Recent& recent : recents) {
        const std::filesystem::path path = recent.path.toStdString();
        views::TableCell name = views::textCell(toQString(path.stem().string()));
        if (recent.isPinned)
            name.text = QStringLiteral("★ ") + name.text;
        views::TableCell folder = views::textCell(toQString(path.parent_path().string()));
        folder.isMuted = true;
        views::TableCell opened = views::textCell(whenText(recent.opened));
        opened.sort = recent.opened;
        table.rows.push_back({name, folder, views::textCell(recent.model),
                              recent.stages > 0
                                  ? views::numberCell(QString::number(recent.stages), recent.stages)
                                  : views::dashCell(),
                              views::textCell(recent.system), opened});
    }
    return table;
}

} // namespace

StartPage::StartPage(WindowSettings& settings, Recovery& recovery, QWidget* parent)
    : QFrame(parent)
    , m_settings(settings)
    , m_recovery(recovery)
    , m_examples(examplesIn(exampleFolder())) {
    setProperty("surface", "window");
    setAccessibleName(tr("Start"));
    auto* outer = new QHBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    outer->addWidget(makeSide());
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setAccessibleName(tr("Lessons, examples, projects and templates"));
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* content = new QFrame(scroll);
    content->setProperty("surface", "window");
    auto* page = new QVBoxLayout(content);
    const views::Theme& theme = views::themeOf(this);
    page->setContentsMargins(theme.ipx(32), theme.ipx(24), theme.ipx(32), theme.ipx(24));
    page->setSpacing(theme.ipx(12));
    m_notice = new views::NoticeBar(content);
    m_notice->hide();
    page->addWidget(m_notice);
    makeLessons(*page);
    makeExamples(*page);
    m_recentRow = new QWidget(content);
    auto* row = new QHBoxLayout(m_recentRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme.ipx(24));
    row->addWidget(makeRecents(), 3);
    row->addWidget(makeImport(), 1);
    m_page = page;
    m_placeOfNoRecents = page->count();
    page->addWidget(m_recentRow);
    makeTemplates(*page);
    page->addStretch(1);
    scroll->setWidget(content);
    outer->addWidget(scroll, 1);
    refresh();
}

QWidget* StartPage::makeSide() {
    const views::Theme& theme = views::themeOf(this);
    auto* side = new QFrame(this);
    side->setProperty("surface", "panel");
    side->setProperty("line", "right");
    side->setFixedWidth(theme.ipx(220));
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(theme.ipx(12), theme.ipx(18), theme.ipx(12), theme.ipx(12));
    layout->setSpacing(theme.ipx(4));
    auto* head = new QHBoxLayout;
    auto* mark = new QLabel(side);
    mark->setPixmap(views::programIcon().pixmap(theme.ipx(34), theme.ipx(34)));
    auto* name = new QLabel(QStringLiteral("IPU Workbench"), side);
    name->setFont(theme.font(15, QFont::DemiBold));
    auto* version = new QLabel(toQString(core::programVersion), side);
    version->setProperty("role", "text3");
    version->setFont(theme.font(10));
    auto* names = new QVBoxLayout;
    names->setSpacing(0);
    names->addWidget(name);
    names->addWidget(version);
    head->addWidget(mark);
    head->addLayout(names, 1);
    layout->addLayout(head);
    layout->addSpacing(theme.ipx(14));
    const auto addLink = [&](const char* iconName, const QString& text, const char* keys,
                             void (StartPage::*signal)()) {
        auto* button = new QPushButton(views::icon(this, QString::fromLatin1(iconName)), text, side);
        button->setProperty("kind", "quiet");
        button->setProperty("align", "left");
        button->setToolTip(keys[0] == '\0' ? text
                                           : text + QStringLiteral(" (%1)").arg(QString::fromLatin1(keys)));
        connect(button, &QPushButton::clicked, this, signal);
        auto* line = new QHBoxLayout;
        line->addWidget(button);
        line->addStretch(1);
        auto* cap = new QLabel(QString::fromLatin1(keys), side);
        cap->setProperty("role", "text3");
        cap->setFont(theme.mono(10));
        line->addWidget(cap);
        layout->addLayout(line);
    };
    addLink("plus", tr("New project"), "Ctrl+N", &StartPage::newRequested);
    addLink("folder", tr("Open…"), "Ctrl+O", &StartPage::openRequested);
    addLink("import", tr("Import model…"), "Ctrl+I", &StartPage::importRequested);
    addLink("book", tr("Manual"), "F1", &StartPage::helpRequested);
    layout->addStretch(1);
    addLink("gear", tr("Settings"), "Ctrl+,", &StartPage::settingsRequested);
    return side;
}

QWidget* StartPage::makeRecents() {
    const views::Theme& theme = views::themeOf(this);
    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.ipx(8));
    layout->addWidget(heading(tr("Recent projects"), box));
    m_recentTable = new views::TablePanel(tr("Recent projects"), box);
    layout->addWidget(m_recentTable);
    m_noRecents =
        new QLabel(tr("What you open is listed here. Start with an example above, a template below, or a "
                      "model of your own."),
                   box);
    m_noRecents->setWordWrap(true);
    m_noRecents->setProperty("role", "text3");
    layout->addWidget(m_noRecents);
    layout->addStretch(1);
    connect(m_recentTable, &views::TablePanel::rowActivated, this,
            [this](int row) { emit projectChosen(m_recents[std::size_t(row)].path); });
    m_recentTable->table().setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&m_recentTable->table(), &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        const int row = m_recentTable->currentRow();
        if (row < 0)
            return;
        const WindowSettings::Recent recent = m_recents[std::size_t(row)];
        QMenu menu(this);
        menu.addAction(tr("Open"), this, [this, recent] { emit projectChosen(recent.path); });
        menu.addAction(recent.isPinned ? tr("Do not keep at the top") : tr("Keep at the top"), this,
                       [this, recent] {
                           m_settings.pinRecent(recent.path, !recent.isPinned);
                           refresh();
                       });
        menu.addAction(tr("Remove from the list"), this, [this, recent] {
            m_settings.forgetRecent(recent.path);
            refresh();
        });
        menu.exec(m_recentTable->table().viewport()->mapToGlobal(at));
    });
    return box;
}

QWidget* StartPage::makeImport() {
    const views::Theme& theme = views::themeOf(this);
    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.ipx(8));
    layout->addWidget(heading(tr("Import"), box));
    auto* zone = new QFrame(box);
    zone->setProperty("surface", "card");
    auto* inner = new QVBoxLayout(zone);
    inner->setContentsMargins(theme.ipx(12), theme.ipx(16), theme.ipx(12), theme.ipx(16));
    auto* title = new QLabel(tr("Drop a model here"), zone);
    title->setFont(theme.font(12, QFont::DemiBold));
    auto* text =
        new QLabel(tr("%1. Nothing leaves this computer.").arg(toQString(core::importableFiles())), zone);
    text->setWordWrap(true);
    text->setProperty("role", "text2");
    auto* choose = new QPushButton(views::icon(this, QStringLiteral("folder")), tr("Choose file…"), zone);
    connect(choose, &QPushButton::clicked, this, &StartPage::importRequested);
    for (QLabel* label : {title, text})
        label->setAlignment(Qt::AlignCenter);
    inner->addStretch(1);
    inner->addWidget(title);
    inner->addWidget(text);
    inner->addSpacing(theme.ipx(8));
    inner->addWidget(choose, 0, Qt::AlignHCenter);
    inner->addStretch(1);
    zone->setMinimumHeight(theme.ipx(24 * (shownRecents + 1) + 4));
    layout->addWidget(zone);
    layout->addStretch(1);
    return box;
}

void StartPage::makeLessons(QVBoxLayout& page) {
    const views::Theme& theme = views::themeOf(this);
    auto* head = new QHBoxLayout;
    head->addWidget(heading(tr("First steps"), this));
    head->addStretch(1);
    auto* tour = new QPushButton(views::icon(this, QStringLiteral("eye")), tr("Tour of the window"), this);
    tour->setToolTip(tr("Five steps over an example"));
    connect(tour, &QPushButton::clicked, this, &StartPage::tourRequested);
    head->addWidget(tour);
    page.addLayout(head);
    m_lessonGrid = new QGridLayout;
    m_lessonGrid->setHorizontalSpacing(theme.ipx(14));
    m_lessonGrid->setVerticalSpacing(theme.ipx(8));
    page.addLayout(m_lessonGrid);
    page.addSpacing(theme.ipx(8));
    const std::span<const Lesson> table = lessons();
    for (std::size_t i = 0; i < table.size(); ++i) {
        auto* button = new QPushButton(tr("%1  %2").arg(i + 1).arg(toQString(table[i].title)), this);
        button->setProperty("align", "left");
        button->setToolTip(toQString(table[i].task));
        connect(button, &QPushButton::clicked, this, [this, i] { emit lessonChosen(i); });
        m_lessonButtons.push_back(button);
    }
}

/// A mark at those whose goals were reached.
void StartPage::showLessons() {
    const QStringList passed = m_settings.passedLessons();
    for (std::size_t i = 0; i < m_lessonButtons.size(); ++i) {
        const bool isPassed = passed.contains(toQString(lessons()[i].id));
        m_lessonButtons[i]->setIcon(isPassed
                                        ? views::icon(this, QStringLiteral("check"), views::Role::Success)
                                        : views::icon(this, QStringLiteral("book")));
        m_lessonButtons[i]->setAccessibleName(isPassed
                                                  ? tr("Lesson %1, passed").arg(m_lessonButtons[i]->text())
                                                  : tr("Lesson %1").arg(m_lessonButtons[i]->text()));
    }
}

void StartPage::makeExamples(QVBoxLayout& page) {
    if (m_examples.empty())
        return;
    page.addWidget(heading(tr("Learn by example"), this));
    m_exampleGrid = new QGridLayout;
    m_exampleGrid->setSpacing(views::themeOf(this).ipx(14));
    page.addLayout(m_exampleGrid);
    page.addSpacing(views::themeOf(this).ipx(8));
    for (const Example& example : m_examples) {
        auto* card = new ProjectCard(titleOf(example.name), example.text, this);
        const QString path = toQString(example.path.string());
        if (m_exampleCards.empty()) {
            QPushButton* run = card->addButton(tr("Run"));
            run->setIcon(views::icon(this, QStringLiteral("play"), views::Role::OnAccent));
            connect(run, &QPushButton::clicked, this, [this, path] { emit exampleChosen(path, true); });
        }
        connect(card, &QAbstractButton::clicked, this, [this, path] { emit exampleChosen(path, false); });
        m_exampleCards.push_back(card);
    }
}

void StartPage::makeTemplates(QVBoxLayout& page) {
    page.addSpacing(views::themeOf(this).ipx(8));
    page.addWidget(heading(tr("New from a template"), this));
    m_templateGrid = new QGridLayout;
    m_templateGrid->setSpacing(views::themeOf(this).ipx(14));
    page.addLayout(m_templateGrid);
    for (const core::ModelTemplate& row : core::templateCatalogue()) {
        const QString name = toQString(row.name);
        auto* card =
            new ProjectCard(toQString(core::templateTitle(row)), firstSentence(row.documentation), this);
        card->setObjectName(name);
        card->setFavourite(m_settings.favouriteTemplates().contains(name));
        connect(card, &QAbstractButton::clicked, this, [this, name] { emit templateChosen(name); });
        connect(card, &ProjectCard::favouriteChanged, this,
                [this, name](bool isFavourite) { chooseFavourite(name, isFavourite); });
        m_templateCards.push_back(card);
    }
}

void StartPage::chooseFavourite(const QString& name, bool isFavourite) {
    QStringList names = m_settings.favouriteTemplates();
    names.removeAll(name);
    if (isFavourite)
        names.append(name);
    m_settings.setFavouriteTemplates(names);
    m_templateGrid->setProperty("columns", 0);
    layCards();
}

std::vector<ProjectCard*> StartPage::templateCards() const {
    std::vector<ProjectCard*> cards = m_templateCards;
    const QStringList favourites = m_settings.favouriteTemplates();
    const auto place = [&](const ProjectCard* card) {
        const qsizetype at = favourites.indexOf(card->objectName());
        return at < 0 ? favourites.size() : at;
    };
    std::ranges::stable_sort(cards, {}, place);
    return cards;
}

void StartPage::refresh() {
    m_recents = m_settings.recents();
    m_recentTable->setContent(recentTable(m_recents));
    m_recentTable->setVisible(!m_recents.empty());
    m_noRecents->setVisible(m_recents.empty());
    const auto rows = std::clamp<qsizetype>(std::ssize(m_recents), 1, shownRecents);
    m_recentTable->setFixedHeight(views::themeOf(this).ipx(24.0 * double(rows + 1) + 4));
    // Who comes back goes on with what there was: that comes first.
    m_page->removeWidget(m_recentRow);
    m_page->insertWidget(m_recents.empty() ? m_placeOfNoRecents : m_page->indexOf(m_notice) + 1, m_recentRow);
    showLessons();
    showRecovery();
}

void StartPage::showRecovery() {
    const std::vector<UnsavedWork> works = m_recovery.leftBehind();
    m_notice->setVisible(!works.empty());
    if (works.empty())
        return;
    const UnsavedWork& work = works.front();
    m_notice->setMessage(
        views::ChipTone::Warning,
        tr("<b>%1</b> was not closed properly. Unsaved work of %2 is kept.")
            .arg(work.name.toHtmlEscaped(), QLocale().toString(work.kept, QLocale::ShortFormat)));
    connect(m_notice->addButton(tr("Discard")), &QPushButton::clicked, this, [this, work] {
        m_recovery.discard(work);
        showRecovery();
    });
    connect(m_notice->addButton(tr("Restore"), QStringLiteral("primary")), &QPushButton::clicked, this,
            [this, work] { emit restoreRequested(work); });
}

void StartPage::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    layCards();
}

void StartPage::layCards() {
    const views::Theme& theme = views::themeOf(this);
    const auto lay = [](QGridLayout* grid, const auto& widgets, int columns) {
        if (grid == nullptr || (grid->property("columns").toInt() == columns && grid->count() > 0))
            return;
        grid->setProperty("columns", columns);
        for (std::size_t i = 0; i < widgets.size(); ++i)
            grid->addWidget(widgets[i], int(i) / columns, int(i) % columns);
        for (int column = 0; column < 8; ++column)
            grid->setColumnStretch(column, column < columns ? 1 : 0);
    };
    const int columns = std::clamp((width() - theme.ipx(220 + 64)) / theme.ipx(226), 1, 8);
    lay(m_exampleGrid, m_exampleCards, columns);
    lay(m_templateGrid, templateCards(), columns);
    // Rows of the same length, for eight of them.
    lay(m_lessonGrid, m_lessonButtons, columns >= 8 ? 8 : columns >= 4 ? 4 : columns >= 2 ? 2 : 1);
}

void StartPage::showEvent(QShowEvent* event) {
    QFrame::showEvent(event);
    if (std::exchange(m_isDrawn, true))
        return;
    // After the first frame: a window that is there at once and fills in is better than one that is late.
    QTimer::singleShot(0, this, &StartPage::drawCards);
}

/// One card after the other on a worker.
void StartPage::drawCards() {
    struct Drawn {
        ProjectSketch sketch;
        std::shared_ptr<const DrawnModel> model;
    };
    struct Drawings {
        std::vector<std::optional<Drawn>> examples;
        std::vector<std::optional<Drawn>> templates;
    };
    m_drawing.request(
        [examples = m_examples, this](const core::JobContext& job) -> views::LatestRunner::Deliver {
            auto drawings = std::make_shared<Drawings>();
            const auto draw = [](const core::Project& project) {
                return Drawn{sketchOf(project), std::make_shared<const DrawnModel>(drawnModel(project))};
            };
            for (const Example& example : examples) {
                if (job.isCancelled())
                    return [] {};
                const auto file = core::loadProject(example.path);
                drawings->examples.push_back(file ? std::optional(draw(file->project)) : std::nullopt);
            }
            for (const core::ModelTemplate& row : core::templateCatalogue()) {
                if (job.isCancelled())
                    return [] {};
                const auto project = core::newProject(row.name, core::Json::object());
                drawings->templates.push_back(project ? std::optional(draw(*project)) : std::nullopt);
            }
            return [this, drawings] {
                const auto show = [](const std::vector<std::optional<Drawn>>& drawn,
                                     const std::vector<ProjectCard*>& cards) {
                    for (std::size_t i = 0; i < drawn.size(); ++i) {
                        if (!drawn[i])
                            continue;
                        cards[i]->setSketch(drawn[i]->sketch);
                        cards[i]->setDrawn(drawn[i]->model);
                    }
                };
                show(drawings->examples, m_exampleCards);
                show(drawings->templates, m_templateCards);
            };
        });
}

} // namespace app
