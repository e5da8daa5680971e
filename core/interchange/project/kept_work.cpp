#include "core/interchange/project/kept_work.h"

#include "core/base/json.h"

#include <array>
#include <fmt/format.h>

namespace core {

namespace {

Diagnostic damagedWork(const std::string& file, const std::string& place, std::string message) {
    return makeError(Trouble::World, "autosave/damaged", {file, place}, std::move(message),
                     {"open the project itself; what the file holds can be read as JSON"});
}

} // namespace

Result<KeptWork> readKeptWork(std::string_view text, const std::string& file) {
    const auto json = parseJson(text, file);
    if (!json)
        return failure(json.error());
    if (!json->is_object())
        return failure(damagedWork(file, "", "holds no unsaved work"));
    KeptWork work;
    const std::array<std::pair<const char*, std::string*>, 4> texts{{{"project_file", &work.projectFile},
                                                                     {"name", &work.name},
                                                                     {"kept", &work.kept},
                                                                     {"process", &work.process}}};
    for (const auto& [key, field] : texts) {
        const auto found = json->find(key);
        if (found == json->end() || found->is_null())
            continue;
        if (!found->is_string())
            return failure(
                damagedWork(file, std::string("/") + key, fmt::format("\"{}\" is not a text", key)));
        *field = found->get<std::string>();
    }
    const auto content = json->find("project");
    if (content == json->end() || !content->is_object())
        return failure(damagedWork(file, "/project", "\"project\" is not a project"));
    work.project = toText(*content);
    return work;
}

} // namespace core
