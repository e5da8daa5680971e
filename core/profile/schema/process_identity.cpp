#include "core/profile/schema/process_identity.h"

#include <fmt/core.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace core {

namespace {

std::string firstLine(const std::string& path) {
    std::ifstream stream(path);
    std::string line;
    std::getline(stream, line);
    return line;
}

/// Ticks after boot at which the process started: field 22 of /proc/PID/stat (proc(5)); the second field, a
/// name in parentheses, may hold blanks. Empty when there is no such process or it is a zombie.
std::string startOf(const std::string& process) {
    const std::string line = firstLine("/proc/" + process + "/stat");
    const std::size_t afterName = line.rfind(')');
    if (afterName == std::string::npos)
        return {};
    std::istringstream fields(line.substr(afterName + 1));
    std::string field;
    for (int number = 3; number <= 22 && fields >> field; ++number) {
        if (number == 3 && (field == "Z" || field == "X"))
            return {};
    }
    return field;
}

std::string identityOf(const std::string& process) {
    return fmt::format("{} {} {}", process, startOf(process), firstLine("/proc/sys/kernel/random/boot_id"));
}

} // namespace

std::string currentProcess() {
    return identityOf(std::to_string(::getpid()));
}

bool isAlive(std::string_view process) {
    const std::string number(process.substr(0, process.find(' ')));
    const bool isNumber = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
    return isNumber && !startOf(number).empty() && identityOf(number) == process;
}

} // namespace core
