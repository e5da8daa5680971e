#include "core/interchange/python/apis/api_catalogue.h"

#include <algorithm>
#include <array>

namespace core {

std::span<const PythonApiTable* const> pythonApis() {
    static const std::array<const PythonApiTable*, 8> apis{
        &builtinsApi(), &pipeliningApi(), &ipuApi(),   &kerasApi(),
        &tf1Api(),      &tensorflowApi(), &numpyApi(), &standardLibraryApi()};
    return apis;
}

const PythonApiName* findPythonName(const std::string& path) {
    for (const PythonApiTable* api : pythonApis())
        for (const PythonApiName& row : api->names)
            if (fitsPattern(row.pattern, path))
                return &row;
    return nullptr;
}

std::string fullPythonName(std::string path) {
    constexpr int mostSteps = 8; // a name goes through few modules
    for (int step = 0; step < mostSteps; ++step) {
        const PythonModuleName* longest = nullptr;
        for (const PythonApiTable* api : pythonApis()) {
            for (const PythonModuleName& module : api->modules) {
                const bool fits =
                    path.starts_with(module.imported) &&
                    (path.size() == module.imported.size() || path[module.imported.size()] == '.');
                if (fits && (longest == nullptr || module.imported.size() > longest->imported.size()))
                    longest = &module;
            }
        }
        if (longest == nullptr)
            break;
        path = std::string(longest->name) + path.substr(longest->imported.size());
    }
    return path;
}

} // namespace core
