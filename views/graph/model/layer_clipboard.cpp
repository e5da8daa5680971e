#include "views/graph/model/layer_clipboard.h"

#include <QClipboard>
#include <QGuiApplication>

namespace views {

void putOnClipboard(const std::vector<core::CopiedLayer>& layers) {
    QGuiApplication::clipboard()->setText(QString::fromStdString(core::textOfCopiedLayers(layers)));
}

std::vector<core::CopiedLayer> layersOnClipboard() {
    return core::copiedLayersOfText(QGuiApplication::clipboard()->text().toStdString());
}

} // namespace views
