#pragma once

#include <QTimer>
#include <QWidget>

namespace views {

/// Dims what a view shows while something newer is on its way: the old picture stays, and it is plain that it
/// is old. Answers that come within a moment dim nothing.
class ReadingVeil final : public QWidget {
    Q_OBJECT

public:
    /// Lies over `view`, as large as it; lets the mouse through.
    explicit ReadingVeil(QWidget* view);

    void setReading(bool isReading);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QTimer m_patience;
};

} // namespace views
