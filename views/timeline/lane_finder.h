#pragma once

#include <QFrame>
#include <QStringList>
#include <optional>
#include <vector>

class QLineEdit;
class QListWidget;
class QPushButton;
class QToolButton;

namespace views {

/// Which lanes are wanted: by some letters of their names, or a regular expression; or all others.
struct LaneFilter {
    QString text;
    bool isRegex = false;
    bool isInverted = false;

    [[nodiscard]] bool isEmpty() const { return text.isEmpty(); }
    bool operator==(const LaneFilter&) const = default;
};
/// Indices of the names that a filter admits, the best first; nothing for a regular expression that is none.
[[nodiscard]] std::optional<std::vector<int>> admittedLanes(const LaneFilter& filter,
                                                            const QStringList& names);

/// A field that finds a lane by its name: Enter goes to it, Ctrl+Enter shows only those that are listed,
/// Escape closes.
class LaneFinder final : public QFrame {
    Q_OBJECT

public:
    LaneFinder(const QStringList& names, const LaneFilter& present, QWidget* parent);

    void openAt(const QPoint& global);

signals:
    void chosen(int index);
    /// An empty filter: all lanes.
    void filtered(const views::LaneFilter& filter);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] LaneFilter present() const;
    void list();
    void accept();
    void showOnly();

    QStringList m_names;
    QLineEdit* m_field;
    QToolButton* m_regex;
    QToolButton* m_invert;
    QListWidget* m_list;
    QPushButton* m_only;
};

} // namespace views
