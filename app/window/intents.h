#pragma once

#include "core/base/ids.h"
#include "views/common/widgets/chip.h"
#include "views/common/widgets/picture_export.h"

#include <QObject>
#include <vector>

namespace app {

/// What views ask for that is not an edit: one signal each, whichever view it comes from.
class Intents final : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

signals:
    void runRequested();
    void cancelRequested();
    /// "model", "timeline", "memory", …
    void workspaceRequested(const QString& name);
    /// "inspector", "pipeline", …: a page of a dock.
    void panelRequested(const QString& name);
    /// An option by its path in the project file, "/pipeline/schedule".
    void settingRequested(const QString& pointer);
    void layerRequested();
    /// A class of the palette, to be added.
    void layerChosen(const QString& className);
    void solveRequested();
    void pictureRequested(const views::Picture& picture);
    void tableRequested(const QString& name, const QString& csv);
    void compareRequested(const std::vector<core::RunId>& runs);
    void deleteRequested(const std::vector<core::RunId>& runs);
    void restoreRequested(core::RunId run);
    void told(views::ChipTone tone, const QString& text);
};

} // namespace app
