#pragma once

#include "core/base/result.h"
#include "core/project/project.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

// Everything a person changes in a project, as pure functions from one snapshot to the next. They refuse
// (codes "edit/…") only what makes no sense as an edit; whether the result keeps the rules of the programming
// system is asked by `validate()`, so that a plan can be wrong while it is being made.
//
// Entries are positions in the stage assignment (`assignmentEntries`).

/// Puts these entries on a stage. A model without stages gets stage 0 for all others first.
[[nodiscard]] Result<Project> assignToStage(const Project& project, std::span<const std::size_t> entries,
                                            StageId stage);
/// The same for every call of these layers (paths, "outer/inner"); a nested model's name takes all inside it.
[[nodiscard]] Result<Project> assignLayersToStage(const Project& project, std::span<const std::string> layers,
                                                  StageId stage);
/// Moves the boundary between the stages `cut` and `cut` + 1 of a pipeline in post-order: entries of the two
/// stages before `entry` go to `cut`, the others to `cut` + 1. Both keep at least one entry.
[[nodiscard]] Result<Project> moveCut(const Project& project, std::size_t cut, std::size_t entry);
/// Replaces all stages at once: one per entry, or none for a model that is not pipelined.
[[nodiscard]] Result<Project> withStages(const Project& project, StageAssignment assignment);
/// Stages of as equal a number of calls as can be, in post-order, on enough IPUs for them.
[[nodiscard]] Result<Project> splitEvenly(const Project& project, std::size_t stages);

/// One IPU per stage, or an empty mapping for stage k on IPU k.
[[nodiscard]] Result<Project> withDeviceMapping(const Project& project, DeviceMapping mapping);
/// The same with one stage on another IPU.
[[nodiscard]] Result<Project> withStageOnIpu(const Project& project, StageId stage, IpuId ipu);
/// availableMemoryProportion of one stage of a pipeline, forwards and backwards; nothing: as everywhere.
/// Refuses what is no number from 0 to 1.
[[nodiscard]] Result<Project> withStageProportion(const Project& project, StageId stage,
                                                  std::optional<std::string> proportion);
/// That of a stage, where it has one of its own.
[[nodiscard]] std::optional<std::string> stageProportion(const Project& project, StageId stage);
/// Whether a stage recomputes, or offloads its activations. Without stages of its own it does what all do.
[[nodiscard]] bool stageRecomputes(const Project& project, StageId stage);
[[nodiscard]] bool stageOffloads(const Project& project, StageId stage);
/// Lets one stage of a pipeline recompute, or offload its activations, or not; the option for all is on while
/// one does. The last stage of a pipeline keeps what it computes, whatever is said here.
[[nodiscard]] Result<Project> withStageRecomputing(const Project& project, StageId stage, bool recomputes);
[[nodiscard]] Project withStageOffloading(const Project& project, StageId stage, bool offloads);
/// The same project after its stages have become others: choices of stages that are gone go, too.
[[nodiscard]] Project withoutLostStages(Project project);
[[nodiscard]] Project withSchedule(const Project& project, std::string schedule);
/// The schedule is a table of the user's own.
[[nodiscard]] Project withScheduleTable(const Project& project, ScheduleTable table);
[[nodiscard]] Project withPipelineOptions(const Project& project, PipelineOptions options);
[[nodiscard]] Result<Project> withMicroBatches(const Project& project, std::optional<std::int64_t> steps);
[[nodiscard]] Project withTraining(const Project& project, TrainingOptions training);
[[nodiscard]] Result<Project> withReplicas(const Project& project, std::optional<std::int64_t> replicas);
[[nodiscard]] Result<Project> withSystem(const Project& project, SystemOptions system);
/// Sets an option of IPUConfig, or puts its default back with null. Errors: those of reading it.
[[nodiscard]] Result<Project> withIpuOption(const Project& project, std::string_view option,
                                            const Json& value);

[[nodiscard]] Result<Project> withName(const Project& project, std::string name);
/// Positions of some layers on the canvas; the others stay.
[[nodiscard]] Project withPositions(const Project& project,
                                    const std::map<std::string, CanvasLayout::Position>& positions);

/// Whether the drawing is read from left to right, in place of from the top down: "view" of the canvas
/// section.
[[nodiscard]] bool readsLeftToRight(const Project& project);
/// Turns the drawing, with what was moved in it.
[[nodiscard]] Project withLeftToRight(const Project& project, bool isLeftToRight);

/// Writes on a frame around these layers (paths), in place of what the note on exactly them said; an empty
/// text takes the note away. Errors: "edit/note" without layers, or for a text that is too long.
[[nodiscard]] Result<Project> withNote(const Project& project, std::vector<std::string> layers,
                                       std::string text);
/// The note on exactly these layers gets another colour, 0 … `noteColours` − 1.
[[nodiscard]] Project withNoteColour(const Project& project, std::vector<std::string> layers,
                                     std::int64_t colour);
/// The note on exactly these layers; null: there is none.
[[nodiscard]] const CanvasNote* noteOn(const Project& project, std::vector<std::string> layers);

/// Notes of a model whose layers were renamed (old name → new name) or are gone; a note without layers goes.
[[nodiscard]] std::vector<CanvasNote> notesThatStay(const std::vector<CanvasNote>& notes,
                                                    const ModelGraph& model,
                                                    const std::map<std::string, std::string>& renamed);

/// Layers (paths) that a search for stages leaves where they are: "locked" of the canvas section.
[[nodiscard]] std::set<std::string> lockedLayers(const Project& project);
/// Locks these layers to the stages they are on, or lets them go again.
[[nodiscard]] Project withLocks(const Project& project, std::span<const std::string> layers, bool isLocked);
/// Layers (paths) with a call on the stage.
[[nodiscard]] std::vector<std::string> layersOfStage(const Project& project, StageId stage);
/// Of every entry the stage that it is locked to; empty where nothing is locked, or nothing has a stage.
[[nodiscard]] std::vector<std::optional<std::size_t>> lockedStages(const Project& project);

/// A new layer of a class that the catalogue does not know, declared to answer what it reads; without inputs
/// one value for each sample.
[[nodiscard]] Result<Project> withOpaqueLayer(const Project& project, const std::vector<TensorRef>& inputs);

/// An edit of the graph (`core/model/edit/graph_edit.h`), stages carried over as by `withModel`.
[[nodiscard]] Result<Project> editModel(const Project& project,
                                        const std::function<Result<ModelGraph>(const ModelGraph&)>& edit);
/// Renames a layer of the outermost model; its stage, position and declaration stay with it.
[[nodiscard]] Result<Project> withLayerName(const Project& project, const std::string& layer,
                                            const std::string& name);

/// The project with another model, made by an edit of the graph. Stages follow their calls (by layer path and
/// call): a new call takes the latest stage of what it reads, or the earliest of what reads it; canvas
/// positions and opaque layers of layers that are gone go too. `renamed` maps old layer names to new ones.
[[nodiscard]] Project withModel(const Project& project, ModelGraph model,
                                const std::map<std::string, std::string>& renamed = {});

} // namespace core
