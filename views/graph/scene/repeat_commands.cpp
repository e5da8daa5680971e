#include "core/project/blocks/repeat_blocks.h"
#include "views/common/text/number_text.h"
#include "views/graph/scene/canvas_commands.h"

namespace views {

using core::Project;

void CanvasCommands::repeatLayers(const std::vector<std::string>& chosen, std::size_t times) {
    // Whoever selects all means what the inputs lead to.
    std::vector<std::string> layers;
    const core::ModelGraph& model = m_document.project().model;
    for (const std::string& layer : chosen) {
        const std::optional<core::LayerId> id = model.findLayer(layer);
        if (!id || model.layer(*id).className != "InputLayer")
            layers.push_back(layer);
    }
    if (layers.empty())
        return;
    const core::Result<void> done =
        m_document.apply(tr("Repeat %1, %2 times")
                             .arg(countedText(std::int64_t(layers.size()), tr("layer"), tr("layers")))
                             .arg(times),
                         [&](const Project& project) -> core::Result<Project> {
                             return core::withLayersRepeated(project, layers, times);
                         });
    if (done)
        selectBlockWith(layers);
}

void CanvasCommands::setRepeatCount(const std::string& block, std::size_t times) {
    const core::Result<void> done = m_document.apply(
        tr("Repeat %1, %2 times").arg(toQString(block)).arg(times),
        [&](const Project& project) { return core::withRepeatCount(project, block, times); });
    if (done)
        selectBlockWith({block});
}

/// One goes on with the block, not with one of its copies.
void CanvasCommands::selectBlockWith(const std::vector<std::string>& layers) {
    std::set<InvocationKey> keys;
    for (const core::RepeatBlock& block : core::foldedBlocks(m_document.project())) {
        if (block.counterparts(layers.front()).size() < 2)
            continue;
        for (const std::vector<std::string>& copy : block.copies) {
            for (const std::string& layer : copy)
                keys.insert({layer, 0});
        }
    }
    if (!keys.empty())
        m_selection.selectInvocations(std::move(keys));
}

void CanvasCommands::setFolded(const std::vector<std::string>& blocks, bool isFolded) {
    const QString what =
        countedText(std::int64_t(blocks.size()), tr("repeated block"), tr("repeated blocks"));
    m_document.apply((isFolded ? tr("Fold %1") : tr("Unfold %1")).arg(what),
                     [&](const Project& project) -> core::Result<Project> {
                         return core::withFolded(project, blocks, isFolded);
                     });
}

} // namespace views
