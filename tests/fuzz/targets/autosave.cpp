#include "core/interchange/project/kept_work.h"
#include "core/interchange/project/project_file.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (const auto work = core::readKeptWork(bytes, ".net.ipuproj.autosave"))
        static_cast<void>(core::readProject(work->project, work->projectFile));
    return 0;
}
