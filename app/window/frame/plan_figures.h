#pragma once

#include "views/document/document.h"

#include <QWidget>

namespace app {

/// Throughput, step and idle share of the present plan: italic with "≈" while they are an estimate that no
/// run has confirmed, muted while a newer one is on its way. Beside the names stands how sure they are.
class PlanFigures final : public QWidget {
    Q_OBJECT

public:
    explicit PlanFigures(views::Document& document, QWidget* parent = nullptr);

    void setMeasured(bool isMeasured);
    static constexpr int mostFigures = 3;
    /// How many of them fit.
    void setCount(int count);
    /// In a narrow bar what is said of all figures ("preview") stands in place of the first one's interval.
    void setCompact(bool isCompact);
    /// Of all figures, however many are shown.
    [[nodiscard]] int fullWidth() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Figure {
        QString name;
        QString value;
        QString unit;
        /// What measured figures differ by; empty where nothing is published.
        QString interval;
    };
    [[nodiscard]] std::vector<Figure> figures() const;
    [[nodiscard]] QString nameOf(const std::vector<Figure>& all, int index, bool isCompact) const;
    [[nodiscard]] double compactNoteWidth(int index, bool isCompact) const;
    /// That the figures are not those of the project as it is, in a word; usually nothing.
    [[nodiscard]] QString note() const;
    [[nodiscard]] bool isOld() const;
    [[nodiscard]] QString shownValue(const std::vector<Figure>& all, int index) const;
    /// Wide enough for every digit.
    [[nodiscard]] double columnWidth(const std::vector<Figure>& all, int index, bool isCompact) const;
    [[nodiscard]] QSize wantedSize(int count, bool isCompact) const;
    [[nodiscard]] QString rangesTip(const core::PlanEstimate& estimate) const;
    void refresh();

    views::Document& m_document;
    bool m_isMeasured = false;
    int m_count = 3;
    bool m_isCompact = false;
    QSize m_hint;
};

} // namespace app
