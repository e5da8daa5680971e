#include "simulator/engine/replica/user_libraries.h"

#include "core/base/file.h"

#include <algorithm>
#include <fmt/format.h>

namespace simulator {
namespace {

core::Result<std::string> admitLibrary(const Operation& operation, const std::filesystem::path& folder,
                                       const core::ProjectGrants& grants) {
    const std::string& name = std::get<UserOperation>(operation.attributes).library;
    const std::filesystem::path file = core::namedFile(folder, name);
    const core::Location place{file.string(), operation.name};
    const auto granted = grants.libraries.find(file);
    if (!grants.userCode && granted == grants.libraries.end()) {
        return core::failure(core::makeError(
            core::Trouble::Input, "project/user-code", place,
            fmt::format("the project wants to load the library {}, which runs its code", name),
            {"where you trust it, allow it: run … --allow-user-code; or leave the numerics out: "
             "--no-numerics"}));
    }
    if (const auto opened = core::FileReader::open(file); !opened) {
        return core::failure(
            core::makeError(core::Trouble::Input, "numerics/user-operation", place,
                            fmt::format("the library cannot be loaded: {}", opened.error().front().message),
                            {"a relative library_path starts at the project's folder"}));
    }
    if (granted != grants.libraries.end() && core::readFile(file).value_or(std::string()) != granted->second)
        return core::failure(core::makeError(core::Trouble::Input, "project/user-code", place,
                                             "the library has changed since it was allowed",
                                             {"start the run again and look at what is to be loaded"}));
    return file.string();
}

} // namespace

core::Result<void> admitUserLibraries(TrainingProgram& program, const std::filesystem::path& folder,
                                      const core::ProjectGrants& grants) {
    const auto isUserOperation = [](const Operation& operation) {
        return std::holds_alternative<UserOperation>(operation.attributes);
    };
    if (std::ranges::none_of(program.graph().operations, isUserOperation))
        return {};
    auto staged = std::make_shared<KeptGraph>(*program.staged);
    for (Operation& operation : staged->graph.operations) {
        if (!isUserOperation(operation))
            continue;
        auto library = admitLibrary(operation, folder, grants);
        if (!library)
            return core::failure(library.error());
        std::get<UserOperation>(operation.attributes).library = std::move(*library);
    }
    program.staged = std::move(staged);
    program.libraries = std::make_shared<UserLibraryHost>();
    return {};
}

} // namespace simulator
