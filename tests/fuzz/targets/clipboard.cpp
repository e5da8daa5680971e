#include "core/interchange/project/project_file.h"
#include "core/model/edit/copied_layers.h"
#include "core/model/graph/infer_shapes.h"
#include "tests/fuzz/small_projects.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto layers = core::copiedLayersOfText(text);
    if (core::copiedLayersOfText(core::textOfCopiedLayers(layers)) != layers)
        std::abort();
    for (const bool withLinks : {false, true}) {
        core::Project project = smallProjects()[1];
        auto pasted = core::pasteLayers(project.model, layers, withLinks);
        if (!pasted)
            continue;
        project.model = std::move(*pasted);
        static_cast<void>(core::inferKnownShapes(project.model));
        mustReadBack(project);
    }
    return 0;
}
