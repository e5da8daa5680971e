#pragma once

#include "core/base/result.h"
#include "core/config/ipu_config/ipu_config_option.h"
#include "core/project/project.h"
#include "views/inspector/form/property.h"

#include <QAbstractItemModel>
#include <vector>

namespace views {

/// Every option of IPUConfig as a tree: categories, and in them options with value and default.
class OptionModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column : int { NameColumn, ValueColumn, DefaultColumn, ColumnCount };

    explicit OptionModel(QObject* parent = nullptr);

    void setConfig(const core::IpuConfig& config);
    /// Null for a category.
    [[nodiscard]] const core::IpuConfigOption* option(const QModelIndex& index) const;
    [[nodiscard]] bool isSet(const QModelIndex& index) const;
    /// The option as an editable line.
    [[nodiscard]] Property property(const core::IpuConfigOption& option) const;
    /// What is to be known about a row: documentation, effect, deprecation.
    [[nodiscard]] QString documentation(const QModelIndex& index) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    /// A typed value that reads as one; the owner applies it.
    void edited(const std::string& option, const core::Json& value);
    /// A typed text that does not.
    void misread(const QString& message);

private:
    struct Category {
        QString name;
        QString documentation;
        std::vector<const core::IpuConfigOption*> options;
    };

    [[nodiscard]] core::Json valueOf(const core::IpuConfigOption& option) const;

    std::vector<Category> m_categories;
    core::IpuConfig m_config;
};

} // namespace views
