#pragma once

#include "core/base/diagnostic.h"
#include "views/common/widgets/chip.h"

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace views {

/// A message in the place it is about: severity, one sentence, and buttons (verbs) at the right.
class NoticeBar final : public QFrame {
    Q_OBJECT

public:
    explicit NoticeBar(QWidget* parent = nullptr);

    /// Replaces the message and removes all buttons. `text` may hold <b>.
    void setMessage(ChipTone tone, const QString& text);
    /// `kind` as of WorkbenchStyle.
    QPushButton* addButton(const QString& text, const QString& kind = {});
    void addCloseButton();

signals:
    void closed();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ChipTone m_tone = ChipTone::Info;
    QHBoxLayout* m_layout;
    QLabel* m_text;
    std::vector<QPushButton*> m_buttons;
};

/// Icon and colours of a severity.
[[nodiscard]] QString severityIcon(core::Severity severity);
[[nodiscard]] Role severityRole(core::Severity severity);
[[nodiscard]] ChipTone severityTone(core::Severity severity);

} // namespace views
