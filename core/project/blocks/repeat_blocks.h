#pragma once

#include "core/base/result.h"
#include "core/project/project.h"

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace core {

// Blocks that a model repeats, as a person works with them: one block and how often it comes. Only the canvas
// knows of them ("repeats" of its section); the model holds every copy, and so does whatever is written of
// it.

/// Equal pieces of the outermost model in a row.
struct RepeatBlock {
    /// Name of its first layer.
    std::string id;
    std::string title;
    /// Copy by copy the names of the layers in the order in which they run.
    std::vector<std::vector<std::string>> copies;
    /// The person works with one of them in place of all.
    bool isFolded = false;

    [[nodiscard]] std::size_t times() const { return copies.size(); }
    /// The layers at the place of one layer in all copies, itself included; only itself where it is in none.
    [[nodiscard]] std::vector<std::string> counterparts(const std::string& layer) const;
};

/// What the model repeats, folded or not, in the order in which it runs.
[[nodiscard]] std::vector<RepeatBlock> repeatBlocks(const Project& project);
/// Whether any block was folded; cheap, unlike looking for the blocks.
[[nodiscard]] bool hasFoldedBlocks(const Project& project);
/// Those of them that are folded.
[[nodiscard]] std::vector<RepeatBlock> foldedBlocks(const Project& project);

[[nodiscard]] Project withFolded(const Project& project, std::span<const std::string> ids, bool isFolded);
/// Stages of new copies are that of the last copy. Errors: those of `withRepeatCount` of a model;
/// "edit/block" when the model has no such block any more.
[[nodiscard]] Result<Project> withRepeatCount(const Project& project, const std::string& id,
                                              std::size_t times);
/// Layers with one way in and out, `times` times in a row, folded. Errors: those of `repeatLayers`.
[[nodiscard]] Result<Project> withLayersRepeated(const Project& project, std::span<const std::string> layers,
                                                 std::size_t times);

/// How many copies begin on each stage, from the stage of the first copy on; empty where nothing is
/// pipelined.
[[nodiscard]] std::vector<std::size_t> copiesByStage(const Project& project, const RepeatBlock& block);
/// The same the other way round: cuts the block between copies. What comes behind the block keeps its
/// distance, so that stages appear or go. Errors: "edit/copies" unless the numbers are positive and add up to
/// the number of copies.
[[nodiscard]] Result<Project> withCopiesByStage(const Project& project, const std::string& id,
                                                std::span<const std::size_t> copies);

} // namespace core
