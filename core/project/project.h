#pragma once

#include "core/base/json.h"
#include "core/config/ipu_config/ipu_config.h"
#include "core/config/pipeline_options.h"
#include "core/config/training_options.h"
#include "core/model/model_graph.h"
#include "core/model/opaque_layer.h"
#include "core/plan/stage_assignment.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace core {

/// More IPUs than any system has: a larger number in a file is a slip.
inline constexpr std::int64_t largestSystem = 65536;

/// The simulated machine: `system` of a project file.
struct SystemOptions {
    /// IPUs of all replicas together.
    std::int64_t ipus = 1;
    /// A name of the target catalogue ("ipu1", "ipu2", "bow") or the path of a target file.
    std::string target = "ipu2";
    bool remoteMemory = true;
    /// Nothing: as many machines as the IPUs need.
    std::optional<std::int64_t> machines;
    /// Other keys of the section (clock, links, …), already checked.
    Json other = Json::object();

    bool operator==(const SystemOptions&) const = default;
};

/// Longest text of a note, in bytes.
inline constexpr std::size_t longestNote = 2000;
/// Colours that a note may have: 0 is that of the canvas itself.
inline constexpr std::int64_t noteColours = 6;

/// A text on a frame around layers (paths, in order) of the canvas.
struct CanvasNote {
    std::string text;
    std::vector<std::string> layers;
    /// Of the palette of notes; 0: none of its own.
    std::int64_t colour = 0;

    bool operator==(const CanvasNote&) const = default;
};

/// Where the person put things on the canvas.
struct CanvasLayout {
    struct Position {
        double x = 0;
        double y = 0;
        bool operator==(const Position&) const = default;
    };
    std::map<std::string, Position> positions;
    std::vector<CanvasNote> notes;
    /// Other keys of the section (frames, comments, collapsed groups), written back.
    Json other = Json::object();

    bool operator==(const CanvasLayout&) const = default;
};

/// Everything a person decides about one model: an immutable snapshot in use. Reading a file checks its form;
/// whether the parts agree with one another and with the programming system is checked by `validate()`.
struct Project {
    std::string name;
    ModelGraph model;
    StageAssignment assignment;
    DeviceMapping deviceMapping;
    PipelineOptions pipeline;
    TrainingOptions training;
    /// Nothing: as many as the system holds.
    std::optional<std::int64_t> replicas;
    SystemOptions system;
    IpuConfig ipuConfig;
    OpaqueLayers opaqueLayers;
    CanvasLayout canvas;

    bool operator==(const Project&) const = default;
};

} // namespace core
