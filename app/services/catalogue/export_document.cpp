#include "app/services/catalogue/export_document.h"

#include "app/reports/schedule_report.h"
#include "core/interchange/keras/keras_json.h"
#include "core/interchange/python/python_program.h"

#include <algorithm>

namespace app {

namespace {

core::Result<std::string> scheduleText(const core::Project& project, core::RunMode mode,
                                       const std::string& file) {
    const auto schedule = projectSchedule(project, mode, file);
    if (!schedule)
        return core::failure(schedule.error());
    return scheduleCsv(*schedule);
}

} // namespace

std::span<const ProjectFormat> projectFormats() {
    using core::Project;
    using core::RunMode;
    static constexpr ProjectFormat formats[]{
        {"python-2.4", "Python program, TensorFlow 2.4", "py", "Python program", "",
         [](const Project& project, RunMode, const std::string&) {
             return core::writePythonProgram(project, core::PythonApi::TensorFlow24);
         }},
        {"python-2.1", "Python program, TensorFlow 2.1", "py", "Python program", "",
         [](const Project& project, RunMode, const std::string&) {
             return core::writePythonProgram(project, core::PythonApi::TensorFlow21);
         }},
        {"keras-json", "Keras model", "json", "JSON", "",
         [](const Project& project, RunMode, const std::string&) -> core::Result<std::string> {
             return core::toText(core::writeKerasModel(project.model));
         }},
        {"schedule-csv", "Schedule, slot by slot", "csv", "CSV", "-schedule", scheduleText},
    };
    return formats;
}

const ProjectFormat* findProjectFormat(std::string_view name) {
    const auto format = std::ranges::find(projectFormats(), name, &ProjectFormat::name);
    return format == projectFormats().end() ? nullptr : &*format;
}

} // namespace app
