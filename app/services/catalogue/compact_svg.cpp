#include "app/services/catalogue/compact_svg.h"

#include <array>

namespace app {

namespace {

/// What the generator repeats in every group, and the outermost group or SVG itself says.
constexpr std::array<std::string_view, 8> inherited{
    " fill-opacity=\"1\"",        " stroke-opacity=\"1\"",      " stroke-width=\"1\"",
    " stroke-linecap=\"square\"", " stroke-linejoin=\"bevel\"", " transform=\"matrix(1,0,0,1,0,0)\"",
    " vector-effect=\"none\"",    " font-style=\"normal\"",
};

void eraseAll(std::string& text, std::string_view part) {
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
        text.erase(at, part.size());
}

void replaceAll(std::string& text, std::string_view part, std::string_view by) {
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + by.size()))
        text.replace(at, part.size(), by);
}

/// ` name="value"` of a tag.
void eraseAttribute(std::string& tag, std::string_view name) {
    const std::string begin = " " + std::string(name) + "=\"";
    const std::size_t at = tag.find(begin);
    if (at == std::string::npos)
        return;
    const std::size_t end = tag.find('"', at + begin.size());
    tag.erase(at, end == std::string::npos ? std::string::npos : end + 1 - at);
}

/// Line breaks and runs of blanks between attributes as one blank; texts have none of either.
std::string onOneLine(std::string_view tag) {
    std::string result;
    for (const char c : tag) {
        const char next = c == '\n' || c == '\t' ? ' ' : c;
        if (next != ' ' || result.empty() || result.back() != ' ')
            result += next;
    }
    return result;
}

/// A group from its tag to its end: what is left of it.
std::string compactGroup(std::string tag, std::string_view content) {
    const std::size_t visible = content.find_first_not_of(" \n");
    if (visible == std::string_view::npos)
        return {};
    tag = onOneLine(tag);
    for (const std::string_view part : inherited)
        eraseAll(tag, part);
    // Every text names its own.
    for (const char* font : {"font-family", "font-size", "font-weight"})
        eraseAttribute(tag, font);
    std::string body(content.substr(visible));
    eraseAll(body, " vector-effect=\"none\"");
    replaceAll(body, "\n", " ");
    return tag + body + "</g>\n";
}

} // namespace

std::string compactSvg(std::string_view svg, std::string_view prefix) {
    std::string result;
    // The outermost group stays as it is: it is what the others inherit from.
    const std::size_t begin = svg.find("<svg");
    const std::size_t outer = svg.find("<g ", begin);
    if (begin == std::string_view::npos || outer == std::string_view::npos)
        return std::string(svg);
    std::size_t at = svg.find('>', outer) + 1;
    result = onOneLine(svg.substr(begin, at - begin));
    // The generator writes no group inside another one but in the outermost.
    while (true) {
        const std::size_t group = svg.find("<g ", at);
        if (group == std::string_view::npos)
            break;
        result += onOneLine(svg.substr(at, group - at));
        const std::size_t tagEnd = svg.find('>', group) + 1;
        const std::size_t end = svg.find("</g>", tagEnd);
        if (end == std::string_view::npos)
            return std::string(svg);
        result +=
            compactGroup(std::string(svg.substr(group, tagEnd - group)), svg.substr(tagEnd, end - tagEnd));
        at = end + 4;
    }
    result += svg.substr(at);
    const std::string own(prefix);
    replaceAll(result, " id=\"", " id=\"" + own);
    replaceAll(result, "url(#", "url(#" + own);
    replaceAll(result, "xlink:href=\"#", "xlink:href=\"#" + own);
    return result;
}

} // namespace app
