#pragma once

#include "views/common/widgets/empty_view.h"

namespace views {

class CanvasView;

/// What stands in the middle of a canvas without layers: what to do. Its button asks for the first layer.
class EmptyCanvas final : public EmptyView {
    Q_OBJECT

public:
    explicit EmptyCanvas(CanvasView& canvas);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow();

    CanvasView& m_canvas;
};

} // namespace views
