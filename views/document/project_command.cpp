#include "views/document/project_command.h"

namespace views {

ProjectCommand::ProjectCommand(Document& document, ProjectSnapshot before, ProjectSnapshot after,
                               const QString& text, QString mergeKey)
    : QUndoCommand(text)
    , m_document(document)
    , m_before(std::move(before))
    , m_after(std::move(after))
    , m_selectedBefore(document.selectedNow())
    , m_mergeKey(std::move(mergeKey)) {}

void ProjectCommand::undo() {
    m_selectedAfter = m_document.selectedNow();
    m_isUndone = true;
    m_document.show(m_before);
    m_document.selectAgain(m_selectedBefore);
}

void ProjectCommand::redo() {
    m_document.show(m_after);
    // What the first time selects is the matter of who made the edit.
    if (m_isUndone)
        m_document.selectAgain(m_selectedAfter);
}

bool ProjectCommand::mergeWith(const QUndoCommand* other) {
    const auto& next = static_cast<const ProjectCommand&>(*other);
    if (next.m_mergeKey != m_mergeKey)
        return false;
    m_after = next.m_after;
    setText(next.text());
    if (*m_before == *m_after)
        setObsolete(true);
    return true;
}

} // namespace views
