#pragma once

#include "views/profile/remedy.h"

#include <QFrame>
#include <optional>

class QLabel;
class QVBoxLayout;

namespace views {

/// What would take less memory, a row for each change with its price and a button that tries it.
class RemedyList final : public QFrame {
    Q_OBJECT

public:
    explicit RemedyList(QWidget* parent = nullptr);

    /// Nothing while they are looked for.
    void setRemedies(const std::optional<std::vector<Remedy>>& remedies);

signals:
    /// A change was made and is to be run.
    void tried();

private:
    QVBoxLayout* m_rows;
};

} // namespace views
