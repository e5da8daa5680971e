#pragma once

#include "app/services/catalogue/view_table.h"

#include <QSplitter>

namespace views {
class LivenessView;
class TimelineView;
} // namespace views

namespace app {

/// The timeline over the memory. Both follow one selection, so that they have one cursor, one time range and
/// one run; their tables are folded until they are asked for.
class SplitView final : public QSplitter {
    Q_OBJECT

public:
    explicit SplitView(const ViewContext& context, QWidget* parent = nullptr);

    [[nodiscard]] views::TimelineView& timeline() const { return *m_timeline; }
    [[nodiscard]] views::LivenessView& memory() const { return *m_memory; }

private:
    views::TimelineView* m_timeline;
    views::LivenessView* m_memory;
};

} // namespace app
