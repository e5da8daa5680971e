#include "app/window/lessons/manual.h"

#include "app/services/plan/schedule_chart.h"
#include "app/window/start/project_card.h"
#include "core/interchange/templates/template_project.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/filter_edit.h"
#include "views/plan/schedule/schedule_painter.h"

#include <QDir>
#include <QEvent>
#include <QFile>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QShortcut>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextList>
#include <QVBoxLayout>

namespace app {

using views::Role;

namespace {

constexpr int pictureWidth = 660;
constexpr int projectHeight = 96;
/// Percent of the font's.
constexpr int lineHeight = 125;

/// What the pictures are of.
core::Result<core::Project> picturedProject() {
    core::Json arguments = core::Json::object();
    arguments["hidden"] = "512,512,512,256,256";
    arguments["stages"] = "3";
    arguments["accumulation"] = "6";
    return core::newProject("mlp", arguments);
}

QImage drawn(const QSizeF& size, double scale, const std::function<void(QPainter&)>& paint) {
    QImage image((size * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    paint(painter);
    return image;
}

/// The picture of this name; null for an unknown one.
QImage manualPicture(const QString& name, const views::Theme& theme, double scale) {
    const auto project = picturedProject();
    if (!project)
        return {};
    if (name == QStringLiteral("project")) {
        const QSizeF size(theme.px(pictureWidth), theme.px(projectHeight));
        return drawn(size, scale, [&](QPainter& painter) {
            paintSketch(painter, QRectF(QPointF(), size), sketchOf(*project), theme);
        });
    }
    const auto chart = projectScheduleChart(*project, core::RunMode::Train, {});
    if (name != QStringLiteral("schedule") || !chart)
        return {};
    const views::Picture picture = views::schedulePicture(*chart, theme, {theme.px(pictureWidth), 0});
    return drawn(picture.size, scale, [&](QPainter& painter) { picture.paint(painter); });
}

/// Shows Markdown, whose pictures it draws itself.
class ManualText final : public QTextBrowser {
public:
    using QTextBrowser::QTextBrowser;

protected:
    QVariant loadResource(int type, const QUrl& name) override {
        if (name.scheme() == QStringLiteral("picture"))
            return manualPicture(name.path(), views::themeOf(this), devicePixelRatioF());
        return QTextBrowser::loadResource(type, name);
    }
};

QStringList wordsOf(const QString& text) {
    return text.split(u' ', Qt::SkipEmptyParts);
}

bool hasAll(const QString& text, const QStringList& words) {
    return std::ranges::all_of(words,
                               [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace

const std::vector<ManualPage>& manualPages() {
    static const std::vector<ManualPage> pages = [] {
        std::vector<ManualPage> read;
        const QDir folder(QStringLiteral(":/manual"));
        for (const QString& name : folder.entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name)) {
            QFile file(folder.filePath(name));
            if (!file.open(QIODevice::ReadOnly))
                continue;
            const QString text = QString::fromUtf8(file.readAll());
            read.push_back({text.section(u'\n', 0, 0).mid(2), text});
        }
        return read;
    }();
    return pages;
}

Manual::Manual(QWidget* parent)
    : QDialog(parent)
    , m_search(new QLineEdit(this))
    , m_list(new QListWidget(this))
    , m_text(new ManualText(this)) {
    setWindowTitle(tr("Manual"));
    setAttribute(Qt::WA_DeleteOnClose);
    const views::Theme& theme = views::themeOf(parent);
    auto* layout = new QHBoxLayout(this);
    auto* side = new QVBoxLayout;
    views::makeFilter(*m_search, tr("Search the manual"), QStringLiteral("search"));
    m_list->setFixedWidth(theme.ipx(220));
    m_search->setFixedWidth(theme.ipx(220));
    m_list->setAccessibleName(tr("Pages of the manual"));
    m_text->setAccessibleName(tr("Text of the page"));
    m_text->setFont(theme.font(12));
    m_text->document()->setDocumentMargin(theme.px(14));
    side->addWidget(m_search);
    side->addWidget(m_list, 1);
    layout->addLayout(side);
    layout->addWidget(m_text, 1);
    connect(m_search, &QLineEdit::textChanged, this, &Manual::filter);
    connect(m_search, &QLineEdit::returnPressed, this, &Manual::findNext);
    connect(m_list, &QListWidget::currentRowChanged, this, &Manual::showPage);
    auto* find = new QShortcut(QKeySequence(QStringLiteral("Ctrl+F")), this);
    connect(find, &QShortcut::activated, m_search, [this] {
        m_search->setFocus();
        m_search->selectAll();
    });
    resize(QSize(theme.ipx(980), theme.ipx(680)).boundedTo(parent->size() * 0.9));
    filter();
    m_search->setFocus();
}

/// The pages that hold every word; the present one stays where it does.
void Manual::filter() {
    const QStringList words = wordsOf(m_search->text());
    const int before =
        m_list->currentItem() == nullptr ? 0 : m_list->currentItem()->data(Qt::UserRole).toInt();
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        int place = -1;
        for (const ManualPage& page : manualPages()) {
            ++place;
            if (!hasAll(page.text, words))
                continue;
            auto* item = new QListWidgetItem(page.title, m_list);
            item->setData(Qt::UserRole, place);
            item->setIcon(views::icon(this, QStringLiteral("book")));
            if (place == before)
                m_list->setCurrentItem(item);
        }
        if (m_list->currentRow() < 0)
            m_list->setCurrentRow(0);
    }
    showPage();
}

void Manual::showPage() {
    const QListWidgetItem* item = m_list->currentItem();
    if (item == nullptr) {
        m_text->setPlainText(
            tr("No page holds all of these words. Try fewer, or Ctrl+Shift+P for a command."));
        return;
    }
    const ManualPage& page = manualPages()[std::size_t(item->data(Qt::UserRole).toInt())];
    m_text->setMarkdown(page.text);
    const views::Theme& theme = views::themeOf(this);
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format;
        format.setBottomMargin(theme.px(block.textList() == nullptr ? 10 : 5));
        // A picture would get the same share more.
        if (!block.text().contains(QChar::ObjectReplacementCharacter))
            format.setLineHeight(lineHeight, QTextBlockFormat::ProportionalHeight);
        QTextCursor(block).mergeBlockFormat(format);
    }
    m_text->moveCursor(QTextCursor::Start);
    markHits();
}

void Manual::markHits() {
    QList<QTextEdit::ExtraSelection> marks;
    const views::Theme& theme = views::themeOf(this);
    for (const QString& word : wordsOf(m_search->text())) {
        QTextCursor hit(m_text->document());
        while (!(hit = m_text->document()->find(word, hit)).isNull()) {
            QTextEdit::ExtraSelection mark;
            mark.cursor = hit;
            mark.format.setBackground(theme.color(Role::WarningSoft));
            mark.format.setForeground(theme.color(Role::Text));
            marks.append(mark);
        }
    }
    m_text->setExtraSelections(marks);
}

void Manual::findNext() {
    const QStringList words = wordsOf(m_search->text());
    if (words.isEmpty() || m_list->count() == 0)
        return;
    if (m_text->find(words.front()))
        return;
    const int row = m_list->currentRow();
    m_list->setCurrentRow((row + 1) % m_list->count());
    if (m_list->count() == 1)
        m_text->moveCursor(QTextCursor::Start);
    m_text->find(words.front());
}

void Manual::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    // Its pictures wear the theme too.
    if (event->type() == QEvent::PaletteChange)
        showPage();
}

Manual* showManual(QWidget& window) {
    auto* manual = window.findChild<Manual*>();
    if (manual == nullptr)
        manual = new Manual(&window);
    manual->show();
    manual->raise();
    manual->activateWindow();
    return manual;
}

} // namespace app
