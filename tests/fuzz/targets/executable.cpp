#include "core/base/fingerprint.h"
#include "core/project/validate.h"
#include "simulator/compiler/executable_file.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // The fingerprint of a file is no signature, anybody can make it: so is done here, or nothing behind it
    // would be reached.
    constexpr std::string_view magic = "ipu-workbench-executable\n";
    constexpr std::size_t head = magic.size() + 32;
    std::string_view body(reinterpret_cast<const char*>(data), size);
    static_cast<void>(simulator::readExecutable(body, "net.ipuexe"));
    if (body.starts_with(magic) && body.size() >= head)
        body.remove_prefix(head);
    const auto stored = simulator::readExecutable(
        std::string(magic) + core::fingerprint(body) + std::string(body), "net.ipuexe");
    if (!stored)
        return 0;
    if (const auto project = core::validate(stored->project, stored->mode))
        static_cast<void>(simulator::loadExecutable(*stored, *project));
    return 0;
}
