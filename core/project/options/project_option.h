#pragma once

#include "core/base/json.h"
#include "core/base/object_reader.h"
#include "core/project/project.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace core {

/// How the value of a project's option is written.
enum class ProjectOptionType : std::uint8_t {
    Switch,
    OptionalSwitch, ///< null: as the system decides
    Integer,
    Number,
    Text,
    Choice,     ///< one of `choices`
    OpenChoice, ///< one of `choices`, or a path
    Integers,   ///< a list of whole numbers
    Json        ///< an object or a list of its own form
};

struct ProjectOption;

/// Where the value of an option is kept in a project: made by `option_field.h`, or functions of its own.
struct OptionField {
    /// Reads the option's key, if it is there, into the project; refuses at that key what cannot be.
    void (*read)(ObjectReader& reader, const ProjectOption& option, Project& project) = nullptr;
    /// The value as JSON, null where there is none.
    Json (*value)(const Project& project) = nullptr;
    /// Puts the value of one project into another; null where reading other options may change it too.
    void (*copy)(const Project& from, Project& to) = nullptr;
};

/// Where an option is in its section of a project file.
struct OptionPlace {
    /// Among the keys of the section, so that files keep the order they always had; new options come last.
    int place = 1000;
    /// Also where it has its default.
    bool isAlwaysWritten = false;
    /// A compiled executable depends on it; one that says false may differ between compiling and running.
    bool isCompiledIn = true;
};

struct OptionRange {
    /// Limits of numbers.
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    /// In the order of display.
    std::vector<std::string_view> choices = {};
    /// Kind of error of a name that is no choice, where that is a rule of the programming system.
    std::string_view errorCode = {};
};

/// Which statement of a program of the Python API says an option.
enum class PythonSite : std::uint8_t {
    None,          ///< no name there: kept in the comment at the program's end
    Options,       ///< an argument of set_pipelining_options
    BeforeCompile, ///< `text` with the value in it, a statement before model.compile
    Compile,       ///< an argument of model.compile
    AfterCompile,  ///< `text` with the value in it, a statement after model.compile
    Fit,           ///< an argument of model.fit
    LastOfFit      ///< one behind its callbacks
};

/// How a value is written in such a program.
enum class PythonForm : std::uint8_t {
    Literal,
    Member,          ///< of an enumeration: `text` is its name
    DataType,        ///< tf.float16
    StageOptions,    ///< a PipelineStageOptions
    StageOptionsList ///< a list of them
};

struct PythonSpelling {
    PythonSite site = PythonSite::None;
    /// Keyword where it is not the option's key.
    std::string_view keyword = {};
    PythonForm form = PythonForm::Literal;
    std::string_view text = {};
    /// Among the arguments of one call that is written, where that is not the order of the file.
    int place = 0;
    /// Position at which a call that is read may pass it without its keyword; none: by keyword only.
    std::optional<std::size_t> position = {};
    /// Its place among the arguments of the older pipeline(), which has it under the name of TensorFlow 2.1;
    /// none: pipeline() does not take it.
    std::optional<std::size_t> pipelinePosition = {};
};

/// Everything there is to know about one option of a project beside `ipu_config` (see IpuConfigOption): the
/// keys of its sections `pipeline`, `training` and `system` that hold one value, and `replicas`. Its default
/// is the value in a project made from nothing. The readers and writers of the file, the inspector, the verb
/// `config`, the templates and the writer of Python programs walk these rows.
struct ProjectOption {
    /// Where it is in a project file: "pipeline.schedule".
    std::string_view path;
    ProjectOptionType type = ProjectOptionType::Integer;
    std::string_view documentation;
    /// What the simulation does with it.
    std::string_view effectText;
    /// Heading it is under in forms: "Offloading".
    std::string_view section;
    /// Its name under that heading.
    std::string_view label;
    OptionField field;
    OptionPlace file = {};
    OptionRange range = {};
    PythonSpelling python = {};
    /// In programs for TensorFlow 2.1, where it differs.
    std::optional<PythonSpelling> olderPython = {};

    /// What it is called in programs for TensorFlow 2.1.
    [[nodiscard]] std::string_view olderKeyword() const {
        const std::string_view keyword = (olderPython ? *olderPython : python).keyword;
        return keyword.empty() ? key() : keyword;
    }
    /// "schedule" of "pipeline.schedule".
    [[nodiscard]] std::string_view key() const { return path.substr(path.rfind('.') + 1); }
    /// "pipeline" of "pipeline.schedule"; empty for a key of the project itself.
    [[nodiscard]] std::string_view parent() const {
        return path.substr(0, path.size() - key().size() - (path.size() > key().size() ? 1 : 0));
    }
};

} // namespace core
