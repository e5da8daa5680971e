#pragma once

#include <QAbstractButton>

namespace views {

/// A clause of a verdict: an icon, a sentence, and the figures behind it in a second line.
class VerdictButton final : public QAbstractButton {
    Q_OBJECT

public:
    /// `isTrouble`: something is wrong. `isAdvice`: a change that is offered.
    VerdictButton(QString iconName, const QString& headline, QString detail, bool isTrouble, bool isAdvice,
                  QWidget* parent = nullptr);

    /// Space at the right, in px, in which something else stands.
    void setReserved(int width) { m_reserved = width; }
    /// Without the second line, which the tool tip has.
    void setCompact(bool isCompact);
    /// At which the headline is whole.
    [[nodiscard]] int headlineWidth() const;
    /// At which nothing is cut.
    [[nodiscard]] int wholeWidth() const;
    [[nodiscard]] QString detail() const { return m_detail; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QString m_iconName;
    QString m_detail;
    bool m_isTrouble;
    bool m_isAdvice;
    int m_reserved = 0;
    bool m_isCompact = false;
};

} // namespace views
