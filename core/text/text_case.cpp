#include "core/text/text_case.h"

#include <algorithm>
#include <cctype>

namespace core {

namespace {

bool isUpperLetter(char c) {
    return std::isupper(static_cast<unsigned char>(c)) != 0;
}

bool isLowerLetter(char c) {
    return std::islower(static_cast<unsigned char>(c)) != 0;
}

bool isDecimalDigit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

char lowered(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

} // namespace

std::string lowerCase(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), lowered);
    return result;
}

std::string snakeCase(std::string_view name) {
    // A break before an upper-case letter that starts a word of lower-case letters or digits, or that follows
    // a lower-case letter.
    std::string snake;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (i > 0 && isUpperLetter(c)) {
            const bool startsWord =
                i + 1 < name.size() && (isLowerLetter(name[i + 1]) || isDecimalDigit(name[i + 1]));
            if (startsWord ? name[i - 1] != '_' : isLowerLetter(name[i - 1]))
                snake += '_';
        }
        snake += lowered(c);
    }
    return snake;
}

} // namespace core
