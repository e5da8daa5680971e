#pragma once

#include "core/model/model_graph.h"
#include "core/project/blocks/repeat_blocks.h"
#include "views/inspector/form/property.h"

#include <vector>

namespace views {

// The rows of the form that layers are changed in.

/// The attributes that layers of one class show: all of them, or the telling ones; `all` becomes the number
/// of those they have.
[[nodiscard]] PropertySection attributesOf(const std::vector<const core::Layer*>& layers, bool showsAll,
                                           std::size_t& all);
/// What layers of any class share.
[[nodiscard]] PropertySection sharedAttributes(const std::vector<const core::Layer*>& layers);
/// "2 × Dense, ReLU": the classes of several layers.
[[nodiscard]] QString classesText(const core::ModelGraph& model, const std::vector<std::string>& paths);
/// A folded block: how often it comes, then its layers, each for all copies.
[[nodiscard]] std::vector<PropertySection> blockSections(const core::Project& project,
                                                         const core::RepeatBlock& block, bool showsAll);

} // namespace views
