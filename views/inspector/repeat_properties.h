#pragma once

#include "core/project/blocks/repeat_blocks.h"
#include "views/document/selection.h"
#include "views/inspector/form/property.h"

#include <optional>

namespace views {

/// The folded block that the selected layers are part of; nothing unless all of them are part of one.
[[nodiscard]] std::optional<core::RepeatBlock> selectedBlock(const core::Project& project,
                                                             const std::vector<std::string>& layers);

/// How often the block comes, and where it is cut.
[[nodiscard]] PropertySection repeatSection(const core::Project& project, const core::RepeatBlock& block);
/// Whether an id is one of that section.
[[nodiscard]] bool isRepeatProperty(const std::string& id);
[[nodiscard]] core::Result<core::Project> withRepeatProperty(const core::Project& project,
                                                             const core::RepeatBlock& block,
                                                             const std::string& id, const core::Json& value);

/// Id of an attribute of the layer at a place of the block, in the form of the whole block.
[[nodiscard]] std::string attributeInBlock(std::size_t place, const std::string& attribute);
/// The other way round; nothing: the id is of no such attribute.
[[nodiscard]] std::optional<std::pair<std::size_t, std::string>> placeInBlock(const std::string& id);

} // namespace views
