#pragma once

#include "core/model/layer_definition.h"
#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/inspector/form/property.h"
#include "views/inspector/repeat_properties.h"

#include <QScrollArea>
#include <QTimer>
#include <optional>

class QComboBox;
class QLabel;
class QToolButton;

namespace views {

class EmptyView;
class FactList;
class PropertyForm;
class SectionHeader;

/// What is selected, to be read and changed: identity, stage, attributes, shapes, costs. With several layers
/// of one class an edit reaches all of them.
class InspectorView final : public QWidget {
    Q_OBJECT

public:
    InspectorView(Document& document, Selection& selection, QWidget* parent = nullptr);

    /// Moves the keyboard to the first attribute.
    void focusFirst();
    /// With what is selected now.
    [[nodiscard]] PropertyForm& form();

protected:
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeHead();
    void connectParts();
    /// What every selection of one project shares.
    void followProject();
    /// Shows what was selected or changed since, if anything was.
    void catchUp();
    void offerStages(std::size_t count);
    void refresh();
    void refreshHead(const std::vector<std::string>& paths);
    void refreshAttributes(const std::vector<std::string>& paths);
    /// Makes the rows that the layers of an opened model will want, a page in an idle moment.
    void prepareNext();
    void refreshFacts();
    /// The form of a folded block: how often it comes, then its layers, each for all copies.
    void refreshBlock(const core::RepeatBlock& block);
    /// What an edit of a row does to the project.
    [[nodiscard]] core::Result<core::Project> edited(const core::Project& project, const std::string& id,
                                                     const core::Json& value) const;
    void selectBlock();
    void applyAttribute(const std::string& id, const core::Json& value, bool isTyped);
    void assignStage(int index);
    /// Layers of the selection that are in the outermost model, each once.
    [[nodiscard]] std::vector<std::string> selectedPaths() const;

    Document& m_document;
    Selection& m_selection;
    EmptyView* m_empty;
    QScrollArea* m_scroll;
    QLabel* m_icon;
    QLabel* m_name;
    QLabel* m_kind;
    QComboBox* m_stage;
    QLabel* m_ipu;
    SectionHeader* m_attributesHeader;
    PropertyForm* m_form;
    QLabel* m_note;
    FactList* m_shapes;
    FactList* m_cost;
    QWidget* m_shapesBox;
    QWidget* m_costBox;
    /// The folded block that all of the selection is part of.
    std::optional<core::RepeatBlock> m_block;
    bool m_showsAll = false;
    /// Counts fields that were typed into: what is typed into one is one step of the history.
    int m_typings = 0;
    /// An edit is seen on the canvas first, and changes project and selection one after the other.
    QTimer m_soon;
    QTimer m_idle;
    std::size_t m_nextToPrepare = 0;
};

} // namespace views
