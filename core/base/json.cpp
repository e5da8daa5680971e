#include "core/base/json.h"

#include "core/base/cbor.h"
#include "core/base/file_limit.h"
#include "core/text/visible_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <vector>

namespace core {

namespace {

/// What the parser says of a text that is no JSON ("value - invalid literal; last read: 'h'"), for people.
std::string wordsOf(const std::string& parserWords) {
    const auto dash = parserWords.find(" - ");
    const std::string trouble = dash == std::string::npos ? parserWords : parserWords.substr(dash + 3);
    if (trouble.starts_with("unexpected end of input"))
        return "the text ends before its JSON does";
    const std::string marker = "; last read: ";
    const auto quote = trouble.find(marker);
    if (quote == std::string::npos)
        return "this is not JSON: " + trouble.substr(0, trouble.find("; expected"));
    const std::string read = trouble.substr(quote + marker.size());
    return trouble.starts_with("invalid literal")
               ? "this is not JSON from " + read + " on"
               : fmt::format("this is not JSON: {}, at {}", trouble.substr(0, quote), read);
}

/// Builds the document while it is read, so that depth and duplicate keys are refused before anything
/// recurses.
class DocumentBuilder : public nlohmann::json_sax<Json> {
public:
    /// `bytesEach`: what a part of a real document takes at least on average.
    DocumentBuilder(std::string_view file, std::string_view text, const JsonLimits& limits,
                    std::size_t bytesEach)
        : m_file(file)
        , m_text(text)
        , m_limits(limits)
        , m_mostParts(250'000 + text.size() / bytesEach) {}

    [[nodiscard]] Json& document() { return m_document; }
    [[nodiscard]] const std::optional<Diagnostic>& trouble() const { return m_trouble; }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t& digits) override {
        if (!std::isfinite(value))
            return refuse("json/number", pointer(),
                          fmt::format("the number {} is out of range", digits.substr(0, 40)),
                          "write a number below 1.8e308");
        return add(value);
    }
    bool string(string_t& value) override { return isWithinSize() && add(std::move(value)); }
    bool binary(binary_t& value) override { return add(Json::binary(value)); }

    bool start_object(std::size_t) override { return isWithinSize() && open(Json::object()); }
    bool start_array(std::size_t) override { return isWithinSize() && open(Json::array()); }
    bool end_object() override {
        m_keys.pop_back();
        return close();
    }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        if (!isWithinSize())
            return false;
        if (!m_keys.back().insert(name).second)
            return refuse("json/duplicate-key", childPointer(pointer(), name),
                          fmt::format("the key \"{}\" is given twice in one object", name),
                          "keep one of the two");
        m_key = std::move(name);
        return true;
    }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) override {
        std::string message = error.what();
        const std::string marker = "syntax error while parsing ";
        if (const auto at = message.find(marker); at != std::string::npos)
            message = wordsOf(message.substr(at + marker.size()));
        // "[json.exception.out_of_range.406] number overflow parsing '1e999'"
        const bool isOverflow = message.find("number overflow") != std::string::npos;
        if (const auto end = message.find("] ");
            message.starts_with("[json.exception") && end != std::string::npos)
            message.erase(0, end + 2);
        constexpr std::size_t longest = 240;
        if (message.size() > longest)
            message = message.substr(0, longest) + "…";
        if (isOverflow)
            return refuse("json/syntax", lineAndColumn(position), std::move(message),
                          "numbers end at 1.8e308: write a smaller one");
        const bool isUtf8 = std::string_view(error.what()).find("UTF-8") != std::string_view::npos;
        return refuse(isUtf8 ? "json/utf-8" : "json/syntax", lineAndColumn(position), std::move(message),
                      "check that the file is complete and is JSON in UTF-8");
    }

private:
    bool refuse(std::string code, std::string place, std::string message, std::string hint) {
        m_trouble = makeError(Trouble::Input, std::move(code), {m_file, std::move(place)}, std::move(message),
                              {std::move(hint)});
        return false;
    }

    /// Lists, objects, texts and keys take 70 to 170 bytes of memory each, however few are in the file:
    /// there may be as many as real documents have.
    bool isWithinSize() {
        if (++m_parts <= m_mostParts)
            return true;
        return refuse(
            "json/size", shortPointer(),
            fmt::format("{} lists, objects and texts are too many for {} bytes", m_parts, m_text.size()),
            "is this the right file?");
    }
    /// Large lists grow by a quarter: doubled ones would need 24 times the bytes of a list of digits.
    template <class Container>
    static void makeRoom(Container& container) {
        constexpr std::size_t large = 4096;
        if (container.size() >= large && container.size() == container.capacity())
            container.reserve(container.size() + container.size() / 4);
    }

