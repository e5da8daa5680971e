#pragma once

#include "core/base/quantity.h"
#include "views/common/theme/theme.h"

#include <QPainter>
#include <QWidget>
#include <functional>
#include <set>
#include <vector>

namespace views {

struct LegendEntry {
    int id = 0;
    QString name;
    QColor colour;
    HatchPattern pattern = HatchPattern::None;
    /// How much of the picture it is: what there is least of is left out first where room is short.
    double weight = 0;
};

/// Activities in the order in which a slot runs them.
[[nodiscard]] std::vector<LegendEntry> activityLegend(const Theme& theme);
/// Those that small timelines show, and idle time.
[[nodiscard]] std::vector<LegendEntry> smallActivityLegend(const Theme& theme);
/// The memory categories that `shown` holds (all when empty), bottom to top, as heavy as `bytes` says of
/// each.
[[nodiscard]] std::vector<LegendEntry> categoryLegend(const Theme& theme,
                                                      const std::set<core::MemoryCategory>& shown = {},
                                                      const std::vector<core::Bytes>& bytes = {});
/// "Vertex code", "Stash (FIFO)", ….
[[nodiscard]] QString categoryName(core::MemoryCategory category);

[[nodiscard]] double legendWidth(const std::vector<LegendEntry>& entries, const Theme& theme);
/// Those that have room beside "+3", which counts the others; all where they fit.
[[nodiscard]] std::vector<std::size_t> shownEntries(const std::vector<LegendEntry>& entries, double width,
                                                    const Theme& theme);
/// Entries side by side from the left; those in `muted` are pale. How many have no room is said at the end.
void paintLegend(QPainter& painter, const QRectF& rect, const std::vector<LegendEntry>& entries,
                 const std::set<int>& muted, const Theme& theme);

/// A legend one can click: a click isolates an entry, a second click on the only one shows all again,
/// Ctrl+click adds. Entries that do not fit are in a menu at its end.
class LegendBar final : public QWidget {
    Q_OBJECT

public:
    explicit LegendBar(const QString& accessibleName, QWidget* parent = nullptr);

    /// Asked again when the theme changes.
    void setEntries(std::function<std::vector<LegendEntry>(const Theme&)> entriesOf);
    /// False: it only tells what the colours mean.
    void setIsolating(bool isIsolating);
    [[nodiscard]] const std::set<int>& isolated() const { return m_isolated; }
    void setIsolated(std::set<int> isolated);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// Names of the entries that are only in the menu.
    [[nodiscard]] QStringList namesInMenu() const;

signals:
    /// Empty: all are shown.
    void isolatedChanged(const std::set<int>& isolated);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void toggle(int id, bool adds);
    [[nodiscard]] std::vector<std::size_t> shown() const;
    /// Of an entry that is shown; behind the last one that of "+3".
    [[nodiscard]] QRectF placeOf(std::size_t place) const;
    void openMenu();

    std::function<std::vector<LegendEntry>(const Theme&)> m_entriesOf;
    std::vector<LegendEntry> m_entries;
    std::set<int> m_isolated;
    std::size_t m_focused = 0;
    bool m_isIsolating = true;
};

} // namespace views
