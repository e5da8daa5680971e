#pragma once

#include <QString>
#include <QWidget>

namespace views {

/// The legend of a coloured column: from nothing to its largest figure. Empty while no column is coloured.
class HeatScale final : public QWidget {
    Q_OBJECT

public:
    explicit HeatScale(QWidget* parent = nullptr);

    void setLargest(const QString& largest);
    [[nodiscard]] const QString& largest() const { return m_largest; }

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_largest;
};

} // namespace views
