#include "core/interchange/project/project_file.h"
#include "core/project/project_setting.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // One setting a line, put into a project that has a value of each kind.
    static const core::Json project =
        core::parseJson(R"({"format": "ipu-workbench-project", "version": 1, "ipu_config": {},
            "pipeline": {"schedule": "Grouped"}, "training": {"optimizer": "sgd", "loss": "mse"},
            "model": {"class_name": "Sequential", "config": {"name": "net", "layers": [
                {"class_name": "Dense", "config": {"units": 3, "batch_input_shape": [4, 5]}}]}}})",
                        "net.ipuproj")
            .value();
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    std::vector<core::ProjectSetting> settings;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (auto setting = core::parseSetting(rest.substr(0, end)))
            settings.push_back(std::move(*setting));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (const auto applied = core::withSettings(project, settings))
        static_cast<void>(core::readProjectDocument(applied->project, "net.ipuproj"));
    return 0;
}
