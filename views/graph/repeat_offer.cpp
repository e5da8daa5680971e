#include "views/graph/repeat_offer.h"

#include "core/project/blocks/repeat_blocks.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/icons.h"
#include "views/common/widgets/chip.h"
#include "views/document/view_intents.h"
#include "views/graph/scene/canvas_commands.h"

#include <QInputDialog>
#include <algorithm>

namespace views {

RepeatOffer::RepeatOffer(Document& document, CanvasCommands& commands, ViewIntents& intents, QWidget* parent)
    : QToolButton(parent)
    , m_document(document)
    , m_commands(commands)
    , m_intents(intents) {
    setProperty("small", true);
    setIcon(views::icon(this, QStringLiteral("layers")));
    setFocusPolicy(Qt::TabFocus);
    hide();
    m_pause.setSingleShot(true);
    m_pause.setInterval(200);
    connect(this, &QToolButton::clicked, this, &RepeatOffer::toggle);
    connect(&m_pause, &QTimer::timeout, this, &RepeatOffer::look);
    connect(&document, &Document::opened, this, [this] { m_pause.start(); });
    connect(&document, &Document::projectChanged, this, [this] { m_pause.start(); });
}

void RepeatOffer::toggle() {
    if (!m_document.isOpen())
        return;
    std::vector<std::string> open;
    std::vector<std::string> folded;
    for (const core::RepeatBlock& block : core::repeatBlocks(m_document.project()))
        (block.isFolded ? folded : open).push_back(block.id);
    if (open.empty() && folded.empty())
        m_intents.notify(ChipTone::Info, tr("The model repeats no block"));
    else
        m_commands.setFolded(open.empty() ? folded : open, !open.empty());
}

void RepeatOffer::setWide(bool isWide) {
    m_isWide = isWide;
    showText();
}

void RepeatOffer::look() {
    m_open.clear();
    if (m_document.isOpen()) {
        for (const core::RepeatBlock& block : core::repeatBlocks(m_document.project())) {
            if (!block.isFolded)
                m_open << QStringLiteral("%1 × %2").arg(toQString(block.title)).arg(block.times());
        }
    }
    showText();
    setVisible(!m_open.isEmpty());
}

void RepeatOffer::showText() {
    if (m_open.isEmpty())
        return;
    setText(m_open.size() > 1 ? tr("Fold %1 repeats").arg(m_open.size()) : tr("Fold %1").arg(m_open.front()));
    setToolButtonStyle(m_isWide ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    setToolTip(tr("Equal blocks in a row, as one node each (Ctrl+Shift+R):") + u'\n' + m_open.join(u'\n'));
    setAccessibleName(tr("Fold repeated blocks: %1").arg(m_open.join(tr(", "))));
}

void askRepeat(QWidget* parent, Document& document, const Selection& selection, CanvasCommands& commands) {
    std::vector<std::string> layers;
    for (const InvocationKey& key : selection.state().invocations) {
        if (layers.empty() || layers.back() != key.path)
            layers.push_back(key.path);
    }
    if (!document.isOpen() || layers.empty())
        return;
    const std::vector<core::RepeatBlock> blocks = core::foldedBlocks(document.project());
    const auto block = std::ranges::find_if(blocks, [&](const core::RepeatBlock& each) {
        return std::ranges::all_of(layers, [&](const std::string& layer) {
            return each.counterparts(layer.substr(0, layer.find('/'))).size() > 1;
        });
    });
    const bool isFolded = block != blocks.end();
    bool isGiven = false;
    const int times = QInputDialog::getInt(
        parent,
        isFolded ? RepeatOffer::tr("Repeat %1").arg(toQString(block->title))
                 : RepeatOffer::tr("Repeat %1")
                       .arg(countedText(std::int64_t(layers.size()), RepeatOffer::tr("layer"),
                                        RepeatOffer::tr("layers"))),
        RepeatOffer::tr("How often it comes, one after the other"), isFolded ? int(block->times()) : 2, 1,
        1000, 1, &isGiven);
    if (isGiven && isFolded)
        commands.setRepeatCount(block->id, std::size_t(times));
    else if (isGiven)
        commands.repeatLayers(layers, std::size_t(times));
}

} // namespace views
