#include "core/platform/process_identity.h"

#include <array>
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

bool isMadeOf(std::string_view text, std::string_view characters) {
    return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

/// FNV-1a over what tells apart two processes of the same number: the boot, and the namespace of numbers.
std::string sumOfPlace() {
    std::array<char, 64> space{};
    const ssize_t length = ::readlink("/proc/self/ns/pid", space.data(), space.size() - 1);
    std::uint32_t sum = 2166136261U;
    const std::string place = firstLine("/proc/sys/kernel/random/boot_id") + (length > 0 ? space.data() : "");
    for (const char character : place)
        sum = (sum ^ static_cast<unsigned char>(character)) * 16777619U;
    return fmt::format("{:08x}", sum);
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
    return isMadeOf(number, "0123456789") && !startOf(number).empty() && identityOf(number) == process;
}

std::string processTag() {
    const std::string process = std::to_string(::getpid());
    return fmt::format("{}-{}-{}", process, startOf(process), sumOfPlace());
}

std::filesystem::path currentProgram() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error);
}

TagOwner ownerOfTag(std::string_view tag) {
    const std::size_t first = tag.find('-');
    const std::size_t second = first == std::string_view::npos ? first : tag.find('-', first + 1);
    if (second == std::string_view::npos)
        return TagOwner::Nobody;
    const std::string_view process = tag.substr(0, first);
    const std::string_view start = tag.substr(first + 1, second - first - 1);
    const std::string_view place = tag.substr(second + 1);
    constexpr std::size_t digitsOfPlace = 8;
    if (!isMadeOf(process, "0123456789") || !isMadeOf(start, "0123456789") || place.size() != digitsOfPlace ||
        !isMadeOf(place, "0123456789abcdef"))
        return TagOwner::Nobody;
    if (place != sumOfPlace())
        return TagOwner::Elsewhere;
    return startOf(std::string(process)) == start ? TagOwner::Living : TagOwner::Dead;
}

} // namespace core
