#pragma once

#include <QLabel>

namespace views {

/// A label of one line that shortens its text in the middle where there is no space, and then says the whole
/// in its tooltip unless it has one of its own.
class ElidedLabel final : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    explicit ElidedLabel(const QString& text, QWidget* parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
};

} // namespace views
