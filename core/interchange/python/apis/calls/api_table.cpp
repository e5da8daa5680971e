#include "core/interchange/python/apis/calls/api_table.h"

#include <fmt/format.h>

namespace core {

namespace {

/// "*optimizer*" fits every part that holds the word.
bool fitsPart(std::string_view pattern, std::string_view part) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos)
        return pattern == part;
    if (!part.starts_with(pattern.substr(0, star)))
        return false;
    const std::string_view rest = pattern.substr(star + 1);
    for (std::size_t at = star; at <= part.size(); ++at)
        if (fitsPart(rest, part.substr(at)))
            return true;
    return false;
}

std::string_view firstOf(std::string_view path) {
    return path.substr(0, path.find('.'));
}

std::string_view restOf(std::string_view path) {
    const std::size_t dot = path.find('.');
    return dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
}

} // namespace

void refuseOpenNumber(const PythonApiCall& call, std::string_view what, std::string cure) {
    call.refuse("python/value", fmt::format("{} is known only when the program runs", what),
                {std::move(cure), "import with --arguments where the command line says it"});
}

bool fitsPattern(std::string_view pattern, std::string_view path) {
    if (pattern.empty())
        return path.empty();
    if (firstOf(pattern) == "**") {
        if (fitsPattern(restOf(pattern), path))
            return true;
        return !path.empty() && fitsPattern(pattern, restOf(path));
    }
    return !path.empty() && fitsPart(firstOf(pattern), firstOf(path)) &&
           fitsPattern(restOf(pattern), restOf(path));
}

PythonApiName readName(std::string pattern, PythonMeaning meaning) {
    PythonApiName row;
    row.pattern = std::move(pattern);
    row.meaning = std::move(meaning);
    return row;
}

PythonApiName hostName(std::string pattern) {
    PythonApiName row;
    row.pattern = std::move(pattern);
    row.reading = PythonApiName::Reading::Host;
    return row;
}

PythonApiName warnedName(std::string pattern, std::string cause, std::string cure) {
    PythonApiName row;
    row.pattern = std::move(pattern);
    row.reading = PythonApiName::Reading::Warned;
    row.cause = std::move(cause);
    row.cure = std::move(cure);
    return row;
}

PythonApiName refusedName(std::string pattern, std::string cause, std::string cure) {
    PythonApiName row = warnedName(std::move(pattern), std::move(cause), std::move(cure));
    row.reading = PythonApiName::Reading::Refused;
    return row;
}

} // namespace core
