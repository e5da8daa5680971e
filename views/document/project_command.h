#pragma once

#include "views/document/document.h"

#include <QUndoCommand>

namespace views {

/// The one command of the history: the snapshot before and the snapshot after, each with what was selected.
class ProjectCommand final : public QUndoCommand {
public:
    ProjectCommand(Document& document, ProjectSnapshot before, ProjectSnapshot after, const QString& text,
                   QString mergeKey);

    void undo() override;
    void redo() override;
    /// Constant for all commands, so that Qt asks `mergeWith`; the key decides.
    [[nodiscard]] int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override;

private:
    Document& m_document;
    ProjectSnapshot m_before;
    ProjectSnapshot m_after;
    /// What was selected when the step was made, and when it was taken back.
    SelectionState m_selectedBefore;
    SelectionState m_selectedAfter;
    bool m_isUndone = false;
    QString m_mergeKey;
};

} // namespace views
