#pragma once

#include "views/document/document.h"

#include <QUndoCommand>

namespace views {

/// The one command of the history: the snapshot before and the snapshot after.
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
    QString m_mergeKey;
};

} // namespace views
