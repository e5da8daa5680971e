#include "core/project/options/option_sections.h"
#include "core/project/options/section_walk.h"
#include "core/text/nearest_name.h"

namespace core {

namespace {

/// Keys that may be figures of the target: numbers and switches that are no misspelt key of the section.
void readFigures(const Json& object, ObjectReader& reader, Json& figures) {
    std::vector<std::string> names;
    for (const ProjectOption* option : projectOptionsInFileOrder("system"))
        names.emplace_back(option->key());
    for (const auto& [key, value] : object.items()) {
        const bool isFigure = value.is_number() || value.is_boolean();
        if (isFigure && !nearestName(key, names))
            figures[key] = *reader.readValue(key);
    }
}

} // namespace

void readSystemOptions(const Json& object, const std::string& file, const std::string& pointer,
                       Diagnostics& findings, Project& project) {
    ObjectReader reader(object, file, pointer, findings);
    readSection("system", reader, project);
    if (object.is_object())
        readFigures(object, reader, project.system.other);
    reader.finish();
}

Json systemSection(const Project& project) {
    Json object = Json::object();
    writeSection("system", project, object);
    object.update(project.system.other);
    return object;
}

void readProjectOptions(ObjectReader& reader, Project& project) {
    readSection("", reader, project);
}

void writeProjectOptions(const Project& project, Json& object) {
    writeSection("", project, object);
}

} // namespace core
