#pragma once

#include "views/document/document.h"
#include "views/document/selection.h"

#include <QTimer>
#include <QToolButton>

namespace views {

class CanvasCommands;
class ViewIntents;

/// The button that offers to fold what the model repeats; it hides where nothing is left to fold. What is
/// repeated is looked for a moment after an edit, which does not wait for it.
class RepeatOffer final : public QToolButton {
    Q_OBJECT

public:
    RepeatOffer(Document& document, CanvasCommands& commands, ViewIntents& intents, QWidget* parent);

    /// Folds what the model repeats, or opens all that is folded.
    void toggle();
    /// There is space for words.
    void setWide(bool isWide);

private:
    void look();
    void showText();

    Document& m_document;
    CanvasCommands& m_commands;
    ViewIntents& m_intents;
    QTimer m_pause;
    /// "encoder × 12" of every block that could be folded.
    QStringList m_open;
    bool m_isWide = false;
};

/// Asks how often the selected layers come, or those of the folded block that they are part of.
void askRepeat(QWidget* parent, Document& document, const Selection& selection, CanvasCommands& commands);

} // namespace views
