#include "views/inspector/repeat_properties.h"

#include "views/common/text/number_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <charconv>

namespace views {

namespace {

constexpr const char* timesId = "repeat/times";
constexpr const char* stagesId = "repeat/stages";

QString blockText(const char* text) {
    return QCoreApplication::translate("views::RepeatProperties", text);
}

} // namespace

std::optional<core::RepeatBlock> selectedBlock(const core::Project& project,
                                               const std::vector<std::string>& layers) {
    for (const core::RepeatBlock& block : core::foldedBlocks(project)) {
        const bool holdsAll = std::ranges::all_of(layers, [&](const std::string& layer) {
            const std::string outer = layer.substr(0, layer.find('/'));
            return block.counterparts(outer).size() > 1;
        });
        if (holdsAll)
            return block;
    }
    return std::nullopt;
}

PropertySection repeatSection(const core::Project& project, const core::RepeatBlock& block) {
    PropertySection section;
    Property times;
    times.id = timesId;
    times.label = blockText("copies");
    times.documentation = blockText("How often the block comes, one after the other. The model holds every "
                                    "copy, and so does the Python or JSON that is written of it.");
    times.editor = PropertyEditor::Integer;
    times.value = block.times();
    times.defaultValue = block.times();
    times.accepted = blockText("1 to 1 000");
    section.properties.push_back(std::move(times));
    const std::vector<std::size_t> placed = core::copiesByStage(project, block);
    if (placed.empty())
        return section;
    Property stages;
    stages.id = stagesId;
    stages.label = blockText("copies by stage");
    stages.documentation = blockText("Where the block is cut: the copies on each stage, in the order of the "
                                     "stages. \"6, 6\" puts a boundary in the middle of 12.");
    stages.editor = PropertyEditor::Text;
    std::string text;
    for (const std::size_t copies : placed)
        text += (text.empty() ? "" : ", ") + std::to_string(copies);
    stages.value = text;
    stages.defaultValue = text;
    section.properties.push_back(std::move(stages));
    return section;
}

bool isRepeatProperty(const std::string& id) {
    return id == timesId || id == stagesId;
}

core::Result<core::Project> withRepeatProperty(const core::Project& project, const core::RepeatBlock& block,
                                               const std::string& id, const core::Json& value) {
    if (id == timesId) {
        const std::int64_t times = value.is_number_integer() ? value.get<std::int64_t>() : 0;
        return core::withRepeatCount(project, block.id, std::size_t(std::max<std::int64_t>(0, times)));
    }
    std::vector<std::size_t> copies;
    const QStringList parts = toQString(value.is_string() ? value.get<std::string>() : std::string())
                                  .split(QChar(u','), Qt::SkipEmptyParts);
    for (const QString& part : parts)
        copies.push_back(part.trimmed().toUInt());
    return core::withCopiesByStage(project, block.id, copies);
}

std::string attributeInBlock(std::size_t place, const std::string& attribute) {
    return "block/" + std::to_string(place) + "/" + attribute;
}

std::optional<std::pair<std::size_t, std::string>> placeInBlock(const std::string& id) {
    constexpr std::string_view start = "block/";
    const std::size_t slash = id.find('/', start.size());
    if (!id.starts_with(start) || slash == std::string::npos)
        return std::nullopt;
    std::size_t place = 0;
    std::from_chars(id.data() + start.size(), id.data() + slash, place);
    return std::pair(place, id.substr(slash + 1));
}

} // namespace views
