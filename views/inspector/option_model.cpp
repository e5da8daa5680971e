#include "views/inspector/option_model.h"

#include "core/config/ipu_config/ipu_config_table.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/table_style.h"

#include <QFont>
#include <map>

namespace views {

namespace {

using core::Json;

PropertyEditor editorOf(const core::IpuConfigOption& option) {
    switch (option.type) {
    case core::OptionType::Switch:
        return PropertyEditor::Switch;
    case core::OptionType::Integer:
        return PropertyEditor::Integer;
    case core::OptionType::Number:
        return PropertyEditor::Number;
    case core::OptionType::Text:
        return PropertyEditor::Text;
    case core::OptionType::Choice:
        return PropertyEditor::Choice;
    case core::OptionType::IntegerOrList:
        return PropertyEditor::Tuple;
    case core::OptionType::PoplarOptions:
        return PropertyEditor::Json;
    }
    return PropertyEditor::Json;
}

QString categoryOf(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? QString() : toQString(name.substr(0, dot));
}

} // namespace

OptionModel::OptionModel(QObject* parent)
    : QAbstractItemModel(parent) {
    std::map<QString, std::size_t> index;
    for (const core::IpuConfigOption& option : core::ipuConfigOptions()) {
        const QString name = categoryOf(option.name);
        const auto [entry, isNew] = index.try_emplace(name, m_categories.size());
        if (isNew) {
            m_categories.push_back({name.isEmpty() ? tr("general") : name, {}, {}});
            for (const core::IpuConfigCategory& category : core::ipuConfigCategories()) {
                if (toQString(category.name) == name)
                    m_categories.back().documentation = toQString(category.documentation);
            }
        }
        m_categories[entry->second].options.push_back(&option);
    }
}

void OptionModel::setConfig(const core::IpuConfig& config) {
    if (config == m_config)
        return;
    m_config = config;
    for (int row = 0; row < rowCount(); ++row) {
        const QModelIndex category = index(row, 0);
        emit dataChanged(index(0, 0, category), index(rowCount(category) - 1, ColumnCount - 1, category));
        emit dataChanged(category, index(row, ColumnCount - 1));
    }
}

const core::IpuConfigOption* OptionModel::option(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == 0)
        return nullptr;
    return m_categories[index.internalId() - 1].options[std::size_t(index.row())];
}

bool OptionModel::isSet(const QModelIndex& index) const {
    if (const core::IpuConfigOption* which = option(index))
        return m_config.values.contains(which->name);
    for (int row = 0; row < rowCount(index); ++row) {
        if (isSet(this->index(row, 0, index)))
            return true;
    }
    return false;
}

Json OptionModel::valueOf(const core::IpuConfigOption& option) const {
    const auto found = m_config.values.find(option.name);
    return found == m_config.values.end() ? core::defaultValue(option) : found->second;
}

Property OptionModel::property(const core::IpuConfigOption& option) const {
    Property property;
    property.id = option.name;
    property.label = toQString(option.name);
    property.editor = editorOf(option);
    property.value = valueOf(option);
    property.defaultValue = core::defaultValue(option);
    property.isNullable = property.defaultValue.is_null();
    for (const std::string_view choice : option.choices)
        property.choices.emplace_back(choice);
    if (option.type == core::OptionType::Switch)
        property.choices = {"false", "true"};
    return property;
}

QString OptionModel::documentation(const QModelIndex& index) const {
    const core::IpuConfigOption* which = option(index);
    if (which == nullptr)
        return index.isValid() ? m_categories[std::size_t(index.row())].documentation : QString();
    QString text =
        QStringLiteral("<b>%1</b> <span>%2</span><br>%3")
            .arg(toQString(which->name).toHtmlEscaped(), toQString(which->pythonType).toHtmlEscaped(),
                 toQString(which->documentation).toHtmlEscaped());
    text += QStringLiteral("<br><i>") +
            tr("In the simulation: %1").arg(toQString(which->effectText).toHtmlEscaped()) +
            QStringLiteral("</i>");
    if (!which->deprecation.empty())
        text +=
            QStringLiteral("<br>") + tr("Deprecated: %1").arg(toQString(which->deprecation).toHtmlEscaped());
    return text;
}

QModelIndex OptionModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : quintptr(0));
}

QModelIndex OptionModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == 0)
        return {};
    return createIndex(int(child.internalId()) - 1, 0, quintptr(0));
}

int OptionModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid())
        return int(m_categories.size());
    if (parent.internalId() != 0 || parent.column() != 0)
        return 0;
    return int(m_categories[std::size_t(parent.row())].options.size());
}

int OptionModel::columnCount(const QModelIndex&) const {
    return ColumnCount;
}

QVariant OptionModel::data(const QModelIndex& index, int role) const {
    const core::IpuConfigOption* which = option(index);
    if (role == Qt::FontRole) {
        QFont font;
        font.setBold(index.column() != DefaultColumn && isSet(index));
        font.setStrikeOut(which != nullptr && index.column() == NameColumn && !which->deprecation.empty());
        return font;
    }
    if (which == nullptr)
        return role == Qt::DisplayRole && index.column() == NameColumn
                   ? QVariant(m_categories[std::size_t(index.row())].name)
                   : QVariant();
    if (role == TextColorRole) {
        if (index.column() == DefaultColumn || which->effect == core::OptionEffect::None)
            return int(Role::Text3);
        return {};
    }
    if (role == Qt::ToolTipRole)
        return toQString(which->documentation);
    if (role != Qt::DisplayRole && role != Qt::EditRole)
        return {};
    Property shown = property(*which);
    if (index.column() == NameColumn)
        return toQString(which->name).section(u'.', -1);
    if (index.column() == DefaultColumn)
        shown.value = shown.defaultValue;
    const QString text = propertyText(shown);
    return text.isEmpty() && role == Qt::DisplayRole ? QVariant(QStringLiteral("–")) : QVariant(text);
}

QVariant OptionModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return tr("Option");
    case ValueColumn:
        return tr("Value");
    case DefaultColumn:
        return tr("Default");
    default:
        return {};
    }
}

Qt::ItemFlags OptionModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    return option(index) != nullptr && index.column() == ValueColumn ? flags | Qt::ItemIsEditable : flags;
}

bool OptionModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const core::IpuConfigOption* which = option(index);
    if (which == nullptr || role != Qt::EditRole || index.column() != ValueColumn)
        return false;
    const Property shown = property(*which);
    const QString text = value.toString();
    if (text == propertyText(shown))
        return false;
    const tl::expected<Json, QString> read = propertyValue(shown, text);
    if (!read) {
        emit misread(toQString(which->name) + QStringLiteral(": ") + read.error());
        return false;
    }
    // An empty field puts the default back.
    emit edited(std::string(which->name),
                text.trimmed().isEmpty() || *read == shown.defaultValue ? Json(nullptr) : *read);
    return true;
}

} // namespace views
