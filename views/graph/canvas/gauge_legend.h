#pragma once

#include "views/common/theme/theme.h"

#include <QWidget>
#include <vector>

namespace views {

class LegendBar;

/// What the colours of the gauges, and those of the heat, mean: swatches with their words in one line. What
/// does not fit is in a menu at its end.
class GaugeLegend final : public QWidget {
    Q_OBJECT

public:
    explicit GaugeLegend(QWidget* parent = nullptr);

    /// `heat`: the unit of the figures that colour the boxes, with the largest one; empty while they are not.
    void setHeat(const QString& largest);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] double heatWidth() const;
    void placeEntries();

    QString m_heat;
    LegendBar* m_entries;
};

} // namespace views