    bool open(Json container) {
        if (m_open.size() >= m_limits.depth)
            return refuse("json/depth", shortPointer(),
                          fmt::format("nested deeper than {} levels", m_limits.depth),
                          "flatten the document");
        const bool isObject = container.is_object();
        Json* const added = place(std::move(container));
        m_open.push_back(added);
        if (isObject)
            m_keys.emplace_back();
        return true;
    }
    bool close() {
        m_open.pop_back();
        return true;
    }
    bool add(Json value) {
        place(std::move(value));
        return true;
    }
    Json* place(Json value) {
        if (m_open.empty()) {
            m_document = std::move(value);
            return &m_document;
        }
        Json& parent = *m_open.back();
        if (parent.is_array()) {
            auto& elements = parent.get_ref<Json::array_t&>();
            makeRoom(elements);
            elements.push_back(std::move(value));
            return &elements.back();
        }
        // The keys of one object are known to differ, so the linear search of an ordered object is not
        // needed.
        auto& members = parent.get_ref<Json::object_t&>();
        makeRoom(static_cast<Json::object_t::Container&>(members));
        static_cast<Json::object_t::Container&>(members).emplace_back(std::move(m_key), std::move(value));
        return &members.back().second;
    }

    [[nodiscard]] std::string pointer() const {
        std::string out;
        for (std::size_t i = 0; i < m_open.size(); ++i) {
            const Json& container = *m_open[i];
            const bool isLast = i + 1 == m_open.size();
            if (container.is_array()) {
                const std::size_t index = isLast ? container.size() : container.size() - 1;
                out = childPointer(out, index);
            } else if (!isLast) {
                out = childPointer(out, container.get_ref<const Json::object_t&>().back().first);
            }
        }
        return out;
    }
    [[nodiscard]] std::string shortPointer() const {
        constexpr std::size_t longest = 80;
        std::string whole = pointer();
        return whole.size() <= longest ? whole : whole.substr(0, longest) + "…";
    }
    [[nodiscard]] std::string lineAndColumn(std::size_t position) const {
        const std::string_view before =
            m_text.substr(0, std::min(position == 0 ? 0 : position - 1, m_text.size()));
        const auto line = 1 + std::count(before.begin(), before.end(), '\n');
        const std::size_t lineStart =
            before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
        return fmt::format("{}:{}", line, before.size() - lineStart + 1);
    }

    std::string m_file;
    std::string_view m_text;
    JsonLimits m_limits;
    Json m_document;
    std::vector<Json*> m_open;
    std::vector<std::set<std::string>> m_keys;
    std::string m_key;
    std::size_t m_mostParts = 0;
    std::size_t m_parts = 0;
    std::optional<Diagnostic> m_trouble;
};

void escapeInto(std::string& out, std::string_view key) {
    for (const char c : key) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
}

} // namespace

Result<Json> parseCbor(std::string_view bytes, std::string_view file, const JsonLimits& limits) {
    if (auto objection = objectionToCbor(bytes, file, limits))
        return failure(std::move(*objection));
    constexpr std::size_t bytesEach = 4;
    DocumentBuilder builder(file, bytes, limits, bytesEach);
    const bool isWhole = Json::sax_parse(bytes.begin(), bytes.end(), &builder, Json::input_format_t::cbor);
    if (!isWhole && builder.trouble())
        return failure(*builder.trouble());
    return std::move(builder.document());
}

Result<Json> parseJson(std::string_view text, std::string_view file, const JsonLimits& limits) {
    const ReadingScope reading;
    if (text.size() > limits.bytes)
        return failure(
            makeError(Trouble::Input, "json/size", {std::string(file), fmt::format("byte {}", limits.bytes)},
                      fmt::format("{} bytes are more than the {} that are read", text.size(), limits.bytes),
                      {"a project holds a model's structure, not its weights"}));
    constexpr std::size_t bytesEach = 9;
    DocumentBuilder builder(file, text, limits, bytesEach);
    const bool isWhole = Json::sax_parse(text.begin(), text.end(), &builder);
    if (!isWhole && builder.trouble())
        return failure(*builder.trouble());
    return std::move(builder.document());
}

std::string toText(const Json& value, int indent) {
    std::string text = withEscapedMarks(value.dump(indent, ' ', false, Json::error_handler_t::replace));
    if (indent >= 0)
        text += '\n';
    return text;
}

std::string childPointer(std::string_view pointer, std::string_view key) {
    std::string out(pointer);
    out += '/';
    escapeInto(out, key);
    return out;
}

std::string childPointer(std::string_view pointer, std::size_t index) {
    return fmt::format("{}/{}", pointer, index);
}

double numberOr(const Json& object, std::string_view key, double preset) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? found->get<double>() : preset;
}

std::string_view typeName(const Json& value) {
    switch (value.type()) {
    case Json::value_t::string:
        return "text";
    case Json::value_t::number_unsigned:
        // What is wanted instead is often a whole number too.
        if (value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
            return "a whole number above 2^63 - 1";
        [[fallthrough]];
    case Json::value_t::number_integer:
        return "a whole number";
    case Json::value_t::number_float:
        return std::trunc(value.get<double>()) == value.get<double>() ? "a number"
                                                                      : "a number with a fraction";
    case Json::value_t::boolean:
        return "true or false";
    case Json::value_t::array:
        return "a list";
    case Json::value_t::object:
        return "an object";
    case Json::value_t::null:
        return "null";
    default:
        return "binary data";
    }
}

} // namespace core
