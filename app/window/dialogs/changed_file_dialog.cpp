#include "app/window/dialogs/changed_file_dialog.h"

#include "views/common/text/number_text.h"
#include "views/common/theme/widget_theme.h"
#include "views/profile/tables/table_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

namespace app {

using views::toQString;

namespace {

/// A value of the project file without its quotes, cut where it is too long for a table.
QString shownValue(const std::string& json) {
    constexpr int longest = 60;
    QString text = toQString(json);
    if (text.size() > 1 && text.startsWith(u'"') && text.endsWith(u'"'))
        text = text.mid(1, text.size() - 2);
    return text.size() > longest ? text.left(longest) + QStringLiteral(" …") : text;
}

QString shownValue(const std::optional<std::string>& json) {
    return json ? shownValue(*json) : ChangedFileDialog::tr("(default)");
}

views::TableContent differenceTable(const core::ProjectDifference& difference) {
    views::TableContent table;
    table.columns = {{ChangedFileDialog::tr("What"), views::ColumnKind::Text, {}, 250, {}, true},
                     {ChangedFileDialog::tr("In this window"), views::ColumnKind::Text, {}, 150, {}, false},
                     {ChangedFileDialog::tr("On disk"), views::ColumnKind::Text, {}, 150, {}, false}};
    const auto add = [&](const QString& what, const QString& mine, const QString& theirs) {
        table.rows.push_back({views::textCell(what), views::textCell(mine), views::textCell(theirs)});
    };
    for (const core::OptionDifference& option : difference.options)
        add(toQString(option.path), shownValue(option.before), shownValue(option.after));
    const QString is = ChangedFileDialog::tr("present");
    const QString none = QStringLiteral("–");
    for (const core::LayerDifference& layer : difference.layers) {
        const QString name = ChangedFileDialog::tr("layer %1").arg(toQString(layer.layer));
        if (layer.change == core::LayerChange::Added)
            add(name, none, is);
        else if (layer.change == core::LayerChange::Removed)
            add(name, is, none);
        else
            add(name + QStringLiteral(" · ") + toQString(layer.attribute), shownValue(layer.before),
                shownValue(layer.after));
    }
    return table;
}

QString countText(const core::ProjectDifference& difference) {
    if (!difference.trouble.empty())
        return ChangedFileDialog::tr("The file on disk cannot be read as a project, so it cannot be taken.");
    const auto count = difference.options.size() + difference.layers.size();
    if (count == 0)
        return ChangedFileDialog::tr("Settings and layers are the same; stages or the drawing may not be.");
    return count == 1 ? ChangedFileDialog::tr("One thing is different.")
                      : ChangedFileDialog::tr("%1 things are different.").arg(count);
}

QLabel* wrapped(const QString& text, const char* role, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setProperty("role", role);
    return label;
}

} // namespace

ChangedFileDialog::ChangedFileDialog(const ChangedFile& file, QWidget* parent)
    : QDialog(parent)
    , m_table(new views::TablePanel(tr("What is different"), this)) {
    const views::Theme& theme = views::themeOf(this);
    setWindowTitle(tr("Changed on disk"));
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(theme.ipx(10));
    auto* title = wrapped(tr("%1 was changed by another program").arg(file.name), "text", this);
    QFont bold = title->font();
    bold.setWeight(QFont::DemiBold);
    title->setFont(bold);
    layout->addWidget(title);
    const QString when = QLocale().toString(file.changed, QLocale::ShortFormat);
    layout->addWidget(wrapped(
        (file.isSaving ? tr("The file on disk is of %1. Keeping yours replaces it; taking theirs is a step "
                            "that undo takes back.")
                       : tr("The file on disk is of %1. Keeping yours replaces it when you save; taking "
                            "theirs is a step that undo takes back."))
            .arg(when),
        "text2", this));
    layout->addWidget(wrapped(countText(file.difference), "text2", this));
    const bool isReadable = file.difference.trouble.empty();
    m_table->setContent(differenceTable(file.difference));
    m_table->setMinimumSize(theme.ipx(570), theme.ipx(220));
    m_table->hide();
    layout->addWidget(m_table, 1);
    auto* compare = new QPushButton(tr("Compare"), this);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    auto* theirs = new QPushButton(tr("Take theirs"), this);
    auto* mine = new QPushButton(tr("Keep mine"), this);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(compare);
    buttons->addStretch();
    for (QPushButton* button : {cancel, theirs, mine})
        buttons->addWidget(button);
    compare->setCheckable(true);
    compare->setEnabled(isReadable && !m_table->content().rows.empty());
    theirs->setEnabled(isReadable);
    mine->setProperty("kind", file.isSaving ? "danger" : "primary");
    // Neither of the two projects goes by a careless Enter.
    cancel->setDefault(true);
    layout->addLayout(buttons);
    setMinimumWidth(theme.ipx(480));
    connect(compare, &QPushButton::toggled, this, [this](bool isShown) {
        m_table->setVisible(isShown);
        this->layout()->activate();
        resize(sizeHint());
    });
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    const auto choose = [this](QPushButton* button, Choice choice) {
        connect(button, &QPushButton::clicked, this, [this, choice] {
            m_choice = choice;
            accept();
        });
    };
    choose(theirs, Choice::TakeTheirs);
    choose(mine, Choice::KeepMine);
}

} // namespace app
