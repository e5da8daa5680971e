#pragma once

#include "views/document/document.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace views {

class NoticeBar;
class OptionModel;

/// The options of IPUConfig: a filter, the table of values and defaults, and the documentation of the chosen
/// one.
class OptionView final : public QWidget {
    Q_OBJECT

public:
    explicit OptionView(Document& document, QWidget* parent = nullptr);

    [[nodiscard]] QTreeView& tree() { return *m_tree; }
    [[nodiscard]] QLineEdit& filter() { return *m_filter; }

private:
    void refresh();
    void applyFilter();
    void apply(const std::string& option, const core::Json& value);
    void showDocumentation();

    Document& m_document;
    OptionModel* m_model;
    QSortFilterProxyModel* m_proxy;
    QLineEdit* m_filter;
    QCheckBox* m_onlySet;
    QTreeView* m_tree;
    NoticeBar* m_refusal;
    QLabel* m_text;
};

} // namespace views
