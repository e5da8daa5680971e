#include "app/services/catalogue/split_view.h"

#include "app/services/plan/faster_parts.h"
#include "views/liveness/liveness_view.h"
#include "views/timeline/timeline_view.h"

namespace app {

SplitView::SplitView(const ViewContext& context, QWidget* parent)
    : QSplitter(Qt::Vertical, parent)
    , m_timeline(new views::TimelineView(context.document, context.selection, context.source, context.intents,
                                         fasterParts, this))
    , m_memory(new views::LivenessView(context.document, context.selection, context.source, context.intents,
                                       this)) {
    setHandleWidth(3);
    setChildrenCollapsible(false);
    addWidget(m_timeline);
    addWidget(m_memory);
    setSizes({500, 500});
    m_timeline->foldTables();
    m_memory->foldTables();
    setFocusProxy(m_timeline);
}

} // namespace app
