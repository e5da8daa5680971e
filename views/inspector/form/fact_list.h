#pragma once

#include <QString>
#include <QWidget>
#include <vector>

namespace views {

/// A read-only line: a name, a number with its unit, and where it comes from.
struct Fact {
    QString name;
    QString value;
    QString unit;
    /// The formula with this thing's own numbers; opens below on a click on "=". Empty for none.
    QString formula;
    /// Muted (not known, or older than the last edit).
    bool isMuted = false;

    bool operator==(const Fact&) const = default;
};

/// Facts below each other: name left, number right in monospace, unit muted.
class FactList final : public QWidget {
    Q_OBJECT

public:
    explicit FactList(QWidget* parent = nullptr);

    void setFacts(std::vector<Fact> facts);
    [[nodiscard]] const std::vector<Fact>& facts() const { return m_facts; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] double rowHeight() const;
    [[nodiscard]] double formulaHeight() const;
    [[nodiscard]] int rowAt(double y) const;

    std::vector<Fact> m_facts;
    int m_open = -1;
    int m_hovered = -1;
};

} // namespace views
