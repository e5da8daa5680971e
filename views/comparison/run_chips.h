#pragma once

#include "core/base/ids.h"

#include <QWidget>
#include <vector>

namespace views {

/// The compared runs as letters with names; a click makes a run the baseline, its ✕ takes it out.
class RunChips final : public QWidget {
    Q_OBJECT

public:
    struct Chip {
        core::RunId run;
        QString name;
        bool isBaseline = false;
    };

    explicit RunChips(QWidget* parent = nullptr);

    void setChips(std::vector<Chip> chips);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {40, sizeHint().height()}; }

signals:
    void baselineChosen(core::RunId run);
    void removed(core::RunId run);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QRectF rectOf(std::size_t index) const;
    [[nodiscard]] double widthOf(const Chip& chip) const;
    [[nodiscard]] bool isRemovable(const Chip& chip) const { return m_chips.size() > 1 && !chip.isBaseline; }

    std::vector<Chip> m_chips;
    std::size_t m_focused = 0;
};

} // namespace views
