#include "views/inspector/option_view.h"

#include "core/project/project_edit.h"
#include "views/common/access/box_name.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/filter_edit.h"
#include "views/common/widgets/notice_bar.h"
#include "views/common/widgets/table_style.h"
#include "views/inspector/option_model.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

namespace views {

namespace {

/// Options whose full name or documentation holds what was typed.
class OptionFilter final : public QSortFilterProxyModel {
public:
    OptionFilter(QObject* parent, const QLineEdit& field, const QCheckBox& onlySet)
        : QSortFilterProxyModel(parent)
        , m_field(field)
        , m_onlySet(onlySet) {
        setRecursiveFilteringEnabled(true);
    }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const auto* model = static_cast<const OptionModel*>(sourceModel());
        const QModelIndex index = model->index(row, 0, parent);
        const core::IpuConfigOption* option = model->option(index);
        if (option == nullptr)
            return false;
        if (m_onlySet.isChecked() && !model->isSet(index))
            return false;
        const QString text = m_field.text();
        return text.isEmpty() || toQString(option->name).contains(text, Qt::CaseInsensitive) ||
               toQString(option->documentation).contains(text, Qt::CaseInsensitive);
    }

private:
    const QLineEdit& m_field;
    const QCheckBox& m_onlySet;
};

/// Edits with a list where there is a choice, else with a field; both hold the text.
class OptionDelegate final : public TextDelegate {
public:
    OptionDelegate(QObject* parent, const QSortFilterProxyModel& proxy, const OptionModel& model)
        : TextDelegate(parent)
        , m_proxy(proxy)
        , m_model(model) {}

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override {
        const core::IpuConfigOption* which = m_model.option(m_proxy.mapToSource(index));
        const std::vector<std::string> choices =
            which ? m_model.property(*which).choices : std::vector<std::string>{};
        if (choices.empty())
            return TextDelegate::createEditor(parent, option, index);
        auto* combo = new QComboBox(parent);
        for (const std::string& choice : choices)
            combo->addItem(toQString(choice));
        nameBox(*combo, toQString(which->name));
        return combo;
    }
    void setEditorData(QWidget* editor, const QModelIndex& index) const override {
        if (auto* combo = qobject_cast<QComboBox*>(editor))
            combo->setCurrentText(index.data(Qt::EditRole).toString());
        else
            TextDelegate::setEditorData(editor, index);
    }
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override {
        if (auto* combo = qobject_cast<QComboBox*>(editor))
            model->setData(index, combo->currentText(), Qt::EditRole);
        else
            TextDelegate::setModelData(editor, model, index);
    }

private:
    const QSortFilterProxyModel& m_proxy;
    const OptionModel& m_model;
};

} // namespace

OptionView::OptionView(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_model(new OptionModel(this))
    , m_filter(new QLineEdit(this))
    , m_onlySet(new QCheckBox(tr("Only changed"), this))
    , m_tree(new QTreeView(this))
    , m_refusal(new NoticeBar(this))
    , m_text(new QLabel(this)) {
    const Theme& theme = themeOf(this);
    setAccessibleName(tr("Options"));
    m_proxy = new OptionFilter(this, *m_filter, *m_onlySet);
    m_proxy->setSourceModel(m_model);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, theme.ipx(8), 0, 0);
    layout->setSpacing(theme.ipx(6));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(theme.ipx(10), 0, theme.ipx(10), 0);
    makeFilter(*m_filter, tr("Filter options"), QStringLiteral("search"));
    row->addWidget(m_filter, 1);
    row->addWidget(m_onlySet);
    layout->addLayout(row);
    m_refusal->hide();
    layout->addWidget(m_refusal);
    m_tree->setModel(m_proxy);
    styleTree(*m_tree);
    m_tree->setItemDelegate(new OptionDelegate(m_tree, *m_proxy, *m_model));
    m_tree->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                            QAbstractItemView::SelectedClicked | QAbstractItemView::AnyKeyPressed);
    m_tree->setAccessibleName(tr("IPUConfig"));
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(OptionModel::NameColumn, QHeaderView::Stretch);
    m_tree->header()->resizeSection(OptionModel::ValueColumn, theme.ipx(84));
    m_tree->header()->resizeSection(OptionModel::DefaultColumn, theme.ipx(70));
    layout->addWidget(m_tree, 1);
    auto* box = new QFrame(this);
    box->setProperty("line", "top");
    auto* boxLayout = new QVBoxLayout(box);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    m_text->setFont(theme.font(11));
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_text->setMinimumHeight(theme.ipx(96));
    boxLayout->addWidget(m_text);
    layout->addWidget(box);
    connect(m_filter, &QLineEdit::textChanged, this, &OptionView::applyFilter);
    connect(m_onlySet, &QCheckBox::toggled, this, &OptionView::applyFilter);
    connect(m_model, &OptionModel::edited, this, &OptionView::apply);
    connect(m_model, &OptionModel::misread, this, [this](const QString& message) {
        m_refusal->setMessage(ChipTone::Error, message.toHtmlEscaped());
        m_refusal->addCloseButton();
        m_refusal->show();
    });
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &OptionView::showDocumentation);
    connect(&document, &Document::projectChanged, this, &OptionView::refresh);
    connect(&document, &Document::opened, this, &OptionView::refresh);
    refresh();
    showDocumentation();
}

void OptionView::refresh() {
    setEnabled(m_document.isOpen());
    m_model->setConfig(m_document.isOpen() ? m_document.project().ipuConfig : core::IpuConfig{});
}

void OptionView::applyFilter() {
    m_proxy->invalidate();
    if (!m_filter->text().isEmpty() || m_onlySet->isChecked())
        m_tree->expandAll();
}

void OptionView::apply(const std::string& option, const core::Json& value) {
    const core::Result<void> done =
        m_document.apply(tr("Set %1").arg(toQString(option)), [&](const core::Project& project) {
            return core::withIpuOption(project, option, value);
        });
    m_refusal->setVisible(!done);
    if (!done) {
        const core::Diagnostic& why = done.error().front();
        m_refusal->setMessage(ChipTone::Error, toQString(why.message).toHtmlEscaped());
        m_refusal->addCloseButton();
        m_refusal->show();
    }
}

void OptionView::showDocumentation() {
    const QModelIndex index = m_proxy->mapToSource(m_tree->currentIndex());
    const QString text = m_model->documentation(index.siblingAtColumn(0));
    m_text->setText(text.isEmpty() ? tr("Choose an option to read what it does and what it changes here.")
                                   : text);
}

} // namespace views
