#include "core/text/markup_text.h"

#include "core/text/visible_text.h"

namespace core {

std::string markupText(std::string_view text) {
    std::string result;
    for (const char c : visibleText(text)) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        case '\'':
            result += "&#39;";
            break;
        default:
            result += c;
        }
    }
    return result;
}

} // namespace core
