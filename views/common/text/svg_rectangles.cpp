#include "views/common/text/svg_rectangles.h"

#include "core/text/decimal_number.h"

#include <QRectF>
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace views {

namespace {

using Text = std::string_view;

/// What stands between two texts from a place on, which goes behind the second; nothing where they do not
/// stand there.
std::optional<Text> between(Text text, std::size_t& place, Text before, Text behind) {
    if (text.substr(place, before.size()) != before)
        return std::nullopt;
    const std::size_t begin = place + before.size();
    const std::size_t end = text.find(behind, begin);
    if (end == Text::npos)
        return std::nullopt;
    place = end + behind.size();
    return text.substr(begin, end - begin);
}

/// Left, top, width and height as they are written.
using RectangleTexts = std::array<Text, 4>;

QRectF placeOf(const RectangleTexts& texts) {
    const auto number = [](Text text) { return core::decimalNumber(text).value_or(0); };
    return {number(texts[0]), number(texts[1]), number(texts[2]), number(texts[3])};
}

/// Rectangles of some colours, none of which lies over one of another colour, or where it shows through over
/// any, so that their order is free.
class JoinedRectangles {
public:
    void add(Text colour, const RectangleTexts& texts, std::string& out) {
        const QRectF place = placeOf(texts);
        bool isOverOther = m_places.size() >= mostTogether;
        const bool isOpaque = colour.find('"') == Text::npos;
        for (const auto& [other, taken] : m_places)
            isOverOther = isOverOther || ((other != colour || !isOpaque) && taken.intersects(place));
        if (isOverOther)
            write(out);
        m_places.emplace_back(colour, place);
        Shape* shape = nullptr;
        for (Shape& one : m_shapes)
            if (one.colour == colour)
                shape = &one;
        if (shape == nullptr)
            shape = &m_shapes.emplace_back(Shape{colour, {}});
        const auto& [left, top, width, height] = texts;
        const auto append = [&](char letter, Text text) { (shape->path += letter) += text; };
        append('M', left);
        append(' ', top);
        append('h', width);
        append('v', height);
        append('h', "-");
        (shape->path += width) += 'z';
    }

    void write(std::string& out) {
        if (m_shapes.empty())
            return;
        out += "<g stroke=\"none\" fill-rule=\"nonzero\">\n";
        for (const Shape& shape : m_shapes)
            ((((out += "<path fill=\"") += shape.colour) += "\" d=\"") += shape.path) += "\"/>\n";
        out += "</g>\n";
        m_shapes.clear();
        m_places.clear();
    }

private:
    /// Each new one is compared with all before.
    static constexpr std::size_t mostTogether = 400;
    struct Shape {
        Text colour;
        std::string path;
    };
    std::vector<Shape> m_shapes;
    std::vector<std::pair<Text, QRectF>> m_places;
};

/// The rectangles of a group that has nothing else, as it is written from `place` on; nothing where it is
/// another.
struct PlainGroup {
    /// With its opacity as an attribute of its own where it has one.
    Text colour;
    std::vector<RectangleTexts> rectangles;
};
std::optional<PlainGroup> readGroup(Text svg, std::size_t& place) {
    std::size_t at = place;
    // What is not in its head is not looked for in the rest of the picture.
    const std::size_t head = svg.find('>', place);
    const Text lines = svg.substr(0, head == Text::npos ? svg.size() : head + 2);
    auto colour = between(lines, at, "<g fill=\"", "\" stroke=\"none\" transform=\"matrix(1,0,0,1,0,0)\"\n");
    if (!colour || std::ranges::count(*colour, '"') != 2 || !between(lines, at, "font-family=", ">\n"))
        return std::nullopt;
    constexpr Text opaque = "\" fill-opacity=\"1";
    if (colour->ends_with(opaque))
        colour->remove_suffix(opaque.size());
    PlainGroup group{*colour, {}};
    while (svg.substr(at, 4) != "</g>") {
        RectangleTexts texts;
        constexpr std::array<Text, 4> names{"<rect x=\"", " y=\"", " width=\"", " height=\""};
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto value = between(svg, at, names[i], "\"");
            if (!value)
                return std::nullopt;
            texts[i] = *value;
        }
        if (!between(svg, at, "/>\n", ""))
            return std::nullopt;
        group.rectangles.push_back(texts);
    }
    constexpr Text end = "</g>\n";
    place = at + end.size();
    return group;
}

} // namespace

std::string withJoinedRectangles(std::string_view svg) {
    std::string out;
    JoinedRectangles joined;
    std::size_t place = 0;
    while (place < svg.size()) {
        if (const auto group = readGroup(svg, place)) {
            for (const RectangleTexts& texts : group->rectangles)
                joined.add(group->colour, texts, out);
            continue;
        }
        // Up to the next line: empty lines between groups are nothing.
        const std::size_t end = std::min(svg.find('\n', place), svg.size() - 1) + 1;
        const Text line = svg.substr(place, end - place);
        if (line != "\n") {
            joined.write(out);
            out += line;
        }
        place = end;
    }
    joined.write(out);
    return out;
}

} // namespace views
