#include "views/document/project_command.h"

namespace views {

ProjectCommand::ProjectCommand(Document& document, ProjectSnapshot before, ProjectSnapshot after,
                               const QString& text, QString mergeKey)
    : QUndoCommand(text)
    , m_document(document)
    , m_before(std::move(before))
    , m_after(std::move(after))
    , m_mergeKey(std::move(mergeKey)) {}

void ProjectCommand::undo() {
    m_document.show(m_before);
}

void ProjectCommand::redo() {
    m_document.show(m_after);
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
