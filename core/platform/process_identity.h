#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace core {

/// A text that names the running process: its number, when it started and since when the machine is up, so
/// that a later process with the same number is not taken for it.
[[nodiscard]] std::string currentProcess();

/// Whether the process that `currentProcess` named is still there. False for a text of another machine or
/// another boot.
[[nodiscard]] bool isAlive(std::string_view process);

/// The running process in the name of a file: "PID-START-SUM" of digits and 8 hexadecimal digits; the sum is
/// of the boot and of the namespace that numbers processes.
[[nodiscard]] std::string processTag();

/// The file of the running program, absolute; empty where the system does not tell.
[[nodiscard]] std::filesystem::path currentProgram();

enum class TagOwner : std::uint8_t {
    Nobody, ///< not a tag
    Living,
    Dead,
    Elsewhere, ///< a process of another boot, machine or container: nobody here knows
};
[[nodiscard]] TagOwner ownerOfTag(std::string_view tag);

} // namespace core
